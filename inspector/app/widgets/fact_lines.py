"""`FactLines`: labels and sentences on the selected thing, wrapped into the rows there are."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.app.theme import Ink
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.text import fit, printable_line, wrap_starts

SENTENCE_CHARS = 2_000
"""A longer sentence is cut: facts are to be read at a glance."""


def wrapped(sentence: str, width: int) -> list[str]:
    """A sentence as rows, broken between words where it has any.

    Args:
        sentence: Anything; it passes the gate as one line.
        width: Cells per row.
    """
    line = printable_line(sentence[:SENTENCE_CHARS])
    width = max(2, width)
    rows: list[str] = []
    while line:
        starts = wrap_starts(line, width)
        end = starts[1] if len(starts) > 1 else len(line)
        blank = line.rfind(" ", 1, end) if end < len(line) else -1
        cut = blank + 1 if blank > 0 else end
        rows.append(line[:cut].rstrip())
        line = line[cut:]
    return rows or [""]


class FactLines(FixedLines):
    """A few labelled sentences; the label column is as wide as its longest label."""

    DEFAULT_CSS = "FactLines { height: 1fr; }"

    def __init__(self, *, indent: int = 1, id: str | None = None) -> None:
        """Make an empty block.

        Args:
            indent: Cells before the labels.
            id: The widget's id.
        """
        super().__init__(id=id)
        self._indent = indent
        self._facts: Sequence[tuple[str, str]] = ()
        self._rows: list[tuple[str, int, str]] = []
        self._key: tuple[object, int] | None = None

    def show(self, facts: Sequence[tuple[str, str]]) -> None:
        """Draw other facts.

        Args:
            facts: Label and sentence; untrusted. A sentence without a label takes the whole width.
        """
        self._facts = tuple(facts)
        self.refresh()

    @property
    def plain(self) -> str:
        """What it says, for tests."""
        return "\n".join(f"{label} {sentence}".strip() for label, sentence in self._facts)

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw a row; the last one tells where there are more than have room."""
        line = Line(ink, self.ground)
        labels = max((len(label) for label, _ in self._facts), default=0)
        text_at = self._indent + (min(labels, 16) + 2 if labels else 0)
        if self._key != (self._facts, width):
            self._key = (self._facts, width)
            self._rows = [
                (label if n == 0 else "", text_at if label else self._indent, row)
                for label, sentence in self._facts
                for n, row in enumerate(wrapped(sentence, width - (text_at if label else self._indent) - 1))
            ]
        if y < len(self._rows):
            label, start, row = self._rows[y]
            line.at(self._indent, fit(label, 16), "muted").at(start, row)
            if y == self.size.height - 1 and len(self._rows) > y + 1:
                line.at(min(line.cell + 1, width - 1), "…", "accent")
        return line
