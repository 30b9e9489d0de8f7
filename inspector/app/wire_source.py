"""Views of the open session's requests for the wire screen."""

from __future__ import annotations

from inspector.app.session import SessionFeed, reading
from inspector.errors import UsageError
from inspector.session import Session
from inspector.session.wire_view import Side, WireView, WireViews


class SessionWire:
    """The `WireSource` of one conversation of a real session."""

    def __init__(self, feed: SessionFeed, thread: str = "") -> None:
        self._feed = feed
        self._thread = thread
        self._known: WireViews | None = None

    def view(self, request: int) -> WireView:
        """One request, block by block."""
        with reading(self._feed) as session:
            return self._views(session, request).view(request)

    def text(self, request: int, message: int, block: int, side: Side) -> str | None:
        """The text of a block."""
        with reading(self._feed) as session:
            return self._views(session, request).text(request, message, block, side)

    def _views(self, session: Session, request: int) -> WireViews:
        """The views of the session as it is; a file that was read anew has other timelines."""
        timeline = session.timelines.get(self._thread)
        if timeline is None or not 1 <= request <= len(timeline.requests):
            raise UsageError(f"There is no request {request} any more.")
        if self._known is None or self._known.timeline is not timeline:
            self._known = WireViews(session, self._thread)
        return self._known
