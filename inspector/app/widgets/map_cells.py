"""The map's picture of one lifeline: which sign stands in which cell. No widgets, so easy to judge.

A cell stands for one request or for several; then it shows the largest text that was on the wire in
any of them, because what is large is what one looks for. Cost: the cells asked for, not the requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from inspector.app.signs import LEVELS, Sign
from inspector.model.ledger import Level, Lifeline, Span, State

LARGE_CHARS, MIDDLE_CHARS = 30_000, 10_000
"""Sizes from which a full text is drawn heavier."""
FIT = 0
"""The zoom at which all requests have room."""
ZOOMS = (1, 2, 4, FIT)
"""Requests per cell, from near to far."""
LEAST_LABEL_CELLS = 8
"""Cells between two numbers of the axis, at least."""


class Mark(NamedTuple):
    """What stands in one cell."""

    text: str
    name: str
    """Colour token."""


NOTHING = Mark(" ", "fg")
FULL_MARKS = (Mark("█", "fg"), Mark("▇", "bar"), Mark("▆", "bar-future"))
"""A text in full, by size: from 30,000, from 10,000, less."""
PENDING = Mark("?", "fresh")


@dataclass(frozen=True, slots=True)
class Columns:
    """How requests are laid on the cells of a row."""

    requests: int
    cells: int
    each: int
    """Requests per cell; `FIT`: all of them on the cells there are."""
    start: int = 0
    """First request shown, from 0."""

    def span(self, cell: int) -> tuple[int, int]:
        """First request of a cell and one past its last, from 0; empty past the last request."""
        if self.each:
            first = min(self.start + cell * self.each, self.requests)
            return first, min(first + self.each, self.requests)
        return cell * self.requests // self.cells, (cell + 1) * self.requests // self.cells

    def cell_of(self, request: int) -> int | None:
        """The cell of a request; None where it is not in view.

        Args:
            request: From 0.
        """
        if self.each:
            cell = (request - self.start) // self.each
            return cell if 0 <= cell < self.cells and request >= self.start else None
        return ((request + 1) * self.cells - 1) // self.requests if self.requests else None


def columns(requests: int, cells: int, zoom: int, current: int) -> Columns:
    """Lay requests on cells so that the current one stands a third in.

    Args:
        requests: How many there are.
        cells: Cells of a row.
        zoom: One of `ZOOMS`.
        current: Request shown, from 0.
    """
    cells = max(1, cells)
    if zoom == FIT and requests > cells:
        return Columns(requests, cells, FIT)
    each = max(1, zoom)
    needed = -(-requests // each)
    start = max(0, min(current // each - cells // 3, needed - cells))
    return Columns(requests, cells, each, start * each)


def mark_of(span: Span, *, anew: bool = False) -> Mark:
    """How one stretch of a lifeline is drawn.

    Args:
        span: The stretch.
        anew: Whether each request decides again: then one that left it alone has decided too.
    """
    if span.state is State.PENDING and span.level is not Level.GONE and not anew:
        return PENDING
    if span.level in (Level.FULL, Level.EXEMPT):
        return FULL_MARKS[0 if span.chars >= LARGE_CHARS else 1 if span.chars >= MIDDLE_CHARS else 2]
    sign: Sign = LEVELS[span.level]
    return Mark(sign.sign, "ghost" if span.level is Level.GONE else sign.name)


def marks(lifeline: Lifeline, layout: Columns, *, anew: bool = False) -> list[Mark]:
    """The cells of one row.

    Args:
        lifeline: Spans in order; the last one is open.
        layout: How requests are laid on cells.
        anew: Whether each request decides again.
    """
    out = [NOTHING] * layout.cells
    weight = [-1] * layout.cells
    ends = [*(span.start - 1 for span in lifeline[1:]), layout.requests]
    for span, end in zip(lifeline, ends, strict=False):
        first, last = _cells_of(span.start - 1, end, layout)
        mark = mark_of(span, anew=anew)
        size = 0 if span.level is Level.GONE else span.chars + 1
        for cell in range(first, last):
            if size > weight[cell]:
                out[cell], weight[cell] = mark, size
    return out


def _cells_of(first: int, end: int, layout: Columns) -> tuple[int, int]:
    """Cells that a stretch of requests touches; `first` from 0, `end` one past its last."""
    if first >= end or not layout.requests:
        return 0, 0
    if not layout.each:
        return layout.cell_of(first) or 0, (layout.cell_of(end - 1) or 0) + 1
    low = (first - layout.start) // layout.each
    high = (end - 1 - layout.start) // layout.each + 1
    return max(0, low), max(0, min(layout.cells, high))


def axis(layout: Columns, current: int) -> list[tuple[int, int]]:
    """Numbers below the curve and the cells where they begin.

    The current request always has its number; round numbers stand where they have room.

    Args:
        layout: How requests are laid on cells.
        current: Request shown, from 1.
    """
    each = layout.each or max(1, layout.requests / layout.cells)
    least = each * max(LEAST_LABEL_CELLS, len(str(layout.requests)) + 3)
    step = next(s for power in range(13) for s in (10**power, 2 * 10**power, 5 * 10**power) if s >= least)
    first, last = layout.span(0)[0], layout.span(layout.cells - 1)[1]
    rounds = range(-(-(first + 1) // step) * step, last + 1, step)
    placed: list[tuple[int, int]] = []
    for request in (current, *rounds):
        cell = layout.cell_of(request - 1)
        label = len(str(request))
        if cell is None or not 1 <= request <= layout.requests:
            continue
        begin = max(0, min(cell - (label - 1) // 2, layout.cells - label))
        if all(begin + label < at or begin > at + len(str(other)) for at, other in placed):
            placed.append((begin, request))
    return sorted(placed)


def zoom_words(zoom: int, layout: Columns) -> str:
    """What one cell stands for.

    Args:
        zoom: One of `ZOOMS`.
        layout: As it was laid out.
    """
    if layout.each == FIT:
        return f"all requests, 1 cell ≈ {layout.requests / layout.cells:.1f}"
    if zoom == FIT:
        return "all requests, 1 cell = 1"
    return "1 cell = 1 request" if zoom == 1 else f"1 cell = {zoom} requests"


def runs(cells: Sequence[Mark]) -> list[Mark]:
    """Neighbouring cells of one look as one mark of several characters."""
    out: list[Mark] = []
    for text, name in cells:
        if out and out[-1].name == name:
            out[-1] = Mark(out[-1].text + text, name)
        else:
            out.append(Mark(text, name))
    return out
