"""Whoever ends the app with a signal gets the terminal back as it was."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from inspector.app.stopping import SIGNALLED
from tests.app.terminal import Terminal

OWN_SCREEN = b"\x1b[?1049h"
SHELL_SCREEN = b"\x1b[?1049l"
SHOW_CURSOR = b"\x1b[?25h"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_gives_the_terminal_back(number: signal.Signals, tmp_path: Path) -> None:
    before = signal.signal(number, signal.SIG_DFL)  # these tests may run under `nohup` themselves
    try:
        program = Terminal(["demo"], {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")})
    finally:
        signal.signal(number, before)
    try:
        program.wait_for(OWN_SCREEN.decode())
        program.process.send_signal(number)
        assert program.leave() == SIGNALLED + number, bytes(program.written[-900:])
        written = bytes(program.written)
        assert written.rfind(SHELL_SCREEN) > written.rfind(OWN_SCREEN)
        assert written.rfind(SHOW_CURSOR) > written.rfind(OWN_SCREEN)
        assert b"Traceback" not in written
    finally:
        program.close()


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    program = Terminal(["demo"], environment, through=["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"])
    try:
        program.wait_for(OWN_SCREEN.decode())
        program.process.send_signal(signal.SIGHUP)
        program.press("q")
        assert program.leave() == 0
    finally:
        program.close()
