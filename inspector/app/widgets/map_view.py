"""The map: results by requests, one cell per state, with its head and its legend.

Rows are drawn when they become visible, cells when they are in view, so moving costs what is on the
screen, at 5,000 results by 2,000 requests as at ten by ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.message import Message

from inspector.app.signs import LEVELS, strongest
from inspector.app.theme import Ink
from inspector.app.widgets.bars import RISING
from inspector.app.widgets.columns import WIDE
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.map_cells import (
    FULL_MARKS,
    LARGE_CHARS,
    NOTHING,
    Columns,
    Mark,
    axis,
    columns,
    marks,
    runs,
)
from inspector.app.widgets.timeline import Series, all_of, window_chars
from inspector.figures import number
from inspector.model.ledger import Level
from inspector.replay.sentences import UNIT_HEADS
from inspector.replay.view import ResultOutline, SessionView
from inspector.text import fit, fit_argument

LABEL_CELLS, NARROW_LABEL_CELLS = 36, 22
"""Cells in front of the map: turn, tool, argument, size; below 100 columns without the argument."""
LONGEST_TOOL_CELLS = 12


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things stand in a row."""

    turn_edge: int
    tool: int
    argument: int
    argument_cells: int
    """0 where there is no room for it."""
    chars_edge: int
    left: int
    """First cell of the map."""
    cells: int
    """Cells of the map."""


def layout_for(width: int, turns: int) -> Layout:
    """The columns of a row.

    Args:
        width: Cells of the row.
        turns: Highest turn; its digits need room.
    """
    edge = max(3, 1 + len(str(turns)))
    wide = width >= WIDE
    extra = edge - 3
    label = (LABEL_CELLS + max(0, width - 120) // 4 if wide else NARROW_LABEL_CELLS) + extra
    tool = edge + 2
    argument = tool + 6
    return Layout(
        turn_edge=edge,
        tool=tool,
        argument=argument,
        argument_cells=max(0, label - 11 - argument) if wide else 0,
        chars_edge=label - 2,
        left=label,
        cells=max(1, width - label - 1),
    )


class MapRows:
    """Rows of the map as of one request and one zoom (`line_view.Rows`)."""

    def __init__(
        self, view: SessionView, rows: Sequence[ResultOutline], revision: int, zoom: int, request: int
    ) -> None:
        """Args:
        view: The session.
        rows: What stands in the rows.
        revision: Rises with every change of anything here.
        zoom: One of `map_cells.ZOOMS`.
        request: Request under the cursor, from 1.
        """
        self.view = view
        self.rows = rows
        self.revision = revision
        self.zoom = zoom
        self.request = request
        self.turns = max((row.turn for row in rows[-1:]), default=1)

    def __len__(self) -> int:
        return len(self.rows)

    def columns(self, width: int) -> Columns:
        """How requests are laid on the cells of a row of some width."""
        cells = layout_for(width, self.turns).cells
        return columns(self.view.request_count, cells, self.zoom, self.request - 1)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Labels, then one cell per request in view."""
        result = self.rows[row]
        layout = layout_for(width, self.turns)
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent")
        self._draw_label(line, result, layout, selected)
        line.to(layout.left)
        shown = marks(
            self.view.lifeline(result.index), self.columns(width), anew=not self.view.policy.budget.ledger
        )
        cross = self.columns(width).cell_of(self.request - 1)
        if cross is not None and shown[cross] is NOTHING:
            shown[cross] = Mark("┊", "accent")
        for text, name in runs(shown):
            line.put(text, "bar" if selected and name == "bar-future" else name)
        return line.segments

    @staticmethod
    def _draw_label(line: Line, result: ResultOutline, layout: Layout, selected: bool) -> None:
        large = (result.chars or 0) >= LARGE_CHARS
        line.right(layout.turn_edge, str(result.turn), "muted")
        # A long name takes room of its argument: cut to five cells, names of servers are all alike.
        room = layout.chars_edge - layout.tool - 9
        tool = fit(result.tool or "(no call)", min(room, LONGEST_TOOL_CELLS), "end")
        line.at(layout.tool, tool, "fg", bold=selected)
        if layout.argument_cells:
            start = max(layout.argument, line.cell + 1)
            left = layout.argument + layout.argument_cells - start
            line.at(start, fit_argument(result.argument, max(0, left)), "muted")
        size = number(result.chars)
        line.right(layout.chars_edge, size, "strong" if large else "muted", bold=large or None)


class MapView(LineView):
    """The rows; a click also tells which request was clicked on."""

    class CellPicked(Message):
        """A cell of the map was clicked on."""

        def __init__(self, request: int) -> None:
            super().__init__()
            self.request = request

    def request_at(self, cell: int) -> int | None:
        """The request of a cell of the widget; the largest one where it stands for several.

        Args:
            cell: From the left edge of the widget.
        """
        rows = self.rows
        if not isinstance(rows, MapRows):
            return None
        width = self.size.width
        at = cell - layout_for(width, rows.turns).left
        first, last = rows.columns(width).span(at) if at >= 0 else (0, 0)
        return first + 1 if first < last else None

    def on_click(self, event: events.Click) -> None:
        """Tell the request; Textual calls the list's own handler, which moves the cursor, after this."""
        offset = event.get_content_offset(self)
        request = self.request_at(offset.x) if offset is not None else None
        if request is not None:
            self.post_message(self.CellPicked(request))


class MapHead(FixedLines):
    """Curve, events and request numbers above the map, in its columns."""

    DEFAULT_CSS = "MapHead { height: 4; }"

    class RequestPicked(Message):
        """A request was clicked on."""

        def __init__(self, request: int) -> None:
            super().__init__()
            self.request = request

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._series = Series()
        self._rows: MapRows | None = None

    def show(self, rows: MapRows) -> None:
        """Draw above other rows."""
        self._rows = rows
        self.refresh()

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw a row of the curve, the events or the numbers."""
        line = Line(ink)
        rows = self._rows
        if rows is None or not rows.request:
            return line
        self._series.take(rows.view)
        layout = layout_for(width, rows.turns)
        shown = rows.columns(width)
        bars = self.size.height - 2
        if y == bars - 1:
            unit = UNIT_HEADS[rows.view.policy.unit]
            line.right(layout.chars_edge, f"{unit} on the wire" if width >= WIDE else "on the wire", "muted")
        elif y == bars:
            line.right(layout.chars_edge, "events", "muted")
        elif y > bars:
            line.right(layout.chars_edge, "request", "muted")
        line.to(layout.left)
        if y < bars:
            self._draw_bars(line, rows, shown, bars - 1 - y, bars)
        elif y == bars:
            self._draw_events(line, rows, shown)
        else:
            for at, request in axis(shown, rows.request):
                now = request == rows.request
                line.at(layout.left + at, str(request), "accent" if now else "muted", bold=now or None)
        return line

    def _draw_bars(self, line: Line, rows: MapRows, shown: Columns, below: int, bars: int) -> None:
        window = window_chars(rows.view) or 0
        top = max(self._series.peak, min(window, self._series.peak * 2), 1)
        for cell in range(shown.cells):
            first, last = shown.span(cell)
            value = max(self._series.chars[first:last], default=0)
            eighths = max(1, round(value * bars * 8 / top)) if value else 0
            now = first < rows.request <= last
            line.put(RISING[max(0, min(8, eighths - below * 8))], "accent" if now else "bar")

    def _draw_events(self, line: Line, rows: MapRows, shown: Columns) -> None:
        for cell in range(shown.cells):
            first, last = shown.span(cell)
            sign = strongest(all_of(self._series.events[first:last]))
            now = first < rows.request <= last
            line.put(sign.sign if sign else " ", sign.name if sign else "fg", bold=now or None)

    def on_click(self, event: events.Click) -> None:
        """Tell which request was clicked on."""
        offset = event.get_content_offset(self)
        if offset is None or self._rows is None:
            return
        width = self.size.width
        at = offset.x - layout_for(width, self._rows.turns).left
        first, last = self._rows.columns(width).span(at) if at >= 0 else (0, 0)
        if first < last:
            self.post_message(self.RequestPicked(first + 1))


class MapLegend(FixedLines):
    """What the signs mean, and which rows are in view."""

    ground = "surface"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._right = ""

    def show(self, words: str) -> None:
        """Draw other words at the right edge."""
        self._right = words
        self.refresh()

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the signs; the words at the right edge go first where there is no room."""
        line = Line(ink, "surface").at(2, "full ", "muted")
        sizes = ("30,000+", "10,000+", "less") if width >= WIDE else ("30 K+", "10 K+", "less")
        for mark, size in zip(FULL_MARKS, sizes, strict=True):
            line.put(mark.text, mark.name).put(f" {size}  ", "muted")
        words = {
            Level.PREVIEW: "preview, rest on disk" if width >= 110 else "preview",
            Level.TRUNCATED: "truncated",
            Level.SUMMARIZED: "one line",
            Level.GONE: "gone",
        }
        for level, word in words.items():
            line.put(LEVELS[level].sign, LEVELS[level].name).put(f" {word}  ", "muted")
        if self._right and line.cell + len(self._right) + 1 < width:
            line.right(width - 2, self._right, "muted")
        return line
