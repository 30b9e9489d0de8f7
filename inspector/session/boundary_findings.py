"""Clearings: the recorded ones explained by what they name, the others told by a fall of usage.

A fall without a line is only ever called inferred: its ids come from a rule, not from the session.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from inspector.model.findings import Finding, counted
from inspector.model.transcript import Record, Role
from inspector.pipeline.wire.boundaries import Clearing, Inferred, ResultsSoFar, clearings, inferred_clearing
from inspector.replay.diagnose.pairing import finding
from inspector.replay.diagnose.settled import LOOSE, Settled
from inspector.replay.prefix import usage_before

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline

_FALL_TOKENS = 15_000
"""Usage falls by up to 4.4 K for no visible reason; a clearing saves 20 K or more, less what is new."""


class _Fall(msgspec.Struct, frozen=True):
    """Usage that falls from one request to the next one with usage, and nothing in the records says why."""

    before: Request
    request: Request
    tokens: int


class BoundaryFindings:
    """Findings about the clearings of one conversation, as it grows."""

    def __init__(self, timeline: Timeline, records: Sequence[Record]) -> None:
        """Args:
        timeline: The conversation.
        records: Its records; the list grows in place.
        """
        self._timeline = timeline
        self._records = records
        self._clearings: list[Clearing] = []
        self._falls = Settled(timeline, _falls)
        self._under = (0, 0)
        self._so_far = self._results()
        self._looked_at = 0
        """Settled falls that were looked at."""
        self._inferred: list[Finding] = []
        """What they gave."""

    def now(self, again: int) -> Iterator[Finding]:
        """All of them. O(what came since it was asked last + findings).

        Args:
            again: How often settled requests have changed after all.
        """
        timeline = self._timeline
        clearing = sum(
            r.role is Role.CLEARING or (r.boundary is not None and bool(r.boundary.cleared_ids))
            for _, r in timeline.boundaries
        )
        under = (again, clearing)  # any other boundary that came stands behind all that is settled
        if under != self._under:
            self._under, self._clearings = under, []
            self._so_far, self._looked_at, self._inferred = self._results(), 0, []
        if any(record.role is Role.CLEARING for _, record in timeline.boundaries):
            yield from self._recorded()
        if not timeline.new_client:
            yield from self._unrecorded()

    def _results(self) -> ResultsSoFar:
        """Results without those that a recorded clearing takes, wherever it stands."""
        results = ResultsSoFar(self._records)
        results.take(i for _, r in self._timeline.boundaries if r.boundary for i in r.boundary.cleared_ids)
        return results

    def _recorded(self) -> Iterator[Finding]:
        if not self._clearings or self._clearings[-1].usage_after is None:
            self._clearings = clearings(self._records)
        lines = {record.line: n for n, record in self._timeline.boundaries}
        for found in self._clearings:
            yield _recorded(found, min(lines.get(found.line, 1), len(self._timeline.requests)))

    def _unrecorded(self) -> Iterator[Finding]:
        """Usage that falls although the wire only grew: results were cleared, and no line says so."""
        falls = self._falls.now(self._under)
        end = len(self._timeline.requests) - LOOSE
        settled = sum(1 for fall in falls if fall.request.n <= end)
        for fall in falls[self._looked_at : settled]:
            self._inferred.extend(self._infer(fall, self._so_far))
        self._looked_at = max(settled, self._looked_at)
        yield from self._inferred
        if len(falls) > self._looked_at:  # may still change, so what it would take stays where it is
            results = self._so_far.copy()
            for fall in falls[self._looked_at :]:
                yield from self._infer(fall, results)

    def _infer(self, fall: _Fall, results: ResultsSoFar) -> Iterator[Finding]:
        place = bisect_left(self._records, fall.request.first_record, key=lambda r: r.index)
        inferred = inferred_clearing(results.upto(place))
        if inferred is not None and inferred.saved * 2 >= fall.tokens:
            results.take(inferred.ids)
            yield _inferred(fall.before, fall.request, fall.tokens, inferred)


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
        f"Line {found.line} records that {counted(found.named, 'result was', 'results were')} cleared, "
        f"{stated}; {why}.{usage}",
        request=n, see=f"line {found.line}",
        cause="The rule (oldest first, until 40,000 tokens are left) chooses exactly these."
        if found.by_rule else "",
        data=msgspec.to_builtins(found),
    )  # fmt: skip


def _falls(timeline: Timeline, start: int, end: int) -> Iterator[_Fall]:
    before = usage_before(timeline, start)
    known = before.usage.context if before is not None and before.usage is not None else 0
    for request in timeline.requests[start:end]:
        usage = request.usage
        if usage is None or not (tokens := usage.input + usage.cache_read + usage.cache_creation):
            continue
        if before is not None:
            fall = known - tokens
            if fall >= _FALL_TOKENS and not _is_explained(timeline, before, request):
                yield _Fall(before, request, fall)
        before, known = request, tokens


def _is_explained(timeline: Timeline, before: Request, request: Request) -> bool:
    """Whether a boundary, another branch or another session stands between two requests."""
    at = bisect_right(timeline.boundaries, before.n, key=itemgetter(0))
    if at < len(timeline.boundaries) and timeline.boundaries[at][0] <= request.n:
        return True
    return any(r.break_ is not None for r in timeline.requests[before.n : request.n])


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
