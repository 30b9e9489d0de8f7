"""Physical lines of a transcript: where each stands, and which of them are worth reading.

Lines end at byte 0x0A and nowhere else: U+2028, U+2029 and U+0085 stand raw inside JSON strings of
real transcripts, so anything that splits on "line boundaries" of Unicode breaks records apart.
"""

from __future__ import annotations

import msgspec

from inspector.model.transcript import COMMENT

MAX_LINE_BYTES = 256 * 1024 * 1024
"""Longest line that is read; the longest one seen in a real transcript has 1.5 MB."""

BOM = b"\xef\xbb\xbf"
"""UTF-8 byte order mark, skipped at the start of a file."""


class RawLine(msgspec.Struct, frozen=True, gc=False):
    """One physical line, or what stands of it."""

    number: int
    """From 1; blank lines are counted too."""
    start: int
    """First byte in the file (after a byte order mark)."""
    end: int
    """One past the last byte, without the line's `\\r\\n` or `\\n`."""
    data: bytes
    """The bytes; empty where `oversized`."""
    oversized: bool = False
    """Longer than `MAX_LINE_BYTES`, or a hole: its place is known, its bytes were not kept."""
    is_hole: bool = False
    """A stretch that the file system stores nothing of; the rest of the line is given apart."""

    @property
    def is_unread(self) -> bool:
        """Whether there is nothing to decode: an oversized line, or a `//` comment."""
        return self.oversized or _is_comment(self.data)


def unread_reason(line: RawLine) -> tuple[str, str]:
    """Why a line was not read: the word of the input findings, and a sentence for people."""
    if not line.oversized:
        return COMMENT, "a comment, which stands in no history"
    if line.is_hole:
        return "nul_run", f"a hole of {line.end - line.start:,} bytes in the file: nothing is stored there"
    return "huge_line", f"longer than {MAX_LINE_BYTES:,} bytes: not read"


def _is_comment(data: bytes) -> bool:
    return data.lstrip().startswith(b"//")


def raw_line(number: int, start: int, data: bytes) -> RawLine | None:
    """A line that says something, or None for a blank one.

    Args:
        number: Physical line, from 1.
        start: First byte in the file.
        data: The line's bytes without the line feed; a carriage return at the end is taken off, and a byte
            order mark at the start of the file.
    """
    if start == 0 and data.startswith(BOM):
        start, data = len(BOM), data[len(BOM) :]
    if data.endswith(b"\r"):
        data = data[:-1]
    if not data or data.isspace():
        return None
    return RawLine(number, start, start + len(data), data)
