"""`SentenceBar`: the bottom line of a screen, as high as the sentence that it says.

A sentence that explains why one stands here is worth more than the rows above it; hints are not, so
they give up words instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.drawing import Line
from inspector.app.widgets.fact_lines import wrapped
from inspector.text import cells, fit

MOST_ROWS = 4
"""Rows of the longest sentence; what is longer ends with `…`."""


class SentenceBar(Bar):
    """Hints in one row, or a sentence in as many as it needs."""

    DEFAULT_CSS = "SentenceBar { height: auto; }"

    def __init__(self, right: Sequence[Word] = (), *, ground: str = "bg", id: str | None = None) -> None:
        """Make a bar without words.

        Args:
            right: Words at the right edge of the last row.
            ground: Token of the background.
            id: The widget's id.
        """
        super().__init__(right=right, ground=ground, id=id)
        self._rows: list[str] = []

    def show(self, left: Sequence[Word] = (), right: Sequence[Word] = ()) -> None:
        """Draw hints in one row."""
        self._set_rows([])
        super().show(left, right)

    def say(self, sentence: str, width: int, right: Sequence[Word] = ()) -> None:
        """Say a sentence, wrapped.

        Args:
            sentence: Anything; it passes the gate when it is drawn.
            width: Cells of the screen.
            right: Words at the right edge of the last row.
        """
        super().show([Word(sentence, "strong")], right)
        beside = sum(cells(word.text) + word.gap for word in right)
        rows = wrapped(sentence, width - 3 - beside)
        if len(rows) > MOST_ROWS:
            rows = [*rows[: MOST_ROWS - 1], fit(" ".join(rows[MOST_ROWS - 1 :]), width - 3 - beside)]
        self._set_rows(rows if len(rows) > 1 else [])

    def _set_rows(self, rows: list[str]) -> None:
        if rows != self._rows:
            self._rows = rows
            self.styles.height = max(1, len(rows))
            self.refresh()

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw one row; the words at the right stand in the last one."""
        if not self._rows:
            return super().draw_line(y, width, ink)
        line = Line(ink, self.ground)
        if y < len(self._rows):
            line.at(1, self._rows[y], "strong")
        if y == len(self._rows) - 1:
            line.to(width - 1 - sum(cells(w.text) + (w.gap if at else 0) for at, w in enumerate(self._right)))
            for at, word in enumerate(self._right):
                line.to(line.cell + (word.gap if at else 0)).put(word.text, word.name, bold=word.bold or None)
        return line
