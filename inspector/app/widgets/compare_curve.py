"""The curves of two policies in one picture: B solid, a hatch where A is above it, another where B is.

The hatch is what B saves, so the eye finds the requests where the policies differ, and how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.message import Message

from inspector.app.theme import Ink
from inspector.app.widgets.bars import RISING
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.app.widgets.timeline import Bins, axis_labels, bins
from inspector.figures import short_number
from inspector.replay.differences import Comparison, RequestDifference

_LEFT = 8
"""Cells of the scale."""
SOLID, SAVED, MORE = "█", "░", "▒"
"""B; A above B; B above A."""

_WINDOW, _SAID_AT = " window ", 2
"""What the line of the context window is called, and its cell in it, where no bar stands in its way."""


class CompareCurve(FixedLines):
    """Bars of both policies over all requests, with the window and the request numbers."""

    DEFAULT_CSS = "CompareCurve { height: 1fr; }"

    class RequestPicked(Message):
        """A request was clicked on."""

        def __init__(self, request: int) -> None:
            super().__init__()
            self.request = request

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._comparison: Comparison | None = None
        self._request = 1
        self._binned: tuple[Bins, list[tuple[int, int]]] | None = None

    def show(self, comparison: Comparison | None, request: int) -> None:
        """Draw another comparison, or another request of it."""
        if comparison is not self._comparison:
            self._binned = None
        self._comparison, self._request = comparison, request
        self.refresh()

    def _columns(self, width: int, rows: Sequence[RequestDifference]) -> tuple[Bins, list[tuple[int, int]]]:
        """Sizes of A and B in each cell: those of the request in which the larger one is largest."""
        layout = bins(len(rows), max(1, width - _LEFT - 2))
        if self._binned is None or self._binned[0] != layout:
            sizes = []
            for cell in range(layout.cells):
                first, last = layout.span(cell)
                top = max(rows[first:last], key=lambda r: max(r.a_chars, r.b_chars), default=None)
                sizes.append((top.a_chars, top.b_chars) if top is not None else (0, 0))
            self._binned = (layout, sizes)
        return self._binned

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw a row of bars with its scale, or the request numbers."""
        line = Line(ink)
        found = self._comparison
        rows = self.size.height - 1
        if found is None or not found.requests or rows < 1:
            return line
        layout, sizes = self._columns(width, found.requests)
        if y == rows:
            for start, request in axis_labels(layout, self._request):
                now = request == self._request
                line.at(_LEFT + start, str(request), "accent" if now else "muted", bold=now or None)
            return line
        peak = max(found.a_totals.peak_chars, found.b_totals.peak_chars, 1)
        window = found.window_chars or 0
        top = max(peak, window if window <= 2 * peak else 0)
        window_row = rows - 1 - min(rows - 1, (window * rows - 1) // top) if 0 < window <= top else None
        below = rows - 1 - y
        if y == window_row:
            line.right(_LEFT - 2, short_number(window), "muted")
        elif y == 0 and (window_row is None or window_row > 1):
            line.right(_LEFT - 2, short_number(top), "muted")
        elif below == 0:
            line.right(_LEFT - 2, "0", "muted")
        line.to(_LEFT)
        scale = _Scale(below, rows, top, window if y == window_row else None)
        said = scale.window is not None and all(
            scale.eighths(max(pair)) <= 0 for pair in sizes[: 2 * _SAID_AT + len(_WINDOW)]
        )
        for cell, (a, b) in enumerate(sizes):
            if said and 0 <= cell - _SAID_AT < len(_WINDOW):
                line.put(_WINDOW[cell - _SAID_AT], "muted")
                continue
            first, last = layout.span(cell)
            solid = "accent" if first < self._request <= last else "bar"
            _draw_cell(
                line, a, b, scale, solid if last <= self._request or solid == "accent" else "bar-future"
            )
        return line

    def on_click(self, event: events.Click) -> None:
        """Tell which request was clicked on."""
        offset = event.get_content_offset(self)
        if offset is None or self._comparison is None or not self._comparison.requests:
            return
        layout, _ = self._columns(self.size.width, self._comparison.requests)
        cell = offset.x - _LEFT
        if 0 <= cell < layout.cells:
            first, last = layout.span(cell)
            if first < last:
                self.post_message(self.RequestPicked(first + 1))


class _Scale(NamedTuple):
    """What a row of cells stands for."""

    below: int
    """Rows below it."""
    rows: int
    top: int
    """Size that fills all rows."""
    window: int | None
    """The context window, where its line lies in this row."""

    def eighths(self, size: int) -> int:
        """Eighths of this row's cell, and of those above it, that a bar fills."""
        return (max(1, round(size * self.rows * 8 / self.top)) if size else 0) - self.below * 8


def _draw_cell(line: Line, a: int, b: int, scale: _Scale, solid: str) -> None:
    low, high = scale.eighths(min(a, b)), scale.eighths(max(a, b))
    if low >= 8:
        line.put(SOLID, solid)
    elif low > 0 and (a >= b or high < 4):
        # A cell that is half solid cannot be half hatched: its background says the rest.
        line.put(RISING[low], solid, on="saved" if high > low else None)
    elif low >= 4:
        line.put(SOLID, solid)
    elif high >= 4:
        line.put(*((SAVED, "must-reapply") if a > b else (MORE, "over-budget")))
    elif scale.window is not None:
        line.put("┈", "over-budget" if a > scale.window >= b else "ghost")
    else:
        line.put(" ")
