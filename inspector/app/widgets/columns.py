"""Where the ledger's columns stand at each width.

When cells get scarce they are given up in a fixed order: the argument shrinks, then the words of
ageing, pairing and state go. Figures, bar and letters never do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

BAR_CELLS = 14
"""Cells that stand for the limit."""
WIDE = 100
"""From this width on the columns have words and separators."""
FULL = 120
"""At this width the argument has its full eighteen cells; more goes to the argument."""
SMALLEST_ARGUMENT = 8
AGEING_WORD = 10
"""Cells of the ageing word and its gap."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Cells of the ledger's columns, from 0. An `edge` is the last cell of a right-aligned column."""

    width: int
    words: bool
    """Whether pairing and state have words and separators."""
    tool: int
    argument: int
    argument_edge: int
    chars_edge: int
    pairing: int
    bar: int
    bar_cells: int
    """Cells that stand for the limit; 0 where there is no room for a bar."""
    arrow: int
    wire_edge: int
    state: int
    age_edge: int
    level: int
    level_word: int | None
    """None where there is no room for the word."""
    recorded: int
    separators: tuple[int, ...]

    @property
    def limit(self) -> int:
        """Cell of the limit's tick."""
        return self.bar + self.bar_cells


@cache
def columns_for(width: int) -> Columns:
    """The columns of a list of this width.

    Args:
        width: Cells of the list; far below 80 there is no bar.
    """
    return _with_words(width) if width >= WIDE else _narrow(width)


def _with_words(width: int) -> Columns:
    shift = width - FULL
    ageing_word = shift >= SMALLEST_ARGUMENT - 18
    if not ageing_word:
        shift += AGEING_WORD
    return Columns(
        width=width,
        words=True,
        tool=4,
        argument=10,
        argument_edge=27 + shift,
        chars_edge=37 + shift,
        pairing=41 + shift,
        bar=55 + shift,
        bar_cells=BAR_CELLS,
        arrow=74 + shift,
        wire_edge=82 + shift,
        state=86 + shift,
        age_edge=103 + shift,
        level=105 + shift,
        level_word=107 + shift if ageing_word else None,
        recorded=width - 2,
        separators=(39 + shift, 53 + shift, 84 + shift, 100 + shift),
    )


def _narrow(width: int) -> Columns:
    shift = width - 80
    bar_cells = BAR_CELLS
    if shift < SMALLEST_ARGUMENT - 15:
        # Below the size that the ledger is made for, letters say more than bars.
        bar_cells, shift = 0, max(shift + BAR_CELLS + 4, -11)
    rest = shift - (0 if bar_cells else BAR_CELLS + 4)
    return Columns(
        width=width,
        words=False,
        tool=4,
        argument=10,
        argument_edge=24 + shift,
        chars_edge=34 + shift,
        pairing=38 + shift,
        bar=43 + shift,
        bar_cells=bar_cells,
        arrow=62 + rest,
        wire_edge=69 + rest,
        state=72 + rest,
        age_edge=75 + rest,
        level=77 + rest,
        level_word=None,
        recorded=79 + rest,
        separators=(),
    )
