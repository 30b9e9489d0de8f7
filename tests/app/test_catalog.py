"""The picker's sessions, and what opens one of them."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from inspector.app.catalog import Demo, KnownOpener, KnownSessions
from inspector.app.feed import FeedUpdate
from inspector.errors import InspectorError, UsageError
from inspector.reading.locate import known_places
from tests.builders import Transcript, call, text

SESSION = "5e550000-0000-4000-8000-00000000000a"


def place(root: Path) -> Path:
    script = Transcript(SESSION)
    script.prompt()
    script.answer("m1", call("a"), call("b"), call("open"))
    script.result("a", "x" * 150_000)
    script.result("b", "x" * 100_000)
    script.prompt("go on")
    script.answer("m2", text())
    script.line(b'{"type": "user", "uu')
    script.prompt("end")
    return script.write(root / "projects" / "-home-shop", f"{SESSION}.jsonl")


def test_picker_lists_sessions_and_counts_what_is_in_one(tmp_path: Path) -> None:
    path = place(tmp_path)
    known = KnownSessions(known_places({}, tmp_path, tmp_path))
    (row,) = known.sessions()
    assert (row.path, row.live) == (str(path), True)
    assert known.looked_in
    summary = known.summary(row)
    assert (summary.requests, summary.over, summary.bad_lines) == (3, 1, 1)
    assert summary.repairs == 1
    assert summary.curve == [len("go on"), summary.curve[1], summary.peak_chars]


def test_file_that_is_no_session_is_refused_when_it_is_chosen(tmp_path: Path) -> None:
    opener = KnownOpener()
    with pytest.raises(InspectorError):
        opener.open(str(tmp_path / "nowhere.jsonl"))
    opener.close()


def test_demo_plays_a_story_and_leaves_nothing_behind() -> None:
    demo = Demo(None, speed=1_000.0)
    opened = demo.open()
    directory = Path(demo._directory.name)
    grown = threading.Event()

    def post(update: FeedUpdate) -> None:
        if update.view.request_count > 2:
            grown.set()

    opened.feed.start(post)
    assert grown.wait(10)
    opened.feed.stop()
    demo.close()
    assert not directory.exists()


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_demo_needs_a_speed(speed: float) -> None:
    with pytest.raises(UsageError):
        Demo(None, speed=speed)


def test_story_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="nonsense"):
        Demo("nonsense", speed=1.0)
