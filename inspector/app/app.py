"""`InspectorApp`: themes, palette and the session it was handed. It reads no file itself.

Screens are loaded when they are shown: the first picture must not wait for all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textual import events, on, work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import Screen
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.worker import Worker, get_current_worker

from inspector.alphabet import Charset
from inspector.app.opening import Begin, Begun, OpeningView
from inspector.app.plain_signs import PlainScrollBar, PlainSigns
from inspector.app.state import StateStore
from inspector.app.stopping import end_on_signals
from inspector.app.tabbed import TabbedApp
from inspector.app.tabs import MOST_TABS
from inspector.app.terminal_input import tolerant
from inspector.app.theme import ASCII_CLASS, THEMES, theme_for_terminal
from inspector.errors import InspectorError
from inspector.text import printable, printable_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.command import Provider

    from inspector.app.feed import Opener, OpenSession
    from inspector.app.screens.sessions import SessionsScreen
    from inspector.app.sources.sessions import SessionCatalog

EXPORT_AFTER_S = 0.1
"""The palette needs this long to go away."""


def _action_commands() -> type[Provider]:
    """The palette's provider of actions; loaded when the palette is opened."""
    from inspector.app.commands import ActionCommands

    return ActionCommands


class InspectorApp(TabbedApp):
    """The debugger for an agent's context window."""

    TITLE = "inspector"
    CSS_PATH = "screens/ledger.tcss"
    COMMANDS: ClassVar = App.COMMANDS | {_action_commands}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "keys", "keys", id="app.keys", tooltip="All keys that work here"),
        Binding("q", "quit", "quit", id="app.quit", tooltip="Leave the inspector"),
        Binding("ctrl+p", "command_palette", "palette", id="app.palette", tooltip="All actions by name"),
    ]

    class Prepared(Message):
        """A worker has opened what the app begins with."""

        def __init__(self, begun: Begun | InspectorError | OSError) -> None:
            super().__init__()
            self.begun = begun

    class Opened(Message):
        """A worker has opened another session."""

        def __init__(self, session: OpenSession | None, problem: str = "", *, new_tab: bool = False) -> None:
            super().__init__()
            self.session = session
            self.problem = problem
            self.new_tab = new_tab

    def __init__(
        self,
        session: OpenSession | None,
        *,
        others: Sequence[OpenSession] = (),
        begin: Begin | None = None,
        opening: str = "",
        catalog: SessionCatalog | None = None,
        opener: Opener | None = None,
        theme: str | None = None,
        request: int | None = None,
        store: StateStore | None = None,
        keymap: Mapping[str, str] | None = None,
        charset: Charset | None = None,
    ) -> None:
        """Make the app.

        Args:
            session: What to show; None begins with the list of sessions, which needs a catalog.
            others: More sessions, each in a tab of its own.
            begin: Opens session, catalog and opener once something is on the screen.
            opening: What that opens, for the person; untrusted.
            catalog: Other sessions; None offers none.
            opener: Opens what is chosen among them.
            theme: `dark`, `light`, `contrast` or `mono`; None takes what fits the terminal.
            request: Request to show first; None follows the newest.
            store: Where marks are kept; None keeps them for this run only.
            keymap: Binding id → the keys that a person wants for it.
            charset: What the terminal can draw; None: everything.
        """
        # With ANSI colours on, Textual's own NO_COLOR filter leaves no colour at all; without, grey.
        super().__init__(session, others, ansi_color=True if "NO_COLOR" in os.environ else None)
        for name in self.available_themes:
            self.unregister_theme(name)
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = theme or theme_for_terminal()
        self._catalog = catalog
        self._opener = opener
        self._begin = begin
        self._opening = opening
        self._refused: Exception | None = None
        self._request = request
        self._store = store if store is not None else StateStore(None)
        if keymap:
            self.set_keymap(keymap)
        charset = charset or Charset()
        self._plain_signs = PlainSigns(charset) if charset != Charset() else None
        self.set_class(charset.ascii, ASCII_CLASS)
        # Textual has one scroll bar for all apps of a process.
        ScrollBar.renderer = PlainScrollBar if charset.ascii else ScrollBarRender

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, and the one that draws signs as the terminal can show them."""
        own = [self._plain_signs] if self._plain_signs is not None else []
        return [*super().get_line_filters(), *own]

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: Literal["information", "warning", "error"] = "information",
        timeout: float | None = None,
        markup: bool = False,  # noqa: ARG002 (Textual's shape; what is said may quote a session)
    ) -> None:
        """Say something in passing, never as markup, once it has passed the gate."""
        super().notify(
            printable(message), title=printable_line(title), severity=severity, timeout=timeout, markup=False
        )

    def get_driver_class(self) -> type[Driver]:
        """The platform's driver, proof against pasted bytes."""
        return tolerant(super().get_driver_class())

    def panic(self, *renderables: RenderableType) -> None:  # noqa: ARG002 (nothing of them is shown)
        """End without drawing what would quote the session's own texts; `run` raises instead."""
        self._return_code = 1
        if self._exception is None:
            self._exception = RuntimeError("the terminal could not be read any more")
        self._close_messages_no_wait()

    def _fatal_error(self) -> None:
        """The same for an exception, which `fault` hands on."""
        self._close_messages_no_wait()

    @property
    def fault(self) -> Exception | None:
        """What ended the app, or the reading behind it, where it was not a person."""
        return self._refused or self._exception or self.reading_fault

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Tokens for stylesheets that are read before a theme is set."""
        return dict(THEMES["dark"].variables)

    # -- the session --------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """On the screen below all others: what is opened, until it is."""
        if self._begin is not None:
            yield OpeningView(self._opening)

    def on_load(self) -> None:
        """Before the terminal is taken: give it back whatever ends the app."""
        end_on_signals(self)

    async def on_mount(self) -> None:
        """Open what the app begins with once the screen is drawn, or show what was handed in."""
        if self._begin is None:
            await self.open_tabs()
        else:
            self.call_after_refresh(self._prepare, self._begin)

    @work(thread=True, group="open")
    def _prepare(self, begin: Begin) -> None:
        """Open and load in a thread: the first picture is drawn, and keys are answered meanwhile."""
        try:
            begun: Begun | InspectorError | OSError = begin()
        except (InspectorError, OSError) as error:
            begun = error
        self.post_message(self.Prepared(begun))

    @on(Prepared)
    async def show_prepared(self, event: Prepared) -> None:
        """Show what was opened; what cannot be opened ends the app."""
        if isinstance(event.begun, Exception):
            self._refused = event.begun
            self.exit()
            return
        self._catalog, self._opener = event.begun.catalog, event.begun.opener
        await self.open_tabs(event.begun.session, event.begun.others)

    def first_screen(self, session: OpenSession | None) -> Screen[Any]:
        """The ledger of a session, or the list of sessions where there is none."""
        if session is not None:
            from inspector.app.marks import Memory
            from inspector.app.screens.ledger import LedgerScreen

            request, self._request = self._request, None
            memory = Memory(self._store, session.path)
            return LedgerScreen(session.sources, catalog=self._catalog, request=request, memory=memory)
        if self._catalog is not None:
            from inspector.app.screens.sessions import SessionsScreen

            return SessionsScreen(self._catalog)
        raise InspectorError("there is neither a session nor a list of them")

    def on_unmount(self) -> None:
        """Stop reading."""
        self.stop_all()

    async def on_sessions_screen_picked(self, event: SessionsScreen.Picked) -> None:
        """Open the session that was chosen, or go to the tab that shows it."""
        known = self.tabs.holding(event.path)
        if event.new_tab and known is not None:
            await self._leave_list()
            await self.show_tab(known)
        elif event.new_tab and not self.can_open_tab:
            from inspector.app.keys import stated_key

            self.notify(f"{MOST_TABS} sessions are open; close one with {stated_key(self, 'tab.close')}.")
        elif self._opener is not None:
            self._open(partial(self._opener.open, event.path), new_tab=event.new_tab)

    def on_sessions_screen_demo_asked(self) -> None:
        """Start the demo."""
        if self._opener is not None:
            self._open(self._opener.demo)

    @work(thread=True, exclusive=True, group="open", exit_on_error=False)
    def _open(self, make: Callable[[], OpenSession], *, new_tab: bool = False) -> None:
        """Open a session in a thread; what came of it comes back as a message."""
        try:
            opened = self.Opened(make(), new_tab=new_tab)
        except (InspectorError, OSError) as error:
            opened = self.Opened(None, str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(opened)

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        """A session that cannot be opened for a reason that nobody foresaw."""
        from inspector.app.failures import tells_failure

        tells_failure(self, event)

    @on(Opened)
    async def show_opened(self, event: Opened) -> None:
        """Show another session, beside the one shown or in its place."""
        if event.session is None:
            self.notify(printable(event.problem), severity="error", markup=False)
        elif event.new_tab and self._session is not None:
            await self._leave_list()
            await self.open_beside(event.session)
        else:
            await self.open_here(event.session)

    async def _leave_list(self) -> None:
        """Leave the list of sessions, where it lies on top of a session."""
        from inspector.app.screens.sessions import SessionsScreen

        if isinstance(self.screen, SessionsScreen) and self._session is not None:
            await self.pop_screen()

    # -- keys and commands --------------------------------------------------------------------

    async def acts_at_once(self, event: events.Event) -> bool:
        """Act on a key at once where nobody types.

        Textual hands a key to the widget that has the focus, and acts on it when it comes back. What
        follows in the same burst, such as a pasted filter behind its `/`, would go the same way and be
        lost, because the prompt has the focus only then.
        """
        if isinstance(event, events.Key) and not event.is_forwarded and self._acts_on(event):
            self.app_focus = True
            for is_priority in (True, False):
                if await self._check_bindings(event.key, priority=is_priority):
                    return True
        return False

    def _acts_on(self, event: events.Key) -> bool:
        """Whether a key can only be a command: nobody types, and nothing is left by it first."""
        from textual.widgets import Input

        if not self.screen_stack or isinstance(self.focused, Input):
            return False
        return event.key != "escape" or self.screen.maximized is None

    def action_keys(self) -> None:
        """Show every key that works on this screen, and what the signs mean."""
        from inspector.app.keys import key_table
        from inspector.app.screens.help import HelpScreen
        from inspector.app.signs import sign_table

        self.push_screen(HelpScreen([*key_table(self.screen), *sign_table()]))

    def action_command_palette(self) -> None:
        """Show all actions by name."""
        from textual.command import CommandPalette

        from inspector.app.palette import Palette

        if not isinstance(self.screen, CommandPalette):
            self.push_screen(Palette())  # without an id: the one before may still be going away

    def search_themes(self) -> None:
        """Show all themes by name."""
        from textual.theme import ThemeProvider

        from inspector.app.palette import Palette

        self.push_screen(Palette(providers=[ThemeProvider], placeholder="Search for themes…"))

    def get_key_display(self, binding: Binding) -> str:
        """Keys by the names printed on keyboards."""
        if binding.key_display:
            return binding.key_display
        from inspector.app.keys import key_name

        return key_name(self, binding.key) or super().get_key_display(binding)

    def get_system_commands(
        self,
        screen: Screen[object],  # noqa: ARG002 (the shape of the method that is overridden)
    ) -> Iterable[SystemCommand]:
        """Of Textual's own commands those that have no key here."""
        yield SystemCommand("Theme", "Dark, light, high contrast, no colour", self.action_change_theme)
        yield SystemCommand(
            "Export view as text", "Save what this screen shows to a text file", self._export_text
        )
        yield SystemCommand(
            "Export view as SVG", "Save a picture of this screen as an SVG file", self._export_svg
        )

    def _export_text(self) -> None:
        self._export("txt")

    def _export_svg(self) -> None:
        self._export("svg")

    def _export(self, form: str) -> None:
        """Save what is below the palette, once that is gone."""
        self.set_timer(EXPORT_AFTER_S, partial(self._save_view, form))

    def _save_view(self, form: str) -> None:
        from inspector.app.export import export_view

        session = self._session.path if self._session is not None else ""
        title = self.update.view.title if self.update is not None else ""
        try:
            words = f"Saved as {export_view(self, form, session, title)}"
        except InspectorError as error:
            words = str(error)
        self.notify(printable(words), markup=False)
