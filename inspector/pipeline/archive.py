"""Markers of archived originals: `<<ccr:KEY>>` (`chatcli.md` §4, Recall suffix, and §6)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

_MARKER = re.compile(r"<<ccr:([0-9a-f]{16})>>")


def key_of(text: str) -> str:
    """The key of a text: the first 16 hex digits of the SHA-256 of its UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def keys_in(text: str) -> tuple[str, ...]:
    """Distinct keys whose markers a text holds, in order of first appearance."""
    return tuple(dict.fromkeys(_MARKER.findall(text))) if "<<ccr:" in text else ()


def suffix(keys: Sequence[str], stub: str) -> str:
    """The line that keeps originals within reach of a shortened text.

    Args:
        keys: Keys of the originals.
        stub: The shortened text; keys that it still names are left out.
    """
    markers = [f"<<ccr:{key}>>" for key in keys if f"<<ccr:{key}>>" not in stub]
    return f"\n[full content recoverable via @recall {' '.join(markers)}]" if markers else ""
