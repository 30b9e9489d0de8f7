"""Which value of a policy is in force, and why: preset, environment, command line."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from inspector.cli.settings import policy_of
from inspector.errors import UsageError
from inspector.model.policy import DOCUMENTED
from inspector.reading.chatcli_session import save_session
from tests.pipeline.chatcli.histories import user

LIMIT = "CHATCLI_TOOL_RESULT_MAX_CHARS"


def arguments(policy: str | None = None, *changes: str) -> argparse.Namespace:
    return argparse.Namespace(policy=policy, set=list(changes))


def test_variables_reach_chatcli_and_documented_and_no_other_preset() -> None:
    for name in ("chatcli", "documented"):
        policy, origins = policy_of(arguments(name), environment={LIMIT: "5000"})
        assert policy is not None
        assert policy.budget.result_limit == 5_000
        assert origins["budget.result_limit"] == f"{LIMIT}=5000"
    policy, origins = policy_of(arguments("claude-code"), environment={LIMIT: "5000"})
    assert policy is not None
    assert policy.budget.result_limit is None
    assert origins == {"name": "--policy"}


@pytest.mark.parametrize(
    ("given", "why"),
    [(" 5000", "not a number"), ("5_000", "not a number"), ("0", "not above zero"), ("９", "not a number"),
     ("9223372036854775808", "not a number")],
)  # fmt: skip
def test_value_that_go_cannot_read_is_passed_over_and_said(given: str, why: str) -> None:
    policy, origins = policy_of(arguments("chatcli"), environment={LIMIT: given})
    assert policy is not None
    assert policy.budget.result_limit == 20_000
    assert origins["budget.result_limit"] == f"default; {LIMIT}={given} is ignored: {why}"


def test_command_line_wins_over_the_environment() -> None:
    policy, origins = policy_of(arguments("chatcli", "budget.result_limit=7000"), environment={LIMIT: "5000"})
    assert policy is not None
    assert policy.budget.result_limit == 7_000
    assert origins["budget.result_limit"] == "--set"


def test_kind_of_the_session_chooses_the_preset_that_the_variables_change(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(save_session([user()]))
    policy, origins = policy_of(
        arguments(), path, {"CHATCLI_MICROCOMPACT_TRUNCATE_TURNS": "+3", "CHATCLI_COMPRESSION": "off"}
    )
    assert policy is not None
    assert (policy.name, policy.microcompact.truncate_turns, policy.archive) == ("chatcli", 3, False)
    assert origins["archive"] == "CHATCLI_COMPRESSION=off"
    assert origins["microcompact.head"] == "default; CHATCLI_MICROCOMPACT_HEAD_CHARS is not set"


def test_a_file_is_a_policy(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("archive = true\n")
    policy, origins = policy_of(arguments(str(file)))
    assert policy == DOCUMENTED.with_field("archive", True).with_field("name", "mine")
    assert origins == {"name": "--policy"}


def test_single_fields_are_set_over_it() -> None:
    policy, origins = policy_of(arguments("documented", "budget.turn_limit=50,000", "archive=on"))
    assert policy is not None
    assert (policy.budget.turn_limit, policy.archive) == (50_000, True)
    assert origins == {"name": "--policy", "budget.turn_limit": "--set", "archive": "--set"}


@pytest.mark.parametrize("change", ["budget.turn_limit", "budget.turn_limit=much", "none.such=1"])
def test_a_wrong_change_is_told(change: str) -> None:
    with pytest.raises(UsageError):
        policy_of(arguments("documented", change))


def test_a_change_needs_a_policy_to_change() -> None:
    with pytest.raises(UsageError, match="--policy"):
        policy_of(arguments(None, "archive=on"))
