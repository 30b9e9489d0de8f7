"""All findings of a session, kept by conversation: a session that is followed pays for what came since.

What belongs to one conversation is made again only when that conversation grew or the scratch
directory changed. What belongs to the session as a whole is made of what was picked out, each time.
"""

from __future__ import annotations

from functools import partial
from itertools import zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from inspector.model.findings import Finding, Severity
from inspector.reading.overflow_match import Status
from inspector.replay.diagnose import Diagnosis
from inspector.session.boundary_findings import BoundaryFindings
from inspector.session.input_findings import input_findings
from inspector.session.overflow_findings import overflow_findings
from inspector.session.process_findings import ProcessFindings
from inspector.session.replacement_findings import ReplacementFindings

if TYPE_CHECKING:
    from collections.abc import Hashable

    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked
    from inspector.session.session import Session

_LOUDNESS = {severity: at for at, severity in enumerate(Severity)}
_Ranked = tuple[int, int, Finding]
"""Loudness, request, and the finding."""


class SessionFindings:
    """The findings of all conversations of a session, under the policy that it has now."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._threads: dict[str, ThreadFindings] = {}
        self._process: ProcessFindings | None = None

    def of(self, thread: str) -> ThreadFindings:
        """Those of one conversation."""
        timeline = self._session.timelines[thread]
        known = self._threads.get(thread)
        if known is None or known.timeline is not timeline:
            known = self._threads[thread] = ThreadFindings(self._session, thread)
            if not thread:
                self._process = ProcessFindings(self._session)
        return known

    def look_again(self) -> None:
        """A call at the end waits for its result by now, or waits no longer: what is settled stays."""
        for known in self._threads.values():
            known.look_again()

    def now(self) -> list[Finding]:
        """All of them: the loudest first, then by request."""
        session = self._session
        found: list[_Ranked] = []
        for thread in session.timelines:
            found += self.of(thread).now()
        others: list[Finding] = []
        if session.is_claude_code and self._process is not None:
            others += self._process.now(self.of("").diagnosis.again)
        others += overflow_findings(session)
        others += input_findings(session)
        found += map(_ranked, others)
        found.sort(key=_rank)
        return [finding for _, _, finding in found]


class ThreadFindings:
    """The findings of one conversation."""

    def __init__(self, session: Session, thread: str) -> None:
        self.timeline: Timeline = session.timelines[thread]
        self._session = session
        self._thread = thread
        self.diagnosis = Diagnosis(self.timeline)
        """What its replay gives."""
        self._boundary = BoundaryFindings(self.timeline, session.records(thread))
        self._replacement = ReplacementFindings(session, thread)
        self._fed = 0
        self._under: Hashable = None
        self._found: list[_Ranked] = []

    def look_again(self) -> None:
        """Make what is not settled anew, although nothing came."""
        self._under = None

    def now(self) -> list[_Ranked]:
        """All of them. O(what came since it was asked last, rows out of the ordinary, findings)."""
        session, timeline = self._session, self.timeline
        session.files.listing()
        under = (timeline.records, len(timeline.bad_lines), session.files.states)
        if under != self._under:
            self._under = under
            found = list(map(self._in_thread, self._make())) if self._thread else self._make()
            self._found = [
                # Most are the very findings of before, at their place of before.
                rank if rank is not None and rank[2] is one else _ranked(one)
                for rank, one in zip_longest(self._found[: len(found)], found)
            ]
        return self._found

    def _make(self) -> list[Finding]:
        session, thread = self._session, self._thread
        records = session.records(thread)
        fresh, self._fed = records[self._fed :], len(records)
        if self.timeline.policy.is_chatcli:
            self.diagnosis = Diagnosis(self.timeline)  # its requests are all made anew with each record
        check = session.recorded.of(thread)
        if check is not None:
            check.update()
        found = self.diagnosis.now(
            fresh,
            is_gone=partial(_is_gone, session, thread),
            is_kept=lambda row: session.files.has_file_of(row.entry.id),
        )
        found += check.findings() if check is not None else ()
        if session.is_claude_code:
            found += self._boundary.now(self.diagnosis.again)
            found += self._replacement.now()
        return found

    def _in_thread(self, finding: Finding) -> Finding:
        return msgspec.structs.replace(finding, thread=self._thread)


def _is_gone(session: Session, thread: str, row: Tracked) -> bool:
    found = session.overflow_of(row, thread)
    return found is not None and found.status is Status.MISSING


def _ranked(finding: Finding) -> _Ranked:
    return _LOUDNESS[finding.severity], finding.request or 0, finding


_rank = itemgetter(0, 1)
