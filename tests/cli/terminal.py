"""The command line in this very process, on a real pseudo-terminal or on pipes."""

from __future__ import annotations

import os
import pty
import struct
import sys
import termios
import threading
from collections.abc import Sequence
from fcntl import ioctl

import pytest

from inspector.cli import main


class _Reader(threading.Thread):
    """Takes everything from a descriptor until the last writer is gone."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(daemon=True)
        self.descriptor = descriptor
        self.data = bytearray()
        self.start()

    def run(self) -> None:
        while True:
            try:
                piece = os.read(self.descriptor, 1 << 16)
            except OSError:  # Linux answers so on a terminal whose last writer is gone
                break
            if not piece:
                break
            self.data += piece
        os.close(self.descriptor)


def run(
    arguments: Sequence[str], monkeypatch: pytest.MonkeyPatch, *, terminal: bool
) -> tuple[int, bytes, bytes]:
    """Exit code, and what came to stdout and stderr; on a terminal both are stdout.

    Args:
        arguments: The command line.
        monkeypatch: Exchanges the streams.
        terminal: A terminal instead of pipes.
    """
    reads, writes = [], []
    for _ in range(2):
        reading, writing = pty.openpty() if terminal else os.pipe()
        if terminal:
            ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        reads.append(_Reader(reading))
        writes.append(
            os.fdopen(
                writing, "w", encoding="utf-8", errors="strict" if not reads[1:] else "backslashreplace"
            )
        )
    with monkeypatch.context() as patch, writes[0], writes[1]:
        patch.setattr(sys, "stdout", writes[0])
        patch.setattr(sys, "stderr", writes[1])
        try:
            code = main(arguments)
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
    for read in reads:
        read.join(timeout=20)
    return code, bytes(reads[0].data), bytes(reads[1].data)
