"""CCR: originals kept under a key made from their content, so that the model can recall them (§6).

The store is a value: putting something in gives a new store. ChatCLI's disk store differs only in
where the bytes are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

MARKER = re.compile(rb"<<ccr:([0-9a-f]{16})>>")


def key_of(content: bytes) -> str:
    """The key of a content: 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(content).hexdigest()[:16]


def marker(key: str) -> str:
    """How a key is written into a text."""
    return f"<<ccr:{key}>>"


def keys_in(content: bytes) -> tuple[str, ...]:
    """Keys whose markers stand in a text, each once, in order of first appearance."""
    return tuple(dict.fromkeys(found.decode("ascii") for found in MARKER.findall(content)))


@dataclass(frozen=True, slots=True)
class Archive:
    """A compression layer with its store of originals."""

    mode: str = "lossy-with-ccr"
    """Anything but `off`, `none` and `disabled` archives, `lossless` too."""
    max_bytes: int = 0
    """Size of the store; 0: unbounded. A single entry may take a quarter of it at most."""
    entries: Mapping[str, bytes] = field(default_factory=dict)
    """Key → original, the one used longest ago first."""

    @property
    def active(self) -> bool:
        """Whether anything is archived at all."""
        return self.mode not in ("off", "none", "disabled")

    def put(self, content: bytes) -> Archive | None:
        """Keep one original.

        Args:
            content: A text without markers of its own.

        Returns:
            The store with it, or None where it is refused (mode off, already marked, too large).
        """
        if not self.active or MARKER.search(content):
            return None
        if self.max_bytes > 0 and len(content) > self.max_bytes // 4:
            return None
        key = key_of(content)
        entries = {k: v for k, v in self.entries.items() if k != key} | {key: content}
        if self.max_bytes > 0:
            held = sum(map(len, entries.values()))
            while held > self.max_bytes:
                held -= len(entries.pop(next(iter(entries))))
        return replace(self, entries=entries)

    def get(self, key: str) -> bytes | None:
        """The original under a key, or None where it was never kept or has been pushed out."""
        return self.entries.get(key)
