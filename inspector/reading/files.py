"""Bounded reads of ordinary files, gzip or not: the head, the tail, or all of it.

Every reader that takes a path goes through here, so that a FIFO never blocks, a device is never
read, and a small `.gz` cannot unpack into more memory than was asked for.
"""

from __future__ import annotations

import os
import stat
import zlib
from pathlib import Path
from typing import BinaryIO

import msgspec

from inspector.errors import UnreadableError

GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = 31
"""zlib's word for "a gzip stream"."""
_PACKED_BLOCK_BYTES = 1 << 16
WHOLE_LIMIT_BYTES = 1 << 30
"""Largest document that is read in one piece. Message lists are JSON documents: they cannot be
read line by line, so a reader holds the bytes of the file once and one decoded message at a time."""


class Head(msgspec.Struct, frozen=True):
    """The first bytes of a file."""

    data: bytes
    """Unpacked bytes, at most as many as were asked for."""
    whole: bool
    """Whether `data` is all there is."""
    compressed: bool
    """Whether the file is gzip."""
    damaged: str = ""
    """Why unpacking stopped early, in a few words; empty when it did not."""


def open_regular(path: Path | str, *, follow: bool = True, dir_fd: int | None = None) -> BinaryIO:
    """Open an ordinary file for reading, without ever waiting for it.

    Args:
        path: The file; with `dir_fd` a name inside that directory.
        follow: Whether a symbolic link as last part may be followed.
        dir_fd: Directory to look in.

    Raises:
        UnreadableError: It is absent, not readable, or no ordinary file.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
    if not follow:
        flags |= os.O_NOFOLLOW
    try:
        fd = os.open(path, flags, dir_fd=dir_fd)
    except (OSError, ValueError) as error:
        raise UnreadableError(f"{path}: {reason_of(error)}") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise UnreadableError(f"{path}: not an ordinary file")
    return os.fdopen(fd, "rb")


def is_directory(path: Path) -> bool:
    """Whether a path leads to a directory; no for any path that cannot be looked at."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Whether a path leads to an ordinary file; no for any path that cannot be looked at."""
    try:
        return path.is_file()
    except OSError:
        return False


def reason_of(error: OSError | ValueError) -> str:
    """What went wrong, in a few words without the path."""
    return (error.strerror or "cannot be read") if isinstance(error, OSError) else str(error)


def read_head(path: Path, limit_bytes: int) -> Head:
    """The first bytes of a file, unpacked.

    Args:
        path: Any path.
        limit_bytes: Most bytes to return, after unpacking.

    Raises:
        UnreadableError: It cannot be opened or read.
    """
    with open_regular(path) as file:
        try:
            # A read reserves what it asks for, so it asks for little more than there is.
            there = os.fstat(file.fileno()).st_size + _PACKED_BLOCK_BYTES
            data = file.read(min(limit_bytes + 1, there))
        except OSError as error:
            raise UnreadableError(f"{path}: {reason_of(error)}") from None
        if not data.startswith(GZIP_MAGIC):
            return Head(data[:limit_bytes], len(data) <= limit_bytes, compressed=False)
        file.seek(0)
        data, damaged = _unpack(file, limit_bytes + 1)
    return Head(data[:limit_bytes], len(data) <= limit_bytes, compressed=True, damaged=damaged)


def read_tail(path: Path, limit_bytes: int) -> bytes:
    """The last bytes of a plain file; empty for gzip, which has no cheap end.

    Raises:
        UnreadableError: It cannot be opened or read.
    """
    with open_regular(path) as file:
        try:
            if file.read(2) == GZIP_MAGIC:
                return b""
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - limit_bytes))
            return file.read(limit_bytes)
        except OSError as error:
            raise UnreadableError(f"{path}: {reason_of(error)}") from None


def read_whole(path: Path, limit_bytes: int = WHOLE_LIMIT_BYTES) -> bytes:
    """All bytes of a file, unpacked; a gzip that breaks off gives what came before the break.

    Args:
        path: Any path.
        limit_bytes: Most bytes to accept, after unpacking.

    Raises:
        UnreadableError: It cannot be read, or is larger than the limit.
    """
    if _stated_bytes(path) <= limit_bytes:
        head = read_head(path, limit_bytes)
        if head.whole:
            return head.data
    raise UnreadableError(f"{path}: larger than {limit_bytes:,} bytes, too large for one JSON document")


def _stated_bytes(path: Path) -> int:
    """Size of a plain file, so that one with nothing but holes is not read to its limit; 0 for gzip."""
    with open_regular(path) as file:
        try:
            packed = file.read(2) == GZIP_MAGIC
            return 0 if packed else os.fstat(file.fileno()).st_size
        except OSError as error:
            raise UnreadableError(f"{path}: {reason_of(error)}") from None


def _unpack(file: BinaryIO, limit_bytes: int) -> tuple[bytes, str]:
    """Up to `limit_bytes` of the unpacked stream, and why it ended early.

    `gzip.GzipFile` loses what it holds when the data breaks off; this keeps it.
    """
    out = bytearray()
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    packed = file.read(_PACKED_BLOCK_BYTES)
    while packed and len(out) < limit_bytes:
        if unpacker.eof:  # another member follows, or padding
            if not packed.startswith(GZIP_MAGIC):
                break
            unpacker = zlib.decompressobj(_GZIP_WINDOW)
        try:
            out += unpacker.decompress(packed, limit_bytes - len(out))
        except zlib.error:
            return bytes(out), "the gzip data is damaged"
        packed = unpacker.unused_data or unpacker.unconsumed_tail or file.read(_PACKED_BLOCK_BYTES)
    if len(out) < limit_bytes and not unpacker.eof:
        return bytes(out), "the gzip data is cut off"
    return bytes(out), ""
