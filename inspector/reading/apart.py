"""Reading a part of a large file, piece by piece, and what a process does that reads for another one.

It imports only what it needs, since it is started for every large file.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator

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
        What was read, some megabytes of the file at a time; one piece at least.

    Raises:
        UnreadableError: The file cannot be read, or does not reach that far any more.
    """
    keep_freed_memory()
    number, start, stop = part
    adapter, cutter = ClaudeCodeAdapter(thread, number), Cutter()
    cutter.resume(start, 1, b"")
    told, last = start, False
    while not last:
        if cutter.read < stop and not read_block(source, cutter, adapter, stop):
            raise UnreadableError("the file was cut while it was read")
        last = cutter.read >= stop
        if last or cutter.position - told >= FRAME_BYTES:
            told = cutter.position
            records, adapter.records = adapter.records, []
            anchor = source.read(max(told - ANCHOR_BYTES, 0), told)
            yield Piece(number, told, cutter.line, anchor, source.identity, last, adapter.report(), records)


def hand_over(read: Callable[[FilePart], Iterator[Piece]], tickets: Tickets, output: int) -> None:
    """Read parts while there are any, and write their frames.

    A pipe holds little: what it does not take at once is kept, so that reading goes on while the other
    side is busy, and is written as soon as somebody reads.

    Args:
        read: Reads a part.
        tickets: The parts.
        output: Descriptor to write to.

    Raises:
        BrokenPipeError: Nobody listens any more.
        UnreadableError: A part cannot be read.
        UnicodeEncodeError: A word of it cannot be packed.
    """
    waiting = bytearray()
    os.set_blocking(output, False)
    while (part := tickets.take()) is not None:
        for piece in read(part):
            waiting += frame_bytes(piece.frame())
            _write(waiting, output)
    os.set_blocking(output, True)
    while waiting:
        _write(waiting, output)


def main(arguments: list[str]) -> None:
    """What a bare interpreter does: hand over the file that is its input.

    Args:
        arguments: Descriptor of the tickets, and the thread.
    """
    gc.disable()  # a reading makes no cycles, and this process ends with it
    source, tickets, thread = ByteSource(0), Tickets(int(arguments[0])), arguments[1]
    try:
        hand_over(lambda part: read_apart(source, part, thread), tickets, 1)
    except (BrokenPipeError, UnreadableError, UnicodeEncodeError):
        sys.exit(1)  # nobody listens any more, or the other side has to go on by itself


def _write(waiting: bytearray, output: int) -> None:
    """Write of what waits as much as the output takes now, and forget that."""
    try:
        while waiting:
            del waiting[: os.write(output, waiting)]
    except BlockingIOError:
        pass
