"""Holes of a sparse file: stretches that read as NULs, of which nothing is stored.

A file of terabytes can take no room on the disk at all. Whoever reads files from their beginning to
their end passes over such stretches here, so that reading costs what is stored and not what is said.
"""

from __future__ import annotations

import errno
import os

HOLE_BYTES = 256 << 10
"""Holes from this size on are passed over. What a crash leaves behind is in most cases smaller."""

_STAT_BLOCK_BYTES = 512
"""Unit of `st_blocks`, whatever the blocks of the file system are."""
_LOOK_BYTES = 4 << 10
_SEEK_DATA: int | None = getattr(os, "SEEK_DATA", None)


def hole_end(descriptor: int, start: int) -> int:
    """Where a large hole ends, and the NULs behind it; `start` itself where none begins there.

    Some file systems take for a hole what they have yet to write, so both ends are read as well.

    Args:
        descriptor: Of a regular file, open for reading; its position moves.
        start: A byte of the file.
    """
    try:
        state = os.fstat(descriptor)
        if _SEEK_DATA is None or state.st_blocks * _STAT_BLOCK_BYTES >= state.st_size:
            return start
        end = _next_data(descriptor, start, state.st_size)
        if end - start < HOLE_BYTES:
            return start
        ends = os.pread(descriptor, _LOOK_BYTES, start) + os.pread(descriptor, _LOOK_BYTES, end - _LOOK_BYTES)
        behind = os.pread(descriptor, _LOOK_BYTES, end)
    except OSError:  # whoever reads the bytes meets the fault again, and says it
        return start
    if ends.strip(b"\0"):
        return start
    return end + len(behind) - len(behind.lstrip(b"\0"))  # the rest of a block that is stored


def _next_data(descriptor: int, start: int, size: int) -> int:
    assert _SEEK_DATA is not None
    try:
        return os.lseek(descriptor, start, _SEEK_DATA)
    except OSError as error:
        if error.errno != errno.ENXIO:  # the file system cannot tell
            raise
        return size  # nothing but a hole follows
