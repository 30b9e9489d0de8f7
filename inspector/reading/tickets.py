"""Parts of a large file for whoever is free: each is taken once, by this process or by another.

The tickets stand in a pipe to which nobody writes any more. So taking one needs neither a lock nor a
word between the processes, and whoever finds the pipe empty knows that all parts are taken.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import pairwise
from struct import Struct
from typing import NamedTuple

from inspector.reading.source import ByteSource

MAX_PARTS = 1 << 10
"""As many tickets as a pipe holds without anybody reading."""

_LONGEST_STEP = 8 << 20
"""Bytes in which a line must end where a file is cut into parts."""
_LOOK_BYTES = 64 << 10
_TICKET = Struct("<qqq")


class FilePart(NamedTuple):
    """A part of a file: whole lines, but for the last one of the last part."""

    number: int
    """Ordinal, from 0."""
    start: int
    """First byte."""
    stop: int
    """One past the last byte."""


def parts_of(source: ByteSource, size: int, part_bytes: int) -> list[FilePart]:
    """Where a file can be cut; one part at least.

    Args:
        source: The file.
        size: Bytes of it to read.
        part_bytes: Bytes of a part, about.

    Raises:
        UnreadableError: The file cannot be read.
    """
    step = max(part_bytes, -(-size // MAX_PARTS))
    cuts, looked = [0], 0
    for wished in range(step, size, step):
        if looked <= wished:
            found, looked = _line_start(source, wished, size)
            if found:
                cuts.append(found)
    return [FilePart(n, start, stop) for n, (start, stop) in enumerate(pairwise([*cuts, size]))]


def _line_start(source: ByteSource, wished: int, size: int) -> tuple[int, int]:
    """Where the first line behind a place begins (0: not soon, or it is the end), and how far was looked."""
    if (end := source.hole_end(wished)) > wished:
        return 0, end
    for start in range(wished, min(wished + _LONGEST_STEP, size), _LOOK_BYTES):
        found = source.read(start, min(start + _LOOK_BYTES, size)).find(b"\n")
        if found >= 0:
            begin = start + found + 1
            return (begin if begin < size else 0), begin
    return 0, wished + _LONGEST_STEP


class Tickets:
    """The end of the pipe from which parts are taken."""

    def __init__(self, descriptor: int) -> None:
        """Args:
        descriptor: The reading end; owned from now on.
        """
        self.descriptor = descriptor

    @classmethod
    def of(cls, parts: Iterable[FilePart]) -> Tickets:
        """A pipe with a ticket for each part, `MAX_PARTS` at most.

        Raises:
            OSError: There are no more descriptors.
        """
        reading, writing = os.pipe()
        try:
            os.write(writing, b"".join(_TICKET.pack(*part) for part in parts))
        finally:
            os.close(writing)
        return cls(reading)

    def take(self) -> FilePart | None:
        """The next part that nobody has; None: all are taken."""
        data = os.read(self.descriptor, _TICKET.size) if self.descriptor >= 0 else b""
        return FilePart(*_TICKET.unpack(data)) if len(data) == _TICKET.size else None

    def close(self) -> None:
        """Take no more; a second call does nothing."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
