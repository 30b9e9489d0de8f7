"""The members of one group added up, request by request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inspector.model.ledger import State
from inspector.model.transcript import Candidate
from inspector.replay.tracked import Tracked, place_of

# A member looked up on its enum costs ten times what a name costs, and these are asked for per result.
_FROZEN = State.FROZEN
_REPLACED = State.REPLACED
_SKIPPED = State.SKIPPED
_YES = Candidate.YES


class GroupSums:
    """The members of a group that requests have seen so far, added up.

    A service that gives all its answers one id makes one group of a whole session, and each of its
    requests brings a few results more: what was added up once is not added up again.
    """

    def __init__(self, *, pairs_first: bool) -> None:
        """Args:
        pairs_first: Whether results that pairing took away are no members.
        """
        self.frozen = 0
        """Of those that stay in full, counted or not."""
        self.previews = 0
        """Of the previews of the others."""
        self.visible = 0
        """Of all results that the model would see without the budget."""
        self.ids: list[str] = []
        """Candidates, in message order."""
        self.skipped: list[str] = []
        """Those of them that do not count."""
        self._pairs_first = pairs_first
        self._results = 0
        self._last = (-1, -1)
        """Where the last member stands."""

    def lacks_only(self, fresh: Sequence[Tracked], results: int) -> bool:
        """Whether all other results of the group were taken.

        Args:
            fresh: Results to decide about; one that pairing gave back comes again.
            results: How many the group has.
        """
        return results == self._results + sum(not row.request for row in fresh)

    def stands_before(self, fresh: Sequence[Tracked]) -> bool:
        """Whether all members stand in front of results that come now."""
        return all(place_of(row) > self._last for row in fresh if not self._is_out(row))

    def take(self, rows: Iterable[Tracked], results: int) -> None:
        """Add results that were decided.

        Args:
            rows: In message order.
            results: How many the group has by now.
        """
        self._results = results
        for row in rows:
            if row.state is _REPLACED:
                self.previews += row.preview
            elif row.state is _FROZEN or row.state is _SKIPPED:
                self.frozen += row.full
            if self._is_out(row):
                continue
            self._last = place_of(row)
            self.visible += row.full
            if row.entry.candidate is _YES:
                self.ids.append(row.entry.id)
                if row.state is _SKIPPED:
                    self.skipped.append(row.entry.id)

    def _is_out(self, row: Tracked) -> bool:
        return row.removed and self._pairs_first
