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
from inspector.replay.view import Event

if TYPE_CHECKING:
    from inspector.replay.timeline import Timeline
    from inspector.session.recorded_check import RecordedCheck
    from inspector.session.session import Session


def process_findings(session: Session) -> Iterator[Finding]:
    """Resumes and forks of the main conversation, by request; agents are not resumed."""
    timeline, records = session.timeline, session.records()
    check = session.recorded_check("")
    forked = _forked_until(timeline, records, check)
    signs: dict[int, list[str]] = {}
    for n, words in (*_from_records(timeline, records), *_from_requests(timeline, check, forked)):
        if words not in signs.setdefault(n, []):
            signs[n].append(words)
    if forked:
        signs.pop(forked, None)
        timeline.requests[forked - 1].events |= Event.RESUME
        yield finding(
            "fork",
            f"Requests 1 to {forked - 1} were sent under another session: this one is a fork that goes on "
            f"with request {forked}.",
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


def _from_records(timeline: Timeline, records: list[Record]) -> Iterator[tuple[int, str]]:
    """The client's own answers, and session ids that were not there before."""
    ids: set[str] = set()
    for record in records:
        if record.flags & Flag.NO_RESPONSE:
            yield _request_behind(timeline, record), "the client answered “No response requested.” itself"
        if record.session_id and record.session_id not in ids:
            if ids:
                yield _request_behind(timeline, record), "the records carry another session id from there on"
            ids.add(record.session_id)


def _from_requests(timeline: Timeline, check: RecordedCheck | None, forked: int) -> Iterator[tuple[int, str]]:
    """Recorded requests that name everything anew, but the first of the file and one after a compaction."""
    before = False
    for request in timeline.requests if check is not None else ():
        found = check.wire.requests.get(request.request_ref) if check is not None else None
        if found is None:
            continue
        if found.whole and before and request.compaction is None and request.n != forked:
            yield request.n, "its recorded line names every message anew, as the first one of a process does"
        before = True


def _forked_until(timeline: Timeline, records: list[Record], check: RecordedCheck | None) -> int:
    """The first request that this file records, where answers to earlier ones were copied; 0: no fork."""
    if check is None:
        return 0
    first = next((r.n for r in timeline.requests if r.request_ref in check.wire.requests), 0)
    if first < 2:
        return 0
    start = timeline.requests[first - 1].first_record
    copied = {r.request_ref for r in records if r.index < start and r.is_answer and names_request(r)}
    earlier = [r for r in timeline.requests[: first - 1] if r.request_ref]
    return first if earlier and all(r.request_ref in copied for r in earlier) else 0


def _request_behind(timeline: Timeline, record: Record) -> int:
    """The first request that is answered behind a record."""
    at = bisect_right(timeline.requests, record.index, key=lambda r: r.first_record)
    return min(at, len(timeline.requests) - 1) + 1
