"""Findings of one conversation: what a person should look at, family by family.

Each family keeps what can no longer change, so a session that is followed is diagnosed at the cost of
what came since, of the rows that are out of the ordinary, and of the findings themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.model.transcript import Flag
from inspector.replay.diagnose.ageing import AgeingFindings
from inspector.replay.diagnose.budget import BudgetFindings
from inspector.replay.diagnose.context import ContextFindings
from inspector.replay.diagnose.noticed import Noticed
from inspector.replay.diagnose.pairing import PairingFindings
from inspector.replay.diagnose.settled import LOOSE
from inspector.replay.diagnose.state import StateFindings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.model.findings import Finding
    from inspector.model.transcript import Record
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

__all__ = ["Diagnosis"]


class Diagnosis:
    """The findings of one conversation as it grows."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.noticed = Noticed(timeline)
        """Its rows that are out of the ordinary, as of the last `now`."""
        self._pairing = PairingFindings(timeline, self.noticed)
        self._budget = BudgetFindings(timeline, self.noticed)
        self._state = StateFindings(timeline)
        self._ageing = AgeingFindings(timeline, self.noticed)
        self._context = ContextFindings(timeline)
        self._open = 0
        """Requests from this index on were not settled at the last `now`."""
        self.again = 0
        """How often a settled request changed after all."""

    def now(
        self,
        fresh: Sequence[Record] = (),
        *,
        is_gone: Callable[[Tracked], bool] = lambda _: False,
        is_kept: Callable[[Tracked], bool] = lambda _: False,
    ) -> list[Finding]:
        """All findings that the replay gives, in the order of the families.

        Args:
            fresh: Records that the timeline was fed since the last call; of no account at the first.
            is_gone: Whether the overflow file that a row names is nowhere.
            is_kept: Whether an overflow file bears a row's id.
        """
        self.again += self._is_reopened(fresh)
        self._open = max(self._open, len(self.timeline.requests) - LOOSE)
        self.noticed.update()
        found = [
            *self._pairing.now(self.again),
            *self._budget.now(self.again),
            *self._state.now(self.again),
            *self._ageing.now(is_gone, is_kept),
            *self._context.now(self.again),
        ]
        if self.timeline.policy.is_chatcli:
            from inspector.replay.diagnose.chatcli import chatcli_findings

            found += chatcli_findings(self.timeline)
        return found

    def _is_reopened(self, fresh: Sequence[Record]) -> bool:
        """Whether a record completes the usage of an answer that was taken as complete."""
        if not self._open:
            return False
        known = {(r.message_id, r.request_ref) for r in self.timeline.requests[self._open :]}
        return any(
            record.usage is not None
            and record.is_answer
            and record.message_id
            and not record.flags & Flag.DUPLICATE
            and (record.message_id, record.request_ref) not in known
            for record in fresh
        )
