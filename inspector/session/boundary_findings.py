"""Clearings: the recorded ones explained by what they name, the others told by a fall of usage.

A fall without a line is only ever called inferred: its ids come from a rule, not from the session.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from inspector.model.findings import Finding
from inspector.model.transcript import Record, Role
from inspector.pipeline.wire.boundaries import Clearing, Inferred, ResultsSoFar, clearings, inferred_clearing
from inspector.replay.diagnose.pairing import finding

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.session.session import Session

_FALL_TOKENS = 15_000
"""Usage falls by up to 4.4 K for no visible reason; a clearing saves 20 K or more, less what is new."""


def boundary_findings(session: Session, thread: str) -> Iterator[Finding]:
    """Findings about the clearings of one conversation."""
    timeline = session.timelines[thread]
    records = session.records(thread)
    if any(record.role is Role.CLEARING for _, record in timeline.boundaries):
        lines = {record.line: n for n, record in timeline.boundaries}
        for found in clearings(records):
            yield _recorded(found, min(lines.get(found.line, 1), len(timeline.requests)))
    if not timeline.new_client:
        yield from _unrecorded(timeline, records)


def _recorded(found: Clearing, n: int) -> Finding:
    stated = "no saving is stated" if found.stated_saved is None else f"{found.stated_saved:,} tokens stated"
    if found.explained:
        why = f"their texts hold exactly that: {found.saved:,}"
    else:
        why = f"not explained: {found.reason[:1].lower()}{found.reason[1:].removesuffix('.')}"
    usage = ""
    if found.usage_before is not None and found.usage_after is not None:
        usage = f" Usage went from {found.usage_before:,} to {found.usage_after:,} tokens."
    return finding(
        "clearing",
        f"Line {found.line} records that {found.named} results were cleared, {stated}; {why}.{usage}",
        request=n, see=f"line {found.line}",
        cause="The rule (oldest first, until 40,000 tokens are left) chooses exactly these."
        if found.by_rule else "",
        data=msgspec.to_builtins(found),
    )  # fmt: skip


def _unrecorded(timeline: Timeline, records: list[Record]) -> Iterator[Finding]:
    """Usage that falls although the wire only grew: results were cleared, and no line says so."""
    gone = {i for _, r in timeline.boundaries if r.boundary for i in r.boundary.cleared_ids}
    so_far = ResultsSoFar(records)
    so_far.take(gone)
    used = [r for r in timeline.requests if r.usage is not None and r.usage.context]
    for before, request in pairwise(used):
        fall = _fall(before, request)
        if fall < _FALL_TOKENS or _is_explained(timeline, before, request):
            continue
        place = bisect_left(records, request.first_record, key=lambda r: r.index)
        inferred = inferred_clearing(so_far.upto(place))
        if inferred is not None and inferred.saved * 2 >= fall:
            so_far.take(inferred.ids)
            yield _inferred(before, request, fall, inferred)


def _fall(before: Request, request: Request) -> int:
    assert before.usage is not None and request.usage is not None
    return before.usage.context - request.usage.context


def _is_explained(timeline: Timeline, before: Request, request: Request) -> bool:
    """Whether a boundary, another branch or another session stands between two requests."""
    between = range(before.n + 1, request.n + 1)
    if any(n in between for n, _ in timeline.boundaries):
        return True
    return any(timeline.requests[n - 1].break_ is not None for n in between)


def _inferred(before: Request, request: Request, fall: int, inferred: Inferred) -> Finding:
    assert before.usage is not None and request.usage is not None
    return finding(
        "cleared_unrecorded",
        f"Usage falls by {fall:,} tokens in front of request {request.n} although nothing was taken back: "
        f"old results were cleared, and no line records it. By the known rule: {len(inferred.ids)}.",
        request=request.n, ids=inferred.ids, certain=False, see=f"request {request.n}",
        cause="Inferred from usage; the ids are those that the rule of recorded clearings would choose.",
        data={
            "usage_before": before.usage.context,
            "usage_after": request.usage.context,
            "fall": fall,
            "rule_saves": inferred.saved,
        },
    )  # fmt: skip
