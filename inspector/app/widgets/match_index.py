"""Rows of the list under a filter: only turns with results that pass, and only these results."""

from __future__ import annotations

from bisect import bisect_right

from inspector.app.matching import Matches
from inspector.app.widgets.turn_index import Folds, Place
from inspector.replay.view import SessionView


class MatchIndex:
    """A `RowIndex` over what a filter left."""

    def __init__(self, view: SessionView, request: int, folds: Folds, matches: Matches) -> None:
        """Lay the matches out.

        Args:
            view: The session.
            request: As of which request. Matches of another one stand in until its own are found:
                turns and results that this one does not know are left out.
            folds: Turns that the person folded.
            matches: What passes.
        """
        self.view = view
        self.request = request
        self.turns = view.turn_count(request) if request else 0
        self._folds = folds
        self._rows: list[Place] = []
        self._starts: list[int] = []
        self._turns: list[int] = []
        for turn, results in matches.turns:
            if turn > self.turns:
                continue
            if matches.request != request:
                known = set(view.turn_results(turn, request))
                results = tuple(index for index in results if index in known)
            if results:
                self._starts.append(len(self._rows))
                self._turns.append(turn)
                self._rows.append(Place(turn))
                if not folds.is_folded(turn):
                    self._rows.extend(Place(turn, index) for index in results)

    def __len__(self) -> int:
        return len(self._rows)

    def is_open(self, turn: int) -> bool:
        """Whether the results of a turn have rows."""
        return not self._folds.is_folded(turn)

    def place(self, row: int) -> Place:
        """What stands in a row.

        Raises:
            IndexError: There is no such row.
        """
        if not 0 <= row < len(self._rows):
            raise IndexError(row)
        return self._rows[row]

    def row_of(self, place: Place) -> int:
        """The row of a turn or result, or of what stands nearest below it."""
        slot = bisect_right(self._turns, -place.turn, key=lambda turn: -turn) - 1
        if slot < 0 or self._turns[slot] != place.turn:
            return self._starts[slot + 1] if slot + 1 < len(self._starts) else max(0, len(self._rows) - 1)
        start = self._starts[slot]
        end = self._starts[slot + 1] if slot + 1 < len(self._starts) else len(self._rows)
        return next((row for row in range(start, end) if self._rows[row] == place), start)
