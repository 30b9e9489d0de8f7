"""`--policy` and `--set`: names, files, and single fields."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from inspector.cli.settings import policy_of
from inspector.errors import UsageError
from inspector.model.policy import DOCUMENTED


def asked(policy: str | None, *changes: str) -> Namespace:
    return Namespace(policy=policy, set=list(changes))


def test_without_arguments_the_session_decides() -> None:
    assert policy_of(asked(None)) == (None, {})


def test_a_file_is_a_policy(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("archive = true\n")
    policy, origins = policy_of(asked(str(file)))
    assert policy == DOCUMENTED.with_field("archive", True).with_field("name", "mine")
    assert origins == {"name": "--policy"}


def test_single_fields_are_set_over_it() -> None:
    policy, origins = policy_of(asked("documented", "budget.turn_limit=50,000", "archive=on"))
    assert policy is not None
    assert (policy.budget.turn_limit, policy.archive) == (50_000, True)
    assert origins == {"budget.turn_limit": "--set", "archive": "--set"}


@pytest.mark.parametrize("change", ["budget.turn_limit", "budget.turn_limit=much", "none.such=1"])
def test_a_wrong_change_is_told(change: str) -> None:
    with pytest.raises(UsageError):
        policy_of(asked("documented", change))


def test_a_change_needs_a_policy_to_change() -> None:
    with pytest.raises(UsageError, match="--policy"):
        policy_of(asked(None, "archive=on"))
