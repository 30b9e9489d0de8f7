"""A screen opened from a ledger says which session it is of, and how that stands now."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.app import InspectorApp
from inspector.app.catalog import opened
from inspector.app.feed import FeedState
from inspector.app.screens.findings import FindingsScreen
from inspector.app.screens.headed import HeadedScreen
from inspector.app.screens.overflow import OverflowScreen
from inspector.app.screens.why import WhyScreen
from inspector.app.screens.wire import WireScreen
from inspector.app.widgets.header import Header
from tests.app.fakes import FakeView
from tests.app.stage import Stage, folder
from tests.app.stages import feed_of, line, make_app, on_screen, until

SAMPLE = next((Path(__file__).parents[3] / "sample_sessions" / "overflow-files").glob("*.jsonl"))


def real_app() -> InspectorApp:
    return InspectorApp(opened(SAMPLE, follow=False, remembered=False), theme="dark")


@pytest.mark.parametrize(
    ("key", "kind"), [("v", WireScreen), ("y", WhyScreen), ("o", OverflowScreen), ("i", FindingsScreen)]
)
async def test_every_screen_of_a_session_has_its_line_where_there_are_rows(
    key: str, kind: type[HeadedScreen]
) -> None:
    app = real_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.update is not None and app.update.state is FeedState.ENDED)
        said = line(app, "Header")
        assert "request" in said
        await pilot.press(key)
        await on_screen(pilot, kind)
        assert app.screen.query_one(Header).display
        assert line(app, "Header") == said
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not app.screen.query_one(Header).display


async def test_the_line_of_the_wire_goes_on_with_the_request() -> None:
    app = real_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.update is not None and app.update.state is FeedState.ENDED)
        await pilot.press("home", "right", "v")
        await on_screen(pilot, WireScreen)
        assert "request 2 of" in line(app, "Header")
        await pilot.press("right")
        await pilot.pause()
        assert "request 3 of" in line(app, "Header")


async def test_the_line_says_what_came_meanwhile() -> None:
    app = make_app(request=38)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("i")
        await on_screen(pilot, FindingsScreen)
        assert "║ paused · End follows  request 38 of 112" in line(app, "Header")
        feed_of(app).push(FakeView(115))
        await pilot.pause()
        assert "3 new requests" in line(app, "Header")
        assert "request 38 of 115" in line(app, "Header")


async def test_a_screen_of_no_ledger_has_no_line() -> None:
    app = Stage(lambda: OverflowScreen(folder()))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert not app.screen.query(Header)
