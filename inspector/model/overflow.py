"""What became of a text that was to be kept outside the context."""

from __future__ import annotations

import msgspec


class Kept(msgspec.Struct, frozen=True, gc=False):
    """The outcome of keeping one text."""

    path: str
    """Absolute path of its file; empty if it could not be kept."""
    error: str = ""
    """Why not, in words for a person; empty if it was."""
