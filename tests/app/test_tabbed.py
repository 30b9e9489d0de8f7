"""Several sessions in tabs: each keeps its place, and hidden ones cost no drawing."""

from __future__ import annotations

from typing import Any, cast

import pytest
from textual._compositor import Compositor
from textual.command import CommandPalette
from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.commands import ActionCommands
from inspector.app.feed import FeedState, FeedUpdate, OpenSession, Sources
from inspector.app.screens.help import HelpScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.map import MapScreen
from inspector.app.screens.sessions import SessionsScreen
from inspector.app.sources.sessions import SessionRow, SessionSummary
from inspector.app.tabs import MOST_TABS
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.tab_row import TabRow
from inspector.errors import InspectorError
from tests.app.covers import covers
from tests.app.fakes import FakeDetails, FakeFeed, FakeView
from tests.app.stages import bottom, frame_of, ledger_screen, on_screen, until

SIZE = (120, 40)


class Catalog:
    """Four sessions."""

    looked_in = (("Claude Code", "~/.claude/projects"),)

    def sessions(self) -> list[SessionRow]:
        return [SessionRow(f"/s/{name}.jsonl", name, "shop", "ChatCLI", 10, 0.0) for name in "abcd"]

    def summary(self, row: SessionRow) -> SessionSummary:
        return SessionSummary(3, 100)


class Doors:
    """Opens invented sessions; refuses `d`."""

    def open(self, path: str) -> OpenSession:
        if path == "/s/d.jsonl":
            raise InspectorError("d.jsonl holds no session")
        return session(path[3], 20)

    def demo(self) -> OpenSession:
        return session("", 20)


def session(name: str, requests: int = 112) -> OpenSession:
    view = FakeView(requests, title=f"session {name}")
    path = f"/s/{name}.jsonl" if name else ""
    return OpenSession(FakeFeed(FeedUpdate(view, FeedState.LIVE)), Sources(FakeDetails(view)), path)


def make(*names: str) -> InspectorApp:
    first, *others = [session(name, 112 - place) for place, name in enumerate(names)]
    return InspectorApp(first, others=others, catalog=Catalog(), opener=Doors(), theme="dark")


def feed(app: InspectorApp, place: int) -> FakeFeed:
    tab = app.tabs.at(place)
    assert tab is not None
    assert tab.session is not None
    return cast("FakeFeed", tab.session.feed)


def row(app: InspectorApp) -> str:
    found = app.screen.query_one_optional(TabRow)
    return found.render_line(0).text.rstrip() if found is not None and found.display else ""


def shown(app: InspectorApp) -> str:
    return frame_of(app).view.title


async def ready(pilot: Pilot[Any], title: str) -> None:
    app = cast("InspectorApp", pilot.app)
    await until(
        pilot,
        lambda: isinstance(app.screen, LedgerScreen) and app.screen.frame is not None and shown(app) == title,
    )


async def test_one_session_has_no_row_and_no_keys_for_tabs() -> None:
    app = make("a")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        assert not app.screen.query(TabRow)
        await pilot.press("right_curly_bracket", "Q")
        assert shown(app) == "session a"
        assert "tab" not in bottom(app)


@covers("tab.next", "tab.before")
async def test_each_tab_keeps_request_selection_screen_and_following() -> None:
    app = make("a", "b", "c")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        assert row(app).startswith("▌1 session a ●  2 session b ●  3 session c ●")
        await pilot.press("left", "left", "down", "down")
        place = ledger_screen(app).ledger.place
        await pilot.press("right_curly_bracket")
        await ready(pilot, "session b")
        assert frame_of(app).request == 111
        await pilot.press("m")
        await on_screen(pilot, MapScreen)
        assert "▌2 session b" in row(app), "every screen says which tab it belongs to"
        await pilot.press("right_curly_bracket")
        await ready(pilot, "session c")
        await pilot.press("right_curly_bracket")
        await ready(pilot, "session a")
        assert frame_of(app).request == 110
        assert not frame_of(app).following
        assert ledger_screen(app).ledger.place == place
        await pilot.press("left_curly_bracket", "left_curly_bracket")
        await on_screen(pilot, MapScreen)


async def test_an_update_draws_only_what_looks_different(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make("a")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        whole: list[object] = []
        full = Compositor.render_full_update
        monkeypatch.setattr(
            Compositor, "render_full_update", lambda *a, **k: whole.append(a) or full(*a, **k)
        )
        feed(app, 0).push(FakeView(113, title="session a"))
        await until(pilot, lambda: frame_of(app).request == 113)
        assert not whole
        app.screen.refresh()
        await pilot.pause()
        assert whole, "else this test would hold whatever is drawn"


async def test_a_hidden_tab_follows_and_is_drawn_only_when_it_is_shown() -> None:
    app = make("a", "b")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        left = ledger_screen(app)
        await pilot.press("right_curly_bracket")
        await ready(pilot, "session b")
        frame = left.frame
        drawn: list[object] = []
        left.watch(left, "frame", lambda frame: drawn.append(frame), init=False)
        for count in (113, 114, 115):
            feed(app, 0).push(FakeView(count, title="session a"))
            await pilot.pause()
        assert "1 session a ● +3" in row(app)
        assert left.frame is frame, "nothing of it was laid out or drawn"
        assert not drawn
        assert shown(app) == "session b"
        await pilot.press("right_curly_bracket")
        await ready(pilot, "session a")
        assert frame_of(app).request == 115, "it followed all the time"
        assert "+" not in row(app)


async def test_updates_of_two_sessions_do_not_take_each_others_place() -> None:
    app = make("a", "b")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        feed(app, 0).push(FakeView(120, title="session a"))
        feed(app, 1).push(FakeView(130, title="session b"))
        await pilot.pause()
        assert frame_of(app).request == 120
        await pilot.press("right_curly_bracket")
        await ready(pilot, "session b")
        assert frame_of(app).request == 130


async def test_who_paused_in_a_tab_is_told_what_came_meanwhile() -> None:
    app = make("a", "b")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        await pilot.press("left", "right_curly_bracket")
        await ready(pilot, "session b")
        feed(app, 0).push(FakeView(116, title="session a"))
        await pilot.pause()
        await pilot.press("left_curly_bracket")
        await ready(pilot, "session a")
        assert (frame_of(app).request, frame_of(app).fresh_requests) == (111, 4)


@covers("tab.close")
async def test_closing_a_tab_stops_its_feed_and_shows_the_neighbour() -> None:
    app = make("a", "b", "c")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        feeds = [feed(app, place) for place in range(3)]
        await pilot.press("right_curly_bracket", "i")
        await pilot.pause()
        await pilot.press("escape", "Q")
        await ready(pilot, "session c")
        assert [each.stopped for each in feeds] == [False, True, False]
        await pilot.press("Q")
        await ready(pilot, "session a")
        assert row(app) == ""
        await pilot.press("Q")
        assert shown(app) == "session a", "the last one stays"
        await pilot.press("left")
        assert frame_of(app).request == 111
    assert all(each.stopped for each in feeds)


async def test_the_first_tab_can_be_closed_and_its_place_used_again() -> None:
    app = make("a", "b")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        await pilot.press("Q")
        await ready(pilot, "session b")
        app.post_message(SessionsScreen.Picked("/s/c.jsonl", new_tab=True))
        await ready(pilot, "session c")
        assert "1 session b" in row(app)
        assert [tab.title for tab in app.tabs] == ["session b", "session c"]


@covers("sessions.open_tab")
async def test_a_session_of_the_list_opens_beside_the_one_shown() -> None:
    app = make("a")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        await pilot.press("left", "s")
        await on_screen(pilot, SessionsScreen)
        assert "new tab" in bottom(app)
        await until(pilot, lambda: app.screen.query_one("#count", Bar).plain == "4 sessions")
        await pilot.press("down", "ctrl+o")
        await ready(pilot, "session b")
        assert "▌2 session b" in row(app)
        assert not feed(app, 0).stopped
        await pilot.press("left_curly_bracket")
        await ready(pilot, "session a")
        assert frame_of(app).request == 111, "the list has gone from it, the rest is as it was"


async def test_a_session_that_is_open_is_not_opened_twice() -> None:
    app = make("a", "b")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        app.post_message(SessionsScreen.Picked("/s/b.jsonl", new_tab=True))
        await ready(pilot, "session b")
        assert len(app.tabs) == 2


async def test_a_session_that_cannot_be_opened_leaves_the_tabs_alone() -> None:
    app = make("a")
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await ready(pilot, "session a")
        app.post_message(SessionsScreen.Picked("/s/d.jsonl", new_tab=True))
        await until(pilot, lambda: bool(len(app._notifications)))
        assert len(app.tabs) == 1
        assert shown(app) == "session a"


async def test_another_session_in_place_of_one_of_several() -> None:
    app = make("a", "b")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        first = feed(app, 0)
        app.post_message(SessionsScreen.Picked("/s/c.jsonl"))
        await ready(pilot, "session c")
        assert first.stopped
        assert [tab.title for tab in app.tabs] == ["session c", "session b"]


async def test_there_are_so_many_tabs_and_no_more() -> None:
    app = make(*"a" * MOST_TABS)
    for place, tab in enumerate(app._others):
        object.__setattr__(tab, "path", f"/s/{place}")
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await ready(pilot, "session a")
        assert len(app.tabs) == MOST_TABS
        app.post_message(SessionsScreen.Picked("/s/c.jsonl", new_tab=True))
        await until(pilot, lambda: bool(len(app._notifications)))
        (note,) = app._notifications
        assert note.message == f"{MOST_TABS} sessions are open; close one with Q."


async def test_a_click_on_a_title_shows_its_tab() -> None:
    app = make("a", "b")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        await pilot.click(TabRow, offset=(20, 0))
        await ready(pilot, "session b")


async def test_windows_over_a_screen_have_no_row_and_lead_back() -> None:
    app = make("a", "b")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        await pilot.press("question_mark")
        await on_screen(pilot, HelpScreen)
        assert not app.screen.query(TabRow)
        await pilot.press("escape")
        assert row(app)


async def test_the_palette_names_the_tabs_with_titles_as_they_are() -> None:
    odd = session("[/nope] [bold]x", 3)
    app = InspectorApp(session("a"), others=[odd], theme="dark")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot, "session a")
        await pilot.press("ctrl+p")
        await on_screen(pilot, CommandPalette)
        provider = ActionCommands(app.screen_stack[-2])
        names = [hit.text async for hit in provider.discover()]
        assert "Tab 2: session [/nope] [bold]x" in names
        assert {"Next tab", "Tab before", "Close the tab"} <= set(names)
        (hit, *_) = [hit async for hit in provider.search("tab 2")]
        assert str(hit.match_display) == "Tab 2: session [/nope] [bold]x"
        await pilot.press(*"tab 2")
        await until(pilot, lambda: app.screen.query("OptionList").first().option_count > 0)  # type: ignore[attr-defined] # an OptionList
        await pilot.press("enter")
        await ready(pilot, "session [/nope] [bold]x")
