"""Following a transcript that another process appends to.

The reader keeps one descriptor, one position and the bytes of the half last line. It gives whole
lines only, and notices when the file is cut, exchanged or gone: the position is worth nothing
then, and reading starts anew at the first line.
"""

from __future__ import annotations

import os
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from typing import Protocol

import msgspec

from inspector.errors import UnreadableError
from inspector.reading.lines import MAX_LINE_BYTES, RawLine, raw_line
from inspector.reading.source import BLOCK_BYTES, ByteSource, open_source

_KEPT_BYTES = 8 * 1024 * 1024
"""Allocated and given back once for each file, untouched: from then on the C library keeps this much
for the next block, line or text instead of giving every one back to the system, which would clear
its pages anew each time. That is a third of the time at lines of 30 KB."""

_OPEN, _CLOSE, _FEED = ord("{"), b"}\n", ord("\n")
_ANCHOR_BYTES = 64
"""Last bytes read that must still stand where they stood; a file written anew differs there."""


class FileState(StrEnum):
    """What a poll found, seen from the one before."""

    OK = "ok"
    """The file is as it was, or has grown."""
    MISSING = "missing"
    """Not created yet."""
    TRUNCATED = "truncated"
    """Shorter than what was read, or written anew in place: lines start at 1 again."""
    REPLACED = "replaced"
    """Another file has the name now: lines start at 1 again."""
    DELETED = "deleted"
    """The name is gone; what was read stays valid."""


_RESTARTED = frozenset({FileState.TRUNCATED, FileState.REPLACED})


class Batch(msgspec.Struct, frozen=True):
    """What one poll gave."""

    lines: list[RawLine]
    """New whole lines, without blank ones and comments."""
    state: FileState
    partial: int
    """Bytes of the half last line, which waits for its end."""
    position: int
    """First byte that no line given so far holds."""
    size: int
    """Bytes of the file at this moment; 0 where there is none."""

    @property
    def restarted(self) -> bool:
        """Whether all lines given before are void."""
        return self.state in _RESTARTED

    @property
    def at_end(self) -> bool:
        """Whether everything that the file holds was read."""
        return self.position + self.partial >= self.size


class Taker(Protocol):
    """Who takes the lines of a file, one at a time and while they are read.

    Nothing holds a line longer than it takes: memory does not grow with the file, and a line is
    decoded while it is still in the processor's cache.
    """

    def restart(self) -> None:
        """All lines taken before are void; the next one is the first of the file."""

    def take(self, number: int, start: int, data: bytes) -> None:
        """Take a line that begins with `{` and ends with `}`, as nearly all do.

        Args:
            number: Physical line, from 1.
            start: First byte in the file.
            data: The line with its line feed.
        """

    def take_odd(self, line: RawLine) -> None:
        """Take any other line that is worth reading."""


class _Collector:
    """Takes lines into a list."""

    def __init__(self) -> None:
        self.lines: list[RawLine] = []

    def restart(self) -> None:
        self.lines.clear()

    def take(self, number: int, start: int, data: bytes) -> None:
        self.lines.append(RawLine(number, start, start + len(data) - 1, data[:-1]))

    def take_odd(self, line: RawLine) -> None:
        self.lines.append(line)


class Follower:
    """An append-only reader of one file."""

    def __init__(self, path: str | os.PathLike[str], max_line_bytes: int = MAX_LINE_BYTES) -> None:
        """A follower that has opened nothing yet.

        Args:
            path: The transcript; it may not exist yet. `.gz` files are unpacked and not followed.
            max_line_bytes: Longer lines are given without their bytes.
        """
        self.path = Path(path)
        self._max_line_bytes = max_line_bytes
        self._source: ByteSource | None = None
        self._seen = False
        self._restart()

    @property
    def source(self) -> ByteSource | None:
        """The open file, for reading texts again; another one after a batch that `restarted`."""
        return self._source

    def poll(self, max_bytes: int = 2 * 1024 * 1024) -> Batch:
        """Read what was appended since the last poll.

        Args:
            max_bytes: Stop after this much, so that a caller can draw in between and a batch stays
                small; poll again until `Batch.at_end`.

        Raises:
            UnreadableError: The path names a directory, a pipe, a device or a file that may not be
                read.
        """
        collector = _Collector()
        batch = self.poll_into(collector, max_bytes)
        batch.lines.extend(collector.lines)
        return batch

    def poll_into(self, taker: Taker, max_bytes: int) -> Batch:
        """The same, handing each line over as it is read; the batch has none.

        Args:
            taker: Takes the lines, after a `restart` where the earlier ones are void.
            max_bytes: Stop after this much.

        Raises:
            UnreadableError: As for `poll`.
        """
        state = self._look()
        if state in _RESTARTED:
            taker.restart()
        if self._source is None:
            return Batch([], state, 0, 0, 0)
        first = self._read
        stop = min(first + max_bytes, self._source.size)
        while self._read < stop:
            try:
                block = self._source.read(self._read, min(self._read + BLOCK_BYTES, stop))
            except UnreadableError:
                if self._read == first:
                    raise
                break  # what was read is given first; the next poll meets the fault again
            if not block:
                break
            self._cut(block, taker)
        return Batch([], state, self._held_bytes, self._line_start, self._source.size)

    def partial_line(self) -> RawLine | None:
        """The half last line as it stands: in a finished file, a line without line feed.

        It stays where it is and is given again, whole, once its end has been written.
        """
        return self._whole_line() if self._held_bytes else None

    def close(self) -> None:
        """Give the file back; a follower that was closed is not polled again."""
        if self._source is not None:
            self._source.close()
            self._source = None

    def _restart(self) -> None:
        self._read = 0
        self._line_number = 1
        self._line_start = 0
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._anchor = b""

    def _look(self) -> FileState:
        """Compare the name with the open file; open, reopen or start anew where they differ."""
        try:
            status = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return FileState.DELETED if self._seen else FileState.MISSING
        except OSError as error:
            raise UnreadableError(f"{self.path}: cannot be read: {error.strerror}") from error
        if self._source is None:
            return self._open()
        if self.path.suffix == ".gz":
            return FileState.OK
        if self._source.identity != (status.st_dev, status.st_ino):
            self.close()
            return self._open()
        if self._source.size < self._read or self._is_rewritten(self._source):
            self._restart()
            return FileState.TRUNCATED
        return FileState.OK

    def _open(self) -> FileState:
        try:
            self._source = open_source(self.path)
        except FileNotFoundError:  # it went away just now
            return FileState.DELETED if self._seen else FileState.MISSING
        bytes(_KEPT_BYTES)
        state = FileState.REPLACED if self._seen else FileState.OK
        self._seen = True
        self._restart()
        return state

    def _is_rewritten(self, source: ByteSource) -> bool:
        return source.read(self._read - len(self._anchor), self._read) != self._anchor

    def _cut(self, block: bytes, taker: Taker) -> None:
        """Cut one block into lines, the first of which may have begun in an earlier one."""
        block_start = self._read
        self._read += len(block)
        self._anchor = (self._anchor + block[-_ANCHOR_BYTES:])[-_ANCHOR_BYTES:]
        begin = 0
        if self._held_bytes:
            begin = block.find(b"\n") + 1
            self._hold(block[: begin - 1] if begin else block)
            if not begin:
                return
            self._end_held(taker)
        stream = BytesIO(block)  # cuts at line feeds in C, without a copy of the block
        stream.seek(begin)
        take, number, start = taker.take, self._line_number, block_start + begin
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
        self._line_number, self._line_start = number, start

    def _hold(self, data: bytes) -> None:
        """Keep bytes of a line whose end has not come; of a line too long only their number."""
        self._held_bytes += len(data)
        self._held.append(data)
        if self._held_bytes > self._max_line_bytes:
            self._held = []

    def _end_held(self, taker: Taker) -> None:
        """The held bytes have got their line feed."""
        line = self._whole_line()
        if line is not None:
            taker.take_odd(line)
        self._line_number += 1
        self._held, self._held_bytes = [], 0

    def _whole_line(self) -> RawLine | None:
        """The held bytes as a line, or None where they are blank or a comment."""
        if self._held_bytes > self._max_line_bytes:
            end = self._line_start + self._held_bytes
            return RawLine(self._line_number, self._line_start, end, b"", oversized=True)
        return raw_line(self._line_number, self._line_start, b"".join(self._held))
