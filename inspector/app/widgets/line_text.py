"""Draws one line of untrusted text into a number of cells: gate, tabs, cut, highlights.

The text view and the diff share it. Only as much of a line is looked at as can show, so a line of
a megabyte costs what a short one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style

from inspector.text import cells, expand_tabs, fit, printable_line

EXPANDED_MAX = 20_000
"""Longer lines show `␉` instead of blanks, so that a place in the line stays a place on screen."""
_CHARS_PER_CELL = 10
"""The gate lets no more than eight marks sit on a base."""


class Mark(NamedTuple):
    """A stretch of a line to set off."""

    start: int
    """First character, counted from the start of the line."""
    end: int
    style: Style


def display(raw: str, *, escaped: bool = False) -> str:
    """What is drawn for a piece of a raw line.

    Args:
        raw: A piece of one line.
        escaped: Whether to spell control characters as `\\x1b` instead of drawing pictures.
    """
    if escaped:
        return _escape(raw)
    return printable_line(expand_tabs(raw) if len(raw) <= EXPANDED_MAX else raw)


def _escape(raw: str) -> str:
    if raw.isascii() and raw.isprintable() and "\\" not in raw:
        return raw
    drawn = printable_line(raw)
    return "".join(
        r"\\" if was == "\\" else is_ if was == is_ else was.encode("unicode_escape").decode("ascii")
        for was, is_ in zip(raw, drawn, strict=True)
    )


def draw_line(
    raw: str,
    width: int,
    style: Style,
    *,
    first: int = 0,
    marks: Sequence[Mark] = (),
    escaped: bool = False,
    faint: Style | None = None,
) -> list[Segment]:
    """Draw a line from one of its characters on, cut to a width.

    Args:
        raw: The whole raw line.
        width: Cells to use at most.
        style: Style of the text.
        first: First character to draw; an ellipsis tells that some stand before it.
        marks: Stretches with a style of their own, in order, not overlapping.
        escaped: Whether to spell control characters out.
        faint: Style of the ellipses; None for that of the text.
    """
    out: list[Segment] = []
    if first > 0:
        out.append(Segment("…", faint or style))
        width -= 1
    piece = raw[first : first + (width + 2) * _CHARS_PER_CELL]
    drawn = fit(display(piece, escaped=escaped), width)
    cut = len(piece) < len(raw) - first or cells(display(piece, escaped=escaped)) > width
    shown = drawn[:-1] if cut and drawn.endswith("…") else drawn
    at = 0
    for mark in marks:
        start = _drawn_place(piece, mark.start - first, escaped)
        end = min(_drawn_place(piece, mark.end - first, escaped), len(shown))
        if end <= start or start >= len(shown):
            continue
        out += (Segment(shown[at:start], style), Segment(shown[start:end], mark.style))
        at = end
    out.append(Segment(shown[at:], style))
    if shown is not drawn:
        out.append(Segment("…", faint or style))
    return [segment for segment in out if segment.text]


def _drawn_place(piece: str, place: int, escaped: bool) -> int:
    """Where a character of a raw piece stands in what is drawn of it."""
    if place <= 0:
        return 0
    if not escaped and "\t" not in piece:
        return place
    return len(display(piece[:place], escaped=escaped))


def window(raw_before: str, width: int) -> int:
    """First character to draw so that the end of a stretch is in view.

    Args:
        raw_before: The line up to the end of what must show.
        width: Cells that there are.
    """
    if len(raw_before) <= EXPANDED_MAX and cells(display(raw_before)) <= width - 1:
        return 0
    return max(0, len(raw_before) - 2 * width // 3)
