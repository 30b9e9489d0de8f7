"""A screen opened from a ledger, below the line that says which session it is and how it stands now.

Where rows are scarce the line is left out: Esc leads back to it, and the session stays the same.
"""

from __future__ import annotations

from dataclasses import replace

from textual import events, on
from textual.app import ComposeResult
from textual.screen import Screen

from inspector.app.feed import FeedUpdate, Jump
from inspector.app.frame import Frame
from inspector.app.tabs import is_shown
from inspector.app.widgets.header import Header

TALL = 30
"""Rows from which there is one for the line."""


class HeadedScreen(Screen[Jump | None]):
    """Shows the header of the ledger it was opened from, kept as new as the session."""

    DEFAULT_CSS = """
    HeadedScreen > Header { display: none; }
    HeadedScreen.-tall > Header { display: block; }
    """

    opened_from: Frame | None = None
    """What the ledger showed; None: no line."""
    opened_in: str = ""
    """The conversation that it showed; empty: the main one."""

    def opened(self, frame: Frame, thread: str) -> HeadedScreen:
        """Take note of where the screen was opened, before it is shown.

        Args:
            frame: What the ledger shows.
            thread: Its conversation.
        """
        self.opened_from, self.opened_in = frame, thread
        return self

    def compose_header(self) -> ComposeResult:
        """The line, for the first place of `compose`."""
        if self.opened_from is not None:
            yield Header()

    def on_mount(self) -> None:
        """Show how the session stands, and go on with it."""
        if self.opened_from is not None:
            self.query_one(Header).frame = self.opened_from
            if hasattr(self.app, "update"):
                self.watch(self.app, "update", self._take_standing, init=False)

    @on(events.Resize)
    def _choose_header(self, event: events.Resize) -> None:
        self.set_class(event.size.height >= TALL, "-tall")

    def head_request(self, request: int) -> None:
        """Name another request in the line: the screen has gone on to it."""
        if self.opened_from is not None:
            header = self.query_one(Header)
            if header.frame is not None:
                header.frame = replace(header.frame, request=request)

    def _take_standing(self, update: FeedUpdate | None) -> None:
        opened = self.opened_from
        view = update.view_of(self.opened_in) if update is not None and is_shown(self) else None
        if opened is None or update is None or view is None:
            return
        header = self.query_one(Header)
        shown = header.frame or opened
        seen = opened.view.request_count - opened.fresh_requests
        fresh = 0 if opened.following else max(0, view.request_count - seen)
        header.frame = replace(
            shown,
            update=replace(update, view=view),
            request=max(1, min(shown.request, view.request_count)) if view.request_count else 0,
            fresh_requests=fresh,
        )
