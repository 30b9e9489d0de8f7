"""Unpacking a compressed file once, into a nameless temporary one that can be read by position."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from pathlib import Path

from inspector.errors import UnreadableError

_BLOCK_BYTES = 256 * 1024


def unpacked(path: Path, packed: int, limit_bytes: int) -> tuple[int, str]:
    """Unpack a gzip file as far as it goes.

    Args:
        path: Its name, for messages.
        packed: Its descriptor; it stays open.
        limit_bytes: Stop where the unpacked file is longer than this.

    Returns:
        A descriptor of the unpacked file, the caller's own, and what is wrong with the packed one; an
        empty text where nothing is.

    Raises:
        UnreadableError: Nothing could be unpacked, or there is no room for it.
    """
    with tempfile.TemporaryFile(buffering=0) as file:
        try:
            damage = _unpack(packed, file.fileno(), limit_bytes)
            size = os.fstat(file.fileno()).st_size
        except OSError as error:  # the temporary directory is full, say
            raise UnreadableError(f"{path}: cannot be unpacked: {error.strerror}") from error
        if damage and not size:
            raise UnreadableError(f"{path}: {damage}")
        return os.dup(file.fileno()), damage


def _unpack(packed: int, unpacked: int, limit_bytes: int) -> str:
    """Write what unpacks; returns what is wrong with it, or an empty text."""
    written = 0
    with os.fdopen(packed, "rb", closefd=False) as file, gzip.open(file) as stream:
        while True:
            try:
                data = stream.read1(_BLOCK_BYTES)
            except EOFError:
                return "the gzip data end early; read up to there"
            except (gzip.BadGzipFile, zlib.error):
                return "broken gzip data; read up to there"
            if not data:
                return ""
            written += len(data)
            if written > limit_bytes:
                return f"unpacks to more than {limit_bytes} bytes; read up to there"
            view = memoryview(data)
            while view:
                view = view[os.write(unpacked, view) :]
