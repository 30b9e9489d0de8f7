"""`Line` puts texts into cells of one row; `FixedLines` is a widget of a few such rows.

Everything that `Line` draws passes the printable gate here, so no drawing code can forget it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Self

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from inspector.app.theme import Ink, ink_of
from inspector.text import cells, printable_line


class Line:
    """One row, written from left to right."""

    __slots__ = ("_segments", "cell", "ink", "on")

    def __init__(self, ink: Ink, on: str = "bg") -> None:
        """Begin an empty row.

        Args:
            ink: Styles of the theme.
            on: Token of the row's background.
        """
        self.ink = ink
        self.on = on
        self.cell = 0
        """Where the next text begins."""
        self._segments: list[Segment] = []

    def put(self, text: str, name: str = "fg", *, bold: bool | None = None, on: str | None = None) -> Line:
        """Write a text where the last one ended.

        Args:
            text: Anything; made printable here.
            name: Colour token.
            bold: Whether it is bold; None leaves it to the theme.
            on: Token of its background; None takes the row's.
        """
        shown, width = _measured(text)
        self._append(shown, self.ink.style(name, on=on or self.on, bold=bold))
        self.cell += width
        return self

    def _append(self, text: str, style: Style) -> None:
        """Cells of one style become one segment: bars and marks come cell by cell."""
        if self._segments and self._segments[-1].style is style:
            self._segments[-1] = Segment(self._segments[-1].text + text, style)
        elif text:
            self._segments.append(Segment(text, style))

    def to(self, cell: int) -> Line:
        """Fill up to a cell; nothing happens where the row is already longer."""
        if cell > self.cell:
            self._append(" " * (cell - self.cell), self.ink.style(on=self.on))
            self.cell = cell
        return self

    def at(self, cell: int, text: str, name: str = "fg", *, bold: bool | None = None) -> Line:
        """Write a text at a cell, or behind what stands there already."""
        return self.to(cell).put(text, name, bold=bold)

    def right(self, edge: int, text: str, name: str = "fg", *, bold: bool | None = None) -> Line:
        """Write a text that ends in a cell.

        Args:
            edge: The last cell that it takes.
            text: Anything; made printable here.
            name: Colour token.
            bold: Whether it is bold; None leaves it to the theme.
        """
        return self.to(edge + 1 - _measured(text)[1]).put(text, name, bold=bold)

    @property
    def segments(self) -> list[Segment]:
        """What was written."""
        return self._segments


def _measured(text: str) -> tuple[str, int]:
    """A text as it may be drawn, and its cells."""
    if text.isascii() and text.isprintable():
        return text, len(text)
    return _measured_short(text) if len(text) <= _SHORT_CHARS else _measured_anew(text)


def _measured_anew(text: str) -> tuple[str, int]:
    shown = printable_line(text)
    return shown, cells(shown)


_measured_short = lru_cache(maxsize=4_096)(_measured_anew)
"""Signs, rules and bars come again in every row."""
_SHORT_CHARS = 200
"""Of texts that are kept: no more than a row has."""


Part = tuple[str, str, bool | None]
"""Text, colour token, bold."""


def parts_width(parts: Sequence[Part]) -> int:
    """Cells that parts take side by side."""
    return sum(_measured(text)[1] for text, _, _ in parts)


def put_parts(line: Line, parts: Sequence[Part]) -> None:
    """Write parts side by side."""
    for text, name, bold in parts:
        line.put(text, name, bold=bold)


class FixedLines(Widget):
    """A widget of a few rows that are drawn by code."""

    ALLOW_SELECT = False

    DEFAULT_CSS = """
    FixedLines { width: 1fr; height: 1; background: $bg; color: $fg; }
    """

    ground = "bg"
    """Token of the background."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        """Args:
        id: The widget's id.
        classes: The widget's classes.
        """
        super().__init__(id=id, classes=classes)
        self._on_screen: dict[int, Strip] = {}
        self._next: dict[int, Strip] = {}
        """Rows drawn by `redraw` and not shown yet."""

    def redraw(self) -> None:
        """Draw the rows anew and show those that differ: most of a screen stays as it was."""
        for y in range(self.size.height):
            strip = self._drawn(y)
            if strip == self._on_screen.get(y):
                self._next.pop(y, None)  # what was to be shown was taken back before it was
            else:
                self._next[y] = strip
                super().refresh(Region(0, y, self.size.width, 1))

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Show all rows anew."""
        self._next.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        """Forget drawn rows when the stylesheet changes."""
        super().notify_style_update()
        self._next.clear()

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        """Draw one row.

        Args:
            y: Row, from 0.
            width: Cells there are.
            ink: Styles of the theme.
        """
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """One row as Textual wants it, filled to the edge."""
        strip = self._next.pop(y, None)
        if strip is None or strip.cell_length != self.size.width:
            strip = self._drawn(y)
        self._on_screen[y] = strip
        return strip

    def _drawn(self, y: int) -> Strip:
        ink = ink_of(self.app)
        width = self.size.width
        strip = Strip(self.draw_line(y, width, ink).segments)
        return strip.adjust_cell_length(width, ink.style(on=self.ground))


class OneLine(FixedLines):
    """A widget of one row."""

    def draw(self, width: int, ink: Ink) -> Line:
        """Draw the row.

        Args:
            width: Cells there are.
            ink: Styles of the theme.
        """
        raise NotImplementedError

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (there is only row 0)
        """Draw the row."""
        return self.draw(width, ink)
