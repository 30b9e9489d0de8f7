"""The app around the screens: sessions come and go, keys can be renamed, colour can be off."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest
from textual import events
from textual.command import CommandInput, CommandPalette
from textual.widgets import Input

import inspector
from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState, FeedUpdate, OpenSession, Sources
from inspector.app.keys import key_table
from inspector.app.palette import PaletteInput
from inspector.app.screens.help import HelpScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.sessions import SessionsScreen
from inspector.app.sources.sessions import SessionRow, SessionSummary
from inspector.app.widgets.prompt import Prompt
from inspector.errors import InspectorError
from tests.app.covers import covers
from tests.app.fakes import FakeDetails, FakeFeed, FakeView
from tests.app.stages import bottom, feed_of, frame_of, line, make_app, until
from tests.hostile import EVERYTHING, foreign

SIZE = (120, 40)


class Catalog:
    """Two sessions."""

    looked_in: Sequence[tuple[str, str]] = (("Claude Code", "~/.claude/projects"),)

    def sessions(self) -> Sequence[SessionRow]:
        return [SessionRow(f"/s/{name}.jsonl", name, "shop", "ChatCLI", 10, 0.0) for name in ("one", "two")]

    def summary(self, row: SessionRow) -> SessionSummary:
        return SessionSummary(3, 100)


class Doors:
    """Opens invented sessions, and refuses what is named `two`."""

    def __init__(self) -> None:
        self.feeds: list[FakeFeed] = []

    def open(self, path: str) -> OpenSession:
        if "two" in path:
            raise InspectorError("two.jsonl holds no session: [bold]nothing[/nope]")
        return self.demo()

    def demo(self) -> OpenSession:
        view = FakeView(20, title="opened")
        self.feeds.append(FakeFeed(FeedUpdate(view, FeedState.LIVE)))
        return OpenSession(self.feeds[-1], Sources(FakeDetails(view)))


def has_frame(app: InspectorApp) -> bool:
    return isinstance(app.screen, LedgerScreen) and app.screen.frame is not None


def screen_type(app: InspectorApp) -> type[object]:
    return type(app.screen)


async def test_without_a_session_the_app_begins_with_the_list_of_them() -> None:
    app = InspectorApp(None, catalog=Catalog(), opener=Doors(), theme="dark")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert screen_type(app) is SessionsScreen
        await pilot.pause(0.2)
        app.screen.post_message(SessionsScreen.Picked("/s/one.jsonl"))
        await until(pilot, lambda: has_frame(app))
        assert "opened" in line(app, "Header")


@covers("screen.sessions")
async def test_another_session_takes_the_place_of_the_one_shown() -> None:
    doors = Doors()
    first = FakeFeed(FeedUpdate(FakeView(), FeedState.LIVE))
    session = OpenSession(first, Sources(FakeDetails(FakeView())))
    app = InspectorApp(session, catalog=Catalog(), opener=doors, theme="dark")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s")
        await pilot.pause(0.2)
        app.screen.post_message(SessionsScreen.Picked("/s/one.jsonl"))
        await until(pilot, lambda: has_frame(app) and frame_of(app).view.title == "opened")
        assert first.stopped
        assert frame_of(app).request == 20
        first.push(FakeView(99))
        await pilot.pause()
        assert frame_of(app).request == 20, "an update of the session that was left is dropped"


async def test_a_session_that_cannot_be_opened_is_told_and_the_old_one_stays() -> None:
    session = OpenSession(FakeFeed(FeedUpdate(FakeView(), FeedState.LIVE)), Sources(FakeDetails(FakeView())))
    app = InspectorApp(session, catalog=Catalog(), opener=Doors(), theme="dark")
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.pause()
        app.post_message(SessionsScreen.Picked("/s/two.jsonl"))
        await pilot.pause(0.3)
        assert [n.message for n in app._notifications] == ["two.jsonl holds no session: [bold]nothing[/nope]"]
        assert frame_of(app).request == 112


@covers("app.quit")
async def test_leaving_stops_the_feed() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("q")
    assert feed_of(app).stopped


@covers("app.keys", "help.back")
async def test_help_names_every_key_of_the_screen_below() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        table = dict(key_table(app.screen))
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, LedgerScreen)
    keys = {key for rows in table.values() for key, _ in rows}
    assert {"←", "→", "[", "]", "Home", "End", "n", "N", "*", ":", "f", "1", "4", "Tab", "c", "Esc"} <= keys
    assert {"?", "q", "Enter", "PgUp", "i"} <= keys


async def test_keys_of_screens_with_nothing_to_show_are_not_offered() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        keys = {key for _, rows in key_table(app.screen) for key, _ in rows}
        assert not keys & {"o", "s"}
        assert "overflow" not in bottom(app)
        await pilot.press("o", "s")
        assert isinstance(app.screen, LedgerScreen)


@covers("screen.findings")
async def test_findings_open_and_lead_back_to_a_request() -> None:
    app = make_app(request=100)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("i")
        await pilot.pause(0.2)
        await pilot.press("down", "enter")
        await pilot.pause(0.2)
        assert isinstance(app.screen, LedgerScreen)
        assert frame_of(app).request == 33


async def test_a_keymap_renames_a_key_everywhere() -> None:
    app = make_app(request=38)
    app.set_keymap({"step.back": "h", "app.keys": "f1"})
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h")
        assert frame_of(app).request == 37
        assert ("h", "One request back") in dict(key_table(app.screen))["Requests"]
        assert bottom(app).startswith("h→")


@covers("app.palette")
async def test_palette_offers_every_action_and_runs_it() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+p")
        assert isinstance(app.screen, CommandPalette)
        await pilot.press(*"first request")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await pilot.pause(0.3)
        assert frame_of(app).request == 1


async def test_only_themes_with_all_tokens_are_offered() -> None:
    assert set(make_app().available_themes) == {"dark", "light", "contrast", "mono"}


async def test_no_color_leaves_no_colour_in_any_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    view = FakeView()
    session = OpenSession(FakeFeed(FeedUpdate(view, FeedState.LIVE)), Sources(FakeDetails(view)))
    app = InspectorApp(session, request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down")
        await pilot.pause(0.1)
        colours = set()
        for strip in app.screen._compositor.render_strips():
            for segment in strip.apply_filter(app._filters[-1], app.screen.background_colors[1]):
                style = segment.style
                if style is not None:
                    colours |= {c.name for c in (style.color, style.bgcolor) if c is not None}
        assert colours <= {"default"}
        assert any(
            segment.style is not None and segment.style.reverse
            for strip in app.screen._compositor.render_strips()
            for segment in strip
        )


async def test_a_fault_in_opening_a_session_is_said() -> None:
    class Broken(Doors):
        def open(self, path: str) -> OpenSession:
            raise RuntimeError(EVERYTHING)

    app = InspectorApp(None, catalog=Catalog(), opener=Broken(), theme="dark")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.screen.post_message(SessionsScreen.Picked("/s/one.jsonl"))
        await until(pilot, lambda: len(app._notifications) > 0)
        (said,) = app._notifications
        assert "RuntimeError" in said.message
        assert foreign(said.message) == []
        assert screen_type(app) is SessionsScreen


async def test_the_palette_needs_no_room() -> None:
    app = make_app(FakeView(20))
    async with app.run_test(size=(1, 1)) as pilot:
        await pilot.press("ctrl+p", "pagedown", "pageup", "home", "end", "escape")
        app.action_change_theme()
        await pilot.press("pagedown", "escape")
        assert app.fault is None


async def test_the_palette_can_be_opened_again_while_it_goes_away() -> None:
    app = make_app(FakeView(20))
    async with app.run_test(size=SIZE) as pilot:
        app.action_command_palette()
        await pilot.pause()
        for _ in range(3):
            app.screen.dismiss()
            app.action_command_palette()
        await pilot.pause()
        assert app.fault is None
        assert isinstance(app.screen, CommandPalette)


async def test_a_text_that_is_pasted_into_the_palette_is_drawn_as_pictures() -> None:
    app = make_app(FakeView(20))
    async with app.run_test(size=SIZE) as pilot:
        for open_palette in (app.action_command_palette, app.action_change_theme):
            open_palette()
            await pilot.pause()
            app.post_message(events.Paste(EVERYTHING))
            await pilot.pause()
            prompt = app.screen.query_one(CommandInput)
            assert "evil" in prompt.value
            assert foreign(prompt.value, "") == []
            await pilot.press("escape")


def test_every_line_of_input_passes_the_gate() -> None:
    """Textual's own inputs draw whatever is pasted into them."""
    kinds = {kind for kind in all_kinds(Input) if kind.__module__.startswith("inspector.")}
    assert kinds >= {Prompt, PaletteInput}
    assert all("validate_value" in dir(kind) for kind in kinds)
    for path in Path(inspector.__file__).parent.rglob("*.py"):
        calls = [each.func for each in ast.walk(ast.parse(path.read_bytes())) if isinstance(each, ast.Call)]
        made = {each.id for each in calls if isinstance(each, ast.Name)}
        assert not made & {"Input", "TextArea", "MaskedInput", "CommandInput"}, path


def all_kinds(kind: type) -> set[type]:
    return {kind}.union(*map(all_kinds, kind.__subclasses__()))


async def test_what_is_said_in_passing_passes_the_gate_and_is_no_markup() -> None:
    app = make_app(FakeView(20))
    async with app.run_test(size=SIZE) as pilot:
        app.screen.notify(EVERYTHING, title=EVERYTHING, markup=True)
        await pilot.pause(0.2)
        (said,) = app._notifications
        assert foreign(said.message + said.title, "\n") == []
        assert said.markup is False
