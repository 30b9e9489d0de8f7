"""TOML files that a person wrote or was handed: policies and keymaps, read whole within a limit."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from inspector.errors import UnreadableError, UsageError
from inspector.reading.files import open_regular, reason_of


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
        return tomllib.loads(data.decode("utf-8"))
    except RecursionError:
        raise UsageError(f"{path}: nested too deep") from None
    except ValueError as error:  # no UTF-8, no TOML, or a figure of thousands of digits
        raise UsageError(f"{path}: {error}") from None
