"""The published JSON Schemas of the outputs, as files beside this module, so that they ship with it."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from inspector.errors import UsageError

NAMES = ("report-1", "why-1", "check-1")
"""Schemas by name: the kind of document and its version."""


def schema_text(name: str) -> str:
    """One schema as it is published.

    Args:
        name: One of `NAMES`.

    Raises:
        UsageError: There is no such schema.
    """
    if name not in NAMES:
        raise UsageError(f"there is no schema {name!r}; there are: {', '.join(NAMES)}")
    return resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8").rstrip()


def schema(name: str) -> dict[str, Any]:
    """One schema, decoded."""
    out: dict[str, Any] = json.loads(schema_text(name))
    return out
