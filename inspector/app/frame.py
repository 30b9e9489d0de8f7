"""`Frame`: the one value that a screen hands down to its widgets: a session as of one request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from inspector.app.feed import FeedUpdate
from inspector.replay.view import RequestRow, SessionView


# Compared by identity: a new frame is made exactly when something changed, and comparing two views
# in full would cost more than the repaint that it could save.
@dataclass(frozen=True, eq=False)
class Frame:
    """What is shown, and how it stands with following."""

    update: FeedUpdate
    request: int
    """Request shown, from 1; 0 while the session has none."""
    following: bool
    """Whether the newest request is shown whenever there is one."""
    fresh_requests: int = 0
    """Requests that came since the person stopped following."""
    playing: bool = False
    """Whether requests go by by themselves."""
    marked: Mapping[int, str] = field(default_factory=dict)
    """Requests with marks → their notes; empty where nothing was noted."""

    @property
    def view(self) -> SessionView:
        """The session."""
        return self.update.view

    @cached_property
    def row(self) -> RequestRow | None:
        """The request shown; None while the session has none."""
        return self.view.request(self.request) if self.request else None
