"""Sets the ledger up with invented sessions."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

from textual.pilot import Pilot
from textual.screen import Screen

from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState, FeedUpdate, OpenSession, PlaceSource, Sources
from inspector.app.frame import Frame
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.state import StateStore
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.question import QuestionLine
from tests.app.fakes import FakeDetails, FakeFeed, FakeView


def make_app(
    view: FakeView | None = None,
    *,
    request: int | None = None,
    state: FeedState = FeedState.LIVE,
    theme: str = "dark",
    places: PlaceSource | None = None,
    store: StateStore | None = None,
    path: str = "",
) -> InspectorApp:
    """The app on an invented session of 112 requests.

    Args:
        view: The session; None makes the usual one.
        request: Request to show first; None follows.
        state: How it stands with the file.
        theme: Name of the theme.
        places: Files behind the results.
        store: Where marks are kept.
        path: The session's file.
    """
    view = view if view is not None else FakeView()
    sources = Sources(FakeDetails(view), places=places)
    session = OpenSession(FakeFeed(FeedUpdate(view, state)), sources, path)
    return InspectorApp(session, theme=theme, request=request, store=store)


def feed_of(app: InspectorApp) -> FakeFeed:
    session = app._session
    assert session is not None
    return cast("FakeFeed", session.feed)


def details_of(app: InspectorApp) -> FakeDetails:
    session = app._session
    assert session is not None
    return cast("FakeDetails", session.sources.details)


def ledger_screen(app: InspectorApp) -> LedgerScreen:
    screen = app.screen
    assert isinstance(screen, LedgerScreen)
    return screen


def frame_of(app: InspectorApp) -> Frame:
    frame = ledger_screen(app).frame
    assert frame is not None
    return frame


def bottom(app: InspectorApp) -> str:
    return app.screen.query_one("#hints", Bar).plain


def line(app: InspectorApp, selector: str, y: int = 0) -> str:
    """One drawn row of a widget, as text."""
    return app.screen.query_one(selector).render_line(y).text.rstrip()


async def settle(pilot: Pilot[None]) -> None:
    """Wait until the detail has been read and drawn."""
    await pilot.pause(0.05)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def until(pilot: Pilot[None], holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for something that a timer, a worker or another screen brings, however slow the machine is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await pilot.pause(0.02)
        if holds():
            await pilot.pause()
            return
    raise AssertionError("it did not come to be in time")


async def on_screen(pilot: Pilot[None], kind: type[Screen[Any]]) -> None:
    """Wait until a screen is shown and drawn."""
    await until(pilot, lambda: isinstance(pilot.app.screen, kind) and pilot.app.screen.is_current)


def asked(app: InspectorApp) -> QuestionLine:
    """The question of the bottom line."""
    return app.screen.query_one(QuestionLine)


def noted(app: InspectorApp) -> str:
    """What stands above the prompt."""
    return app.screen.query_one("#question-note", Bar).plain
