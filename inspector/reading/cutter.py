"""Cutting what is read of a file into lines, block by block.

`BytesIO` cuts at line feeds in C, one line at a time: twice as fast as searching each one, and a line
is decoded while it is still in the processor's cache. Nothing holds a line longer than it takes, so
memory does not grow with the file.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Protocol

from inspector.reading.lines import MAX_LINE_BYTES, RawLine, raw_line
from inspector.reading.source import BLOCK_BYTES, ByteSource

_OPEN, _CLOSE, _FEED = ord("{"), b"}\n", ord("\n")
_KEPT_BYTES = 4 << 20
ANCHOR_BYTES = 64
"""Last bytes read that must still stand where they stood; a file written anew differs there."""


@cache
def keep_freed_memory() -> None:
    """Let the C library keep what is given back for the next block, line or text; once is enough.

    It gives large pieces back to the system each time, which clears their pages anew: a third of the
    time at lines of 30 KB. One piece that is given back untouched teaches it to keep that much.
    """
    bytes(_KEPT_BYTES)


class Taker(Protocol):
    """Who takes the lines of a file, one at a time and while they are read."""

    def take(self, number: int, start: int, data: bytes) -> None:
        """Take a line that begins with `{` and ends with `}`, as nearly all do.

        Args:
            number: Physical line, from 1.
            start: First byte in the file.
            data: The line with its line feed.
        """

    def take_odd(self, line: RawLine) -> None:
        """Take any other line that is worth reading."""


def read_block(source: ByteSource, cutter: Cutter, taker: Taker, stop: int) -> bool:
    """Read the next block of a file and cut it, or pass over a hole; False where nothing is left.

    Args:
        source: The file.
        cutter: Where its reading stands.
        taker: Takes the lines.
        stop: One past the last byte to read; a hole may lead beyond it.

    Raises:
        UnreadableError: The disk or the network does not give the bytes.
    """
    start = cutter.read
    block = source.read(start, min(start + BLOCK_BYTES, stop))
    if block[:1] == b"\0" and (end := source.hole_end(start)) > start:  # all blocks asked: a hundredth more
        cutter.pass_hole(end, taker)
    elif block:
        cutter.cut(block, taker)
    return bool(block)


class Cutter:
    """Where the reading of one file stands: its position, and the bytes of a half last line."""

    def __init__(self, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        """At the beginning of a file.

        Args:
            max_line_bytes: Longer lines are given without their bytes.
        """
        self._max_line_bytes = max_line_bytes
        self.read = 0
        """Bytes read."""
        self.line = 1
        """Number of the line that is next."""
        self.position = 0
        """Where it begins."""
        self.anchor = b""
        """The last bytes read."""
        self._held: list[bytes] = []
        self.held_bytes = 0
        """Bytes of it that were read."""

    def resume(self, position: int, line: int, anchor: bytes) -> None:
        """Go on where another reading of the file has come to.

        Args:
            position: First byte that it did not read.
            line: Number of the line that begins there.
            anchor: The last bytes before.
        """
        self.read = self.position = position
        self.line, self.anchor = line, anchor
        self._held, self.held_bytes = [], 0

    def held_line(self) -> RawLine | None:
        """The half line as it stands, or None where it is blank."""
        if not self.held_bytes:
            return None
        if self.held_bytes > self._max_line_bytes:
            end = self.position + self.held_bytes
            return RawLine(self.line, self.position, end, b"", oversized=True)
        return raw_line(self.line, self.position, b"".join(self._held))

    def cut(self, block: bytes, taker: Taker) -> None:
        """Hand on the lines of the next block, the first of which may have begun in an earlier one."""
        block_start = self.read
        self.read += len(block)
        self.anchor = (self.anchor + block[-ANCHOR_BYTES:])[-ANCHOR_BYTES:]
        begin = 0
        if self.held_bytes:
            begin = block.find(b"\n") + 1
            self._hold(block[: begin - 1] if begin else block)
            if not begin:
                return
            self._end_held(taker)
        stream = BytesIO(block)  # cuts at line feeds in C, without a copy of the block
        stream.seek(begin)
        take, number, start = taker.take, self.line, block_start + begin
        for data in stream:
            if data[0] == _OPEN and data[-2:] == _CLOSE:
                take(number, start, data)
            elif data[-1] != _FEED:
                self._hold(data)
                break
            elif (line := raw_line(number, start, data[:-1])) is not None:
                taker.take_odd(line)
            number += 1
            start += len(data)
        self.line, self.position = number, start

    def pass_hole(self, end: int, taker: Taker) -> None:
        """Pass over a hole unread: what stands before it on its line, and what follows, are told apart.

        Args:
            end: Where it ends.
            taker: Gets what was held, and the hole by its place.
        """
        held, start = self.held_line(), self.read
        if held is not None and held.data and not held.data.strip(b"\0"):
            start = held.start  # the end of the block before: the hole began there
        elif held is not None:
            taker.take_odd(held)
        taker.take_odd(RawLine(self.line, start, end, b"", oversized=True, is_hole=True))
        self.resume(end, self.line, bytes(ANCHOR_BYTES))

    def _hold(self, data: bytes) -> None:
        """Keep bytes of a line whose end has not come; of a line too long only their number."""
        self.held_bytes += len(data)
        self._held.append(data)
        if self.held_bytes > self._max_line_bytes:
            self._held = []

    def _end_held(self, taker: Taker) -> None:
        """The held bytes have got their line feed."""
        line = self.held_line()
        if line is not None:
            taker.take_odd(line)
        self.line += 1
        self._held, self.held_bytes = [], 0
