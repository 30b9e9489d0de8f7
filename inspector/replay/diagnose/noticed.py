"""Which rows of a conversation may need a finding: each row is looked at once, ordinary ones never again.

A live session is diagnosed at every revision. Nearly all of its rows are calls with one result of
plain text, about which nothing will ever be said; going over them again each time would cost as much
as the session is long. So each row is sorted when its result arrives, and the findings ask here.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from operator import attrgetter
from typing import TYPE_CHECKING

from inspector.model.transcript import Candidate, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.model.transcript import Record
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

BASE64_FROM = 1_000
"""Base64-looking characters from which a text is pointed out."""
_YES = Candidate.YES
_place = attrgetter("entry.index")
_index = attrgetter("index")


class Noticed:
    """Rows of one conversation that are out of the ordinary, in the order of the rows."""

    def __init__(self, timeline: Timeline) -> None:
        self.unanswered: list[Tracked] = []
        """Calls without a result so far."""
        self.steady = 0
        """How many of these stand there, from the first one on, as they did when this was last set: the
        pairing findings keep what they told of so many."""
        self.uncalled: list[Tracked] = []
        """Results that came before any call of their id; a late call may own them by now."""
        self.repeated: list[Tracked] = []
        """Rows of an id that was called or answered before."""
        self.displaced: list[Tracked] = []
        self.behind: list[Tracked] = []
        """Results behind a compaction that their calls stand in front of."""
        self.media: list[Tracked] = []
        """Results with images, or with much base64 as text."""
        self.halved: list[Tracked] = []
        """Results with half a character."""
        self._controlled: list[Tracked] = []
        self._controlled_ids: tuple[str, ...] | None = ()
        self.persisted: list[Tracked] = []
        """Results whose own text names an overflow file."""
        self.cleared: list[Tracked] = []
        """Results of which the file holds only what a clearing left."""
        self.reading: list[Tracked] = []
        """Calls whose input names an overflow file."""
        self.large: list[Tracked] = []
        """Candidates over the policy's limit for one result."""
        self._timeline = timeline
        self._rows = 0
        self._records = -1

    def update(self) -> None:
        """Look at what came since the last call. O(rows that are new or had no result)."""
        if self._timeline.records == self._records:
            return
        self._records = self._timeline.records
        rows = self._timeline.tracked
        fresh = rows[self._rows :]
        self._rows = len(rows)
        late = [row for row in self.unanswered if row.entry.result is not None]
        if late:
            ids = {row.entry.id for row in late}  # one result answers both calls of an id that has two
            first = next(at for at, row in enumerate(self.unanswered) if row.entry.id in ids)
            self.steady = min(self.steady, first)
            self.unanswered = [row for row in self.unanswered if row.entry.result is None]
        self._sort_calls(fresh)
        self._sort_results([*late, *fresh])

    @property
    def controlled_ids(self) -> tuple[str, ...]:
        """Ids of results with control characters: of these there may be very many."""
        if self._controlled_ids is None:
            self._controlled_ids = tuple(row.entry.id for row in self._controlled)
        return self._controlled_ids

    def _sort_calls(self, rows: Iterable[Tracked]) -> None:
        for row in [
            r
            for r in rows
            if (e := r.entry).result is None
            or (c := e.call_block) is None
            or c.overflow_name
            or e.duplicate_call
            or e.duplicate_result
        ]:
            entry = row.entry
            if entry.result is None:
                self.unanswered.append(row)
            if entry.call_block is None:
                self.uncalled.append(row)
            elif entry.call_block.overflow_name:
                self.reading.append(row)
            if entry.duplicate_call or entry.duplicate_result:
                self.repeated.append(row)

    def _sort_results(self, rows: Sequence[Tracked]) -> None:
        limit = self._timeline.policy.budget.result_limit
        if compactions := [r for _, r in self._timeline.boundaries if r.role is Role.BOUNDARY]:
            for row in rows:
                if boundary_between(row, compactions) is not None:
                    _insert(self.behind, row)
        for row in [
            r
            for r in rows
            if (b := r.entry.result) is not None
            and (
                b.controls
                or b.persisted is not None
                or b.is_cleared
                or r.entry.displaced
                or b.images
                or b.base64_chars >= BASE64_FROM
                or b.lone_surrogates
                or (limit is not None and r.full > limit)
            )
        ]:
            block = row.entry.result
            assert block is not None
            if row.entry.displaced:
                _insert(self.displaced, row)
            if block.images or block.base64_chars >= BASE64_FROM:
                _insert(self.media, row)
            if block.lone_surrogates:
                _insert(self.halved, row)
            if block.controls:
                _insert(self._controlled, row)
                self._controlled_ids = None
            if block.persisted is not None:
                _insert(self.persisted, row)
            if block.is_cleared:
                _insert(self.cleared, row)
            if limit is not None and row.full > limit and row.entry.candidate is _YES:
                _insert(self.large, row)


def compaction_before(record: Record | None, compactions: Sequence[Record]) -> Record | None:
    """The last of some compactions in front of a record; None where none stands there."""
    at = bisect_left(compactions, record.index, key=_index) if record is not None else 0
    return compactions[at - 1] if at else None


def boundary_between(row: Tracked, compactions: Sequence[Record]) -> Record | None:
    """The last of some compactions that stands between a call and its result; None where none does."""
    call, found = row.entry.call_record, compaction_before(row.entry.result_record, compactions)
    return found if found is not None and call is not None and found.index > call.index else None


def _insert(rows: list[Tracked], row: Tracked) -> None:
    """Put a row where it belongs: at the end, or a little before it where its result came late."""
    if rows and rows[-1].entry.index > row.entry.index:
        insort(rows, row, key=_place)
    else:
        rows.append(row)
