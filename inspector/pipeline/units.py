"""Lengths and cuts in the three units that policies count in.

Python counts code points, JavaScript UTF-16 units and Go bytes, so the same text has three lengths.
Everything that measures or cuts goes through here, and ASCII (which is nearly everything) costs
nothing: there the three agree, and CPython knows without looking.
"""

from __future__ import annotations

import re

from inspector.model.policy import Unit
from inspector.model.transcript import Size

_ASTRAL = re.compile("[\U00010000-\U0010ffff]+")


def utf16_len(text: str) -> int:
    """Length in UTF-16 units: code points above U+FFFF count two, a lone surrogate one."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8_len(text: str) -> int:
    """Length in UTF-8 bytes; a lone surrogate counts three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def measure(text: str, unit: Unit) -> int:
    """Length of a text in a policy's unit."""
    if unit is Unit.CODE_POINTS:
        return len(text)
    return utf16_len(text) if unit is Unit.UTF16 else utf8_len(text)


def size_of(text: str) -> Size:
    """All three lengths of a text."""
    return Size(len(text), utf16_len(text), utf8_len(text))


def in_unit(size: Size, unit: Unit) -> int:
    """The one of three known lengths that a unit asks for."""
    if unit is Unit.CODE_POINTS:
        return size.chars
    return size.utf16 if unit is Unit.UTF16 else size.bytes


def first_utf16(text: str, n: int, *, split_pairs: bool = False) -> str:
    """The first n UTF-16 units of a text.

    Args:
        text: Any text.
        n: Units to keep, at least 0.
        split_pairs: What happens to a character of two units that lies across the cut. False: it is
            left out, so the outcome has n - 1 units and can be sent anywhere. True: its first half
            stays as a lone surrogate, as JavaScript's `slice` does; only for telling what the real
            client wrote.
    """
    if text.isascii():
        return text[:n]
    at, across = _index_of_unit(text, n)
    if across and split_pairs:
        return text[:at] + chr(0xD800 + ((ord(text[at]) - 0x10000) >> 10))
    return text[:at]


def last_utf16(text: str, n: int) -> str:
    """The last n UTF-16 units of a text; a character that lies across the cut is left out."""
    tail = text[-n:] if n > 0 else ""
    if tail.isascii():
        return tail
    at, across = _index_of_unit(tail, max(utf16_len(tail) - n, 0))
    return tail[at + across :]


def _index_of_unit(text: str, n: int) -> tuple[int, bool]:
    """Code points in the first n units, and whether the next one lies across the border."""
    at = units = 0
    for run in _ASTRAL.finditer(text, 0, min(n, len(text))):
        gap = run.start() - at
        if units + gap >= n:
            break
        at, units = run.start(), units + gap
        length = run.end() - at
        if units + 2 * length > n:
            return at + (n - units) // 2, (n - units) % 2 == 1
        at, units = run.end(), units + 2 * length
    at = at + n - units
    # The search above ends at code point n, so a run may go on at the very border; it cannot lie
    # across it, because each character before it took one unit or more.
    return min(at, len(text)), False


def first_bytes(text: str, n: int) -> str:
    """The first n UTF-8 bytes of a text; a character that lies across the cut is left out."""
    head = text[:n]
    if text.isascii():
        return head
    data = head.encode("utf-8", "surrogatepass")
    end = min(max(n, 0), len(data))
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end -= 1
    return data[:end].decode("utf-8", "surrogatepass")


def last_bytes(text: str, n: int) -> str:
    """The last n UTF-8 bytes of a text; a character that lies across the cut is left out."""
    if n <= 0:
        return ""
    tail = text[-n:]
    if text.isascii():
        return tail
    data = tail.encode("utf-8", "surrogatepass")
    start = max(len(data) - n, 0)
    while start < len(data) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:].decode("utf-8", "surrogatepass")


def first(text: str, n: int, unit: Unit) -> str:
    """At most n units from the start of a text, never half a character."""
    if unit is Unit.CODE_POINTS:
        return text[: max(n, 0)]
    return first_utf16(text, max(n, 0)) if unit is Unit.UTF16 else first_bytes(text, max(n, 0))


def last(text: str, n: int, unit: Unit) -> str:
    """At most n units from the end of a text, never half a character."""
    if unit is Unit.CODE_POINTS:
        return text[-n:] if n > 0 else ""
    return last_utf16(text, n) if unit is Unit.UTF16 else last_bytes(text, n)


def head_to_newline(text: str, n: int, unit: Unit) -> str:
    """The first n units, cut back to after the last newline if that lies past their middle.

    The rule of every head in seed 000 (`chatcli.md` §3.4: strictly past half of what is kept).
    """
    head = first(text, n, unit)
    at = head.rfind("\n")
    if at >= 0 and measure(head[:at], unit) > measure(head, unit) // 2:
        return head[: at + 1]
    return head


def tail_from_newline(text: str, n: int, unit: Unit) -> str:
    """The last n units, cut to after the first newline if that lies before their middle.

    A newline at the very start changes nothing (`chatcli.md` §3.4).
    """
    tail = last(text, n, unit)
    at = tail.find("\n")
    if at > 0 and measure(tail[:at], unit) < measure(tail, unit) // 2:
        return tail[at + 1 :]
    return tail
