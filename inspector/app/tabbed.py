"""`TabbedApp`: several sessions in one app, each in a tab; the rest of the app sees the one shown.

Feeds of hidden tabs go on reading. What they post is kept with their tab and drawn when it is shown;
until then only the row of tabs tells how much came.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Event, InputEvent
from textual.reactive import reactive
from textual.screen import ModalScreen, Screen

from inspector.app.messages import SessionUpdated
from inspector.app.tabs import MOST_TABS, SessionTab, Tabs
from inspector.app.widgets.tab_row import TabRow

if TYPE_CHECKING:
    from inspector.app.feed import Feed, FeedUpdate, OpenSession

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

    update: reactive[FeedUpdate | None] = reactive(None, always_update=True, repaint=False)
    """The session shown as it is known now. A view may grow in place, so every update counts."""

    def __init__(self, session: OpenSession | None, others: Sequence[OpenSession], **options: Any) -> None:
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

    async def open_tabs(self, session: OpenSession | None = None, others: Sequence[OpenSession] = ()) -> None:
        """Show the first session, and begin to read all of them.

        Args:
            session: What was opened since the app was made.
            others: The same for the tabs behind it.
        """
        first = self.tabs.shown
        first.session = session or first.session
        others = [*self._others, *others]
        self.push_screen(self.first_screen(first.session))
        for other in others:
            await self.open_beside(other)
        if others:
            await self.show_tab(first)
        self.screen_change_signal.subscribe(self, self._dress)
        if first.session is session:
            # Reading beside the drawing of the screen would double the time that it takes.
            self.call_after_refresh(self._start, first)
        else:
            self._start(first)

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
            self.screen.call_after_refresh(event.feed.go_on)
        else:
            event.feed.go_on()
        self._draw_tabs()

    async def on_event(self, event: Event) -> None:
        """Before anything is done with a key: the reading must not be done beside it."""
        if isinstance(event, InputEvent):
            feeds = [tab.session.feed for tab in self.tabs if tab.session is not None]
            for feed in feeds:
                feed.give_way()
                self.screen.call_after_refresh(feed.go_on)
        if not await self.acts_at_once(event):
            await super().on_event(event)

    async def acts_at_once(self, event: Event) -> bool:  # noqa: ARG002 (for apps that do)
        """Act on an event before any widget sees it; False leaves it to Textual."""
        return False

    @property
    def reading_fault(self) -> Exception | None:
        """What ended the reading of a session, where it was a fault of our own."""
        faults = (tab.session.feed.fault for tab in self.tabs if tab.session is not None)
        return next((fault for fault in faults if fault is not None), None)

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
