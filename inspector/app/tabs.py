"""Sessions that are open side by side: which there are, and which one is shown.

Each tab has a stack of screens of its own, a mode in Textual's words, so what a person chose in a
session stands there when they come back. A hidden tab keeps its newest update and draws nothing: a
screen asks `is_shown` before it takes one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from inspector.app.widgets.tab_row import TabWords

if TYPE_CHECKING:
    from inspector.app.feed import Feed, FeedUpdate, OpenSession

MOST_TABS = 20
"""Each is a thread that reads, and an index in memory."""


INDEXING, LIVE = "indexing", "live"
"""Values of `FeedState`, whose module is loaded later than this one."""


@dataclass(eq=False)
class SessionTab:
    """One session, or the list of sessions while none was chosen."""

    mode: str
    """Name of its stack of screens."""
    session: OpenSession | None = None
    update: FeedUpdate | None = None
    """The newest one."""
    seen_requests: int = 0
    """Requests that there were when it was last shown, or when all of the file had been read."""

    def take(self, update: FeedUpdate) -> None:
        """Keep the newest update; what a first reading finds is nothing new."""
        if self.update is None or self.update.state.value == INDEXING:
            self.seen_requests = update.view.request_count
        self.update = update

    @property
    def title(self) -> str:
        """What the session is called; untrusted."""
        if self.update is not None:
            return self.update.view.title
        path = self.session.path if self.session is not None else ""
        return PurePath(path).stem or ("demo" if self.session is not None else "sessions")

    @property
    def requests(self) -> int:
        """Requests that are known."""
        return self.update.view.request_count if self.update is not None else 0

    @property
    def fresh_requests(self) -> int:
        """Requests that came while it was hidden."""
        return max(0, self.requests - self.seen_requests)


class Tabs:
    """The tabs in their order; one of them is shown."""

    def __init__(self, mode: str) -> None:
        """Begin with one empty tab.

        Args:
            mode: The stack of screens that there is anyway.
        """
        self.shown = SessionTab(mode)
        self._tabs = [self.shown]
        self._free: list[str] = []
        self._made = 0

    def __len__(self) -> int:
        return len(self._tabs)

    def __iter__(self) -> Iterator[SessionTab]:
        return iter(self._tabs)

    def add(self, session: OpenSession) -> tuple[SessionTab, bool]:
        """Put a tab behind the one that is shown, which stays shown.

        Args:
            session: What it holds.

        Returns:
            The tab, and whether its stack of screens is to be made first.
        """
        fresh = not self._free
        if fresh:
            self._made += 1
        mode = f"session-{self._made}" if fresh else self._free.pop()
        tab = SessionTab(mode, session)
        self._tabs.insert(self._tabs.index(self.shown) + 1, tab)
        return tab, fresh

    def show(self, tab: SessionTab) -> None:
        """Make a tab the one that is shown."""
        self.shown.seen_requests = self.shown.requests
        self.shown = tab

    def remove(self, tab: SessionTab) -> SessionTab:
        """Take a tab away, of which there are several; its stack of screens is free.

        Returns:
            Its neighbour, which is to be shown where it was shown itself.
        """
        place = self._tabs.index(tab)
        self._tabs.remove(tab)
        self._free.append(tab.mode)
        return self._tabs[min(place, len(self._tabs) - 1)]

    def beside(self, step: int) -> SessionTab:
        """The tab so many places on, around the ends."""
        return self._tabs[(self._tabs.index(self.shown) + step) % len(self._tabs)]

    def at(self, place: int) -> SessionTab | None:
        """The tab at a place, from 0."""
        return self._tabs[place] if 0 <= place < len(self._tabs) else None

    def of(self, feed: Feed) -> SessionTab | None:
        """The tab whose session a feed reads; None where it was left."""
        return next((t for t in self._tabs if t.session is not None and t.session.feed is feed), None)

    def holding(self, path: str) -> SessionTab | None:
        """The tab that shows a file; None where none does."""
        shown = (t for t in self._tabs if t.session is not None and t.session.path == path)
        return next(shown, None) if path else None

    def words(self) -> Sequence[TabWords]:
        """What the row of tabs says; empty while there is only one."""
        if len(self._tabs) < 2:
            return ()
        return tuple(
            TabWords(
                tab.title,
                is_shown=tab is self.shown,
                is_live=tab.update is not None and tab.update.state.value == LIVE,
                fresh_requests=0 if tab is self.shown else tab.fresh_requests,
            )
            for tab in self._tabs
        )


def is_shown(screen: Screen[Any]) -> bool:
    """Whether a screen belongs to the tab that is shown, on top or below others."""
    return screen in screen.app.screen_stack
