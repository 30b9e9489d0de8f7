"""Signals that ask the app to end: it ends as by a key, so that the terminal is given back.

Python's default would end the process where it stands: the terminal would be left on the app's
screen, without an echo and with the mouse reported, and what the app has started would stay.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

_NAMES = ("SIGTERM", "SIGHUP")
"""Not every system has both."""
SIGNALLED = 128
"""What a shell adds to the number of the signal that ended a program."""


def end_on_signals(app: App[Any]) -> None:
    """Let signals end an app that is about to take the terminal; the second one ends the process.

    A signal that the process was told to ignore, as by `nohup`, stays ignored.

    Args:
        app: Its loop runs in this thread.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may
    loop = asyncio.get_running_loop()
    for number in _numbers():
        if signal.getsignal(number) is not signal.SIG_IGN:
            with suppress(NotImplementedError):  # loops of other systems
                loop.add_signal_handler(number, _end, app, number)


def _end(app: App[Any], number: int) -> None:
    loop = asyncio.get_running_loop()
    for each in _numbers():
        loop.remove_signal_handler(each)
    # In turn: an app that leaves before its first screen is mounted fails instead.
    app.call_later(app.exit, return_code=SIGNALLED + number)


def _numbers() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
