"""Parts of a session's file that are no records, for whoever wants to see what stands there."""

from __future__ import annotations

from inspector.app.session import SessionFeed, reading
from inspector.app.sources.files import OpenedText

LINE_BYTES = 128 << 10
"""Most bytes of a line that are shown, wrapped: what is wrong with it is known, and a hole can be huge."""


class SessionLines:
    """The `LineSource` of a real session."""

    def __init__(self, feed: SessionFeed) -> None:
        """Args:
        feed: Who reads the session.
        """
        self._feed = feed

    def read(self, thread: str, start: int, end: int) -> OpenedText:
        """Read a part of the file that holds a conversation, up to a bound."""
        with reading(self._feed) as session:
            data = session.bytes_of(thread, start, min(end, start + LINE_BYTES))
        return OpenedText(data.decode("utf-8", "replace"), data, end - start)
