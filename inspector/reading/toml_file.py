"""TOML files that a person wrote or was handed: policies and keymaps, read whole within a limit."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from inspector.errors import UnreadableError, UsageError
from inspector.reading.files import open_regular, reason_of

_DEEPEST = 64
"""Tables and lists in one another; policies and keymaps have three at most."""
_FIGURES = 1 << 63
"""The first figure that TOML does not know."""


def read_toml(path: Path, limit_bytes: int) -> dict[str, Any]:
    """The tables of a TOML file.

    Args:
        path: An ordinary file.
        limit_bytes: A larger one is refused.

    Raises:
        UnreadableError: It is absent, no ordinary file, too large, or cannot be read.
        UsageError: It is no TOML; the message says where.
    """
    with open_regular(path) as file:
        try:
            data = file.read(limit_bytes + 1)
        except OSError as error:
            raise UnreadableError(f"{path}: {reason_of(error)}") from None
    if len(data) > limit_bytes:
        raise UnreadableError(f"{path}: more than {limit_bytes:,} bytes")
    try:
        tables = tomllib.loads(data.decode("utf-8"))
    except RecursionError:
        raise UsageError(f"{path}: nested too deep") from None
    except ValueError as error:  # no UTF-8, no TOML, or a figure of thousands of digits
        raise UsageError(f"{path}: {error}") from None
    _bound(path, tables)
    return tables


def _bound(path: Path, tables: dict[str, Any]) -> None:
    """Refuse what readers of the tables could not walk through or write down.

    Python's parser makes thousands of tables of one dotted key, and figures of any length where they
    are written in base sixteen, eight or two; TOML knows none of more than 64 bits.
    """
    waiting: list[tuple[str, Any, int]] = [("", tables, 0)]
    while waiting:
        name, value, depth = waiting.pop()
        if depth > _DEEPEST:
            raise UsageError(f"{path}: nested too deep")
        if isinstance(value, dict):
            waiting += ((key, inner, depth + 1) for key, inner in value.items())
        elif isinstance(value, list):
            waiting += ((name, inner, depth + 1) for inner in value)
        elif isinstance(value, int) and not -_FIGURES <= value < _FIGURES:
            raise UsageError(f"{path}: {name}: a figure of more than 64 bits")
