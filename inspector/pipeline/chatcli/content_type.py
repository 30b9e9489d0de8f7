"""The type word of a summary: what an old result looked like, told from its first 200 bytes (§4).

The test is by substring and in a fixed order, so `undef ` counts as Python and a log line that
starts with `[` as JSON.
"""

from __future__ import annotations

WINDOW_BYTES = 200

_SPACES = b"\t\n\v\f\r "

_WIDE_SPACES = tuple(
    chr(point).encode()
    for point in (0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
)
"""Spaces outside ASCII that Go's `unicode.IsSpace` knows. Their bytes only count as a whole character."""

_KEYWORDS = (
    (b"package ", "Go source"),
    (b"import ", "source code"),
    (b"def ", "Python source"),
    (b"function ", "JavaScript source"),
)


def trim_space(content: bytes) -> bytes:
    """Without white space at both ends, as Go's `strings.TrimSpace` does it.

    U+001C–001F, U+200B and U+FEFF stay, and so do stray bytes that are no character.

    Args:
        content: Any bytes.
    """
    start, end = 0, len(content)
    while start < end and (width := _leading_space(content, start, end)):
        start += width
    while start < end and (width := _trailing_space(content, start, end)):
        end -= width
    return content[start:end]


def _leading_space(content: bytes, start: int, end: int) -> int:
    if content[start] in _SPACES:
        return 1
    return next((len(space) for space in _WIDE_SPACES if content.startswith(space, start, end)), 0)


def _trailing_space(content: bytes, start: int, end: int) -> int:
    if content[end - 1] in _SPACES:
        return 1
    return next((len(space) for space in _WIDE_SPACES if content.endswith(space, start, end)), 0)


def content_type(content: bytes) -> str:
    """The type word; the first rule that fits wins.

    Args:
        content: A full content, or what is left of one.
    """
    text = trim_space(content)
    if text.startswith((b"{", b"[")):
        return "JSON"
    window = text[:WINDOW_BYTES]
    for keyword, word in _KEYWORDS:
        if keyword in window:
            return word
    if text.startswith((b"diff ", b"--- ")):
        return "diff"
    if text.startswith(b"commit "):
        return "git log"
    return "text"
