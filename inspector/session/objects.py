"""The lines of a session's file as decoded JSON, for what records do not keep: recorded requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspector.reading.cutter import Cutter, read_block
from inspector.reading.lenient import read_line
from inspector.reading.lines import RawLine
from inspector.reading.source import open_source

_OBJECT_BYTES = 8 << 20


class Objects:
    """Lines of a file as decoded JSON, piece by piece; a file that grew gives what is new.

    The file is open only while a piece is read.
    """

    def __init__(self, path: Path | None) -> None:
        """Args:
        path: The file of lines; None: there is none.
        """
        self._path = path
        self._cutter = Cutter()

    def next(self) -> tuple[list[dict[str, Any]], int]:
        """The next piece: its objects, and how many bytes it took; 0 where nothing is left."""
        if self._path is None:
            return [], 0
        try:
            source = open_source(self._path)
        except FileNotFoundError:
            return [], 0
        decoded, first = _Decoded(), self._cutter.read
        try:
            while self._cutter.read - first < _OBJECT_BYTES:
                if not read_block(source, self._cutter, decoded, source.size):
                    break
        finally:
            source.close()
        return decoded.values, self._cutter.read - first


class _Decoded:
    """Takes lines as the objects that stand on them."""

    def __init__(self) -> None:
        self.values: list[dict[str, Any]] = []

    def take(self, number: int, start: int, data: bytes) -> None:  # noqa: ARG002 - the protocol's arguments
        self.values += [piece.value for piece in read_line(data[:-1]).pieces]

    def take_odd(self, line: RawLine) -> None:
        if line.is_unread:
            return
        self.values += [piece.value for piece in read_line(line.data).pieces]
