"""The real program in a pseudo-terminal: keys go in, bytes come out."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEYS = {
    "enter": "\r", "escape": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B",
    "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F", "pagedown": "\x1b[6~",
    "ctrl+p": "\x10", "ctrl+q": "\x11", "f2": "\x1bOQ", "f5": "\x1b[15~",
}  # fmt: skip
"""Name → what a terminal sends; any other text is typed as it stands."""
QUIET_S = 0.1
"""A screen that was silent for so long is drawn."""
ESCAPE_S = 0.25
"""An escape is a key of its own only if nothing follows it at once."""
LIMIT_S = 10
"""Longest wait for one key."""


class Terminal:
    """A program that runs in a terminal of its own."""

    def __init__(
        self, arguments: Sequence[str], environment: dict[str, str], size: tuple[int, int] = (120, 40)
    ) -> None:
        """Start `inspector` with arguments.

        Args:
            arguments: The command line.
            environment: Variables beside the process's own.
            size: Columns and rows.
        """
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_ANIMATIONS": "none"}
        env.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "inspector", *arguments],
            stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, env={**env, **environment},
        )  # fmt: skip
        os.close(slave)
        self.written = bytearray()

    def press(self, *keys: str) -> str:
        """Send keys one by one, each after the screen came to rest; returns what was written meanwhile."""
        begin = len(self.written)
        for key in keys:
            os.write(self._master, KEYS.get(key, key).encode("utf-8", "surrogatepass"))
            self.rest(ESCAPE_S if key == "escape" else QUIET_S)
        return self.written[begin:].decode("utf-8", "surrogateescape")

    def rest(self, quiet_s: float = QUIET_S) -> None:
        """Wait until nothing is written any more."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end and self._read(quiet_s):
            pass

    def wait_for(self, words: str, limit_s: float = LIMIT_S) -> None:
        """Wait until the program has written some words."""
        end = time.monotonic() + limit_s
        while words.encode() not in self.written:
            assert time.monotonic() < end, f"{words!r} was never written: {bytes(self.written[-2_000:])!r}"
            assert self._read(0.2) or self.process.poll() is None, bytes(self.written[-2_000:])

    def _read(self, wait_s: float) -> bool:
        if not select.select([self._master], [], [], wait_s)[0]:
            return False
        try:
            piece = os.read(self._master, 1 << 16)
        except OSError:  # Linux answers so when the last writer is gone
            return False
        self.written += piece
        return bool(piece)

    def leave(self) -> int:
        """Read the rest, and give back the exit code."""
        end = time.monotonic() + LIMIT_S
        while self.process.poll() is None and time.monotonic() < end:
            self._read(0.1)
        while self._read(0.05):
            pass
        return self.process.wait(timeout=5)

    def close(self) -> None:
        """End the program, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)
