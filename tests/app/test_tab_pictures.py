"""How several sessions look side by side, and how the app looks in ASCII; these are for the eye."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from inspector.alphabet import Charset
from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState, FeedUpdate, OpenSession, Sources
from tests.app.fakes import FakeDetails, FakeFeed, FakeView
from tests.app.stages import settle

Compare = Callable[..., bool]
SIZES = [(80, 24), (120, 40)]
TITLES = (
    "Rename the invoice importer",
    "Why does the nightly job hang?",
    "漢字 and a title that is long indeed",
)


def session(title: str, requests: int) -> OpenSession:
    view = FakeView(requests, title=title)
    return OpenSession(FakeFeed(FeedUpdate(view, FeedState.LIVE)), Sources(FakeDetails(view)))


def app_of(theme: str = "dark", charset: Charset | None = None, tabs: int = 3) -> InspectorApp:
    first, *others = [session(title, 112 - n) for n, title in enumerate(TITLES[:tabs])]
    return InspectorApp(first, others=others, theme=theme, charset=charset)


async def grown(pilot: Pilot[Any]) -> None:
    """The second tab is shown, and the first one has grown since."""
    app = cast("InspectorApp", pilot.app)
    await settle(pilot)
    first = app.tabs.at(0)
    await pilot.press("right_curly_bracket", "down")
    assert first is not None and first.session is not None
    cast("FakeFeed", first.session.feed).push(FakeView(115, title=TITLES[0]))
    await settle(pilot)


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("theme", ["dark", "mono"])
def test_tabs(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert snap_compare(app_of(theme), terminal_size=size, run_before=grown)


def test_tabs_on_the_map(snap_compare: Compare) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await grown(pilot)
        await pilot.press("m")
        await settle(pilot)

    assert snap_compare(app_of(), terminal_size=(80, 24), run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_ascii(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        await pilot.press("down")
        await settle(pilot)

    app = app_of(charset=Charset(ascii=True), tabs=1)
    assert snap_compare(app, terminal_size=size, run_before=before)
