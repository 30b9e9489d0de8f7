"""The first painted screen in a terminal: from the start of the process to the bytes that show it.

Both sides start as a person starts them and draw to a terminal of the same size, so that neither pays
for what a measurement would load. The bare app loads Textual and one widget of it, and nothing else.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.table import ROOT, Row, environment

ROWS, COLUMNS = 40, 120
PATIENCE_S = 60.0
_MARK = "a bare screen"
_BARE = f"""\
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static({_MARK!r}, markup=False)
Bare().run()
"""
_PROGRAM = "import sys; from inspector.cli import main; sys.exit(main())"


def first_screen_rows(label: str, session: Path, repeats: int) -> list[Row]:
    """The first screen with a large session, and the screen that shows the session.

    Args:
        label: The session's size in words.
        session: Its file.
        repeats: Runs of each, in turns; the shortest counts.
    """
    ours = [sys.executable, "-c", _PROGRAM, "open", str(session)]
    programs = (
        ([sys.executable, "-c", _BARE], _MARK),
        (ours, "opening"),
        (ours, "indexing"),
    )
    took: list[list[float]] = [[] for _ in programs]
    for _ in range(repeats):
        for at, (command, mark) in enumerate(programs):
            took[at].append(painted_s(command, mark))
    bare, first, whole = (min(of) for of in took)
    return [
        Row(f"first painted screen, {label}", "an empty Textual app", first / bare, 1.2, first, bare),
        Row(f"first rows of the session, {label}", "an empty Textual app", whole / bare, None, whole, bare),
    ]


def painted_s(command: Sequence[str], mark: str) -> float:
    """Seconds from the start of a program until it has drawn some words.

    Args:
        command: The program.
        mark: What to wait for among the bytes that it writes.

    Raises:
        RuntimeError: It never came.
    """
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    with tempfile.TemporaryDirectory() as home:
        env = environment() | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "HOME": home}
        began = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=inside, stdout=inside, stderr=inside, start_new_session=True
        )
        os.close(inside)
        seen = b""
        try:
            while mark.encode() not in seen:
                if time.perf_counter() - began > PATIENCE_S:
                    raise RuntimeError(f"{mark!r} was never drawn: {seen[-500:]!r}")
                if select.select([terminal], [], [], 0.5)[0]:
                    seen += os.read(terminal, 1 << 16)
            return time.perf_counter() - began
        finally:
            process.kill()
            process.wait()
            os.close(terminal)
