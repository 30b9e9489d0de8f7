"""Pairing by id over a growing history: what each request repairs that the one before did not.

The global reading of seed 000 (`documented.md`, Pairing) asks for sets of ids, so one record can
change what an earlier one became: a result that comes late takes the place of a synthetic one, a
call that comes late makes an orphan valid. The fold keeps one row per id and role, and undoes what
a provisional request did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Any

from inspector.model.transcript import Record
from inspector.replay.tracked import Tracked


class Act(Enum):
    """One thing that pairing does to a row."""

    DROP_CALL = auto()
    """The call's id was met before, or is empty."""
    DROP_RESULT = auto()
    """The id was answered before."""
    ORPHAN = auto()
    """No call with this id stands anywhere."""
    RETURN = auto()
    """An orphan's call has come: the result is sent after all."""
    ANSWER = auto()
    """The call gets a synthetic result."""
    LATE = auto()
    """A result has come for a call that a synthetic one answered."""
    WAIT = auto()
    """The call may still be running: nothing is done yet."""


class PairingFold:
    """The state of the pairing by id."""

    def __init__(self) -> None:
        self._calls: dict[str, Tracked] = {}
        """Id → the row of its first call."""
        self._results: dict[str, Tracked] = {}
        """Id → the row of the result that is sent."""
        self._orphans: dict[str, Tracked] = {}
        """Id → the row of its first result, while there is no call."""
        self._open: dict[str, Tracked] = {}
        """Calls without result that no request has answered for."""
        self._synthetic: dict[str, Tracked] = {}
        """Calls that a synthetic result stands for."""
        self._pruned: dict[str, Tracked] = {}
        """Place → the row of a call or result that was taken out, while the history holds its message."""
        self._arrived: list[tuple[Tracked, bool]] = []
        """Calls (True) and results (False) that no real request has seen, in order."""
        self._log: list[tuple[dict[str, Tracked], str, Tracked | None]] = []

    def call(self, row: Tracked) -> None:
        """A call was read."""
        self._arrived.append((row, True))

    def result(self, row: Tracked) -> None:
        """A result was read."""
        self._arrived.append((row, False))

    def step(self, running: Callable[[Tracked], bool] | None) -> Iterator[tuple[Act, Tracked]]:
        """What the next request repairs.

        Args:
            running: For a provisional request, which is taken back by `undo`: whether a call may still
                be answered. None for a real one.
        """
        self._log.clear()
        for row, is_call in self._arrived:
            yield from self._met_call(row) if is_call else self._met_result(row)
        for tool_use_id, row in list(self._open.items()):
            if running is not None and running(row):
                yield Act.WAIT, row
                continue
            self._set(self._open, tool_use_id, None)
            self._set(self._synthetic, tool_use_id, row)
            yield Act.ANSWER, row
        if running is None:
            self._arrived.clear()
            self._log.clear()

    def answered(self) -> list[Tracked]:
        """Calls that a synthetic result stands for, in the order in which they were answered."""
        return list(self._synthetic.values())

    def leave(self, is_behind: Callable[[Record | None], bool]) -> tuple[list[Tracked], list[Tracked]]:
        """Forget the ids of what the history does not hold any more.

        Args:
            is_behind: Whether a record has left.

        Returns:
            The rows of calls, and those of results, that had been taken out and have left.
        """
        for where in (self._calls, self._open):
            for key, row in [*where.items()]:
                if is_behind(row.entry.call_record):
                    self._set(where, key, None)
        for where in (self._results, self._orphans):
            for key, row in [*where.items()]:
                if is_behind(row.entry.result_record):
                    self._set(where, key, None)
        calls: list[Tracked] = []
        results: list[Tracked] = []
        for key, row in [*self._pruned.items()]:
            is_call = key == _place(row, is_call=True)
            if is_behind(row.entry.call_record if is_call else row.entry.result_record):
                self._set(self._pruned, key, None)
                (calls if is_call else results).append(row)
        return calls, results

    def undo(self) -> None:
        """Take back the last step, which was provisional."""
        for where, key, old in reversed(self._log):
            if old is None:
                where.pop(key, None)
            else:
                where[key] = old
        self._log.clear()

    def _met_call(self, row: Tracked) -> Iterator[tuple[Act, Tracked]]:
        tool_use_id = row.entry.id
        if not tool_use_id or tool_use_id in self._calls:
            self._set(self._pruned, _place(row, is_call=True), row)
            yield Act.DROP_CALL, row
            return
        self._set(self._calls, tool_use_id, row)
        orphan = self._orphans.get(tool_use_id)
        if orphan is None:
            self._set(self._open, tool_use_id, row)
            return
        self._set(self._orphans, tool_use_id, None)
        self._set(self._results, tool_use_id, orphan)
        self._set(self._pruned, _place(orphan, is_call=False), None)
        yield Act.RETURN, orphan

    def _met_result(self, row: Tracked) -> Iterator[tuple[Act, Tracked]]:
        tool_use_id = row.entry.id
        call = self._calls.get(tool_use_id)
        if call is None:
            if tool_use_id and tool_use_id not in self._orphans:
                self._set(self._orphans, tool_use_id, row)
            self._set(self._pruned, _place(row, is_call=False), row)
            yield Act.ORPHAN, row
        elif tool_use_id in self._results:
            self._set(self._pruned, _place(row, is_call=False), row)
            yield Act.DROP_RESULT, row
        else:
            self._set(self._results, tool_use_id, row)
            self._set(self._open, tool_use_id, None)
            if tool_use_id in self._synthetic:
                self._set(self._synthetic, tool_use_id, None)
                yield Act.LATE, call

    def _set(self, where: dict[str, Any], key: str, value: Tracked | None) -> None:
        self._log.append((where, key, where.get(key)))
        if value is None:
            where.pop(key, None)
        else:
            where[key] = value


def _place(row: Tracked, *, is_call: bool) -> str:
    return f"{'call' if is_call else 'result'} {row.entry.index}"
