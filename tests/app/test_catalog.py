"""The picker's sessions, and what opens one of them."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from inspector.app.app import InspectorApp
from inspector.app.catalog import LIVE_S, Demo, KnownOpener, KnownSessions, opened
from inspector.app.feed import FeedUpdate
from inspector.app.session import SessionFeed
from inspector.errors import InspectorError, UsageError
from inspector.reading.locate import known_places
from tests.app.stages import line, settle, until
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


@pytest.mark.parametrize(("age_s", "live"), [(0, True), (LIVE_S - 1, True), (LIVE_S, False), (9e6, False)])
def test_a_session_is_live_where_it_was_written_to_lately(age_s: float, live: bool, tmp_path: Path) -> None:
    path = place(tmp_path)
    os.utime(path, (1_000_000, 1_000_000))
    for follow in (True, False):
        session = opened(path, follow=follow, clock=lambda: 1_000_000 + age_s)
        assert isinstance(session.feed, SessionFeed)
        assert session.feed.session.live is (live and follow)
        session.feed.stop()


def test_a_sub_agent_that_still_writes_keeps_its_session_live(tmp_path: Path) -> None:
    path = place(tmp_path)
    told = Transcript(agentId="a1", isSidechain=True)
    told.prompt()
    agent = told.write(path.with_suffix("") / "subagents", "agent-a1.jsonl")
    os.utime(path, (1_000_000, 1_000_000))
    os.utime(agent, (1_009_000, 1_009_000))
    session = opened(path, clock=lambda: 1_009_001)
    assert isinstance(session.feed, SessionFeed)
    assert session.feed.session.live
    session.feed.stop()


@pytest.mark.parametrize(
    ("age_s", "sign", "kinds"),
    [
        (60.0, "● live", {"pending_result"}),
        (3_600.0, "■ ended", {"missing_result", "unanswered_call_dropped"}),
    ],
)
async def test_the_header_and_the_findings_of_an_interrupted_session_go_by_its_age(
    age_s: float, sign: str, kinds: set[str], tmp_path: Path
) -> None:
    told = Transcript()
    told.prompt()
    told.answer("m1", call("open"))
    path = told.write(tmp_path)
    os.utime(path, (1_000_000, 1_000_000))
    app = InspectorApp(opened(path, clock=lambda: 1_000_000 + age_s, remembered=False), theme="dark")
    async with app.run_test(size=(120, 34)) as pilot:
        await until(pilot, lambda: app.update is not None and bool(app.update.view.findings))
        await settle(pilot)
        assert app.update is not None
        assert {f.kind for f in app.update.view.findings} == kinds
        assert sign in line(app, "Header")


def test_a_session_that_is_said_to_be_live_is_so_at_any_age_while_it_is_watched(tmp_path: Path) -> None:
    path = place(tmp_path)
    os.utime(path, (1_000_000, 1_000_000))
    for follow in (True, False):
        session = opened(path, clock=lambda: 2_000_000, follow=follow, live=True)
        assert isinstance(session.feed, SessionFeed)
        assert session.feed.session.live is follow
        session.feed.stop()


def test_file_that_is_no_session_is_refused_when_it_is_chosen(tmp_path: Path) -> None:
    opener = KnownOpener()
    with pytest.raises(InspectorError):
        opener.open(str(tmp_path / "nowhere.jsonl"))
    opener.close()


def test_demo_plays_a_story_and_leaves_nothing_behind() -> None:
    demo = Demo(None, speed=1_000.0)
    session = demo.open()
    directory = Path(demo._directory.name)
    grown = threading.Event()

    def post(update: FeedUpdate) -> None:
        if update.view.request_count > 2:
            grown.set()

    session.feed.start(post)
    assert grown.wait(10)
    session.feed.stop()
    demo.close()
    assert not directory.exists()


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_demo_needs_a_speed(speed: float) -> None:
    with pytest.raises(UsageError):
        Demo(None, speed=speed)


def test_story_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="nonsense"):
        Demo("nonsense", speed=1.0)
