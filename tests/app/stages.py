"""Sets the ledger up with invented sessions."""

from __future__ import annotations

from typing import cast

from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState, FeedUpdate, OpenSession, Sources
from inspector.app.frame import Frame
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.widgets.bar import Bar
from tests.app.fakes import FakeDetails, FakeFeed, FakeView


def make_app(
    view: FakeView | None = None,
    *,
    request: int | None = None,
    state: FeedState = FeedState.LIVE,
    theme: str = "dark",
) -> InspectorApp:
    """The app on an invented session of 112 requests.

    Args:
        view: The session; None makes the usual one.
        request: Request to show first; None follows.
        state: How it stands with the file.
        theme: Name of the theme.
    """
    view = view if view is not None else FakeView()
    session = OpenSession(FakeFeed(FeedUpdate(view, state)), Sources(FakeDetails(view)))
    return InspectorApp(session, theme=theme, request=request)


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
