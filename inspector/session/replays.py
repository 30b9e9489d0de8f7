"""`Replay`: the records of a session under another policy, without reading anything again.

A timeline counts the records that it was fed, so a replay can be begun while the session grows and
be brought up to date later: what is missing is what the session holds beyond that count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from inspector.model.policy import Ageing, BudgetMode, Policy
from inspector.replay.timeline import Timeline

if TYPE_CHECKING:
    from inspector.model.transcript import Record

FED_AT_ONCE = 100
"""Records between two questions whether to go on: a few milliseconds."""
RECORDED = "recorded"
"""Name of the policy that does only what the session's own records prove."""


class Replay:
    """All conversations of a session under one policy."""

    def __init__(self, policy: Policy, make: Callable[[str], Timeline], *, live: bool = False) -> None:
        """Begin an empty replay.

        Args:
            policy: The rules.
            make: Makes the empty timeline of a conversation under these rules.
            live: Whether it is one of a session that is being written.
        """
        self.policy = policy
        self.live = live
        self.timelines: dict[str, Timeline] = {}
        self._make = make
        self._first: Record | None = None
        """The session's first record when it was begun: another one means another file."""

    def fits(self, records: Mapping[str, Sequence[Record]], *, live: bool) -> bool:
        """Whether it was made of these records so far; a session that started over has others.

        Args:
            records: All records of each conversation, in file order.
            live: Whether the session is being written; a call at the end is settled accordingly.
        """
        return (
            self.live == live
            and all(len(records.get(key, ())) >= timeline.records for key, timeline in self.timelines.items())
            and (self._first is None or self._first is _first_of(records))
        )

    def extend(
        self,
        records: Mapping[str, Sequence[Record]],
        keep_on: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Feed what is missing.

        Args:
            records: All records of each conversation, in file order.
            keep_on: Asked now and then; False stops the work, which can be taken up again.

        Returns:
            Whether it is up to date.
        """
        if self._first is None:
            self._first = _first_of(records)
        for key, known in records.items():
            timeline = self.timelines.get(key)
            if timeline is None:
                timeline = self.timelines[key] = self._make(key)
            start = timeline.records
            for at in range(start, len(known), FED_AT_ONCE):
                if not keep_on():
                    return False
                for record in known[at : at + FED_AT_ONCE]:
                    timeline.feed(record)
            if start < len(known):
                timeline.settle()
        return True


def _first_of(records: Mapping[str, Sequence[Record]]) -> Record | None:
    return next((known[0] for known in records.values() if known), None)


def recorded_policy(base: Policy) -> Policy:
    """The policy that does only what the session's own records prove: replacements and clearings.

    It stands for "recorded" where predicted is compared with recorded. A plain list of messages
    records neither, so everything in it was sent as it stands there.

    Args:
        base: The policy of the program that wrote the session.
    """
    base = base.with_field("name", RECORDED)
    base = base.with_field("budget.mode", BudgetMode.AUTO)
    return base.with_field("microcompact.variant", Ageing.RECORDED)
