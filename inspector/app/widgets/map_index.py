"""Which results are rows of the map, in which order; asked for once, then only what is new."""

from __future__ import annotations

from enum import Enum

from inspector.replay.view import ResultOutline, SessionView

SMALL_CHARS = 3_000
"""Smaller results are hidden unless asked for: they cost little, and there are many."""
RECHECKED_TURNS = 3
"""Newest turns that are asked for again after an update: their results may still arrive."""


class Order(Enum):
    """Order of the rows."""

    SESSION = "in order of the session"
    SIZE = "largest first"


class MapIndex:
    """All results of a session, and those of them that are shown."""

    def __init__(self) -> None:
        self.all: list[ResultOutline] = []
        self.rows: list[ResultOutline] = []
        self.small = 0
        """Results under `SMALL_CHARS`, shown or not."""
        self._turns: list[int] = []
        """Number of results before each turn."""
        self._view: SessionView | None = None

    def take(self, view: SessionView) -> None:
        """Bring the results up to date with a view of the same session or another one.

        A new view of a session that only grew costs its newest turns.
        """
        count = view.request_count
        turns = view.turn_count(count) if count else 0
        old = self._view
        same = old is not None and old.title == view.title and old.policy is view.policy
        keep = max(0, min(len(self._turns), turns) - RECHECKED_TURNS) if same else 0
        del self.all[self._turns[keep] if keep < len(self._turns) else len(self.all) :]
        del self._turns[keep:]
        for turn in range(keep + 1, turns + 1):
            self._turns.append(len(self.all))
            self.all += view.turn_outlines(turn, count)
        self._view = view

    def show(self, *, small: bool, order: Order, keep: int | None = None) -> None:
        """Choose the rows.

        Args:
            small: Whether small results are among them.
            order: Their order.
            keep: Index of a result that is among them in any case.
        """
        is_small = [(row.chars or 0) < SMALL_CHARS for row in self.all]
        self.small = sum(is_small)
        rows = [
            row
            for row, little in zip(self.all, is_small, strict=True)
            if small or not little or row.index == keep
        ]
        if order is Order.SIZE:
            rows.sort(key=lambda row: -(row.chars or 0))
        self.rows = rows

    def row_of(self, index: int | None) -> int | None:
        """The row of a result; None where it has none."""
        return next((n for n, row in enumerate(self.rows) if row.index == index), None)

    def nearest(self, turn: int) -> int:
        """The first row of a turn, or of the one nearest to it."""
        best = min(self.rows, key=lambda row: abs(row.turn - turn), default=None)
        return self.rows.index(best) if best is not None else 0
