"""Variables of seed 000 as fields of its policies."""

import pytest

from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, Policy
from inspector.pipeline.chatcli.environment import with_environment

FIELDS = {
    "CHATCLI_TOOL_RESULT_MAX_CHARS": "budget.result_limit",
    "CHATCLI_TOOL_RESULT_BUDGET_CHARS": "budget.turn_limit",
    "CHATCLI_MICROCOMPACT_TRUNCATE_TURNS": "microcompact.truncate_turns",
    "CHATCLI_MICROCOMPACT_SUMMARIZE_TURNS": "microcompact.summarize_turns",
    "CHATCLI_MICROCOMPACT_HEAD_CHARS": "microcompact.head",
    "CHATCLI_MICROCOMPACT_TAIL_CHARS": "microcompact.tail",
    "CHATCLI_MICROCOMPACT_MIN_CONTENT": "microcompact.min_content",
}


@pytest.mark.parametrize("policy", [DOCUMENTED, CHATCLI], ids=lambda policy: policy.name)
@pytest.mark.parametrize(("variable", "field"), FIELDS.items())
def test_each_variable_sets_its_field_and_no_other(policy: Policy, variable: str, field: str) -> None:
    changed, origins = with_environment(policy, {variable: "+7"})
    assert changed.flat() == {**policy.flat(), field: 7}
    assert origins[field] == f"{variable}=+7"


@pytest.mark.parametrize("value", ["", "0", "-1", " 7", "7.0", "1_000", "0x7", "٧", "9223372036854775808"])
def test_what_chatcli_would_not_take_changes_nothing(value: str) -> None:
    for variable in FIELDS:
        assert with_environment(DOCUMENTED, {variable: value})[0] == DOCUMENTED


def test_other_policies_and_other_variables_are_left_alone() -> None:
    everything = dict.fromkeys(FIELDS, "7")
    assert with_environment(CLAUDE_CODE, everything) == (CLAUDE_CODE, {})
    assert with_environment(DOCUMENTED, {"CHATCLI_COMPRESSION": "off"}) == (DOCUMENTED, {})
    assert with_environment(CHATCLI, {"CHATCLI_COMPRESSION": "off"})[0].archive is False
