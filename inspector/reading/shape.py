"""Measures of one text: its sizes, and for a long one the few numbers that its shortened forms need.

Everything that a later stage could want to know of a text is taken here, once, while the text is in
memory; afterwards only these numbers are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from inspector.model.transcript import NOTHING, Shape, Size, preview_check

SHAPED_FROM = 2_000
"""Texts of more code points than this carry a `Shape`."""

BASE64_FROM = 1_000
"""Shortest run of base64 characters that counts as base64-looking text."""

_BUDGET_HEAD, _BUDGET_TAIL = 4_000, 1_000
_AGED_HEAD, _AGED_TAIL = 2_000, 500
_PREVIEW_UNITS = 2_000

_SHORT = 64
"""Below this many characters a look at the text itself is faster than a pass over its bytes."""

_SHARED_CHARS = 4_096
"""Sizes of ASCII texts shorter than this are kept once: most blocks of a transcript share them."""

_ASCII_SIZES: list[Size | None] = [None] * _SHARED_CHARS

_C1 = re.compile("[\x80-\x9f]")
_PLAIN_BYTES = bytes(c for c in range(256) if (c >= 32 and c != 0x7F) or c == 0x09)
"""All but line feeds and control characters: what is left without them is short, and tells of both."""
_ASTRAL_LEADS = bytes(range(0xF0, 0xF5))
"""First bytes of the UTF-8 sequences that stand for two UTF-16 units."""
_C1_LEAD = b"\xc2"
"""First byte of those of the control characters behind ASCII, among others."""
_PLAIN_WIDE = bytes(c for c in _PLAIN_BYTES if c not in _ASTRAL_LEADS + _C1_LEAD)
"""The same for a text that is not ASCII: what is left tells of these two kinds as well."""
_NO_LEADS = bytes(c for c in range(256) if c not in _ASTRAL_LEADS + _C1_LEAD)

_GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""What Go trims (`chatcli.md` §4)."""

_LEADING_SPACE = re.compile(f"[{_GO_SPACE}]*")

_TYPE_WINDOW_BYTES = 200
_TYPE_WORDS = (
    ("package ", "Go source"),
    ("import ", "source code"),
    ("def ", "Python source"),
    ("function ", "JavaScript source"),
)
_TYPE_STARTS = (("diff ", "diff"), ("--- ", "diff"), ("commit ", "git log"))

_LINE = 60
_BASE64_LINE = re.compile(b"[A-Za-z0-9+/]{%d}" % _LINE)
_BASE64_RUN = re.compile(
    rb"[A-Za-z0-9+/]{60,}"
    rb"(?:(?:\r?\n[A-Za-z0-9+/]{60,})+(?:\r?\n[A-Za-z0-9+/]+(?=={0,2}(?:[\r\n]|$)))?)?"
    rb"={0,2}"
)
"""A run in one piece, or in lines of 60 and more as mail programs write it."""

_BASE64_SIGN = re.compile(rb"(?=.{0,255}[A-Z])(?=.{0,255}[a-z])(?=.{0,255}[0-9])", re.DOTALL)
"""What tells base64 from a long word, a number or a hex digest."""

_BASE64_BYTES = bytes(chr(c).isascii() and (chr(c).isalnum() or chr(c) in "+/\r\n") for c in range(256))
_PROBED_FROM = 16_000
"""From so many ASCII characters on, probing for base64 costs less than going from space to space."""
_PROBE_DISTANCE = BASE64_FROM - 100
_PROBE_OFFSETS = range(0, 64, 4)


class Measures(msgspec.Struct, frozen=True, gc=False):
    """What is kept of one text."""

    size: Size
    shape: Shape | None = None
    base64_chars: int = 0
    lone_surrogates: bool = False
    controls: bool = False
    is_plain: bool = False
    """Whether there is nothing but the size."""


NO_TEXT = Measures(NOTHING, is_plain=True)


def measure(text: str) -> Measures:
    """Sizes, shape and oddities of a text.

    Args:
        text: May hold lone surrogates and control characters.
    """
    chars = len(text)
    if not text.isascii():
        return _measure_wide(text)
    size = ascii_size(chars)
    if chars < _SHORT and text.isprintable():
        return Measures(size, None, 0, False, False, True)
    data = text.encode()
    special = data.translate(None, _PLAIN_BYTES)
    feeds = special.count(b"\n")
    controls = len(special) != feeds
    if chars < BASE64_FROM:
        return Measures(size, None, 0, False, controls, not controls)
    base64 = base64_chars(data) if chars >= _PROBED_FROM or may_hold_base64(text) else 0
    if chars <= SHAPED_FROM:
        return Measures(size, None, base64, False, controls, not (controls or base64))
    return Measures(size, shape_of(text, feeds), base64, False, controls)


def _measure_wide(text: str) -> Measures:
    """The same for a text that is not ASCII."""
    chars = len(text)
    lone = False
    try:
        data = text.encode()
    except UnicodeEncodeError:
        lone = True
        data = text.encode("utf-8", "surrogatepass")
    special = data.translate(None, _PLAIN_WIDE)
    feeds = special.count(b"\n")
    leads = special.translate(None, _NO_LEADS)
    astral = len(leads) - leads.count(_C1_LEAD)
    return Measures(
        Size(chars, chars + astral, len(data)),
        shape_of(text, feeds) if chars > SHAPED_FROM else None,
        base64_chars(data) if chars >= BASE64_FROM and may_hold_base64(text) else 0,
        lone,
        len(special) != feeds + len(leads) or (len(leads) != astral and _C1.search(text) is not None),
    )


def ascii_size(chars: int) -> Size:
    """The sizes of an ASCII text: all three are the same."""
    if chars >= _SHARED_CHARS:
        return Size(chars, chars, chars)
    size = _ASCII_SIZES[chars]
    if size is None:
        size = _ASCII_SIZES[chars] = Size(chars, chars, chars)
    return size


def size_of(text: str) -> Size:
    """Sizes of a text without the rest of its measures."""
    if text.isascii():
        return ascii_size(len(text))
    return Size(len(text), utf16_units(text), len(text.encode("utf-8", "surrogatepass")))


def shape_of(text: str, feeds: int) -> Shape:
    """The numbers from which the size of every shortened form of a text follows.

    Args:
        text: A text of more than `SHAPED_FROM` code points.
        feeds: Number of its line feeds.
    """
    shown = preview_cut(text)
    return Shape(
        feeds + 1,
        content_type(text),
        head_cut(text, _BUDGET_HEAD),
        tail_cut(text, _BUDGET_TAIL),
        head_cut(text, _AGED_HEAD),
        tail_cut(text, _AGED_TAIL),
        shown,
        preview_check(text, shown),
    )


def head_cut(text: str, limit: int) -> int:
    """Code points kept of the first `limit` (`chatcli.md` §3.4, §4).

    The cut goes back to just after the last newline where that lies beyond the middle.
    """
    kept = min(limit, len(text))
    newline = text.rfind("\n", 0, kept)
    return newline + 1 if newline > kept // 2 else kept


def tail_cut(text: str, limit: int) -> int:
    """Code points kept of the last `limit` (`chatcli.md` §3.4, §4).

    The cut goes on to just after the first newline where that lies before the middle; a newline
    that is the very first character changes nothing.
    """
    start = max(len(text) - limit, 0)
    kept = len(text) - start
    offset = text.find("\n", start) - start
    return kept - offset - 1 if 0 < offset < kept // 2 else kept


def preview_cut(text: str) -> int:
    """UTF-16 units kept in a persisted preview (`claude-code-wire.md` rule 26).

    The first 2,000 units, cut back to the last newline (which is not kept) beyond the middle.
    """
    head = text[:_PREVIEW_UNITS]
    units = utf16_units(head)
    if units == len(head):  # as nearly all are: characters of one unit each
        newline = head.rfind("\n")
        return newline if newline > _PREVIEW_UNITS // 2 else units
    while utf16_units(head) > _PREVIEW_UNITS + 1:
        head = head[: len(head) - (utf16_units(head) - _PREVIEW_UNITS) // 2]
    if utf16_units(head) > _PREVIEW_UNITS and head[-1] < "\U00010000":
        head = head[:-1]  # a whole character too many, where a half one stays
    newline = head.rfind("\n")
    before = utf16_units(head[:newline]) if newline > _PREVIEW_UNITS // 4 else 0
    return before if before > _PREVIEW_UNITS // 2 else min(utf16_units(head), _PREVIEW_UNITS)


def utf16_units(text: str) -> int:
    """UTF-16 units of a text, half characters included."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def content_type(text: str) -> str:
    """The word of `chatcli.md` §4 for a kind of content; the first rule that fits wins."""
    start = 0
    if not " " < text[:1] <= "~" and (begin := _LEADING_SPACE.match(text)):
        start = begin.end()
    if text.startswith(("{", "["), start):
        return "JSON"
    window = text[start : start + _TYPE_WINDOW_BYTES]
    if window[-1:].isspace():  # the text may end here but for blanks, which do not count
        window = window[: len(text.rstrip(_GO_SPACE)) - start]
    if not window.isascii():
        window = window.encode("utf-8", "surrogatepass")[:_TYPE_WINDOW_BYTES].decode("utf-8", "replace")
    for word, kind in _TYPE_WORDS:
        if word in window:
            return kind
    for word, kind in _TYPE_STARTS:
        if window.startswith(word):
            return kind
    return "text"


def may_hold_base64(text: str) -> bool:
    """Whether somewhere `BASE64_FROM` characters stand without a space; nearly no text has that.

    It goes from one last space to the next, so it looks at a few characters of a thousand.
    """
    position, last = 0, len(text) - BASE64_FROM
    while position <= last:
        space = text.rfind(" ", position, position + BASE64_FROM)
        if space < 0:
            return True
        position = space + 1
    return False


def base64_chars(data: bytes) -> int:
    """Characters of base64-looking text: runs of `BASE64_FROM` and more, plain or in lines.

    Probes stand closer together than the shortest run that counts, so none is missed, and a run
    is looked at only where a probe hits it.

    Args:
        data: A text in UTF-8; data URLs count without their prefix.
    """
    total = done = 0
    for probe in _base64_probes(data):
        position = max(done, probe - _PROBE_DISTANCE)
        while position <= probe and (begin := _BASE64_LINE.search(data, position, probe + 2 * _LINE)):
            start = begin.start()
            run = _BASE64_RUN.match(data, start)
            done = position = run.end() if run else begin.end()
            if done - start >= BASE64_FROM and _BASE64_SIGN.match(data, start):
                total += done - start
    return total


def _base64_probes(data: bytes) -> Iterator[int]:
    """Places at whose next 64 bytes a few samples are all base64 characters.

    All places are tested at once: one sample of each is a column of bytes, and the columns are
    joined as large integers.
    """
    hits = -1
    for offset in _PROBE_OFFSETS:
        column = data[offset::_PROBE_DISTANCE].translate(_BASE64_BYTES)
        hits &= int.from_bytes(column, "little")
        if not hits:
            return
    for index, hit in enumerate(hits.to_bytes(len(data) // _PROBE_DISTANCE + 1, "little")):
        if hit:
            yield index * _PROBE_DISTANCE
