"""Reading a part of a large file, piece by piece, and what a process does that reads for another one.

It imports only what it needs, since it is started for every large file.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator

from inspector.errors import UnreadableError
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.cutter import ANCHOR_BYTES, Cutter, keep_freed_memory, read_block
from inspector.reading.frames import Piece, frame_bytes
from inspector.reading.source import ByteSource
from inspector.reading.tickets import FilePart, Tickets

FRAME_BYTES = 2 << 20
"""Bytes of the file that a frame is about, at least."""


def read_apart(source: ByteSource, part: FilePart, thread: str) -> Iterator[Piece]:
    """Read whole lines of a file.

    Args:
        source: The file.
        part: A line begins where it begins.
        thread: As for `ClaudeCodeAdapter`.

    Yields:
        What was read, some megabytes of the file at a time.

    Raises:
        UnreadableError: The file cannot be read.
    """
    keep_freed_memory()
    number, start, stop = part
    adapter, cutter = ClaudeCodeAdapter(thread, number), Cutter()
    cutter.resume(start, 1, b"")
    told = start
    while cutter.read < stop:
        if not read_block(source, cutter, adapter, stop):
            break
        if cutter.position - told >= FRAME_BYTES or (cutter.read >= stop and cutter.position > told):
            told = cutter.position
            records, adapter.records = adapter.records, []
            anchor = source.read(max(told - ANCHOR_BYTES, 0), told)
            yield Piece(number, told, cutter.line, anchor, adapter.report(), records)


def main(arguments: list[str]) -> None:
    """Take parts of the file that is the input while there are any; write their frames to the output.

    A pipe holds little: what it does not take at once is kept, so that reading goes on while the other
    side is busy, and is written as soon as somebody reads.

    Args:
        arguments: Descriptor of the tickets, and the thread.
    """
    gc.disable()  # a reading makes no cycles, and this process ends with it
    tickets, source = Tickets(int(arguments[0])), ByteSource(0)
    waiting = bytearray()
    try:
        os.set_blocking(1, False)
        while (part := tickets.take()) is not None:
            for piece in read_apart(source, part, arguments[1]):
                waiting += frame_bytes(piece.frame())
                _write(waiting)
        os.set_blocking(1, True)
        while waiting:
            _write(waiting)
    except (BrokenPipeError, UnreadableError, UnicodeEncodeError):
        sys.exit(1)  # nobody listens any more, or the other side has to go on by itself


def _write(waiting: bytearray) -> None:
    """Write of what waits as much as the output takes now, and forget that."""
    try:
        while waiting:
            del waiting[: os.write(1, waiting)]
    except BlockingIOError:
        pass
