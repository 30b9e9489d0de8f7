"""Where the values of a JSON document stand, found without decoding them.

A message list is one JSON document, yet each message must be found again by its byte range, and
one broken message must not cost the others. A decoder gives neither; a scan for strings and
brackets gives both, and it works on a document that breaks off. It judges structure only: whether
a span is valid JSON is for the one who decodes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

_SPACE = re.compile(rb"[\x00\s]*+")
"""NUL counts as space: a crash can leave a run of them (case of an unclean shutdown)."""
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(rb'[^\s,:\]\}\[\{"\x00]++')
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}"]', re.DOTALL)
_OPEN_TO_CLOSE = {ord("["): ord("]"), ord("{"): ord("}")}
_QUOTE = ord('"')
MAX_DEPTH = 4_000
"""Nesting beyond this is an attack: brackets are counted from there on, and not compared."""


class Value(msgspec.Struct, frozen=True, gc=False):
    """One value: an item of an array or a member of an object."""

    start: int
    """First byte."""
    end: int
    """One past the last byte; the end of the data when the value breaks off."""
    complete: bool = True
    """False where the value breaks off or its brackets do not match."""
    key: bytes = b""
    """Member name as it stands between its quotes, escapes included; empty for items."""


def skip_space(data: bytes, at: int) -> int:
    """First position from `at` on that is neither white space nor NUL."""
    found = _SPACE.match(data, at)
    return found.end() if found else at


def value_at(data: bytes, start: int) -> Value:
    """The value that begins at `start` (which must not be white space)."""
    if start < len(data) and data[start] in _OPEN_TO_CLOSE:
        return _bracketed(data, start)
    found = (_STRING if data[start : start + 1] == b'"' else _SCALAR).match(data, start)
    if found is None:
        return Value(start, len(data), complete=False)
    return Value(start, found.end())


def _bracketed(data: bytes, start: int) -> Value:
    stack: list[int] = []
    deeper = 0
    for token in _TOKEN.finditer(data, start):
        at, end = token.span()
        if end - at > 1:
            continue  # a whole string; never copied, it may be large
        sign = data[at]
        if (closing := _OPEN_TO_CLOSE.get(sign)) is not None:
            if len(stack) < MAX_DEPTH:
                stack.append(closing)
            else:
                deeper += 1
        elif sign == _QUOTE:
            break  # a string that never ends
        elif deeper:
            deeper -= 1
        elif stack.pop() != sign:
            return Value(start, end, complete=False)
        elif not stack:
            return Value(start, end)
    return Value(start, len(data), complete=False)


def items(data: bytes, start: int) -> Iterator[Value]:
    """The items of the array that opens at `start`; the last may be incomplete.

    Args:
        data: The document, whole or cut.
        start: Position of `[`.
    """
    at = skip_space(data, start + 1)
    while at < len(data) and data[at : at + 1] != b"]":
        if data[at : at + 1] == b",":
            at = skip_space(data, at + 1)
            continue
        value = value_at(data, at)
        yield value
        if not value.complete:
            return
        at = skip_space(data, value.end)


def members(data: bytes, start: int) -> Iterator[Value]:
    """The members of the object that opens at `start`; the last may be incomplete.

    Args:
        data: The document, whole or cut.
        start: Position of `{`.
    """
    at = skip_space(data, start + 1)
    while at < len(data) and data[at : at + 1] != b"}":
        if data[at : at + 1] == b",":
            at = skip_space(data, at + 1)
            continue
        name = _STRING.match(data, at)
        if name is None:
            return
        at = skip_space(data, name.end())
        if data[at : at + 1] != b":":
            return
        at = skip_space(data, at + 1)
        key = name.group()[1:-1]
        if at >= len(data):
            yield Value(at, at, complete=False, key=key)
            return
        value = value_at(data, at)
        yield Value(value.start, value.end, value.complete, key)
        if not value.complete:
            return
        at = skip_space(data, value.end)
