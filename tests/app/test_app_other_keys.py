"""Keys that no other test presses: each does what its words say."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState, FeedUpdate, OpenSession, Sources, Tab
from inspector.app.screens.findings import FindingsScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.overflow import OverflowScreen
from inspector.app.screens.sessions import SessionsScreen
from inspector.app.widgets.detail import DetailView
from inspector.app.widgets.ledger import Ledger
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.prompt import Prompt
from inspector.app.widgets.text_pane import TextPane
from inspector.app.widgets.text_view import TextView
from tests.app.covers import covers
from tests.app.fakes import FakeDetails, FakeFeed, FakeView
from tests.app.stage import NOW, Catalog, Stage, catalog, findings, folder, pytest_log
from tests.app.stages import make_app, on_screen, until

SIZE = (120, 40)


@covers("detail.pane_before", "detail.before")
async def test_shift_tab_goes_into_the_detail_and_back_out() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "shift+tab")
        assert isinstance(app.focused, DetailView)
        await pilot.press("tab", "shift+tab")
        assert app.screen.query_one("Detail").tab is Tab.WIRE  # type: ignore[attr-defined]
        await pilot.press("shift+tab")
        assert isinstance(app.focused, Ledger)


@covers("rows.page_up", "rows.up", "rows.down", "rows.first", "rows.last")
async def test_row_keys_move_the_cursor() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ledger = app.screen.query_one(Ledger)
        await pilot.press("down", "down", "up")
        assert ledger.cursor == 1
        await pilot.press("ctrl+end", "pageup")
        last = len(ledger.rows) - 1
        assert ledger.cursor == last - ledger.size.height + 1
        await pilot.press("ctrl+home")
        assert ledger.cursor == 0


@covers("screen.overflow")
async def test_o_opens_the_overflow_files_and_enter_leads_to_their_owner() -> None:
    view = FakeView()
    sources = Sources(FakeDetails(view), folder())
    session = OpenSession(FakeFeed(FeedUpdate(view, FeedState.LIVE)), sources)
    app = InspectorApp(session, theme="dark")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        await on_screen(pilot, OverflowScreen)
        await until(pilot, lambda: len(app.screen.query_one("#files", LineView).rows) > 0)
        await pilot.press("enter")
        await on_screen(pilot, LedgerScreen)
        screen = app.screen
        assert isinstance(screen, LedgerScreen)
        assert screen.frame is not None
        assert screen.frame.request == 38


@covers("overflow.editor", "overflow.pager", "overflow.line")
async def test_overflow_files_open_outside_and_their_lines_are_gone_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[tuple[tuple[str, ...], str]] = []

    def note(app: object, names: tuple[str, ...], path: str) -> None:
        opened.append((names, Path(path).name))

    monkeypatch.setattr("inspector.app.screens.overflow.open_outside", note)
    app = Stage(lambda: OverflowScreen(folder()))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "2311" in app.screen.query_one("#title").plain)  # type: ignore[attr-defined, arg-type]
        await pilot.press("e", "P")
        assert [names[-1] for names, _ in opened] == ["EDITOR", "PAGER"]
        await pilot.press("colon", *"1204", "enter")
        assert app.screen.query_one(TextView).line == 1204


@covers("sessions.latest", "sessions.rescan", "sessions.filter")
async def test_the_picker_opens_the_newest_and_looks_again() -> None:
    looked: list[int] = []

    class Counting(Catalog):
        def sessions(self):  # type: ignore[no-untyped-def]  # as the catalog has it
            looked.append(1)
            return super().sessions()

    posted: list[str] = []

    class Picker(Stage):
        def on_sessions_screen_picked(self, event: SessionsScreen.Picked) -> None:
            posted.append(event.path)

    known = catalog()
    app = Picker(lambda: SessionsScreen(Counting(known._rows, known._summaries), clock=lambda: NOW))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: len(app.screen.query_one("#rows", LineView).rows) > 0)  # type: ignore[arg-type]
        await pilot.press("f5")
        await until(pilot, lambda: len(looked) == 2)  # type: ignore[arg-type]
        await pilot.press("ctrl+l")
        await until(pilot, lambda: posted == [known._rows[0].path])  # type: ignore[arg-type]
        app.screen.query_one("#rows").focus()
        await pilot.press("slash")
        assert isinstance(app.focused, Prompt)


@covers("findings.unfold")
async def test_z_unfolds_what_is_counted_and_folds_it_again() -> None:
    app = Stage(lambda: FindingsScreen(findings(), requests=112))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        view = app.screen.query_one("#rows", LineView)
        await pilot.press("z")
        assert len(view.rows) == 34
        await pilot.press("z")
        assert len(view.rows) == 6


@covers("text.first", "text.last", "text.save")
async def test_a_text_has_its_ends_and_is_saved_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pane = TextPane()
    app = Stage(pane)
    saved: list[bytes] = []
    monkeypatch.setattr(app, "deliver_binary", lambda file, **_words: saved.append(file.read()))
    async with app.run_test(size=SIZE) as pilot:
        pane.show("log.txt", pytest_log())
        pane.view.focus()
        await pilot.press("end")
        assert pane.view.line == 2311
        await pilot.press("home", "C")
        assert pane.view.line == 1
        assert saved == [pytest_log().encode()]
