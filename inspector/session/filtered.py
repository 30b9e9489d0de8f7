"""A filter (`replay.filters`) asked of a whole session: results as of the newest request, and findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.replay.conversation import Conversation
from inspector.replay.filters import Facts, Filter

if TYPE_CHECKING:
    from inspector.model.findings import Finding
    from inspector.replay.tracked import Tracked
    from inspector.replay.view import ResultRow
    from inspector.session.session import Session

_OF_FINDINGS = frozenset({"finding", "request"})
"""Fields that a finding has itself; all others are asked of the results that it names."""


class SessionFilter:
    """What a filter leaves of one session. Texts are read only for results that pass all else."""

    def __init__(self, session: Session, filter_: Filter) -> None:
        """Args:
        session: Read to its end.
        filter_: What must hold.
        """
        self._session = session
        self._filter = filter_
        self._kinds: dict[tuple[str, str], set[str]] = {}
        for finding in session.findings() if any(t.field == "finding" for t in filter_.terms) else ():
            for id in finding.ids:
                self._kinds.setdefault((finding.thread, id), set()).add(finding.kind)

    def rows(self, thread: str = "") -> Iterator[tuple[Tracked, ResultRow]]:
        """Results and waiting calls of a conversation that pass, as of its newest request.

        Args:
            thread: Which conversation.
        """
        yield from self._passing(thread, self._filter)

    def _passing(self, thread: str, filter_: Filter) -> Iterator[tuple[Tracked, ResultRow]]:
        timeline = self._session.timelines[thread]
        conversation = Conversation(timeline)
        last = len(timeline.requests)
        for tracked in timeline.tracked if last else ():
            row = conversation.result(tracked.entry.index, last)
            kinds = self._kinds.get((thread, row.id), ())

            def text(tracked: Tracked = tracked) -> str:
                return self._session.result_text(tracked, thread)

            if filter_.matches(Facts(row, kinds, text)):
                yield tracked, row

    def findings(self) -> list[Finding]:
        """Findings that pass: by their own kind and request, and by the results that they name."""
        own = self._filter.only(_OF_FINDINGS)
        of_results = self._filter.leaving_out(_OF_FINDINGS)
        passing: dict[str, set[str]] = {}
        out: list[Finding] = []
        for finding in self._session.findings():
            if not _has(own, finding):
                continue
            if of_results:
                if finding.thread not in passing:
                    passing[finding.thread] = {row.id for _, row in self._passing(finding.thread, of_results)}
                if passing[finding.thread].isdisjoint(finding.ids):
                    continue
            out.append(finding)
        return out


def _has(own: Filter, finding: Finding) -> bool:
    return all(
        any(
            (value in finding.kind) if isinstance(value, str) else (finding.request in value)
            for value in term.values
        )
        is not term.negated
        for term in own.terms
    )
