"""The driver of an app that is drawn in a browser: it ends with the server that started it.

Textual's own goes on when its input ends; after a server that was killed, nobody could see or stop
the app any more.
"""

from __future__ import annotations

from textual import messages
from textual.drivers.web_driver import WebDriver

from inspector.app.terminal_input import tolerant

# Made once: the driver of the app itself cannot be wrapped, since its reading is its own.
_read = tolerant(WebDriver).run_input_thread  # type: ignore[attr-defined] # the class is Textual's own


class ServedDriver(WebDriver):
    """Draws to the server; no address is ever opened in the browser."""

    def run_input_thread(self) -> None:
        """Read what is typed; the end of it is the end of the app."""
        _read(self)
        if not self.exit_event.is_set():
            self._app.post_message(messages.ExitApp())

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Nothing: what a session's text holds leads nowhere."""
