"""No text of a session acts on the terminal: the bytes of a real one are read and judged.

Textual, Rich and `print` pass escape sequences through, so this is checked where it counts: behind
the driver, in a pseudo-terminal, for every screen and widget that shows untrusted text.
"""

from __future__ import annotations

import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from collections.abc import Mapping
from concurrent.futures import Future
from fcntl import ioctl
from functools import partial
from pathlib import Path

import pytest

from tests.app.hostile_app import CASES
from tests.app.terminal import side_by_side

ROOT = Path(__file__).parents[2]
LIMIT_S = 60

OWN = re.compile(
    r"\x1b\[(?:"
    r"[0-9;]*m"  # colours; see `test_no_colour_of_the_text`
    r"|[0-9]+;[0-9]+H|H"  # cursor
    r"|\?[0-9;]+[hl]"  # modes: alternate screen, mouse, paste, cursor, synchronised output
    r"|\?2026\$p|\?2048\$p|\?1016\$p"  # questions to the terminal about modes
    r"|[<>][0-9;]*u|\?u|=[0-9;]*u"  # keyboard protocol
    r"|[0-9]* q"  # cursor shape
    r"|c|\?1c|>c"  # device attributes
    r"|14t|16t|18t"  # sizes
    r")"
    r"|\x1b\]22;[a-z-]*\x07"  # pointer shape
    r"|\x1b\]52;c;[A-Za-z0-9+/=]*\x07"  # the app's own copy key
    r"|\x1b[78]|\x1b[=>]|\x1bP\+q[0-9a-fA-F;]*\x1b\\|\x1bP=[12]s\x1b\\"
)
"""What Textual's own driver and the copy key write."""


def run_in_terminal(case: str) -> tuple[str, int]:
    """The characters that an app wrote to its terminal, and its exit code."""
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_ANIMATIONS": "none"}
    env |= {"EDITOR": "'unbalanced", "PAGER": "no-such-program"}
    env.pop("NO_COLOR", None)
    app = subprocess.Popen(
        [sys.executable, "-m", "tests.app.hostile_app", case],
        stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, env=env, close_fds=True,
    )  # fmt: skip
    os.close(slave)
    written = b""
    end = time.monotonic() + LIMIT_S
    try:
        while time.monotonic() < end:
            ready, _, _ = select.select([master], [], [], 0.2)
            if ready:
                try:
                    piece = os.read(master, 1 << 16)
                except OSError:  # Linux answers so when the last writer is gone
                    break
                if not piece:
                    break
                written += piece
            elif app.poll() is not None:
                break
        return written.decode("utf-8"), app.wait(timeout=10)
    finally:
        if app.poll() is None:
            app.kill()
            app.wait()
        os.close(master)


@pytest.fixture(scope="module")
def written_by(request: pytest.FixtureRequest) -> Mapping[str, Future[tuple[str, int]]]:
    return side_by_side(request, "case", {case: partial(run_in_terminal, case) for case in CASES})


@pytest.mark.parametrize("case", CASES)
def test_no_foreign_control_byte_reaches_the_terminal(
    case: str, written_by: Mapping[str, Future[tuple[str, int]]]
) -> None:
    written, code = written_by[case].result()
    shown = OWN.sub("", written)
    assert code == 0, shown[-3_000:]
    assert "evil" in shown.casefold(), "the hostile text was never drawn"
    assert "␛" in shown
    foreign = {
        f"U+{ord(c):04X} {shown[max(0, at - 20) : at + 20]!r}"
        for at, c in enumerate(shown)
        if c not in "\r\n" and unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    }
    assert not foreign
    assert "\x1b[31m" not in written, "a colour of the text itself"
    assert "ZXZpbA==" not in "".join(re.findall(r"\x1b\]52;[^\x07]*", written)), (
        "the text wrote the clipboard"
    )
    assert "[/x]" in shown, "text was taken for markup"


def test_the_judge_notices_what_it_is_there_for() -> None:
    for sequence in ("\x1b]0;t\x07", "\x1b]8;;x\x1b\\", "\x1bP1;2|x\x1b\\", "\x9b31m", "\x1b[2J", "\x1bc"):
        assert any(unicodedata.category(c) == "Cc" for c in OWN.sub("", sequence))
