"""Conversations of a real session: each screen reads the one that is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.app import InspectorApp
from inspector.app.catalog import opened
from inspector.app.feed import FeedState, Tab
from inspector.app.screens.agents import AgentsScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.why import WhyScreen
from inspector.app.screens.wire import WireScreen
from inspector.app.session import SessionFeed
from inspector.app.threads import session_sources
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.line_view import LineView
from inspector.errors import InspectorError, UsageError
from inspector.session import open_session
from tests.app.covers import covers
from tests.app.stages import frame_of, ledger_screen, line, on_screen, until
from tests.builders import write_json

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
READERS = "a9eb304ed316e06d0"
"""A sub-agent of the sample with 10 results, one of them replaced."""


def sample(name: str) -> Path:
    return next((SAMPLES / name).glob("*.jsonl"))


@pytest.fixture
def feed() -> SessionFeed:
    return SessionFeed(open_session(sample("subagents")), follow=False)


def test_calls_lead_to_their_agents_and_back(feed: SessionFeed) -> None:
    threads = session_sources(feed).threads
    assert threads is not None
    call = threads.call_of(READERS)
    assert (call.thread, call.request) == ("", 2)
    assert threads.thread_of(call.id) == READERS
    assert threads.thread_of("toolu_nowhere") == ""
    assert threads.call_of("nobody").id == ""
    assert threads.findings() == {}, "none were made yet"


async def test_histories_of_chatcli_are_not_called_sub_agents(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "go"}]
    older = {"version": 2, "chat_history": said, "agent_history": said, "coder_history": said}
    app = InspectorApp(opened(write_json(tmp_path, older), follow=False), theme="dark")
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.update is not None and app.update.state is FeedState.ENDED)
        await pilot.press("a")
        await on_screen(pilot, AgentsScreen)
        assert app.screen.query_one("#title", Bar).plain.split() == ["Conversations", "2", "histories"]
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, LedgerScreen) and app.screen.is_current)
        await until(pilot, lambda: line(app, "Header").strip().startswith("agent_history · of"))


def test_texts_records_and_files_are_those_of_the_conversation(feed: SessionFeed) -> None:
    main, agent = session_sources(feed), session_sources(feed, READERS)
    assert agent.places is not None
    assert main.places is not None
    assert "agent-" in agent.places.record(0).path
    assert agent.places.record(0).line == 3
    assert main.places.record(0).path == str(sample("subagents"))
    replaced = next(i for i in range(10) if agent.places.overflow(i) is not None)
    file = agent.places.overflow(replaced)
    assert file is not None
    assert agent.places.whole(Tab.OVERFLOW, replaced, 5) == Path(file.path).read_bytes()
    assert agent.places.whole(Tab.TRANSCRIPT, 0, 5).decode() == agent.details.text(Tab.TRANSCRIPT, 0, 5).text
    assert agent.places.whole(Tab.RECORD, 0, 5).startswith(b"{")
    assert main.details.text(Tab.TRANSCRIPT, 0, 5) != agent.details.text(Tab.TRANSCRIPT, 0, 5)


def test_overflow_files_of_other_conversations_have_no_owner_to_go_to(feed: SessionFeed) -> None:
    main, agent = session_sources(feed), session_sources(feed, READERS)
    assert main.overflow is not None
    assert agent.overflow is not None
    (row,) = (row for row in agent.overflow.rows() if row.result is not None)
    assert row.owner.startswith("turn 2 Bash")
    (other,) = main.overflow.rows()
    assert (other.name, other.result, other.request) == (row.name, None, None)


@pytest.mark.parametrize("index", [-1, 10, 1_000_000])
def test_a_result_that_a_rewritten_file_lost_is_said_to_be_gone(feed: SessionFeed, index: int) -> None:
    agent = session_sources(feed, READERS)
    assert agent.places is not None
    with pytest.raises(UsageError, match="not in it any more"):
        agent.places.record(index)
    with pytest.raises(InspectorError):
        session_sources(feed, "lost").details.text(Tab.WIRE, 0, 1)


def test_a_document_has_messages_in_place_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(
        '[{"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]},'
        '{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]}]'
    )
    places = session_sources(SessionFeed(open_session(path), follow=False)).places
    assert places is not None
    assert (places.record(0).line, places.record(0).words) == (None, "message 2, bytes 98–188")


@covers("screen.wire", "screen.why")
async def test_wire_why_and_findings_are_those_of_the_agent_shown() -> None:
    app = InspectorApp(opened(sample("subagents"), follow=False), theme="dark")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.update is not None and app.update.state is FeedState.ENDED)
        await until(pilot, lambda: bool(frame_of(app).view.findings))
        assert {finding.thread for finding in frame_of(app).view.findings} == {""}
        ledger_screen(app).show_thread(READERS)
        await until(pilot, lambda: "agent Explore" in line(app, "Header"))
        assert {finding.thread for finding in frame_of(app).view.findings} == {READERS}
        assert frame_of(app).view.request_count == 5
        await pilot.press("left", "left", "y")
        await on_screen(pilot, WhyScreen)
        shares = app.screen.query_one("#shares", LineView)
        await until(pilot, lambda: len(shares.rows) > 0)
        assert "grep -rn session" in shares.render_line(0).text
        await pilot.press("escape")
        await on_screen(pilot, LedgerScreen)
        await pilot.press("v")
        await on_screen(pilot, WireScreen)
        rows = app.screen.query_one("#rows", LineView)
        await until(pilot, lambda: any("29,350" in rows.render_line(y).text for y in range(30)))
