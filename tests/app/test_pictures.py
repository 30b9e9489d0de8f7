"""How the main screen looks. What it does is tested elsewhere; these are for the eye."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState, Progress
from inspector.app.screens.agents import AgentsScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.marks import MarksScreen
from inspector.app.screens.stops import StopsScreen
from tests.app.fake_sources import FakeThreads
from tests.app.fakes import FakeView
from tests.app.stages import asked, feed_of, ledger_screen, make_app, noted, on_screen, settle, until

Compare = Callable[..., bool]


@pytest.mark.parametrize("theme", ["dark", "light", "mono"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_ledger(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    app = make_app(request=38, theme=theme)

    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("down")
        await settle(pilot)
        feed_of(app).push(FakeView(115))
        await settle(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("key", ["1", "2", "3", "4"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_one_stage(snap_compare: Compare, size: tuple[int, int], key: str) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("down", key)
        await settle(pilot)

    assert snap_compare(make_app(request=38), terminal_size=size, run_before=before)


@pytest.mark.parametrize("width", [104, 112])
def test_widths_between(snap_compare: Compare, width: int) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await settle(pilot)

    assert snap_compare(make_app(request=38), terminal_size=(width, 32), run_before=before)


def test_indexing(snap_compare: Compare) -> None:
    app = make_app()

    async def before(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        progress = Progress(214_000_000, 412_000_000, 6.2)
        feed_of(app).push(FakeView(41), FeedState.INDEXING, progress=progress)
        await settle(pilot)

    assert snap_compare(app, terminal_size=(120, 40), run_before=before)


def test_deleted(snap_compare: Compare) -> None:
    app = make_app(request=60)

    async def before(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        note = "The file was deleted at 14:12. What was read stays; overflow files can no longer be checked."
        feed_of(app).push(FakeView(), FeedState.DELETED, note=note)
        await settle(pilot)

    assert snap_compare(app, terminal_size=(120, 40), run_before=before)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_keys(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("question_mark")
        await settle(pilot)

    assert snap_compare(make_app(request=38), terminal_size=size, run_before=before)


def test_signs_below_the_keys(snap_compare: Compare) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("question_mark", "ctrl+end")
        await settle(pilot)

    assert snap_compare(make_app(request=38), terminal_size=(120, 40), run_before=before)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_a_marked_request_with_a_long_finding(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = make_app(request=38)

    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("b", *"here", "enter", "Z")
        await settle(pilot)
        words = "finding 1 of 4  over turn budget: Request 38: 3 results hold 241,000 of 200,000 chars; "
        ledger_screen(app).say(f"{words}1 replaced, 82,163 remain, and what remains is a long sentence.")
        await settle(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)


def test_small(snap_compare: Compare) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await settle(pilot)

    assert snap_compare(make_app(request=38), terminal_size=(60, 15), run_before=before)


SIZES = [(80, 24), (120, 40)]


def size_id(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize("size", SIZES, ids=size_id)
def test_filter(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = make_app(request=38)

    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("slash")
        asked(app).prompt.value = "tool:Bash size>20k"
        await until(pilot, lambda: "results in" in noted(app))
        await settle(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)


def test_filter_mistake(snap_compare: Compare) -> None:
    app = make_app(request=38)

    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("slash")
        asked(app).prompt.value = "tool:Bash level:half"
        await settle(pilot)

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


def test_filter_without_matches(snap_compare: Compare) -> None:
    app = make_app(request=38)

    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("slash")
        asked(app).prompt.value = "jwt"
        await until(pilot, lambda: "Nothing of" in noted(app))
        await pilot.press("enter")
        await settle(pilot)

    assert snap_compare(app, terminal_size=(120, 40), run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=size_id)
def test_break_conditions(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("B")
        await on_screen(pilot, StopsScreen)
        await pilot.press("space", "down", "down")
        await settle(pilot)

    assert snap_compare(make_app(request=38), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=size_id)
def test_marks(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await pilot.press("down", "b", *"the log", "space", *"of the run", "enter", "left", "b", "escape")
        await pilot.press("apostrophe")
        await on_screen(pilot, MarksScreen)
        await settle(pilot)

    assert snap_compare(make_app(request=38), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=size_id)
def test_agents(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        await pilot.press("a")
        await on_screen(pilot, AgentsScreen)
        await settle(pilot)

    app = InspectorApp(FakeThreads().session(), theme="dark")
    assert snap_compare(app, terminal_size=size, run_before=before)


def test_an_agents_ledger(snap_compare: Compare) -> None:
    app = InspectorApp(FakeThreads().session(), theme="dark")

    async def before(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        ledger_screen(app).show_thread("inner")
        await until(pilot, lambda: isinstance(app.screen, LedgerScreen) and app.screen._thread == "inner")
        await pilot.press("down", "down")
        await settle(pilot)

    assert snap_compare(app, terminal_size=(120, 40), run_before=before)
