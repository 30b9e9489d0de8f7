"""`Bar`: one row of words at the left and right edge; heads, facts lines and key hints are bars.

It is drawn as segments like the lists are, so untrusted words in it take the same way through the
gate, and it gives up whole words when it is narrow instead of cutting the last one in half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from inspector.app.theme import Ink
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.text import cells, fit, printable_line

_LONG = 12
"""Cells from which a word may be cut instead of dropped."""


class Word(NamedTuple):
    """A word or phrase of a bar."""

    text: str
    """Anything; it passes the gate when it is drawn."""
    name: str = "fg"
    """Colour token."""
    bold: bool = False
    gap: int = 2
    """Blank cells before it, where it is not the first."""
    whole: bool = False
    """Whether it is dropped rather than cut: half of it, such as a name without its figure, misleads."""


def hints(pairs: Iterable[tuple[str, str]]) -> list[Word]:
    """Key hints: the key in the accent colour, the word muted.

    Args:
        pairs: Key and word, the most needed first.
    """
    out: list[Word] = []
    for key, word in pairs:
        out += (Word(key, "accent", bold=True), Word(word, "muted", gap=1))
    return out


HELP = tuple(hints([("?", "keys")]))
"""Stays at the right edge of every line of hints."""


class Bar(FixedLines):
    """One row of words."""

    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"

    def __init__(
        self,
        left: Sequence[Word] = (),
        right: Sequence[Word] = (),
        *,
        ground: str = "bg",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Make a bar.

        Args:
            left: Words from the left edge, dropped from the right when they do not fit.
            right: Words at the right edge; they stay.
            ground: Token of the background.
            id: The widget's id.
            classes: The widget's classes.
        """
        super().__init__(id=id, classes=classes)
        self.ground = ground
        self._left = tuple(left)
        self._right = tuple(right)

    def show(self, left: Sequence[Word] = (), right: Sequence[Word] = ()) -> None:
        """Draw other words.

        Args:
            left: Words from the left edge.
            right: Words at the right edge.
        """
        if (tuple(left), tuple(right)) != (self._left, self._right):
            self._left, self._right = tuple(left), tuple(right)
            self.refresh()

    @property
    def plain(self) -> str:
        """What the bar says, left and right, for tests and screen readers."""
        return "  ".join(word.text for word in self._left + self._right)

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw the words; those at the right edge first get their room."""
        line = Line(ink, self.ground)
        if y:
            return line
        right = _laid_out(self._right, width - 2)
        right_cells = sum(gap + cells(text) for gap, text, _ in right)
        room = width - 2 - right_cells - (2 if right else 0)
        for edge, words in ((1, _laid_out(self._left, room)), (width - 1 - right_cells, right)):
            line.to(edge)
            for gap, text, word in words:
                line.to(line.cell + gap).put(text, word.name, bold=word.bold or None)
        return line


def _laid_out(words: Sequence[Word], room: int) -> list[tuple[int, str, Word]]:
    """Gap, text and look of the words that fit; only a long one is cut."""
    out: list[tuple[int, str, Word]] = []
    for place, word in enumerate(words):
        gap = word.gap if place else 0
        room -= gap
        whole = cells(printable_line(word.text)) if word.whole or len(word.text) < _LONG else _LONG
        if room < (whole if word.whole else min(whole, _LONG if place else 1)):
            if out and word.gap == 1:
                out.pop()  # A key without its word says nothing.
            break
        text = fit(word.text, room)
        out.append((gap, text, word))
        room -= cells(text)
    return out
