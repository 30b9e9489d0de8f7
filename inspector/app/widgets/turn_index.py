"""Which row of the list is which turn or result, without a list of rows.

A session may have 100,000 results, and each step changes which of them there are. So only the open
turns are counted; all others are one row each and found by arithmetic.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol

from inspector.replay.view import SessionView

OPEN_TURNS = 8
"""Newest turns that are open unless the person folded them."""
MOST_OPEN = 2_000
"""Newest turns that open together: each step counts the rows of all open ones."""
SEARCHED_TURNS = 400
"""Newest turns that are searched for an id; nobody is sent further back without an index."""


class Place(NamedTuple):
    """What stands in a row."""

    turn: int
    """Turn, from 1."""
    result: int | None = None
    """Result by index; None for the turn's heading."""


class Rest(Enum):
    """Which turns are open that the person neither opened nor folded one by one."""

    NEWEST = OPEN_TURNS
    ALL = MOST_OPEN
    NONE = 0


@dataclass
class Folds:
    """Which turns the person opened and folded."""

    opened: set[int] = field(default_factory=set)
    folded: set[int] = field(default_factory=set)
    rest: Rest = Rest.NEWEST

    def all_others(self, rest: Rest) -> None:
        """Open or fold all turns at once; what was opened and folded before is forgotten."""
        self.opened.clear()
        self.folded.clear()
        self.rest = rest

    def is_folded(self, turn: int) -> bool:
        """Whether the person folded a turn, alone or with all others."""
        return turn in self.folded or (self.rest is Rest.NONE and turn not in self.opened)

    def toggle(self, turn: int, *, is_open: bool) -> None:
        """Open a folded turn, fold an open one."""
        add, drop = (self.folded, self.opened) if is_open else (self.opened, self.folded)
        add.add(turn)
        drop.discard(turn)

    def open_turns(self, newest: int, keep: int | None = None) -> list[int]:
        """Open turns up to a newest one, newest first.

        Args:
            newest: The newest turn there is.
            keep: A turn that stays open although it is not among the newest any more.
        """
        turns = set(range(max(1, newest - self.rest.value + 1), newest + 1))
        if keep is not None and keep <= newest:
            turns.add(keep)
        turns -= self.folded
        turns.update(turn for turn in self.opened if turn <= newest)
        return sorted(turns, reverse=True)


class RowIndex(Protocol):
    """Which row is which turn or result, whatever decides about it."""

    view: SessionView
    request: int
    """As of which request."""
    turns: int
    """Turns that the request knows."""

    def __len__(self) -> int: ...

    def is_open(self, turn: int) -> bool:
        """Whether the results of a turn have rows."""

    def place(self, row: int) -> Place:
        """What stands in a row."""

    def row_of(self, place: Place) -> int:
        """The row of a turn or result, or the nearest one to it."""


class TurnIndex:
    """Rows of the list as of one request: newest turn on top, its results below it."""

    def __init__(self, view: SessionView, request: int, folds: Folds, keep: int | None = None) -> None:
        """Count the open turns.

        Args:
            view: The session.
            request: As of which request; 0 where there is none.
            folds: What is open.
            keep: A turn to keep open, because the cursor is in it.
        """
        self.view = view
        self.request = request
        self.turns = view.turn_count(request) if request else 0
        self._open = folds.open_turns(self.turns, keep)
        self._rows = [len(view.turn_results(turn, request)) for turn in self._open]
        self._starts: list[int] = []
        below = 0
        for turn, rows in zip(self._open, self._rows, strict=True):
            self._starts.append(self.turns - turn + below)
            below += rows
        self._length = self.turns + below

    def __len__(self) -> int:
        return self._length

    def is_open(self, turn: int) -> bool:
        """Whether the results of a turn have rows."""
        return self._slot(turn) is not None

    def _slot(self, turn: int) -> int | None:
        slot = bisect_right(self._open, -turn, key=lambda open_turn: -open_turn) - 1
        return slot if slot >= 0 and self._open[slot] == turn else None

    def place(self, row: int) -> Place:
        """What stands in a row.

        Raises:
            IndexError: There is no such row.
        """
        if not 0 <= row < self._length:
            raise IndexError(row)
        slot = bisect_right(self._starts, row) - 1
        if slot < 0:
            return Place(self.turns - row)
        turn, offset = self._open[slot], row - self._starts[slot]
        if offset == 0:
            return Place(turn)
        if offset <= self._rows[slot]:
            return Place(turn, self.view.turn_results(turn, self.request)[offset - 1])
        return Place(turn - (offset - self._rows[slot]))

    def row_of(self, place: Place) -> int:
        """The row of a turn or result, or the nearest one to it.

        Args:
            place: A folded turn's result is found in its heading; a turn not known yet in the newest.
        """
        turn = max(1, min(place.turn, self.turns))
        slot = bisect_right(self._open, -turn, key=lambda open_turn: -open_turn) - 1
        if slot < 0:
            return max(0, self.turns - turn)
        if self._open[slot] != turn:
            return self._starts[slot] + self._rows[slot] + self._open[slot] - turn
        if place.result is None or turn != place.turn:
            return self._starts[slot]
        results = self.view.turn_results(turn, self.request)
        for offset, index in enumerate(results, start=1):
            if index == place.result:
                return self._starts[slot] + offset
        return self._starts[slot]


def turn_of(view: SessionView, result: int, request: int) -> int | None:
    """The turn that a result belongs to as of a request.

    Result indices rise with the turns, so the turn is found by halving; a displaced result may
    stand a few turns off, so the neighbours are looked at too.

    Args:
        view: The session.
        result: Index of the result.
        request: As of which request.
    """
    low, high = 1, view.turn_count(request)
    while low < high:
        middle = (low + high + 1) // 2
        results = view.turn_results(middle, request)
        if results and results[0] > result:
            high = middle - 1
        else:
            low = middle
    near = sorted(
        range(max(1, low - 20), min(view.turn_count(request), low + 20) + 1), key=lambda t: abs(t - low)
    )
    return next((turn for turn in near if result in view.turn_results(turn, request)), None)


def find_id(view: SessionView, id: str, request: int, within: int = SEARCHED_TURNS) -> Place | None:
    """A result by its tool_use id, searched from the newest turn back.

    Args:
        view: The session.
        id: The tool_use id.
        request: As of which request.
        within: Newest turns that are searched.
    """
    newest = view.turn_count(request)
    for turn in range(newest, max(0, newest - within), -1):
        for index in view.turn_results(turn, request):
            if view.result(index, request).id == id:
                return Place(turn, index)
    return None
