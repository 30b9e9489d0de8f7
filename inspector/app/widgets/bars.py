"""Bars of the budget column: thick ones for groups, thin ones for results, on one scale.

Solid is on the wire, hatch or dashes were replaced and are kept on disk. One cell is the same
number of chars on every row, so lengths can be compared down the column.
"""

from __future__ import annotations

from typing import NamedTuple

EIGHTHS = " ▏▎▍▌▋▊▉█"
"""Left-aligned blocks of 0 to 8 eighths of a cell."""
RISING = " ▁▂▃▄▅▆▇█"
"""Blocks of 0 to 8 eighths that stand on the lower edge."""
BEYOND_CELLS = 3
"""Cells behind the limit in the ledger: enough for a fifth over it."""


class Cell(NamedTuple):
    """One cell of a bar."""

    text: str
    name: str
    """Colour token."""
    on: str = ""
    """Background token; empty for the row's own."""


def group_bar(
    kept: int, replaced: int, limit: int, *, now: bool, width: int, room: int = BEYOND_CELLS
) -> list[Cell]:
    """The bar of one group: `width` cells up to the limit, its tick, and some cells beyond.

    Args:
        kept: Counted chars that stay in full.
        replaced: Counted chars (full sizes) that were replaced.
        limit: Chars that the cells before the tick stand for.
        now: Whether the request shown decides this group.
        width: Cells before the tick.
        room: Cells behind the tick; what goes further ends in `►`.
    """
    scale = width / limit if limit > 0 else 0.0
    eighths = round(kept * scale * 8)
    if kept and not eighths:
        eighths = 1
    end = (kept + replaced) * scale
    over = limit > 0 and kept + replaced > limit
    hatch = "replaced" if now else "must-reapply"
    # A replaced part that is too small for a cell of its own still shows, behind the solid part.
    last = max(round(end), -(-eighths // 8) + 1) if replaced else 0
    cells = [_group_cell(i, eighths, last, hatch) for i in range(width)]
    cells.append(Cell("│", "over-budget" if now else "muted") if over else Cell("┊", "line"))
    beyond = max(1, round(end - width)) if over else 0
    for i in range(room):
        if i >= beyond:
            cells.append(Cell(" ", "fg"))
        elif i == room - 1 and beyond > room:
            cells.append(Cell("►", "over-budget" if now else "muted"))
        elif now:
            cells.append(Cell("▒", "over-budget"))
        else:
            solid = kept * scale > width + i
            cells.append(Cell("█", "bar") if solid else Cell("░", "must-reapply"))
    return cells


def _group_cell(i: int, eighths: int, last: int, hatch: str) -> Cell:
    filled = max(0, min(8, eighths - i * 8))
    if filled == 8:
        return Cell("█", "bar")
    if filled:
        return Cell(EIGHTHS[filled], "bar", "saved" if last > i + 1 else "")
    return Cell("░", hatch) if i < last else Cell(" ", "fg")


def result_bar(chars: int, limit: int, *, replaced: bool, width: int) -> str:
    """The thin bar of one result from the left edge, on the scale of the groups.

    Args:
        chars: Its size.
        limit: Chars that `width` cells stand for.
        replaced: Whether it is drawn as dashes.
        width: Cells before the limit's tick.

    Returns:
        At most `width` cells; what goes beyond the limit is for the group's bar to show.
    """
    if chars <= 0 or limit <= 0:
        return ""
    length = min(chars * width / limit, float(width))
    if replaced:
        return "╌" * max(1, round(length))
    halves = max(1, round(length * 2))
    return "━" * (halves // 2) + "╸" * (halves % 2)
