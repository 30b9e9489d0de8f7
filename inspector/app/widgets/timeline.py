"""The timeline strip: chars on the wire of every request, and what happened at each.

The strip answers "where did it blow up", so columns show the maximum of their requests and nothing
is ever smoothed. Figures are kept between repaints: stepping costs O(columns), not O(requests).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import NamedTuple

from textual import events
from textual.message import Message
from textual.reactive import reactive

from inspector.app.frame import Frame
from inspector.app.signs import MARK, strongest
from inspector.app.theme import Ink
from inspector.app.widgets.bars import RISING
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.figures import number, short_number
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.view import Event, SessionView

WIDEST_BAR = 4
"""Cells per request where there are few."""
LABEL_GAP = 2
"""Blank cells between two numbers of the axis, at least."""
BEYOND = "░"
"""What a request held by its usage beside the recorded text: system prompt, tools, pictures, and what
stands in no record of this file."""
_BEYOND_WORDS = " ≈ by usage, beside the recorded text "
_BETWEEN = f" {BEYOND}"


class Series:
    """Size and events of every request; asked for once an update."""

    def __init__(self) -> None:
        self.chars: Sequence[int] = ()
        self.tokens: Sequence[int] = ()
        self.events: Sequence[Event] = ()
        self.peak = 0
        self._view: SessionView | None = None
        self._revision = -1
        self._binned: Binned | None = None
        self._rows: tuple[tuple[Bins, int, int, float | None], list[str]] | None = None

    def take(self, view: SessionView) -> None:
        """Bring the figures up to date with a view."""
        if view is self._view and view.revision == self._revision:
            return
        self.chars, self.tokens, self.events = view.figures()
        self.peak = max(self.chars, default=0)
        self._binned = self._rows = None
        self._view, self._revision = view, view.revision

    def binned(self, layout: Bins) -> Binned:
        """What each cell shows; kept until figures or layout change."""
        if self._binned is None or self._binned.layout != layout:
            spans = [layout.span(cell) for cell in range(layout.cells)]
            self._binned = Binned(
                layout,
                [max(self.chars[first:last], default=0) for first, last in spans],
                [max(self.tokens[first:last], default=0) for first, last in spans],
                [all_of(self.events[first:last]) for first, last in spans],
            )
        return self._binned

    def rows(self, layout: Bins, count: int, top: int, chars_per_token: float | None) -> list[str]:
        """The bars, row by row from the lowest one; kept until figures or scale change.

        A cell above a bar is hatched where the usage of its request reaches at least half into it: what
        was sent there beside the recorded text.

        Args:
            layout: How requests are laid on cells.
            count: Rows.
            top: Chars at the upper edge of the highest one.
            chars_per_token: The measured ratio; None: nothing is hatched.
        """
        under = (layout, count, top, chars_per_token)
        if self._rows is not None and self._rows[0] == under:
            return self._rows[1]
        cells = self.binned(layout)
        eighths = [max(1, round(value * count * 8 / top)) if value else 0 for value in cells.chars]
        ratio = chars_per_token or 0.0
        by_usage = [round(tokens * ratio * count / top) for tokens in cells.tokens]
        rows = [
            "".join(
                BEYOND if height <= row * 8 and row < used else RISING[max(0, min(8, height - row * 8))]
                for height, used in zip(eighths, by_usage, strict=True)
            )
            for row in range(count)
        ]
        self._rows = under, rows
        return rows


class Binned(NamedTuple):
    """What the cells show, each of all its requests."""

    layout: Bins
    chars: list[int]
    """The largest."""
    tokens: list[int]
    """The largest."""
    events: list[Event]
    """All of them."""


def all_of(events: Iterable[Event]) -> Event:
    """Everything that happened at some requests."""
    # The operator of `Event` makes an object a step, a hundred times the cost.
    return Event(reduce(int.__or__, events, 0))


@dataclass(frozen=True, slots=True)
class Bins:
    """How requests are laid on cells."""

    requests: int
    cells: int
    each: int
    """Whole cells per request; 0 where several requests share a cell."""

    def span(self, cell: int) -> tuple[int, int]:
        """First request of a cell and one past its last, counted from 0; empty past the last request."""
        if self.each:
            request = cell // self.each
            return (request, request + 1) if request < self.requests else (self.requests, self.requests)
        return cell * self.requests // self.cells, (cell + 1) * self.requests // self.cells

    @property
    def used(self) -> int:
        """Cells that stand for requests; past them is nothing but the window's line."""
        return self.requests * self.each if self.each else self.cells

    def cells_of(self, request: int) -> tuple[int, int]:
        """First cell of a request and one past its last.

        Args:
            request: From 0.
        """
        first = self.cell_of(request)
        return first, first + max(1, self.each)

    def cell_of(self, request: int) -> int:
        """First cell of a request.

        Args:
            request: From 0.
        """
        if self.each:
            return request * self.each
        return ((request + 1) * self.cells - 1) // self.requests


def bins(requests: int, cells: int) -> Bins:
    """Lay requests on cells: one to four whole cells each, or several requests in a cell."""
    each = min(WIDEST_BAR, cells // requests) if requests else 0
    return Bins(requests, max(1, cells), each)


def axis_labels(layout: Bins, current: int) -> list[tuple[int, int]]:
    """Numbers below the bars and where they begin, from the left.

    The current request always has its number; round numbers stand where they have room.

    Args:
        layout: How requests are laid on cells.
        current: Request shown, from 1.
    """
    widest = len(str(layout.requests)) + LABEL_GAP
    per_cell = layout.requests / layout.cells if not layout.each else 1 / layout.each
    least = per_cell * max(widest, 8)
    step = next(
        s
        for power in range(12)
        for s in (10**power, 2 * 10**power, 5 * 10**power)
        if s >= least or power == 11
    )
    placed: list[tuple[int, int]] = []
    wanted = [current, 1, *range(step, layout.requests + 1, step)]
    for request in wanted:
        label = len(str(request))
        start = layout.cell_of(request - 1)
        if layout.each > 1 or label > 1:
            start = max(0, min(start - (label - 1) // 2, layout.cells - label))
        if all(
            start + label + LABEL_GAP <= other or start >= other + len(str(name)) + LABEL_GAP
            for other, name in placed
        ):
            placed.append((start, request))
    return sorted(placed)


def marked_cells(layout: Bins, marked: Iterable[int], events: Sequence[Event] = ()) -> set[int]:
    """Cells in which a person's marks stand.

    In a bar of several cells it is the one behind the events' cell, so that both are seen. In a bar of
    one cell or less it steps beside an event too, behind it or in front of it; where both cells have
    events of their own, the mark hides the event, which the person has seen already.

    Args:
        layout: How requests are laid on cells.
        marked: Requests, from 1.
        events: What happened in each cell.
    """
    beside = (layout.each + 1) // 2 if layout.each > 1 else 0
    cells = {layout.cell_of(n - 1) + beside for n in marked if 1 <= n <= layout.requests}
    if beside or not events:
        return cells
    out: set[int] = set()
    for cell in sorted(cells):
        near = (c for c in (cell, cell + 1, cell - 1) if c not in out and 0 <= c < len(events))
        out.add(next((c for c in near if strongest(events[c]) is None), cell))
    return out


class Timeline(FixedLines):
    """Bars, marks and axis over all requests; a click picks a request."""

    DEFAULT_CSS = """
    Timeline { height: 2; }
    Timeline.-tall { height: 6; }
    Timeline.-taller { height: 7; }
    """

    frame: reactive[Frame | None] = reactive(None, repaint=False)

    class RequestPicked(Message):
        """A request was clicked on."""

        def __init__(self, request: int) -> None:
            super().__init__()
            self.request = request

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._series = Series()

    # -- geometry -----------------------------------------------------------------------------

    @property
    def _bar_rows(self) -> int:
        """Rows of bars: all but window line, marks and axis where there is room for these."""
        return 1 if self.size.height < 6 else self.size.height - 3

    @property
    def _left(self) -> int:
        return 1 if self.size.height < 6 else 8

    def _layout(self, width: int, requests: int) -> Bins:
        return bins(requests, max(1, width - self._left - 1))

    # -- drawing ------------------------------------------------------------------------------

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw the window line, a row of bars, the marks or the axis."""
        line = Line(ink)
        frame = self.frame
        if frame is None or not frame.request:
            return line
        self._series.take(frame.view)
        layout = self._layout(width, frame.view.request_count)
        window = window_chars(frame.view)
        top = max(window or 0, self._series.peak, 1)
        tall = self.size.height >= 6
        first_bar = 1 if tall else 0
        rows = self._bar_rows
        bars = self._series.rows(layout, rows, top, frame.view.chars_per_token if window else None)
        if y < first_bar:
            self._draw_window(line, frame.view, top, window)
            if BEYOND in "".join(bars):
                _explain_hatch(line, width)
            line.put("┈" * max(0, width - 1 - line.cell), "line")
        elif y < first_bar + rows:
            self._draw_bars(line, layout, frame.request, bars[::-1], y - first_bar, top, window)
        elif y == first_bar + rows:
            self._draw_marks(line, layout, frame)
        else:
            self._draw_axis(line, layout, frame.request)
        return line

    def _draw_window(self, line: Line, view: SessionView, top: int, window: int | None) -> None:
        unit = UNIT_WORDS[view.policy.unit]
        line.right(6, short_number(top), "muted")
        if window is None:
            line.put(f"  largest request {number(top)} {unit} ", "muted")
        elif window < top:
            line.put(f"  largest request {number(top)} {unit}, over the context window ≈ ", "muted")
            line.put(f"{short_number(window)} {unit} ", "muted")
        else:
            line.put(" ").put("┈┈", "line").put(
                f" context window {number(view.window_tokens)} tokens ", "muted"
            )
            line.put(f"≈ {short_number(window)} {unit} ", "muted")

    def _draw_bars(
        self,
        line: Line,
        layout: Bins,
        current: int,
        bars: Sequence[str],
        row: int,
        top: int,
        window: int | None,
    ) -> None:
        rows = self._bar_rows
        from_below = rows - 1 - row
        if rows > 1:
            if from_below == 0:
                line.right(6, "0", "muted")
            elif rows >= 4 and from_below == rows // 2:
                line.right(6, short_number(top // 2), "muted")
        line.to(self._left)
        window_row = None
        if window is not None and window < top:
            window_row = rows - 1 - min(rows - 1, window * rows // top)
        begin, end = layout.cells_of(current - 1)
        for first, last, name, on in (
            (0, begin, "bar", None),
            (begin, end, "accent", "now-column"),
            (end, layout.used, "bar-future", None),
            (layout.used, layout.cells, "over-budget", None),
        ):
            for kind, cells in groupby(bars[row][first:last], lambda cell: cell if cell in _BETWEEN else ""):
                run = "".join(cells)
                if kind == " " and row == window_row:
                    line.put("┈" * len(run), "over-budget", on=on)
                else:
                    line.put(run, "bar-future" if kind == BEYOND else name, on=on)

    def _draw_marks(self, line: Line, layout: Bins, frame: Frame) -> None:
        line.to(self._left)
        seen = self._series.binned(layout).events
        marked = marked_cells(layout, frame.marked, seen)
        for cell, happened in enumerate(seen):
            first, last = layout.span(cell)
            now = first < frame.request <= last
            on = "now-column" if now else None
            sign = None
            if cell in marked:
                sign = MARK
            # An event stands once, in the middle of a bar of several cells.
            elif first < last and (not layout.each or cell % layout.each == (layout.each - 1) // 2):
                sign = strongest(happened)
            if sign is None:
                line.put(" ", on=on)
            else:
                line.put(sign.sign, sign.name, on=on, bold=now or None)

    def _draw_axis(self, line: Line, layout: Bins, current: int) -> None:
        for start, request in axis_labels(layout, current):
            now = request == current
            line.at(self._left + start, str(request), "accent" if now else "muted", bold=now or None)

    # -- input --------------------------------------------------------------------------------

    def watch_frame(self) -> None:
        """Draw the new frame."""
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        """Tell which request was clicked on."""
        offset = event.get_content_offset(self)
        if offset is None or self.frame is None or not self.frame.request:
            return
        layout = self._layout(self.size.width, self.frame.view.request_count)
        cell = offset.x - self._left
        if 0 <= cell < layout.cells:
            first, last = layout.span(cell)
            if first < last:
                largest = max(range(first, last), key=self._series.chars.__getitem__)
                self.post_message(self.RequestPicked(largest + 1))


def _explain_hatch(line: Line, width: int) -> None:
    """Say what the hatch is, where there is room for it."""
    if line.cell + len(_BEYOND_WORDS) + 4 < width:
        line.put("┈┈ ", "line").put(BEYOND, "bar-future").put(_BEYOND_WORDS, "muted")


def window_chars(view: SessionView) -> int | None:
    """The model's window in chars, by the measured ratio; None where either is not known."""
    if view.window_tokens is None or not view.chars_per_token:
        return None
    return round(view.window_tokens * view.chars_per_token)
