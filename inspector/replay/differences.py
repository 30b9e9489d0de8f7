"""Two replays of one conversation side by side: what each sends, and where they part.

Both were fed the same records, so requests and results have the same numbers in both and can be
compared one by one. What the model would have asked for under the other policy nobody can know;
every figure here is of a replay. All sizes are in the unit of the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from inspector.model.ledger import Level, Span, State
from inspector.model.transcript import Candidate
from inspector.replay.unit_change import converted_requests, converted_spans, units_for
from inspector.replay.view import Event

if TYPE_CHECKING:
    from inspector.model.policy import Policy, Unit
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

AGED = frozenset({Level.TRUNCATED, Level.SUMMARIZED, Level.CLEARED})
"""Levels that ageing leaves."""


class Totals(NamedTuple):
    """What one policy sends over a whole conversation."""

    requests: int
    sent_chars: int
    """Sum over all requests of what each sends."""
    estimated: bool
    """Whether a size in it is an estimate."""
    peak_chars: int
    peak_request: int
    """The first request of that size; 0 while there is none."""
    over_window: int | None
    """The first request that does not fit the context window; None: all fit, or it is not known."""
    replaced: int
    """Results that a preview of this policy stood for on the wire of some request."""
    replaced_in_ledger: int
    """Results that the ledger decides to replace, whether the budget is in force or only predicted."""
    aged: int
    """Results that ageing shortened in some request."""
    breaks: int
    """Prefix breaks; compactions, which no policy decides, do not count."""
    planned: int
    """Those of them that ageing makes on purpose."""
    uncached_chars: int
    """≈ What the prompt cache cannot hold: new text, and everything behind a broken prefix."""


class RequestDifference(msgspec.Struct, frozen=True, gc=False):
    """One request under both policies."""

    n: int
    a_chars: int
    b_chars: int
    a_broken: bool
    """Whether its prefix breaks under A (compactions left out)."""
    b_broken: bool

    @property
    def differs(self) -> bool:
        """Whether the two send something else."""
        return self.a_chars != self.b_chars or self.a_broken != self.b_broken


class ResultDifference(msgspec.Struct, frozen=True, gc=False):
    """One result that the two policies send differently."""

    index: int
    id: str
    tool: str
    argument: str
    turn: int
    """From 1."""
    request: int
    """The first request in which the two differ."""
    a_sent: int
    """Chars sent under A over all requests."""
    b_sent: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two policies over one conversation."""

    a: Policy
    b: Policy
    a_totals: Totals
    b_totals: Totals
    requests: Sequence[RequestDifference]
    """Every request, in order."""
    results: Sequence[ResultDifference]
    """Results that differ, the largest difference first."""
    window_chars: int | None
    """The model's context window in A's unit, by the measured ratio."""
    chars_per_token: float | None
    """Measured ratio, in A's unit; None: tokens cannot be told."""

    @property
    def is_converted(self) -> bool:
        """Whether B counts in another unit, so that its sizes are estimates in that of A."""
        return self.a.unit is not self.b.unit

    @property
    def changed_requests(self) -> int:
        """Requests that differ."""
        return sum(1 for row in self.requests if row.differs)


def compare(
    a: Timeline,
    b: Timeline,
    *,
    window_chars: int | None = None,
    chars_per_token: float | None = None,
    measured_in: Unit | None = None,
) -> Comparison:
    """Compare two replays of the same records.

    Args:
        a: The one.
        b: The other.
        window_chars: The model's context window in chars; None where it is not known.
        chars_per_token: Measured ratio, where usage allows it.
        measured_in: The unit of both; None: that of A.

    Raises:
        ValueError: They hold different requests, so they are not of the same records.
    """
    if len(a.requests) != len(b.requests) or len(a.tracked) != len(b.tracked):
        raise ValueError("the two replays are not of the same records")
    unit = a.policy.unit
    rate = units_for(a.tracked, measured_in or unit, unit)
    window_chars = round(window_chars * rate) if window_chars is not None else None
    is_converted = unit is not b.policy.unit
    sizes = converted_requests(a, b) if is_converted else [r.wire_chars for r in b.requests]
    b_totals = totals(b, window_chars)
    if is_converted:
        b_totals = _converted(b_totals, sizes, window_chars)
    return Comparison(
        a=a.policy,
        b=b.policy,
        a_totals=totals(a, window_chars),
        b_totals=b_totals,
        requests=[
            RequestDifference(left.n, left.wire_chars, size, is_broken(left), is_broken(right))
            for left, right, size in zip(a.requests, b.requests, sizes, strict=True)
        ],
        results=sorted(_results(a, b), key=lambda row: (-abs(row.a_sent - row.b_sent), row.index)),
        window_chars=window_chars,
        chars_per_token=chars_per_token * rate if chars_per_token else None,
    )


def _converted(own: Totals, sizes: Sequence[int], window_chars: int | None) -> Totals:
    """≈ The totals of a replay whose requests have these sizes in another unit."""
    rate = sum(sizes) / own.sent_chars if own.sent_chars else 1.0
    peak = max(sizes, default=0)
    return own._replace(
        sent_chars=sum(sizes),
        estimated=True,
        peak_chars=peak,
        peak_request=sizes.index(peak) + 1 if sizes else 0,
        over_window=next(
            (n for n, size in enumerate(sizes, 1) if window_chars and size > window_chars), None
        ),
        uncached_chars=round(own.uncached_chars * rate),
    )


def totals(timeline: Timeline, window_chars: int | None = None) -> Totals:
    """What a replay sends in all."""
    requests = timeline.requests
    peak = max(requests, key=lambda r: r.wire_chars, default=None)
    broken = [r for r in requests if is_broken(r)]
    return Totals(
        requests=len(requests),
        sent_chars=sum(r.wire_chars for r in requests),
        estimated=any(r.estimated for r in requests),
        peak_chars=peak.wire_chars if peak else 0,
        peak_request=peak.n if peak else 0,
        over_window=next((r.n for r in requests if window_chars and r.wire_chars > window_chars), None),
        replaced=replaced_on_wire(timeline),
        replaced_in_ledger=replaced_in_ledger(timeline),
        aged=sum(1 for row in timeline.tracked if any(span.level in AGED for span in row.spans)),
        breaks=len(broken),
        planned=sum(1 for r in broken if r.events & Event.PLANNED_BREAK),
        uncached_chars=sum(uncached(timeline)),
    )


def is_broken(request: Request) -> bool:
    """Whether the prefix breaks at a request by something else than a compaction."""
    return bool(request.events & (Event.BREAK | Event.PLANNED_BREAK))


def replaced_on_wire(timeline: Timeline) -> int:
    """Results that a preview of the timeline's policy stood for in some request."""
    return sum(1 for row in timeline.tracked if _was_replaced(row))


def replaced_in_ledger(timeline: Timeline) -> int:
    """Results that the ledger has as replaced. The budget may be off or not proved: then none is sent so.

    Without a ledger each request decides again: those count that some request decided to replace.
    """
    if timeline.policy.budget.ledger:
        return sum(1 for row in timeline.tracked if row.state is State.REPLACED)
    return sum(1 for row in timeline.tracked if any(span.state is State.REPLACED for span in row.spans))


def _was_replaced(row: Tracked) -> bool:
    if row.entry.candidate is Candidate.PERSISTED:
        return False  # the session itself had done it before any policy saw it
    return any(span.level is Level.PREVIEW for span in row.spans)


def _results(a: Timeline, b: Timeline) -> Iterator[ResultDifference]:
    last, unit, wanted = len(a.requests), b.policy.unit, a.policy.unit
    for left, right in zip(a.tracked, b.tracked, strict=True):
        spans = right.spans if unit is wanted else converted_spans(right, unit, wanted)
        request = first_difference(left.spans, spans)
        if request is None:
            continue
        entry = left.entry
        yield ResultDifference(
            index=entry.index, id=entry.id, tool=entry.tool, argument=entry.argument, turn=entry.turn + 1,
            request=request, a_sent=sent_over(left.spans, last), b_sent=sent_over(spans, last),
        )  # fmt: skip


def first_difference(a: Sequence[Span], b: Sequence[Span]) -> int | None:
    """The first request in which two lifelines put something else on the wire.

    Args:
        a: Spans in order; the last one is open.
        b: The same.

    Returns:
        The request, or None where they are the same throughout.
    """
    for start in sorted({span.start for span in (*a, *b)}):
        if _on_wire(a, start) != _on_wire(b, start):
            return start
    return None


def _on_wire(spans: Sequence[Span], request: int) -> tuple[Level, int]:
    found = (Level.GONE, 0)
    for span in spans:
        if span.start > request:
            break
        # Exempt means: kept in full for a reason. The wire is the same.
        level = Level.FULL if span.level is Level.EXEMPT else span.level
        found = (level, 0 if level is Level.GONE else span.chars)
    return found


def sent_over(spans: Sequence[Span], last: int) -> int:
    """Chars that a lifeline puts on the wire over all requests.

    Args:
        spans: In order; the last one reaches to `last`.
        last: Number of requests.
    """
    total, end = 0, last + 1
    for span in reversed(spans):
        if span.level is not Level.GONE:
            total += span.chars * (end - span.start)
        end = span.start
    return total


def uncached(timeline: Timeline) -> list[int]:
    """≈ Chars of each request that no prompt cache can hold.

    Without a break that is what was appended. At a break by a result it is everything from that
    result on: results in front of it are known, other text in front of it is taken to be what the
    request sent that first knew the result. At any other break it is the whole request.
    """
    on_wire = _PrefixSums(len(timeline.tracked))
    now = [0] * len(timeline.tracked)
    moves: dict[int, list[tuple[int, int]]] = {}
    for row in timeline.tracked:
        for span in row.spans:
            chars = 0 if span.level is Level.GONE else span.chars
            moves.setdefault(span.start, []).append((row.entry.index, chars))
    out: list[int] = []
    other = [0]
    before = 0
    for request in timeline.requests:
        for index, chars in moves.get(request.n, ()):
            on_wire.add(index, chars - now[index])
            now[index] = chars
        other.append(max(0, request.wire_chars - on_wire.upto(len(now))))
        out.append(_uncached_of(timeline, request, before, on_wire, other))
        before = request.wire_chars
    return out


def _uncached_of(
    timeline: Timeline, request: Request, before: int, on_wire: _PrefixSums, other: Sequence[int]
) -> int:
    broken = request.break_
    if broken is None:
        return max(0, request.wire_chars - before)
    rows = timeline.rows_of(broken.tool_use_id) if broken.tool_use_id else []
    if not rows:
        return request.wire_chars
    row = rows[-1]
    text = other[max(0, min(row.request - 1, request.n))]
    kept = min(text, other[request.n]) + on_wire.upto(row.entry.index)
    return max(0, request.wire_chars - kept)


class _PrefixSums:
    """Sums of the first so many figures, while they change: both in O(log n) (a Fenwick tree)."""

    def __init__(self, size: int) -> None:
        self._sums = [0] * (size + 1)

    def add(self, index: int, figure: int) -> None:
        """Add to one figure, counted from 0."""
        at = index + 1
        while at < len(self._sums):
            self._sums[at] += figure
            at += at & -at

    def upto(self, count: int) -> int:
        """The sum of the first `count` figures."""
        total = 0
        while count:
            total += self._sums[count]
            count -= count & -count
        return total
