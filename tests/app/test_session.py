"""The feed behind the screens: reading, following, rewrites and the end."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.app import session as feeds
from inspector.app.feed import FeedState, FeedUpdate
from inspector.app.session import LiveView, SessionFeed, clock_words
from inspector.session import Session, open_session
from tests.builders import Transcript, call, openai_call, text, write_json
from tests.hostile import EVERYTHING, foreign

PATIENCE_S = 10.0


class Listener:
    """Takes updates, and waits for one of a kind."""

    def __init__(self) -> None:
        self.updates: list[FeedUpdate] = []
        self._came = threading.Condition()

    def __call__(self, update: FeedUpdate) -> None:
        with self._came:
            self.updates.append(update)
            self._came.notify_all()

    def wait(self, wanted: Callable[[FeedUpdate], bool]) -> FeedUpdate:
        with self._came:
            assert self._came.wait_for(lambda: any(map(wanted, self.updates)), PATIENCE_S)
            return next(u for u in self.updates if wanted(u))


def script() -> Transcript:
    told = Transcript()
    told.prompt()
    told.answer("m1", call("a"))
    return told


def test_finished_file_ends_with_its_findings(tmp_path: Path) -> None:
    feed = SessionFeed(open_session(script().write(tmp_path), read=False), follow=False)
    listener = Listener()
    feed.start(listener)
    last = listener.wait(lambda u: u.state is FeedState.ENDED and bool(u.view.findings))
    feed.stop()
    assert last.view.findings[0].kind == "missing_result"


def test_usage_is_not_held_against_what_another_policy_would_send(tmp_path: Path) -> None:
    told = Transcript()
    told.prompt()
    told.answer("m1", call("a"), usage={"input_tokens": 90, "output_tokens": 1})
    path = told.write(tmp_path)
    shown = {}
    for policy in ("claude-code", "documented"):
        with open_session(path, policy=policy) as session:
            shown[policy] = LiveView(session, threading.RLock()).figures()
    assert list(shown["claude-code"].tokens) == [90, 0]
    assert list(shown["documented"].tokens) == [0, 0]


def test_growing_file_is_followed_and_a_new_one_read_anew(tmp_path: Path) -> None:
    told = script()
    path = told.write(tmp_path)
    feed = SessionFeed(open_session(path, live=True, read=False))
    listener = Listener()
    feed.start(listener)
    listener.wait(lambda u: u.state is FeedState.LIVE and u.view.request_count == 2)
    told.result("a")
    told.answer("m2", text())
    with path.open("ab") as file:
        file.write(b"".join(line + b"\n" for line in told.lines[-2:]))
    listener.wait(lambda u: u.view.request_count == 3)
    other = tmp_path / "other"
    other.write_bytes(script().data)
    other.replace(path)
    listener.wait(lambda u: u.state is FeedState.REPLACED)
    path.unlink()
    listener.wait(lambda u: u.state is FeedState.DELETED)
    feed.stop()


def test_a_large_file_in_its_place_is_told_of_and_has_a_title_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "STEP_BYTES", 100)
    path = script().write(tmp_path)
    feed = SessionFeed(open_session(path, live=True, read=False))
    listener = Listener()
    feed.start(listener)
    first = listener.wait(lambda u: u.state is FeedState.LIVE)
    told = Transcript()
    told.prompt("something else altogether")
    for n in range(50):
        told.answer(f"m{n}", call(f"c{n}"))
        told.result(f"c{n}")
    other = tmp_path / "other"
    other.write_bytes(told.data)
    other.replace(path)
    last = listener.wait(lambda u: u.state is FeedState.REPLACED)
    feed.stop()
    assert last.view.request_count == 51
    assert first.view.title != last.view.title == "something else altogether"


def test_a_session_that_begins_untitled_takes_its_first_prompt_for_a_title(tmp_path: Path) -> None:
    path = tmp_path / "fresh.jsonl"
    told = Transcript()
    told.prompt("find out why the import is slow")
    path.write_bytes(b'{"type":"mode","mode":"default"}\n')
    with open_session(path, live=True) as session:
        assert session.title == "fresh"
        with path.open("ab") as file:
            file.write(told.data)
        session.poll()
        assert session.title == "find out why the import is slow"


def test_document_caught_in_a_rewrite_is_looked_at_again(tmp_path: Path) -> None:
    path = write_json(tmp_path, [{"role": "user", "content": "hi"}, openai_call(("c1", "Bash"))])
    feed = SessionFeed(open_session(path, live=True, read=False))
    listener = Listener()
    feed.start(listener)
    listener.wait(lambda u: u.state is FeedState.LIVE and u.view.request_count == 2)
    whole = json.loads(path.read_bytes())
    path.write_bytes(b"\x00")
    listener.wait(lambda u: bool(u.note))
    path.write_text(json.dumps([*whole, openai_call(("c2", "Bash"))]), encoding="utf-8")
    listener.wait(lambda u: u.view.request_count == 3)
    feed.stop()


def test_nothing_is_posted_after_the_end(tmp_path: Path) -> None:
    feed = SessionFeed(open_session(script().write(tmp_path), live=True, read=False))
    listener = Listener()
    feed.start(listener)
    listener.wait(lambda u: u.state is FeedState.LIVE)
    feed.stop()
    count = len(listener.updates)
    (tmp_path / "transcript.jsonl").write_bytes(b"")
    assert len(listener.updates) == count


@pytest.mark.parametrize("method", ["poll", "findings"])
def test_a_fault_in_the_reading_thread_is_said_and_kept(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(EVERYTHING)

    monkeypatch.setattr(Session, method, fail)
    feed, listener = SessionFeed(open_session(script().write(tmp_path), read=False)), Listener()
    feed.start(listener)
    update = listener.wait(lambda u: u.state is FeedState.UNREADABLE)
    assert "A fault in the inspector itself (RuntimeError)" in update.note
    assert foreign(update.note) == []
    assert isinstance(feed.fault, RuntimeError)
    feed.stop()


def finished(tmp_path: Path, end: bytes = b"") -> tuple[Path, SessionFeed, Listener]:
    """A finished session with an open call, read by a feed that watches it."""
    path = script().write(tmp_path)
    with path.open("ab") as file:
        file.write(end)
    feed, listener = SessionFeed(open_session(path, read=False)), Listener()
    feed.start(listener)
    return path, feed, listener


def finding_kinds(update: FeedUpdate) -> set[str]:
    return {f.kind for f in update.view.findings}


@pytest.mark.parametrize("half", [0, 20], ids=["whole lines", "half a last line"])
def test_a_finished_session_lives_again_with_the_first_line_that_is_appended(
    half: int, tmp_path: Path
) -> None:
    told = script()
    told.answer("m1", call("b"))
    path, feed, listener = finished(tmp_path, told.lines[-1][:half])
    settled = listener.wait(lambda u: u.state is FeedState.ENDED and bool(u.view.findings))
    assert "missing_result" in finding_kinds(settled)
    assert ("bad_line" in finding_kinds(settled)) == bool(half)
    with path.open("ab") as file:
        file.write(told.lines[-1][half:] + b"\n")
    lives = listener.wait(lambda u: u.state is FeedState.LIVE and bool(u.view.findings))
    listener.wait(lambda u: u.state is FeedState.LIVE and "missing_result" not in finding_kinds(u))
    feed.stop()
    with open_session(path, live=True) as other:
        assert [f.kind for f in feed.findings] == [f.kind for f in other.findings()]
    assert lives.note == ""


def test_a_finished_session_lives_again_when_a_sub_agent_writes(tmp_path: Path) -> None:
    path, feed, listener = finished(tmp_path)
    listener.wait(lambda u: u.state is FeedState.ENDED and bool(u.view.findings))
    told = Transcript(agentId="a1", isSidechain=True)
    told.prompt()
    told.write(path.with_suffix("") / "subagents", "agent-a1.jsonl")
    listener.wait(lambda u: u.state is FeedState.LIVE and "pending_result" in finding_kinds(u))
    feed.stop()


@pytest.mark.parametrize(
    ("at", "words"), [(1_000.0, "%H:%M"), (-90_000.0, "%Y-%m-%d"), (None, ""), (1e30, ""), (float("nan"), "")]
)
def test_a_moment_of_today_is_its_time_of_day_and_any_other_its_day(at: float | None, words: str) -> None:
    noon = time.mktime((2026, 10, 21, 12, 0, 0, 0, 0, -1))
    moment = None if at is None else noon + at
    assert clock_words(moment, noon) == (time.strftime(words, time.localtime(moment)) if words else "")


def test_a_finished_session_says_when_its_last_record_was_written(tmp_path: Path) -> None:
    _, feed, listener = finished(tmp_path)
    update = listener.wait(lambda u: u.state is FeedState.ENDED and bool(u.view.findings))
    stated = [r.time for r in feed.session.records() if r.time is not None]
    feed.stop()
    assert update.ended_at == clock_words(stated[-1], time.time())


@pytest.mark.parametrize("line_feed", [True, False], ids=["line feed at the end", "none"])
def test_a_finished_session_that_nobody_touches_stays_finished(line_feed: bool, tmp_path: Path) -> None:
    told = script()
    told.answer("m1", call("b"))
    path, feed, listener = finished(tmp_path, told.lines[-1] + b"\n" * line_feed)
    listener.wait(lambda u: u.state is FeedState.ENDED and bool(u.view.findings))
    known = feed.findings
    feed._poll()
    feed._look()
    assert feed.findings == known
    assert not feed.session.live
    path.unlink()
    listener.wait(lambda u: u.state is FeedState.DELETED)
    feed.stop()
    assert not feed.session.live
