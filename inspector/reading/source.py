"""Positional reads of one file: the only way in which a text is fetched a second time.

A source holds an open descriptor, so what it reads stays the file that was indexed even when
another one takes its name. Compressed files are unpacked once into a nameless temporary file,
since a stream cannot be read by position.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.errors import UnreadableError
from inspector.reading.holes import hole_end

BLOCK_BYTES = 256 * 1024
"""Bytes read at a time: a block, and a line of it, stay in the processor's cache."""
MAX_UNPACKED_BYTES = 8 * 1024**3
"""Most that a compressed file may unpack to: far above any session, far below a full disk."""

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class ByteSource:
    """An open file that is read by position, never to be written."""

    def __init__(self, descriptor: int, damage: str = "", path: Path | None = None) -> None:
        """A source over a descriptor that it owns from now on.

        Args:
            descriptor: Of a regular file, open for reading.
            damage: A sentence where the file could be unpacked in part only.
            path: Where the file can be opened again; None: nowhere.
        """
        self._descriptor = descriptor
        self._path = path
        self.identity = _identity(descriptor)
        """Device and inode: what tells this file from another one of the same name."""
        self._parked_size: int | None = None
        """Bytes in the file when its descriptor was given back; None while it is held."""
        self.damage = damage
        """What is wrong with the file as a whole; empty where nothing is."""

    @property
    def size(self) -> int:
        """Bytes in the file now."""
        if self._parked_size is None or self._path is None:
            return os.fstat(self._descriptor).st_size
        if self._path.suffix == ".gz":
            return self._parked_size
        try:
            status = self._path.stat()
        except OSError:
            return self._parked_size
        return status.st_size if (status.st_dev, status.st_ino) == self.identity else self._parked_size

    def fileno(self) -> int:
        """The descriptor, for a process that reads the same file."""
        return self._descriptor

    @property
    def is_parked(self) -> bool:
        """Whether each read opens the file for itself."""
        return self._parked_size is not None

    def park(self) -> None:
        """Hold no descriptor any more: each read opens the file for itself from now on.

        A process may have few files open. What another file has taken the name of cannot be read then.
        """
        if self._path is not None and self._descriptor >= 0:
            self._parked_size = self.size
            os.close(self._descriptor)
            self._descriptor = -1

    def read(self, start: int, end: int) -> bytes:
        """Bytes `start` to `end`; fewer where the file ends before.

        Args:
            start: First byte.
            end: One past the last byte.

        Raises:
            UnreadableError: The disk or the network does not give them.
        """
        if self._parked_size is None:
            return _read(self._descriptor, start, end)
        with self._opened() as descriptor:
            return _read(descriptor, start, end)

    def hole_end(self, start: int) -> int:
        """Where a large hole ends; `start` itself where none begins there (`holes.hole_end`)."""
        if self._parked_size is None:
            return hole_end(self._descriptor, start)
        with self._opened() as descriptor:
            return hole_end(descriptor, start)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The file of a parked source, open for a moment.

        Raises:
            UnreadableError: It cannot be opened, or is another one by now.
        """
        assert self._path is not None
        try:
            descriptor = _open_regular(self._path)
        except FileNotFoundError:
            raise UnreadableError(f"{self._path}: the file is gone") from None
        try:
            if _identity(descriptor) != self.identity:
                raise UnreadableError(f"{self._path}: another file has taken its place")
            if self._path.suffix == ".gz":
                packed, (descriptor, _) = descriptor, _unpacked(self._path, descriptor)
                os.close(packed)
            yield descriptor
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Give the descriptor back; a second call does nothing."""
        self._parked_size = None
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _read(descriptor: int, start: int, end: int) -> bytes:
    try:
        data = os.pread(descriptor, end - start, start) if end > start else b""
        if not data or len(data) == end - start:
            return data
        pieces = [data]  # one system call gives at most 2 GiB, and a signal may cut it short
        while start + len(data) < end and pieces[-1]:
            start += len(pieces[-1])
            pieces.append(os.pread(descriptor, end - start, start))
    except OSError as error:
        raise UnreadableError(f"bytes {start:,} to {end:,} cannot be read: {error.strerror}") from error
    return b"".join(pieces)


def open_source(path: Path) -> ByteSource:
    """Open a regular file, unpacking it where its name ends in `.gz`.

    Args:
        path: The file. A pipe or a device is refused rather than waited for.

    Raises:
        FileNotFoundError: There is no such file (yet).
        UnreadableError: It is no regular file, may not be read, or does not unpack at all.
    """
    descriptor = _open_regular(path)
    if path.suffix != ".gz":
        return ByteSource(descriptor, path=path)
    try:
        source = ByteSource(*_unpacked(path, descriptor), path=path)
        source.identity = _identity(descriptor)
        return source
    finally:
        os.close(descriptor)


def _identity(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def _unpacked(path: Path, descriptor: int) -> tuple[int, str]:
    from inspector.reading.unpacking import unpacked  # few files are packed, and it is a lot to load

    return unpacked(path, descriptor, MAX_UNPACKED_BYTES)


def _open_regular(path: Path) -> int:
    try:
        _refuse_irregular(path, path.stat().st_mode)
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UnreadableError(f"{path}: cannot be read: {reason}") from error
    try:
        _refuse_irregular(path, os.fstat(descriptor).st_mode)
    except UnreadableError:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_irregular(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((word for test, word in _KINDS if test(mode)), "no regular file")
        raise UnreadableError(f"{path}: is {kind}; name a session's file")
