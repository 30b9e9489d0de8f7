"""Following a transcript that another process appends to.

The reader keeps one descriptor, one position and the bytes of the half last line. It gives whole
lines only, and notices when the file is cut, exchanged or gone: the position is worth nothing
then, and reading starts anew at the first line.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from inspector.errors import UnreadableError
from inspector.reading.cutter import Cutter, Taker, keep_freed_memory, read_block
from inspector.reading.lines import MAX_LINE_BYTES, RawLine
from inspector.reading.source import ByteSource, open_source


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
    """New whole lines, without blank ones."""
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


class FileTaker(Taker, Protocol):
    """One that is told when a file starts anew."""

    def restart(self) -> None:
        """All lines taken before are void; the next one is the first of the file."""


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


class _Stand(NamedTuple):
    """What the system says of a file; who writes it anew in place moves its times."""

    device: int
    inode: int
    size: int
    changed_ns: int
    touched_ns: int


def _stand_of(path: Path) -> _Stand | None:
    try:
        return _stand(os.stat(path))  # noqa: PTH116 - twice as fast, for hundreds of files each second
    except OSError:
        return None


def _stand(status: os.stat_result) -> _Stand:
    return _Stand(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


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
        self._looked: _Stand | None = None
        """The file as it was looked at last."""
        self._settled: _Stand | None = None
        """A parked file of which everything was read, as it was then: it is not opened only to see that."""
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

    def poll_into(self, taker: FileTaker, max_bytes: int) -> Batch:
        """The same, handing each line over as it is read; the batch has none.

        Args:
            taker: Takes the lines, after a `restart` where the earlier ones are void.
            max_bytes: Stop after this much.

        Raises:
            UnreadableError: As for `poll`.
        """
        if self._settled is not None and _stand_of(self.path) == self._settled:
            return Batch([], FileState.OK, self.cutter.held_bytes, self.cutter.position, self._settled.size)
        self._settled = None
        state = self.look()
        if state in _RESTARTED:
            taker.restart()
        if self._source is None:
            return Batch([], state, 0, 0, 0)
        cutter = self.cutter
        first = cutter.read
        stop = min(first + max_bytes, self._source.size)
        while cutter.read < stop:
            try:
                if not read_block(self._source, cutter, taker, stop):
                    break
            except UnreadableError:
                if cutter.read == first:
                    raise
                break  # what was read is given first; the next poll meets the fault again
        if self._source.is_parked and self._looked is not None and cutter.read == self._looked.size:
            self._settled = self._looked
        return Batch([], state, cutter.held_bytes, cutter.position, self._source.size)

    def partial_line(self) -> RawLine | None:
        """The half last line as it stands: in a finished file, a line without line feed.

        It stays where it is and is given again, whole, once its end has been written.
        """
        return self.cutter.held_line()

    def close(self) -> None:
        """Give the file back; a follower that was closed is not polled again."""
        if self._source is not None:
            self._source.close()
            self._source = None

    def _restart(self) -> None:
        self.cutter = Cutter(self._max_line_bytes)

    def look(self) -> FileState:
        """Compare the name with the open file; open, reopen or start anew where they differ.

        Raises:
            UnreadableError: As for `poll`.
        """
        try:
            status = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return FileState.DELETED if self._seen else FileState.MISSING
        except OSError as error:
            raise UnreadableError(f"{self.path}: cannot be read: {error.strerror}") from error
        self._looked = _stand(status)
        if self._source is None:
            return self._open()
        if self.path.suffix == ".gz":
            return FileState.OK
        if self._source.identity != (status.st_dev, status.st_ino):
            self.close()
            return self._open()
        if self._source.size < self.cutter.read or self._is_rewritten(self._source):
            self._restart()
            return FileState.TRUNCATED
        return FileState.OK

    def _open(self) -> FileState:
        try:
            self._source = open_source(self.path)
        except FileNotFoundError:  # it went away just now
            return FileState.DELETED if self._seen else FileState.MISSING
        keep_freed_memory()
        state = FileState.REPLACED if self._seen else FileState.OK
        self._seen = True
        self._restart()
        return state

    def _is_rewritten(self, source: ByteSource) -> bool:
        anchor, read = self.cutter.anchor, self.cutter.read
        return source.read(read - len(anchor), read) != anchor
