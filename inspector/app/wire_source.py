"""Views of the open session's requests for the wire screen."""

from __future__ import annotations

from inspector.app.file_places import record_place
from inspector.app.session import SessionFeed, reading
from inspector.app.sources.files import FilePlace
from inspector.app.sources.wire import BlockPlace, UnsentPlace
from inspector.errors import UsageError
from inspector.session import Session
from inspector.session.wire_view import Side, WireView
from inspector.session.wire_views import WireViews


class SessionWire:
    """The `WireSource` of one conversation of a real session."""

    def __init__(self, feed: SessionFeed, thread: str = "") -> None:
        self._feed = feed
        self._thread = thread
        self._known: WireViews | None = None

    def view(self, request: int, against: int | None = None, side: Side = Side.PREDICTED) -> WireView:
        """One request, block by block."""
        with reading(self._feed) as session:
            return self._views(session, request).view(request, against, side)

    def text(self, block: BlockPlace | UnsentPlace, side: Side) -> str | None:
        """The text of a block."""
        with reading(self._feed) as session:
            views = self._views(session, block.request)
            if isinstance(block, UnsentPlace):
                return views.unsent_text(block.record, block.block)
            return views.text(block.request, block.message, block.block, side, block.against, block.form)

    def place(self, block: BlockPlace | UnsentPlace) -> FilePlace:
        """Where the record of a block stands."""
        with reading(self._feed) as session:
            views = self._views(session, block.request)
            if isinstance(block, UnsentPlace):
                record = views.record_at(block.record)
            else:
                record = views.record_of(block.request, block.message, block.block, block.form)
            if record is None:
                raise UsageError("No record has this text: the client adds it, or a repair made it.")
            return record_place(session, self._thread, record)

    def _views(self, session: Session, request: int) -> WireViews:
        """The views of the session as it is; a file that was read anew has other timelines."""
        timeline = session.timelines.get(self._thread)
        if timeline is None or not 1 <= request <= len(timeline.requests):
            raise UsageError(f"There is no request {request} any more.")
        if self._known is None or self._known.timeline is not timeline:
            self._known = WireViews(session, self._thread)
        return self._known
