"""`TabRow`: one row at the top with all open sessions; it is there only while there are several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.message import Message

from inspector.app.theme import Ink
from inspector.app.widgets.drawing import Line, OneLine
from inspector.figures import short_number
from inspector.text import cells, fit

LEAST_CELLS, MOST_CELLS = 8, 32
"""Cells of a title."""


class TabWords(NamedTuple):
    """What is said of one tab."""

    title: str
    """Untrusted."""
    is_shown: bool = False
    is_live: bool = False
    fresh_requests: int = 0
    """Requests that came while it was hidden."""


class Placed(NamedTuple):
    """A tab in the row."""

    number: int
    """Its place, from 0."""
    start: int
    """First cell."""
    end: int
    """One past the last."""
    title: str


class TabRow(OneLine):
    """Number and title of each tab."""

    DEFAULT_CSS = "TabRow { dock: top; height: 1; background: $surface; }"
    ground = "surface"

    class Picked(Message):
        """A tab was clicked on."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self, tabs: Sequence[TabWords] = ()) -> None:
        super().__init__()
        self._tabs = tuple(tabs)

    def show(self, tabs: Sequence[TabWords]) -> None:
        """Draw other tabs."""
        if tuple(tabs) != self._tabs:
            self._tabs = tuple(tabs)
            self.refresh()

    def draw(self, width: int, ink: Ink) -> Line:
        """Draw the tabs that have room; the one shown always has."""
        line = Line(ink, "surface")
        placed = layout(self._tabs, width)
        if placed and placed[0].number > 0:
            line.put("…", "muted")
        for tab in placed:
            words = self._tabs[tab.number]
            line.to(tab.start)
            line.on = "select" if words.is_shown else "surface"
            line.put("▌" if words.is_shown else " ", "accent").put(f"{tab.number + 1} ", "muted")
            line.put(tab.title, "strong" if words.is_shown else "muted", bold=words.is_shown or None)
            line.put(" ●" if words.is_live else "  ", "ok")
            if words.fresh_requests:
                line.put(f" {_fresh(words)}", "accent", bold=True)
            line.put(" ").on = "surface"
        if placed and placed[-1].number < len(self._tabs) - 1:
            line.put("…", "muted")
        return line

    def on_click(self, event: events.Click) -> None:
        """Go to the tab that was clicked on."""
        for tab in layout(self._tabs, self.size.width):
            if tab.start <= event.x < tab.end:
                self.post_message(self.Picked(tab.number))


def _fresh(words: TabWords) -> str:
    return f"+{short_number(words.fresh_requests)}"


def _needs(words: TabWords, number: int, title_cells: int) -> int:
    """Cells of a tab: cursor, number, title, sign, what is new, a blank."""
    fresh = 1 + len(_fresh(words)) if words.fresh_requests else 0
    return 1 + len(f"{number + 1} ") + title_cells + 2 + fresh + 1


def layout(tabs: Sequence[TabWords], width: int) -> list[Placed]:
    """Lay tabs on a row: all as wide as there is room for, or those around the one shown.

    Args:
        tabs: All of them.
        width: Cells of the row.
    """
    if not tabs:
        return []
    shown = next((n for n, words in enumerate(tabs) if words.is_shown), 0)
    room = width - 2  # an ellipsis at either side
    frame = sum(_needs(words, n, 0) for n, words in enumerate(tabs))
    each = max(LEAST_CELLS, min(MOST_CELLS, (room - frame) // len(tabs)))
    titles = [fit(words.title, each) for words in tabs]
    needs = [_needs(words, n, cells(titles[n])) for n, words in enumerate(tabs)]
    first, last = shown, shown
    while True:
        taken = sum(needs[first : last + 1])
        if last + 1 < len(tabs) and taken + needs[last + 1] <= room:
            last += 1
        elif first > 0 and taken + needs[first - 1] <= room:
            first -= 1
        else:
            break
    out: list[Placed] = []
    start = 1 if first else 0
    for number in range(first, last + 1):
        out.append(Placed(number, start, start + needs[number], titles[number]))
        start += needs[number]
    return out
