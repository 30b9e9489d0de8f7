"""`InspectorApp`: themes, palette and the session it was handed. It reads no file itself."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.screen import Screen

from inspector.app.commands import ActionCommands
from inspector.app.feed import Feed, FeedUpdate
from inspector.app.keys import key_table, key_words
from inspector.app.messages import SessionUpdated
from inspector.app.places import Sources
from inspector.app.screens.help import HelpScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.theme import THEMES, theme_for_terminal


class InspectorApp(App[None]):
    """The debugger for an agent's context window."""

    TITLE = "inspector"
    CSS_PATH = "screens/ledger.tcss"
    COMMANDS: ClassVar = App.COMMANDS | {ActionCommands}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "keys", "keys", id="app.keys", tooltip="All keys that work here"),
        Binding("q", "quit", "quit", id="app.quit", tooltip="Leave the inspector"),
        Binding("ctrl+p", "command_palette", "palette", id="app.palette", tooltip="All actions by name"),
    ]

    update: reactive[FeedUpdate | None] = reactive(None, always_update=True)
    """The session as it is known now. A view may grow in place, so every update counts."""

    def __init__(
        self, feed: Feed, sources: Sources, *, theme: str | None = None, request: int | None = None
    ) -> None:
        """Make the app.

        Args:
            feed: Who reads the session.
            sources: Who reads its texts.
            theme: `dark`, `light`, `contrast` or `mono`; None takes what fits the terminal.
            request: Request to show first; None follows the newest.
        """
        # With ANSI colours on, Textual's own NO_COLOR filter leaves no colour at all; without, grey.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        for name in self.available_themes:
            self.unregister_theme(name)
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = theme or theme_for_terminal()
        self._feed = feed
        self._sources = sources
        self._request = request

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Tokens for stylesheets that are read before a theme is set."""
        return dict(THEMES["dark"].variables)

    def get_default_screen(self) -> Screen[None]:
        """The ledger."""
        return LedgerScreen(self._sources, request=self._request)

    def on_mount(self) -> None:
        """Begin to read."""
        self._feed.start(self._take)

    def _take(self, update: FeedUpdate) -> None:
        """Called from the feed's thread: a message is all that may pass."""
        self.post_message(SessionUpdated(update))

    def on_unmount(self) -> None:
        """Stop reading."""
        self._feed.stop()

    def on_session_updated(self, event: SessionUpdated) -> None:
        """Hand the session on to the screens."""
        self.update = event.update

    def action_keys(self) -> None:
        """Show every key that works on this screen."""
        self.push_screen(HelpScreen(key_table(self.screen)))

    def get_key_display(self, binding: Binding) -> str:
        """Keys by the names printed on keyboards."""
        if binding.key_display:
            return binding.key_display
        return key_words(binding.key) or super().get_key_display(binding)

    def get_system_commands(
        self,
        screen: Screen[object],  # noqa: ARG002 (the shape of the method that is overridden)
    ) -> Iterable[SystemCommand]:
        """Of Textual's own commands those that have no key here."""
        yield SystemCommand("Theme", "Dark, light, high contrast, no colour", self.action_change_theme)
        yield SystemCommand("Screenshot", "Save this screen as an SVG file", self._save_screen)

    def _save_screen(self) -> None:
        """Save what is below the palette, once that is gone."""
        self.set_timer(0.1, self.deliver_screenshot)
