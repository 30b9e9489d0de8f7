"""The cuts of a history that was read before, given again for another policy.

Which records a request holds does not depend on limits, windows or tools, so a replay that changes
only those need not follow the chain a second time. It reads along: the same records, the same cuts.
"""

from __future__ import annotations

from inspector.model.transcript import Record
from inspector.pipeline.wire.history import Cut, History


class CutAgain:
    """A history that says again what another one said; it cannot go beyond it."""

    def __init__(self, history: History) -> None:
        """Args:
        history: One that was cut to its end, provisionally for the request that is pending.
        """
        self._history = history
        self._done = 0

    def add(self, record: Record) -> None:
        """Nothing to do: the record was read before."""

    def cut(self, tip: str | None, *, upto: int | None = None, provisional: bool = False) -> Cut:  # noqa: ARG002 - as for `History`
        """The next cut; the provisional one comes last.

        Raises:
            LookupError: There was none.
        """
        if provisional:
            if self._history.pending is None or self._done != len(self._history.cuts):
                raise LookupError("the other history has not come to this place, or is past it")
            return self._history.pending
        self._done += 1
        return self._history.cuts[self._done - 1]

    def entries(self) -> tuple[Record, ...]:
        """As of the other history's last cut."""
        return self._history.entries()

    def siblings(self) -> tuple[tuple[int, int], ...]:
        """As of the other history's last cut."""
        return self._history.siblings()

    def left_behind(self) -> tuple[tuple[int, int], ...]:
        """As of the other history's last cut."""
        return self._history.left_behind()
