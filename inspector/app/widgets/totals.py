"""`TotalsTable`: what two policies send in all, the difference, and the trade in words."""

from __future__ import annotations

from collections.abc import Mapping

from inspector.app.theme import Ink
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.app.widgets.fact_lines import wrapped
from inspector.figures import count_words
from inspector.replay.differences import Comparison
from inspector.replay.trade import trade_sentence
from inspector.report.compare import total_rows
from inspector.text import cells, fit

_WIDE = 60
"""Width from which both figures have room beside the difference."""
_SHORT: Mapping[str, str] = {
    "≈ sent in all, tokens": "≈ tokens", "≈ first over window": "≈ over window", "results aged": "aged",
    "replaced on the wire": "replaced", "replaced in the ledger": "in ledger", "prefix breaks": "breaks",
    "≈ sent uncached": "≈ uncached",
}  # fmt: skip
_LOOKS: Mapping[int, tuple[str, bool | None]] = {
    1: ("ok", True), -1: ("over-budget", True), 0: ("muted", None),
}  # fmt: skip
"""Whether the second policy is better → colour token and weight of the difference."""


def _short(label: str) -> str:
    """A label where there is little room; of the sizes only the sum names its unit."""
    what, _, unit = label.partition(", ")
    if what.endswith("sent in all") and unit != "tokens":
        return f"{what.removesuffix(' in all')}, {unit}"
    return _SHORT.get(label) or _SHORT.get(what, what)


class TotalsTable(FixedLines):
    """A head, rows of figures, and below them the trade in words."""

    DEFAULT_CSS = "TotalsTable { height: 1fr; }"

    def __init__(self, a: str, b: str, *, sentence: bool = True, id: str | None = None) -> None:
        """Make an empty table.

        Args:
            a: What the first policy is called.
            b: What the second policy is called.
            sentence: Whether the trade in words stands below.
            id: The widget's id.
        """
        super().__init__(id=id)
        self._names = (a, b)
        self._sentence = sentence
        self._comparison: Comparison | None = None
        self._waiting = ""
        self._about: tuple[str, str] = ("", "")

    def show(self, comparison: Comparison | None, waiting: str = "") -> None:
        """Draw other figures.

        Args:
            comparison: The figures; None keeps those shown.
            waiting: What is being waited for; empty: nothing.
        """
        self._comparison = comparison or self._comparison
        self._waiting = waiting
        self.refresh()

    def explain(self, title: str, sentence: str) -> None:
        """Say something at the end of the table.

        Args:
            title: What it is about.
            sentence: Anything; it passes the gate when it is drawn.
        """
        self._about = (title, sentence)
        self.refresh()

    @property
    def plain(self) -> str:
        """What the table says, for tests."""
        if self._comparison is None:
            return self._waiting
        rows = ["  ".join(row[:4]) for row in total_rows(self._comparison)]
        return "\n".join([*rows, self.trade])

    @property
    def trade(self) -> str:
        """The trade in words."""
        return trade_sentence(self._comparison, *self._names) if self._comparison is not None else ""

    @property
    def short_trade(self) -> str:
        """The same without what the figures say already."""
        return f"{self.trade.partition(';')[0].rstrip('.')}." if self.trade else ""

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw the head, a row of figures, or a row of the sentences."""
        if y == 0:
            return self._draw_head(width, ink)
        line = Line(ink)
        found = self._comparison
        if found is None:
            return line.at(2, fit(self._waiting, width - 3), "muted") if y == 1 else line
        rows = total_rows(found)
        if y <= len(rows):
            self._draw_row(line, rows[y - 1], width)
            return line
        return self._draw_words(line, y - len(rows) - 1, self.size.height - len(rows) - 1, width)

    def _edges(self, width: int) -> tuple[int, int, int]:
        found = self._comparison
        rows = total_rows(found) if found is not None else []
        room = (
            max((cells(right) for _, _, right, _, _ in rows), default=0) + 1,
            max((cells(words) for _, _, _, words, _ in rows), default=0) + 1,
        )
        if width >= _WIDE:
            third = width - 3
            second = third - max(14, room[1])
            return second - max(14, room[0]), second, third
        return -1, width - 2 - max(11, room[1]), width - 2

    def _draw_head(self, width: int, ink: Ink) -> Line:
        line = Line(ink, "surface")
        words = self._waiting
        if not words and self._comparison is not None:
            words = f"over {count_words(self._comparison.b_totals.requests, 'request')}"
        a, b, difference = self._edges(width)
        line.at(2, fit(words, max(0, (a if a > 0 else b) - 10)), "accent" if self._waiting else "muted")
        if a > 0:
            line.right(a, self._names[0], "muted")
        return line.right(b, self._names[1], "muted").right(difference, "difference", "muted")

    def _draw_row(self, line: Line, row: tuple[str, str, str, str, int], width: int) -> None:
        label, left, right, words, better = row
        a, b, difference = self._edges(width)
        if a < 0:
            right = right.replace("request ", "req ")
            label = fit(_short(label), b - cells(right) - 2)
        elif cells(label) + cells(left) > a - 2:
            label = _short(label)
        line.at(2, label, "fg")
        if a > 0:
            line.right(a, left, "muted")
        line.right(b, right, "fg")
        name, bold = _LOOKS[better]
        line.right(difference, words, name, bold=bold)

    def _draw_words(self, line: Line, row: int, room: int, width: int) -> Line:
        rows: list[tuple[str, str, bool | None]] = []
        if self._sentence:
            trade = self.trade if width >= _WIDE else self.short_trade
            rows += [(text, "strong", None) for text in wrapped(trade, width - 4)]
        title, about = self._about
        if title:
            rows.append((title, "accent", True))
            rows += [(text, "muted", None) for text in wrapped(about, width - 4)]
        # The trade stays; the rest is cut.
        gap = 1 if room > len(rows) else 0
        if gap <= row < len(rows) + gap:
            text, name, bold = rows[row - gap]
            line.at(2, text, name, bold=bold)
            if row == room - 1 and len(rows) + gap > room:
                line.at(min(line.cell + 1, width - 1), "…", "accent")
        return line
