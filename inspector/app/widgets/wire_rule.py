"""The rule under the facts of the wire: how much of the request is as it was sent before, by size.

What did not change always stands in front of the break, so three lengths say it all: unchanged, behind
the break, new.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspector.app.theme import Ink
from inspector.app.widgets.drawing import Line, OneLine
from inspector.session.wire_view import Mark, WireView

UNCHANGED, AFTER = "━", "╍"
"""A broken line is a broken prefix, and what is new was not cached either."""
_PARTS = (
    ((Mark.SAME,), UNCHANGED, "ok"),
    ((Mark.CHANGED, Mark.AFTER), AFTER, "prefix-break"),
    ((Mark.NEW,), AFTER, "fresh"),
)
"""Marks of the blocks of each part, its sign and its colour token."""


class WireRule(OneLine):
    """One row, blank while there is no request or nothing in it."""

    view: WireView | None = None
    """The request."""

    def draw(self, width: int, ink: Ink) -> Line:
        """Draw the three lengths, with a cell of margin at both edges."""
        line = Line(ink).to(1)
        if self.view is None:
            return line
        sizes = [self.view.chars_of(*marks) for marks, _, _ in _PARTS]
        for cells, (_, sign, name) in zip(shares(sizes, width - 2), _PARTS, strict=True):
            line.put(sign * cells, name)
        return line


def shares(sizes: Sequence[int], cells: int) -> list[int]:
    """How a row is divided: in proportion, but nothing that is there gets less than a cell.

    Args:
        sizes: Of the parts, in one unit.
        cells: Length of the row.

    Returns:
        Cells of each part; they add up to the row, or to nothing where all parts are empty.
    """
    total = sum(sizes)
    if not total:
        return [0] * len(sizes)
    out = [max(1, round(size * cells / total)) if size else 0 for size in sizes]
    largest = out.index(max(out))
    out[largest] = max(0, out[largest] + cells - sum(out))
    return out
