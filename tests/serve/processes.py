"""Small processes that talk like an app does, but start at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_TALK = """
import json, os, signal, sys
def send(kind, data):
    os.write(1, kind + len(data).to_bytes(4, "big") + data)
def meta(**words):
    send(b"M", json.dumps(words).encode())
def packets():
    while head := sys.stdin.buffer.read(5):
        yield head[:1], sys.stdin.buffer.read(int.from_bytes(head[1:], "big"))
"""


def talking(program: str) -> Sequence[str]:
    """A process that runs a program; `send`, `meta` and `packets` are there."""
    return [sys.executable, "-I", "-c", _TALK + program]


ECHO = talking(
    """
os.write(1, b"__GANGLION__\\n")
send(b"D", f"{os.environ['COLUMNS']}x{os.environ['ROWS']} {os.environ['TEXTUAL_DRIVER']}".encode())
for kind, data in packets():
    if kind == b"M" and json.loads(data)["type"] == "quit":
        meta(type="exit")
        break
    send(b"D", kind + b":" + data)
"""
)
"""Says its size and its driver, then sends back what it gets, until it is asked to quit."""

STUBBORN = talking(
    """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.write(1, b"__GANGLION__\\n")
send(b"D", b"here")
while True:
    signal.pause()
"""
)
"""Can only be killed."""

BROKEN = talking("""sys.exit("inspector: \\x1b]52;c;eA==\\x07 cannot be read")""")
"""Ends before it draws anything, and complains."""
