"""Where one process ended and another took the session up: resumes and forks.

No line says so. What tells is what a load leaves behind: the client's own answer to an end that
nobody answered, another session id, or a recorded request that names all its messages anew.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding
from inspector.model.transcript import Flag, Record
from inspector.pipeline.wire.facts import names_request
from inspector.replay.diagnose.pairing import finding
from inspector.replay.diagnose.settled import Settled
from inspector.replay.view import Event

if TYPE_CHECKING:
    from inspector.replay.timeline import Timeline
    from inspector.session.session import Session


_NO_RESPONSE = int(Flag.NO_RESPONSE)


class ProcessFindings:
    """Resumes and forks of the main conversation, as it grows; agents are not resumed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._timeline = session.timeline
        self._records = 0
        self._ids = {""}
        """Session ids met so far; no id is none."""
        self._signs: list[tuple[Record, str]] = []
        """Records that a load leaves behind, and what each says."""
        self._whole = Settled(session.timeline, self._named_anew)
        self._first: int | None = None
        """The first request that the file records."""
        self._forked = 0

    def now(self, again: int) -> Iterator[Finding]:
        """All of them, by request; marks the requests.

        Args:
            again: How often settled requests have changed after all.
        """
        timeline = self._timeline
        self._take_records()
        forked = self._forked_until()
        signs: dict[int, list[str]] = {}
        told = ((_request_behind(timeline, record), words) for record, words in self._signs)
        named_anew = ((n, _NAMED_ANEW) for n in self._whole.now(again) if self._first and n > self._first)
        for n, words in (*told, *((n, words) for n, words in named_anew if n != forked)):
            if words not in signs.setdefault(n, []):
                signs[n].append(words)
        if forked:
            signs.pop(forked, None)
            timeline.requests[forked - 1].events |= Event.RESUME
            yield finding(
                "fork",
                f"Requests 1 to {forked - 1} were sent under another session: this one is a fork that goes "
                f"on with request {forked}.",
                request=forked, see=f"request {forked}", data={"copied_requests": forked - 1},
                cause="The file holds their answers, but not the lines that recorded the requests.",
            )  # fmt: skip
        for n, words_ in sorted(signs.items()):
            timeline.requests[n - 1].events |= Event.RESUME
            yield finding(
                "resume", f"The session was taken up again in front of request {n}.",
                request=n, see=f"request {n}", cause=f"{words_[0][0].upper()}{'; '.join(words_)[1:]}.",
                data={"signs": words_},
            )  # fmt: skip

    def _take_records(self) -> None:
        """The client's own answers, and session ids that were not there before."""
        records, ids = self._session.records(), self._ids
        fresh = records[self._records :]
        self._records = len(records)
        # Flags are tested one by one only where the number is large enough: a test of a member is slow.
        for record in [r for r in fresh if r.flags >= _NO_RESPONSE or r.session_id not in ids]:
            if record.flags & Flag.NO_RESPONSE:
                self._signs.append((record, "the client answered “No response requested.” itself"))
            if record.session_id not in ids:
                if len(ids) > 1:
                    self._signs.append((record, "the records carry another session id from there on"))
                ids.add(record.session_id)

    def _named_anew(self, timeline: Timeline, start: int, end: int) -> list[int]:
        """Recorded requests that name everything anew, but those after a compaction."""
        check = self._session.recorded.of("")
        if check is None:
            return []
        wire = check.wire.requests
        return [
            r.n
            for r in timeline.requests[start:end]
            if r.compaction is None and (found := wire.get(r.request_ref)) is not None and found.whole
        ]

    def _forked_until(self) -> int:
        """The first request that this file records, where answers to earlier ones were copied; 0: no fork."""
        check, timeline = self._session.recorded.of(""), self._timeline
        if check is None or self._first is not None:
            return self._forked
        first = next((r.n for r in timeline.requests if r.request_ref in check.wire.requests), 0)
        forked = _forked_until(timeline, self._session.records(), first) if first > 1 else 0
        if first:
            self._first, self._forked = first, forked
        return forked


_NAMED_ANEW = "its recorded line names every message anew, as the first one of a process does"


def _forked_until(timeline: Timeline, records: list[Record], first: int) -> int:
    """The first recorded request, where the answers to all earlier ones are copies; 0 where they are not."""
    start = timeline.requests[first - 1].first_record
    copied = {r.request_ref for r in records if r.index < start and r.is_answer and names_request(r)}
    earlier = [r for r in timeline.requests[: first - 1] if r.request_ref]
    return first if earlier and all(r.request_ref in copied for r in earlier) else 0


def _request_behind(timeline: Timeline, record: Record) -> int:
    """The first request that is answered behind a record."""
    at = bisect_right(timeline.requests, record.index, key=lambda r: r.first_record)
    return min(at, len(timeline.requests) - 1) + 1
