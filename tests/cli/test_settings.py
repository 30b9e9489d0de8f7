"""Which value of a policy is in force, and why: preset, environment, command line."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from inspector.cli.settings import policy_of
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
