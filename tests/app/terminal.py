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
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

ROOT = Path(__file__).parents[2]
KEYS = {
    "enter": "\r", "escape": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B",
    "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F", "pagedown": "\x1b[6~",
    "ctrl+p": "\x10", "ctrl+q": "\x11", "f2": "\x1bOQ", "f5": "\x1b[15~",
}  # fmt: skip
"""Name → what a terminal sends; any other text is typed as it stands."""
QUIET_S = 0.03
"""A screen that was silent for so long is drawn, if its program waits for something."""
ESCAPE_MS = 30
"""An escape is a key of its own only if nothing follows it for so long."""
BUSY_S = 2.0
"""A screen that is written to all the time is not waited for any longer."""
LIMIT_S = 10
"""Longest wait for one key."""


def _silence(descriptor: int) -> None:
    """Keep the system from echoing keys that arrive before the program listens, or while it steps aside.

    What is written shall be the program's own.
    """
    state = termios.tcgetattr(descriptor)
    state[3] &= ~(termios.ECHO | termios.ECHONL)
    termios.tcsetattr(descriptor, termios.TCSANOW, state)


class Terminal:
    """A program that runs in a terminal of its own."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: dict[str, str],
        directory: Path = ROOT,
        size: tuple[int, int] = (120, 40),
        through: Sequence[str] = (),
    ) -> None:
        """Start `inspector` with arguments.

        Args:
            arguments: The command line.
            environment: Variables beside the process's own.
            directory: Where the program works.
            size: Columns and rows.
            through: A program and its arguments that starts the interpreter.
        """
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        _silence(slave)
        env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_ANIMATIONS": "none"}
        env["ESCDELAY"] = str(ESCAPE_MS)
        env.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [*through, sys.executable, "-m", "inspector", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=directory,
            env={**env, "PYTHONPATH": str(ROOT), **environment},
        )
        os.close(slave)
        self.written = bytearray()

    def press(self, *keys: str) -> str:
        """Send keys one by one, each after the screen came to rest; returns what was written meanwhile."""
        begin = len(self.written)
        for key in keys:
            os.write(self._master, KEYS.get(key, key).encode("utf-8", "surrogatepass"))
            self.rest(QUIET_S + (ESCAPE_MS / 1000 if key == "escape" else 0))
        return self.written[begin:].decode("utf-8", "surrogateescape")

    def rest(self, quiet_s: float = QUIET_S, busy_s: float = BUSY_S) -> None:
        """Wait until nothing is written any more, and nothing is worked at."""
        end = time.monotonic() + busy_s
        while time.monotonic() < end and (self._read(quiet_s) or self._works()):
            pass

    def _works(self) -> bool:
        """Whether a thread of the program runs, or would if the machine let it."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        try:
            states = [(task / "stat").read_bytes().rpartition(b") ")[2][:1] for task in tasks.iterdir()]
        except OSError:  # it ended, or this is no Linux
            return False
        return any(state in b"RD" for state in states)

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
        return self.process.wait(timeout=LIMIT_S)

    def close(self) -> None:
        """End the program, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)


Got = TypeVar("Got")
AT_ONCE = 4
"""Programs that run side by side: most of the time each waits for its screen to come to rest."""


def side_by_side(
    request: pytest.FixtureRequest, name: str, runs: Mapping[str, Callable[[], Got]]
) -> Mapping[str, Future[Got]]:
    """Begin with the runs of all tests that were chosen; each test then judges its own.

    Args:
        request: Of a fixture of the test module.
        name: The tests' parameter that names a run.
        runs: Name → what runs a program to its end.
    """
    chosen = [
        item.callspec.params[name]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.module is request.module and hasattr(item, "callspec")
        and name in item.callspec.params
    ]  # fmt: skip
    pool = ThreadPoolExecutor(AT_ONCE)
    request.addfinalizer(lambda: pool.shutdown(cancel_futures=True))
    return {each: pool.submit(runs[each]) for each in chosen}
