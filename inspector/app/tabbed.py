"""`TabbedApp`: several sessions in one app, each in a tab; the rest of the app sees the one shown.

Feeds of hidden tabs go on reading. What they post is kept with their tab and drawn when it is shown;
until then only the row of tabs tells how much came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar

from textual import on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.screen import ModalScreen, Screen

from inspector.app.feed import Feed, FeedUpdate, OpenSession
from inspector.app.messages import SessionUpdated
from inspector.app.tabs import MOST_TABS, SessionTab, Tabs
from inspector.app.widgets.tab_row import TabRow

FIRST_MODE = "_default"
"""The stack of screens that Textual makes itself."""


class TabbedApp(App[None]):
    """Holds the sessions that are open."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right_curly_bracket", "tab(1)", "next tab", id="tab.next", tooltip="Next open session"),
        Binding(
            "left_curly_bracket", "tab(-1)", "tab before", id="tab.before", tooltip="Open session before"
        ),
        Binding("Q", "close_tab", "close the tab", id="tab.close", tooltip="Close the session shown"),
    ]

    # By its own rules Textual can leave the stack that it begins with, but not come back to it.
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {FIRST_MODE: partial(Screen, id=FIRST_MODE)}

    update: reactive[FeedUpdate | None] = reactive(None, always_update=True)
    """The session shown as it is known now. A view may grow in place, so every update counts."""

    def __init__(self, session: OpenSession | None, others: Iterable[OpenSession], **options: Any) -> None:
        """Args:
        session: What to show; None: a list of sessions.
        others: What to open behind it.
        **options: Those of Textual's app.
        """
        super().__init__(**options)
        self.tabs = Tabs(FIRST_MODE)
        self.tabs.shown.session = session
        self._others = tuple(others)

    def first_screen(self, session: OpenSession | None) -> Screen[Any]:
        """The screen at the bottom of a tab.

        Args:
            session: What the tab holds; None: nothing was chosen yet.
        """
        raise NotImplementedError

    @property
    def _session(self) -> OpenSession | None:
        """The session shown."""
        return self.tabs.shown.session

    # -- reading ------------------------------------------------------------------------------

    async def open_tabs(self) -> None:
        """Show the first session, and begin to read all of them."""
        first = self.tabs.shown
        self.push_screen(self.first_screen(first.session))
        self._start(first)
        for session in self._others:
            await self.open_beside(session)
        if self._others:
            await self.show_tab(first)
        self.screen_change_signal.subscribe(self, self._dress)

    def _start(self, tab: SessionTab) -> None:
        if tab.session is not None:
            tab.session.feed.start(partial(self._take, tab.session.feed))

    def _stop(self, tab: SessionTab) -> None:
        if tab.session is not None:
            tab.session.feed.stop()

    def stop_all(self) -> None:
        """Stop reading."""
        for tab in self.tabs:
            self._stop(tab)

    def _take(self, feed: Feed, update: FeedUpdate) -> None:
        """Called from a feed's thread: a message is all that may pass."""
        self.post_message(SessionUpdated(feed, update))

    def on_session_updated(self, event: SessionUpdated) -> None:
        """Hand an update on to the screens of the tab shown; keep those of others."""
        tab = self.tabs.of(event.feed)
        if tab is None:
            return
        tab.take(event.update)
        if tab is self.tabs.shown:
            self.update = event.update
        self._draw_tabs()

    # -- tabs ---------------------------------------------------------------------------------

    async def open_beside(self, session: OpenSession) -> None:
        """Open a session in a tab of its own, and show it; one that is open is only shown."""
        known = self.tabs.holding(session.path)
        if known is not None:
            session.feed.stop()
            await self.show_tab(known)
            return
        tab, is_fresh = self.tabs.add(session)
        if is_fresh:
            self.add_mode(tab.mode, Screen)
        await self.show_tab(tab)
        self.push_screen(self.first_screen(session))
        self._start(tab)

    async def open_here(self, session: OpenSession) -> None:
        """Leave the session shown for another one."""
        tab = self.tabs.shown
        self._stop(tab)
        tab.session, tab.update, self.update = session, None, None
        # Below the first screen lies Textual's blank one, which cannot be switched.
        while len(self.screen_stack) > 2:
            await self.pop_screen()
        await self.switch_screen(self.first_screen(session))
        self._start(tab)
        self._draw_tabs()

    @property
    def can_open_tab(self) -> bool:
        """Whether there is room for another tab."""
        return len(self.tabs) < MOST_TABS

    async def show_tab(self, tab: SessionTab) -> None:
        """Show a tab as it was left, with what came since."""
        self.tabs.show(tab)
        await self.switch_mode(tab.mode)
        self.update = tab.update
        self._draw_tabs()
        self.refresh_bindings()

    async def action_tab(self, step: int) -> None:
        """Go to another tab, around the ends."""
        await self.show_tab(self.tabs.beside(step))

    async def action_close_tab(self) -> None:
        """Close the tab shown; its neighbour is shown then."""
        tab = self.tabs.shown
        self._stop(tab)
        neighbour = self.tabs.remove(tab)
        with self.batch_update():
            while len(self.screen_stack) > 1:
                await self.pop_screen()
            await self.show_tab(neighbour)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys of tabs are there once there are several."""
        if action in {"tab", "close_tab"}:
            return len(self.tabs) > 1
        return super().check_action(action, parameters)

    @on(TabRow.Picked)
    async def _show_picked(self, event: TabRow.Picked) -> None:
        tab = self.tabs.at(event.place)
        if tab is not None:
            await self.show_tab(tab)

    # -- the row ------------------------------------------------------------------------------

    def _draw_tabs(self) -> None:
        self._dress(self.screen)

    def _dress(self, screen: Screen[Any]) -> None:
        """Put the row of tabs on a screen, or take it away where there is only one."""
        words = self.tabs.words()
        if isinstance(screen, ModalScreen) or not screen.is_attached:
            return
        row = screen.query_one_optional(TabRow)
        if row is not None:
            row.show(words)
            row.display = bool(words)
        elif words:
            screen.mount(TabRow(words), before=0)
