"""Clearing by a long pause: for one request, and only where the policy asks for it."""

from __future__ import annotations

from pathlib import Path

from inspector.model.policy import CLAUDE_CODE
from inspector.pipeline.microcompact import CLEARED
from inspector.session.wire import one_request
from tests.transcript import Transcript, begun

PAUSE = CLAUDE_CODE.with_field("microcompact.clear_after_gap_minutes", 60).with_field(
    "microcompact.clear_keep", 1
)


def paused(minutes: float) -> Transcript:
    script = begun()
    for n in range(3):
        script.turn(f"toolu_{n}", chars=5_000)
    script.answer(text="done")
    script.minutes += minutes
    script.prompt("go on")
    script.answer(text="yes")
    script.prompt("more")
    script.answer(text="no")
    return script


def test_the_request_behind_the_pause_is_smaller_and_the_next_one_is_not(tmp_path: Path) -> None:
    session = paused(90).open(tmp_path, PAUSE)
    sizes = [r.wire_chars for r in session.timeline.requests]
    saved = 2 * (5_000 - len(CLEARED))
    assert sizes[4] == sizes[3] + len("done") + len("go on") - saved
    assert sizes[5] == sizes[4] + saved + len("yes") + len("more")
    assert str(one_request(session, 5)["messages"]).count(CLEARED) == 2
    broken = session.timeline.requests[4].break_
    assert broken is not None
    assert (broken.cause, broken.tool_use_id) == ("clearing", "toolu_0")


def test_a_short_pause_clears_nothing(tmp_path: Path) -> None:
    session = paused(30).open(tmp_path, PAUSE)
    assert CLEARED not in str(one_request(session, 5)["messages"])
    assert session.timeline.requests[4].break_ is None


def test_nothing_is_cleared_where_the_policy_does_not_ask_for_it(tmp_path: Path) -> None:
    session = paused(90).open(tmp_path)
    assert CLEARED not in str(one_request(session, 5)["messages"])
    assert session.timeline.requests[4].break_ is None
