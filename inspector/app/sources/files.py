"""Parts of files: their bytes, and where something stands in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class OpenedText:
    """A file's content as far as it was read."""

    text: str
    """Decoded; bytes that are no UTF-8 stand as U+FFFD."""
    data: bytes
    """The bytes that were read, for the hex form."""
    total_bytes: int
    """Size of the file; more than `len(data)` where the reading was bounded."""
    note: str = ""
    """What should be said about the reading, such as `3 bytes are no UTF-8`."""


class LineSource(Protocol):
    """The file of a session, byte by byte."""

    def read(self, thread: str, start: int, end: int) -> OpenedText:
        """Read a part of it, up to a bound.

        Args:
            thread: Conversation whose file it is; empty: the main one.
            start: First byte.
            end: One past the last byte.

        Raises:
            InspectorError: It cannot be read.
        """


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where something of a session stands on disk."""

    path: str
    """The file; untrusted name."""
    line: int | None = None
    """Line, from 1; None where the file has no lines of its own: one JSON document, an overflow file."""
    words: str = ""
    """For people: `line 12, bytes 1,024–2,048`, `message 3`, `overflow file`."""

    @property
    def copied(self) -> str:
        """The form that editors and compilers use: `path:12`."""
        return f"{self.path}:{self.line}" if self.line is not None else self.path
