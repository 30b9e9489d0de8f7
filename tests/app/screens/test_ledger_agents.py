"""Sub-agents: from the call into the conversation it started, and back, each with its own sources."""

from __future__ import annotations

import pytest

from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState, FeedUpdate, Jump, OpenSession, Tab
from inspector.app.marks import Mark
from inspector.app.screens.agents import AgentsScreen
from inspector.app.screens.findings import FindingsScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.marks import MarksScreen
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.ledger import Ledger
from inspector.app.widgets.line_view import LineView
from tests.app.covers import covers
from tests.app.fake_sources import CALL, FakeThreads
from tests.app.fakes import FakeFeed, FakeView
from tests.app.stages import (
    bottom,
    feed_of,
    frame_of,
    ledger_screen,
    line,
    make_app,
    on_screen,
    settle,
    until,
)

SIZE = (120, 40)


def agents_app() -> tuple[InspectorApp, FakeThreads]:
    threads = FakeThreads()
    return InspectorApp(threads.session(), theme="dark"), threads


def thread_of(app: InspectorApp) -> str | None:
    return app.screen._thread if isinstance(app.screen, LedgerScreen) else None


@covers("rows.pick", "agent.back")
async def test_enter_on_a_call_opens_its_agent_and_backspace_comes_back_to_the_call() -> None:
    app, _ = agents_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("home", "right", "down", "down")
        assert "Enter  opens “Explore · find the config”" in bottom(app)
        place = ledger_screen(app).ledger.place
        await pilot.press("enter")
        await until(pilot, lambda: thread_of(app) == "inner" and ledger_screen(app).frame is not None)
        assert "agent inner" in line(app, "Header")
        await pilot.press("backspace")
        await until(pilot, lambda: thread_of(app) == "")
        assert (frame_of(app).request, ledger_screen(app).ledger.place) == (2, place)


async def test_texts_of_an_agent_are_read_from_its_own_conversation() -> None:
    app, _ = agents_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ledger_screen(app).show_thread("inner")
        await until(pilot, lambda: thread_of(app) == "inner" and ledger_screen(app).frame is not None)
        await pilot.press("down")
        await settle(pilot)
        assert "inner words" in line(app, "DetailView")


@covers("screen.agents", "agents.back")
async def test_the_list_shows_the_tree_and_enter_shows_a_conversation() -> None:
    app, _ = agents_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        await on_screen(pilot, AgentsScreen)
        view = app.screen.query_one(LineView)
        rows = [view.render_line(y).text.split() for y in range(4)]
        assert [row[0] if row[0] != "▌" else row[1] for row in rows] == ["●", "└", "└", "└"]
        assert [" ".join(row) for row in rows][2].startswith("└ Explore · read it"), (
            "below the one that called it"
        )
        assert rows[2][-2:] == ["!", "12"]
        assert rows[1][-4:] == ["3", "12,000", "9,340", "0"]
        assert rows[3][-4:] == ["1", "900", "—", "0"], "no answer says what it used"
        await pilot.press("escape")
        await on_screen(pilot, LedgerScreen)
        await pilot.press("a")
        await on_screen(pilot, AgentsScreen)
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: thread_of(app) == "deep" and ledger_screen(app).frame is not None)
        await pilot.press("a")
        await on_screen(pilot, AgentsScreen)
        assert app.screen.query_one(LineView).cursor == 2
        await pilot.press("ctrl+home", "enter")
        await until(pilot, lambda: thread_of(app) == "")


async def test_a_jump_leads_into_another_conversation_and_back() -> None:
    app, _ = agents_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ledger_screen(app).jump(Jump(request=2, reason="what grew there", thread="inner"))
        await until(pilot, lambda: thread_of(app) == "inner" and "what grew there" in bottom(app))
        ledger_screen(app).jump(Jump(request=1, reason="what grew here", thread="inner"))
        assert (thread_of(app), frame_of(app).request) == ("inner", 1)
        ledger_screen(app).jump(Jump(request=2, reason="what grew above", thread=""))
        await until(pilot, lambda: thread_of(app) == "" and "what grew above" in bottom(app))


@pytest.mark.parametrize(
    ("state", "said"),
    [(FeedState.INDEXING, "still being read"), (FeedState.ENDED, "has one conversation")],
)
async def test_that_there_is_no_agent_is_said_once_all_is_read(state: FeedState, said: str) -> None:
    alone = FakeView(3)
    feed = FakeFeed(FeedUpdate(alone, state))
    app = InspectorApp(OpenSession(feed, FakeThreads().sources("")), theme="dark")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("a")
        await pilot.pause()
        assert said in bottom(app)


@covers("agent.call")
async def test_a_leads_to_the_call_in_the_conversation_that_holds_it() -> None:
    app, _ = agents_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ledger_screen(app).show_thread("deep")
        await until(pilot, lambda: thread_of(app) == "deep" and ledger_screen(app).frame is not None)
        await pilot.press("A")
        await until(pilot, lambda: thread_of(app) == "inner" and ledger_screen(app).selected is not None)
        assert [s._thread for s in app.screen_stack if isinstance(s, LedgerScreen)] == ["", "deep", "inner"]
        await pilot.press("A")
        await until(pilot, lambda: thread_of(app) == "" and ledger_screen(app).selected is not None)
        selected = ledger_screen(app).selected
        assert selected is not None
        assert selected.id == CALL
        assert "the call that started the agent" in bottom(app)
        ledger_screen(app).show_thread("lost")
        await until(pilot, lambda: thread_of(app) == "lost" and ledger_screen(app).frame is not None)
        await pilot.press("A")
        assert "does not say which call started" in bottom(app)


async def test_without_sub_agents_no_such_keys_are_offered() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "A", "backspace")
        assert isinstance(app.screen, LedgerScreen)
        ids = {active.binding.id for active in app.screen.active_bindings.values() if active.enabled}
        assert not ids & {"screen.agents", "agent.call", "agent.back"}


async def test_an_agent_grows_with_its_session() -> None:
    app, threads = agents_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ledger_screen(app).show_thread("inner")
        await until(pilot, lambda: thread_of(app) == "inner" and ledger_screen(app).frame is not None)
        threads.views["inner"] = threads.views["deep"]
        update = FeedUpdate(threads.views[""], FeedState.ENDED, in_thread=threads.views.__getitem__)
        feed = feed_of(app)
        assert feed._post is not None
        feed._post(update)
        await until(pilot, lambda: frame_of(app).view.title == "agent deep")
        assert "■ ended" in line(app, "Header")


async def test_a_mark_in_an_agent_leads_there() -> None:
    app, _ = agents_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ledger_screen(app)._memory.marks.put(Mark(2, thread="inner", note="here it read"))
        await pilot.press("apostrophe")
        await on_screen(pilot, MarksScreen)
        assert "Explore" in app.screen.query_one(LineView).render_line(0).text
        await pilot.press("enter")
        await until(pilot, lambda: thread_of(app) == "inner" and "here it read" in bottom(app))
        assert isinstance(app.focused, Ledger)


@pytest.mark.parametrize("tab", [Tab.WIRE, Tab.RECORD])
async def test_tab_reads_the_text_of_a_call_that_has_an_agent(tab: Tab) -> None:
    app, _ = agents_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("home", "right", "down", "down", "tab")
        ledger_screen(app).detail.tab = tab
        await settle(pilot)
        assert "Agent find" in line(app, "DetailView")


async def test_the_list_of_findings_says_that_other_conversations_have_some() -> None:
    app, _ = agents_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("i")
        await on_screen(pilot, FindingsScreen)
        await settle(pilot)
        assert "! 12 in other conversations (a)" in app.screen.query_one("#counts", Bar).render_line(0).text
        await pilot.press("escape")
        await on_screen(pilot, LedgerScreen)
        ledger_screen(app).show_thread("deep")
        await until(pilot, lambda: thread_of(app) == "deep" and ledger_screen(app).frame is not None)
        await pilot.press("i")
        await on_screen(pilot, FindingsScreen)
        await settle(pilot)
        assert "! 3 in other conversations (a)" in app.screen.query_one("#counts", Bar).plain


async def test_who_finds_nothing_here_is_told_of_other_conversations() -> None:
    app, threads = agents_app()
    for view in threads.views.values():
        view.findings = []
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("n")
        assert "checked. Other conversations have 12 findings." in bottom(app)
