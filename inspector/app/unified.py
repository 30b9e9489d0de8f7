"""A difference of two texts as one text with tinted lines, for the panes below a list."""

from __future__ import annotations

from inspector.app.feed import DetailText
from inspector.figures import number
from inspector.line_diff import compare_texts, unified

_TINTS = {"-": "over-budget", "+": "ok", "⋯": "muted"}


def unified_text(left: str, right: str) -> DetailText:
    """Compare two texts. Called in worker threads: it takes a while for large ones.

    Args:
        left: The one in front.
        right: The other one.

    Returns:
        The lines, and how many were taken and added.
    """
    found = compare_texts(left, right)
    lines = list(unified(found))
    tints = {at: _TINTS[sign] for at, (sign, _) in enumerate(lines) if sign in _TINTS}
    text = "\n".join(f"{sign} {line}" for sign, line in lines)
    own = [at for at, (sign, _) in enumerate(lines) if sign == "⋯"]
    return DetailText(text, f"−{number(found.removed)} +{number(found.added)} lines", tints, own)
