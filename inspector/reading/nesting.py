"""How deeply JSON may be nested.

Decoders go as deep as their own stacks reach, which differs between them and between Pythons; whoever
walks through a value afterwards needs a stack as well. One limit for all, far below any of them and
far above any record, is checked where a value is decoded.
"""

from __future__ import annotations

from typing import TypeVar

MAX_LEVELS = 256
"""Deepest nesting that is read; records of real sessions have fewer than twenty levels."""

_Value = TypeVar("_Value")


def shallow(value: _Value, data: bytes) -> _Value:
    """A decoded value, as long as whoever walks through it has the room.

    Args:
        value: As decoded: dicts, lists, and lists of pairs in place of dicts.
        data: What it was decoded from: most have too few brackets to be nested deeply.

    Raises:
        RecursionError: It is nested more deeply than `MAX_LEVELS`.
    """
    if data.count(b"{") + data.count(b"[") <= MAX_LEVELS:
        return value
    level: list[object] = [value]
    for _ in range(MAX_LEVELS):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return value
    raise RecursionError("nested too deeply")


def _inside(value: object) -> list[object]:
    """Dicts and lists that stand directly in a value."""
    if isinstance(value, dict):
        return [each for each in value.values() if isinstance(each, dict | list)]
    if not isinstance(value, list):
        return []
    items = [each[1] if isinstance(each, tuple) else each for each in value]
    return [each for each in items if isinstance(each, dict | list)]
