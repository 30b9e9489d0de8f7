"""Texts that a shortened copy of a transcript holds only by length and digest.

Whoever gives a transcript away may put `[elided by NAME: N chars, sha256 HEX]` in place of a text.
Two texts of which one was shortened so can still be told to be the same or not, as far as the
digest goes.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

_ELIDED = re.compile(r"\[elided by [^:\]]{1,40}: (\d{1,9}) chars, sha256 ([0-9a-f]{8,64})\]")


def same_value(ours: Any, theirs: Any) -> bool:
    """Whether two JSON values are the same, elided texts counted as what they stand for.

    Args:
        ours: Any JSON value.
        theirs: Another one; on either side texts may be elided.
    """
    if ours == theirs:
        return True
    if isinstance(ours, str) and isinstance(theirs, str):
        return _stands_for(ours, theirs) or _stands_for(theirs, ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        pairs = zip(ours, theirs, strict=False)
        return len(ours) == len(theirs) and all(same_value(a, b) for a, b in pairs)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same_value(ours[k], theirs[k]) for k in ours)
    return False


def _stands_for(shortened: str, text: str) -> bool:
    """Whether a text with elided pieces is this text."""
    at = done = 0
    for piece in _ELIDED.finditer(shortened):
        plain = shortened[done : piece.start()]
        if not text.startswith(plain, at):
            return False
        at += len(plain)
        done = piece.end()
        if text.startswith(piece[0], at):  # elided on both sides
            at += len(piece[0])
            continue
        hidden = text[at : at + int(piece[1])]
        digest = hashlib.sha256(hidden.encode("utf-8", "surrogatepass")).hexdigest()
        if len(hidden) < int(piece[1]) or not digest.startswith(piece[2]):
            return False
        at += len(hidden)
    return bool(done) and text[at:] == shortened[done:]
