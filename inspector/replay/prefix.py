"""The prompt prefix of every request: where it is predicted to break, beside what usage says of the cache.

A predicted break says which block differs and why; usage says only that less was read. Put together
they tell a break that cost something from one that nobody noticed, and a cold cache that the records
explain from one that they do not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from inspector.model.transcript import Role

if TYPE_CHECKING:
    from inspector.replay.requests import Break, Request
    from inspector.replay.timeline import Timeline

_FALL_TOKENS = 2_000
"""A fall of the cache read below this is noise (`claude-code-wire.md`, Real transcripts: up to 4.4 K)."""
_CACHE_MINUTES = 5
"""A prompt cache entry lives this long unless it is read again (the short one of the two lifetimes)."""
_LONG_CACHE_MINUTES = 60
"""The long one of the two lifetimes: after it no entry is left."""

CAUSES: dict[str, str] = {
    "ageing": "an ageing step of the policy changed an old result",
    "replacement": "a result that was sent in full is a preview now, or the other way round",
    "clearing": "old results were cleared",
    "compaction": "the conversation was compacted",
    "rewind": "the conversation went on from an earlier record",
    "late result": "a result came after the request that should have held it",
    "load": "the session was loaded again and repaired",
    "new start": "the conversation was started over",
    "repair": "a repair changed a message that had been sent",
    "resume": "the session was resumed in another mode",
    "head": "the model, the tools or the system prompt changed",
    "unstable preview": "the same result gets a new file, and with it a new preview, in every request",
}
"""Cause words of a prefix break, as a clause."""


class PrefixRow(msgspec.Struct, frozen=True, gc=False):
    """Prediction and usage of one request, side by side."""

    n: int
    broken: Break | None
    """The predicted break; None where the request only had to append, and did."""
    cache_read: int | None
    """Tokens read from the cache, by usage."""
    cache_creation: int | None
    """Tokens written to the cache, by usage."""
    fall: int
    """Tokens by which the cache read fell against the request before; 0 where it did not."""
    cold: bool
    """Whether the fall is more than noise and more than a quarter of what was read before."""
    gap_minutes: int | None
    """Minutes between the answer before and what was sent now."""
    cause: str
    """Why the cache was cold, in a sentence; empty where it was not."""
    certain: bool
    """Whether the cause is certain; a long pause, for example, is only likely."""
    verdict: str
    """`confirmed` (break and cold), `not seen` (a break that usage does not show), `unpredicted` (cold
    without a break), or empty."""


def prefix_rows(timeline: Timeline) -> Iterator[PrefixRow]:
    """The prefix of every request, in order."""
    before: Request | None = None
    for request in timeline.requests:
        yield prefix_row(before, request, clearing_line(timeline, before, request))
        if has_usage(request):
            before = request


def prefix_row(before: Request | None, request: Request, cleared_at: int | None = None) -> PrefixRow:
    """The prefix of one request.

    Args:
        before: The newest request in front of it that has usage; None where none has.
        request: The request.
        cleared_at: Line that records a clearing between the two (`clearing_line`).
    """
    usage = request.usage if has_usage(request) else None
    fall = max(0, before.usage.cache_read - usage.cache_read) if before and before.usage and usage else 0
    cold = before is not None and usage is not None and is_cold(before, request)
    minutes = int(request.gap_s // 60) if request.gap_s is not None else None
    cause, certain = _cold_cause(before, request, minutes, cleared_at) if cold and before else ("", True)
    return PrefixRow(
        n=request.n,
        broken=request.break_,
        cache_read=usage.cache_read if usage else None,
        cache_creation=usage.cache_creation if usage else None,
        fall=fall,
        cold=cold,
        gap_minutes=minutes,
        cause=cause,
        certain=certain,
        verdict=_verdict(request, cold, known=usage is not None and before is not None),
    )


def clearing_line(timeline: Timeline, before: Request | None, request: Request) -> int | None:
    """Line of the last clearing recorded between two requests; None where none is, or none stands before.

    What it cleared may stand in an earlier file, so that nothing of it left the wire of this one.
    """
    if before is None:
        return None
    at = bisect_right(timeline.boundaries, request.n, key=itemgetter(0))
    while at and timeline.boundaries[at - 1][0] > before.n:
        at -= 1
        if timeline.boundaries[at][1].role is Role.CLEARING:
            return timeline.boundaries[at][1].line
    return None


def has_usage(request: Request) -> bool:
    """Whether a request's answer says how many tokens were sent."""
    usage = request.usage
    return usage is not None and bool(usage.cache_read or usage.input or usage.cache_creation)


def usage_before(timeline: Timeline, index: int) -> Request | None:
    """The newest request with usage in front of the one at an index of the list; None where none has."""
    requests = timeline.requests
    return next((r for n in range(index - 1, -1, -1) if has_usage(r := requests[n])), None)


def is_cold(before: Request, request: Request) -> bool:
    """Whether the cache was lost, both having usage.

    The read fell by more than noise and by more than a quarter; or, however small it was, to nothing
    while the cache was written anew.
    """
    assert before.usage is not None and request.usage is not None
    read = before.usage.cache_read
    if read and not request.usage.cache_read and request.usage.cache_creation:
        return True
    fall = read - request.usage.cache_read
    return fall > _FALL_TOKENS and fall * 4 > read


def _verdict(request: Request, cold: bool, *, known: bool) -> str:
    if cold:
        return "confirmed" if request.break_ is not None else "unpredicted"
    return "not seen" if request.break_ is not None and known else ""


def _unrecorded_tokens(before: Request, request: Request) -> int:
    """Tokens by which a request is smaller than the one before although nothing left its records."""
    if before.usage is None or request.usage is None or request.wire_chars < before.wire_chars:
        return 0
    fewer = before.usage.context - request.usage.context
    return fewer if fewer >= _FALL_TOKENS else 0


def _cold_cause(
    before: Request, request: Request, minutes: int | None, cleared_at: int | None
) -> tuple[str, bool]:
    if request.compaction is not None:
        return "The conversation was compacted.", True
    if request.model and before.model and request.model != before.model:
        return f"The model changed from {before.model} to {request.model}.", True
    if request.break_ is not None:
        return f"The prompt prefix broke: {CAUSES.get(request.break_.cause, request.break_.cause)}.", True
    fewer = _unrecorded_tokens(before, request)
    if fewer and cleared_at is not None:
        return f"{fewer:,} tokens fewer were sent: line {cleared_at} records that results were cleared.", True
    if fewer:
        pause = f" after {minutes} minutes" if minutes is not None and minutes >= _CACHE_MINUTES else ""
        return (
            f"{fewer:,} tokens fewer were sent{pause} although the records only grew: results were "
            "cleared on the wire, and no record says so."
        ), False
    if minutes is not None and minutes >= _CACHE_MINUTES:
        lifetimes = "the cache keeps an entry for 5 or 60 minutes"
        if minutes >= _LONG_CACHE_MINUTES:
            lifetimes = "longer than the cache keeps any entry"
        return f"Nothing was sent for {minutes} minutes; {lifetimes}.", False
    return "Not explained by the transcript: the system prompt or the tools may have changed.", False
