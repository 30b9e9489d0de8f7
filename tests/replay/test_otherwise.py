"""What was recorded otherwise is said in words that lead there."""

from __future__ import annotations

from pathlib import Path

from inspector.replay.conversation import Conversation
from inspector.replay.otherwise import Otherwise, otherwise_sentence
from tests.session.test_replacement_findings import FULL, PREVIEW, session_with


def test_a_recorded_preview_of_a_result_predicted_in_full_is_said(tmp_path: Path) -> None:
    session = session_with(line=False, later=FULL).open(tmp_path)
    session.findings()
    row = Conversation(session.timeline).result(0, 2)
    assert row.recorded == "differs"
    assert row.otherwise.startswith(
        f"≠ Recorded: request 2 sent a preview, {len(PREVIEW):,} of {len(FULL):,}"
    )
    assert "the wire of request 2 shows both" in row.otherwise


def test_requests_in_a_row_and_apart_are_told_apart(tmp_path: Path) -> None:
    session = session_with(line=False, later=FULL).open(tmp_path)
    timeline = session.timeline
    (row,) = timeline.tracked[:1]
    timeline.differing[row.entry.id] = Otherwise("it", [2, 3, 4])
    assert "requests 2–4 sent it" in otherwise_sentence(timeline, row)
    timeline.differing[row.entry.id] = Otherwise("it", [2, 5])
    assert "2 requests from 2 to 5 sent it" in otherwise_sentence(timeline, row)


def test_nothing_is_said_where_nothing_differs(tmp_path: Path) -> None:
    session = session_with(line=False, later=PREVIEW).open(tmp_path)
    row = session.timeline.tracked[0]
    assert otherwise_sentence(session.timeline, row) == ""


def test_sizes_of_both_sides_are_in_one_unit(tmp_path: Path) -> None:
    session = session_with(line=False, later=FULL).open(tmp_path)
    row = session.timeline.tracked[0]
    session.timeline.stored[row.entry.id] = row.stored = "\U0001f600" * 30
    assert "stores a text of 60 for it" in otherwise_sentence(session.timeline, row)
