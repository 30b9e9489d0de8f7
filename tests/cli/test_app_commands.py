"""What can be told before the screen is taken is told before; a file that is there is opened behind it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.app import run
from inspector.cli import main
from inspector.cli.output import Output
from tests.builders import Transcript, call


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Calls of the app in place of the app."""
    calls: list[dict[str, Any]] = []

    def run_session(want: Callable[[], run.Wanted], **rest: Any) -> int:
        calls.append({"want": want, **rest})
        return 0

    monkeypatch.setattr(run, "run_session", run_session)
    monkeypatch.setattr(Output, "messages_to_terminal", property(lambda _self: True))
    return calls


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    made = Transcript()
    made.answer(call("a"))
    made.result("a")
    made.write(tmp_path, path.name)
    return path


def test_a_file_is_looked_at_only_once_the_screen_is_drawn(
    taken: list[dict[str, Any]], session: Path
) -> None:
    assert main(["open", str(session), "--request", "1"]) == 0
    (call_,) = taken
    assert (call_["name"], call_["request"], call_["follow"]) == (str(session), 1, True)
    assert call_["want"]().path == session


def test_a_policy_that_cannot_be_is_told_before_the_screen_is_taken(
    taken: list[dict[str, Any]], session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["open", str(session), "--policy", "nonesuch"]) == 2
    assert not taken
    assert "nonesuch" in capsys.readouterr().err


def test_a_policy_is_read_before_the_screen_is_taken(taken: list[dict[str, Any]], session: Path) -> None:
    assert main(["open", str(session), "--policy", "documented", "--set", "budget.turn_limit=7"]) == 0
    wanted = taken[0]["want"]()
    assert wanted.path == session
    assert wanted.policy.budget.turn_limit == 7


def test_a_session_that_is_nowhere_is_told_before_the_screen_is_taken(
    taken: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["open", "nonesuch", "--root", str(tmp_path)]) == 2
    assert not taken
    assert "nonesuch" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--live"]])
def test_the_app_is_told_whether_the_session_is_said_to_be_live(
    taken: list[dict[str, Any]], session: Path, words: list[str]
) -> None:
    assert main(["open", str(session), *words]) == 0
    assert taken[0]["want"]().live == bool(words)


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--live", "--no-follow"], "opposites"), (["--scratch", "nowhere"], "no such directory")],
)
def test_arguments_that_cannot_be_are_told_before_the_screen_is_taken(
    taken: list[dict[str, Any]],
    session: Path,
    words: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["open", str(session), *words]) == 2
    assert not taken
    assert said in capsys.readouterr().err
