"""Levels of results as ChatCLI's runs left them, and why they were left there."""

from __future__ import annotations

from pathlib import Path

from inspector.model.ledger import Level
from inspector.model.policy import CHATCLI
from inspector.reading.chatcli_session import save_session
from inspector.replay.chatcli_timeline import ChatcliTimeline
from inspector.session import open_session
from tests.pipeline.chatcli.histories import answer, later, result, user


def levels(folder: Path, turns: int, age: int) -> dict[str, tuple[Level, str]]:
    """What is said of a long and of a short result with so many turns behind them, at an age."""
    history = [user(), answer("long", "short"), result("long", 4_000), result("short"), *later(turns)]
    path = folder / "s.json"
    path.write_bytes(save_session(history))
    timeline = open_session(path, policy=CHATCLI).timeline
    assert isinstance(timeline, ChatcliTimeline)
    rows = {row.entry.id: row.entry for row in timeline.tracked}
    return {id: timeline.sizing.level(rows[id], age, 4_000) for id in ("long", "short")}


def test_what_a_run_has_aged_needs_no_reason(tmp_path: Path) -> None:
    assert levels(tmp_path, 9, 9)["long"] == (Level.TRUNCATED, "")


def test_a_result_that_is_old_and_in_full_is_short(tmp_path: Path) -> None:
    assert levels(tmp_path, 9, 9)["short"] == (Level.FULL, "short")


def test_a_young_result_needs_no_reason(tmp_path: Path) -> None:
    assert levels(tmp_path, 1, 1)["long"] == (Level.FULL, "")


def test_a_result_that_no_run_of_the_loop_was_late_enough_for_says_so(tmp_path: Path) -> None:
    assert levels(tmp_path, 1, 9)["long"] == (Level.FULL, "the loop has just begun")
