"""`Bar`: one row of words at the left and right edge; heads, facts lines and key hints are bars.

It is drawn as segments like the lists are, so untrusted words in it take the same way through the
gate, and it gives up whole parts when it is narrow instead of cutting the last one in half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from inspector.app.theme import ink_of
from inspector.text import fit


class Part(NamedTuple):
    """A word or phrase of a bar."""

    text: str
    """Anything; it passes the gate when it is drawn."""
    color: str = "fg"
    """Colour token."""
    bold: bool = False
    gap: int = 2
    """Blank cells before it, where it is not the first."""


def hints(pairs: Iterable[tuple[str, str]]) -> list[Part]:
    """Key hints: the key in the accent colour, the word muted.

    Args:
        pairs: Key and word, the most needed first.
    """
    out: list[Part] = []
    for key, word in pairs:
        out += (Part(key, "accent", bold=True), Part(word, "muted", gap=1))
    return out


HELP = tuple(hints([("?", "keys")]))
"""Stays at the right edge of every line of hints."""


class Bar(Widget):
    """One row of parts."""

    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"

    def __init__(
        self,
        left: Sequence[Part] = (),
        right: Sequence[Part] = (),
        *,
        ground: str = "bg",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Make a bar.

        Args:
            left: Parts from the left edge, dropped from the right when they do not fit.
            right: Parts at the right edge; they stay.
            ground: Token of the background.
            id: The widget's id.
            classes: The widget's classes.
        """
        super().__init__(id=id, classes=classes)
        self.ground = ground
        self._left = tuple(left)
        self._right = tuple(right)

    def show(self, left: Sequence[Part] = (), right: Sequence[Part] = ()) -> None:
        """Draw other parts.

        Args:
            left: Parts from the left edge.
            right: Parts at the right edge.
        """
        if (tuple(left), tuple(right)) != (self._left, self._right):
            self._left, self._right = tuple(left), tuple(right)
            self.refresh()

    @property
    def plain(self) -> str:
        """What the bar says, left and right, for tests and screen readers."""
        return "  ".join(part.text for part in self._left + self._right)

    def render_line(self, y: int) -> Strip:
        """Draw the row."""
        width = self.size.width
        ink = ink_of(self.app)
        blank = ink.style(on=self.ground)
        if y:
            return Strip.blank(width, blank)
        right = self._laid_out(self._right, max(0, width - 2))
        right_cells = sum(cell_len(segment.text) for segment in right)
        room = width - 2 - right_cells - (2 if right_cells else 0)
        left = [Segment(" ", blank), *self._laid_out(self._left, room)]
        fill = width - right_cells - 1 - sum(cell_len(segment.text) for segment in left)
        segments = [*left, Segment(" " * max(0, fill), blank), *right, Segment(" ", blank)]
        return Strip(segments).adjust_cell_length(width, blank)

    def _laid_out(self, parts: Sequence[Part], room: int) -> list[Segment]:
        ink = ink_of(self.app)
        out: list[Segment] = []
        used = 0
        for place, part in enumerate(parts):
            gap = part.gap if place else 0
            left = room - used - gap
            text = fit(part.text, left)
            cut = text.endswith("…") and not part.text.endswith("…")
            if not text or (cut and (place and left < 12)):
                break
            if gap:
                out.append(Segment(" " * gap, ink.style(on=self.ground)))
            out.append(Segment(text, ink.style(part.color, on=self.ground, bold=part.bold or None)))
            used += gap + cell_len(text)
        return out
