"""`Curve`: chars on the wire over the requests as rising bars, one row high or several."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.app.theme import Ink
from inspector.app.widgets.bars import RISING
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.figures import number, short_number
from inspector.model.policy import Unit
from inspector.replay.sentences import UNIT_WORDS

_LABEL_CELLS = 9


def columns(values: Sequence[int], width: int) -> list[int]:
    """Values laid on cells: the maximum where several share one, stretched where there are fewer.

    Args:
        values: One per request.
        width: Cells.
    """
    count = len(values)
    if not count:
        return []
    return [
        max(values[i * count // width : max((i + 1) * count // width, i * count // width + 1)])
        for i in range(width)
    ]


def bar_row(heights: Sequence[int], top: int, row: int, rows: int) -> str:
    """One row of rising bars.

    Args:
        heights: Value of each cell.
        top: Value that fills all rows.
        row: Row, from 0 at the top.
        rows: Number of rows.
    """
    below = (rows - 1 - row) * 8
    eighths = (max(round(h * rows * 8 / top), 1 if h else 0) - below if top else 0 for h in heights)
    return "".join(RISING[max(0, min(8, e))] for e in eighths)


class Curve(FixedLines):
    """The curve of one session with its scale; the last row is the axis."""

    DEFAULT_CSS = "Curve { height: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._values: Sequence[int] = ()
        self._window: int | None = None
        self._unit = UNIT_WORDS[Unit.CODE_POINTS]

    def show(self, values: Sequence[int], window_chars: int | None, unit: Unit) -> None:
        """Draw another session.

        Args:
            values: Size on the wire per request.
            window_chars: The model's window in the same unit, where it is known.
            unit: What they are counted in.
        """
        self._values, self._window, self._unit = values, window_chars, UNIT_WORDS[unit]
        self.refresh()

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw a row of bars with its label, or the axis."""
        line = Line(ink)
        rows = self.size.height - 1
        room = width - _LABEL_CELLS - 1
        if not self._values or rows < 2 or room < 8 or y > rows:
            return line
        peak = max(self._values)
        top = max(peak, self._window or 0)
        if y == rows:
            last = str(len(self._values))
            return line.at(_LABEL_CELLS, "1", "muted").right(width - 2, last, "muted")
        if y == 0:
            line.right(_LABEL_CELLS - 2, short_number(top), "muted")
        elif y == rows - 1:
            line.right(_LABEL_CELLS - 2, "0", "muted")
        heights = columns(self._values, room)
        line.at(_LABEL_CELLS, bar_row(heights, top, y, rows), "bar")
        if y == 0 and top > peak:
            words = f" context window ≈ {number(top)} {self._unit} "
            line = Line(ink).right(_LABEL_CELLS - 2, short_number(top), "muted")
            line.at(_LABEL_CELLS, "┄" * 3, "ghost").put(words, "muted")
            line.put("┄" * max(0, width - 1 - line.cell), "ghost")
        return line
