"""What broke the prompt prefix, and when the cache went cold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding, Severity
from inspector.replay.diagnose.pairing import finding
from inspector.replay.sentences import BREAK_CAUSES

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline

_FALL_TOKENS = 2_000
"""A fall of the cache read below this is noise (`claude-code-wire.md`, Real transcripts: up to 4.4 K)."""
_CACHE_MINUTES = 5
"""A prompt cache entry lives this long unless it is read again (the short one of the two lifetimes)."""


def state_findings(timeline: Timeline) -> Iterator[Finding]:
    """Findings of the state family, by request; planned breaks are folded into one."""
    planned = []
    for request in timeline.requests:
        broken = request.break_
        if broken is None:
            continue
        if broken.planned:
            planned.append(request.n)
        else:
            yield _break(request)
    if planned:
        yield finding(
            "prefix_break",
            f"{len(planned)} requests break the prompt prefix by ageing, as the policy plans "
            f"(first: request {planned[0]}).",
            severity=Severity.INFO, request=planned[0], data={"requests": planned, "planned": True},
        )  # fmt: skip
    yield from _lost_replacements(timeline)
    yield from _cold(timeline)


def _break(request: Request) -> Finding:
    broken = request.break_
    assert broken is not None
    where = broken.tool_use_id or f"message {broken.message}"
    severity = Severity.INFO if broken.cause == "compaction" else Severity.WARNING
    return finding(
        "prefix_break",
        f"Request {request.n} differs from the one before from {where} on: all behind it misses the cache.",
        severity=severity, request=request.n,
        ids=(broken.tool_use_id,) if broken.tool_use_id else (),
        cause=f"Because {BREAK_CAUSES.get(broken.cause, broken.cause)}.", certain=broken.certain,
        see=f"request {request.n}", data={"cause": broken.cause, "planned": False},
    )  # fmt: skip


def _lost_replacements(timeline: Timeline) -> Iterator[Finding]:
    for n, ids in timeline.unreplaced:
        cost = sum(row.full - row.preview for i in ids for row in timeline.rows_of(i)[-1:])
        yield finding(
            "replacement_lost",
            f"Request {n} sends {len(ids)} results in full again that were previews before: "
            f"{cost:,} chars more, and the prefix breaks.",
            request=n, ids=tuple(ids), see=f"request {n}", data={"chars": cost},
            cause="Print mode ignores the stored replacements of a screen session.",
        )  # fmt: skip


def _cold(timeline: Timeline) -> Iterator[Finding]:
    before: Request | None = None
    for request in timeline.requests:
        usage = request.usage
        if usage is None or usage.context == 0:
            continue
        if before is not None and before.usage is not None:
            read = before.usage.cache_read
            fall = read - usage.cache_read
            if fall > _FALL_TOKENS and fall * 4 > read:
                yield _cold_finding(before, request)
        before = request


def _cold_finding(before: Request, request: Request) -> Finding:
    assert before.usage is not None and request.usage is not None
    minutes = int(request.gap_s // 60) if request.gap_s is not None else None
    cause, certain = _cold_cause(before, request, minutes)
    return finding(
        "cold_cache",
        f"Request {request.n} read {request.usage.cache_read:,} tokens from the cache where the one before "
        f"read {before.usage.cache_read:,}; {request.usage.cache_creation:,} were written anew.",
        request=request.n, cause=cause, certain=certain, see=f"line {request.line}",
        data={
            "message_id": request.message_id,
            "gap_minutes": minutes,
            "cache_read_before": before.usage.cache_read,
            "cache_read_after": request.usage.cache_read,
            "cache_creation": request.usage.cache_creation,
        },
    )  # fmt: skip


def _cold_cause(before: Request, request: Request, minutes: int | None) -> tuple[str, bool]:
    if request.compaction is not None:
        return "The conversation was compacted.", True
    if request.model and before.model and request.model != before.model:
        return f"The model changed from {before.model} to {request.model}.", True
    if request.break_ is not None:
        clause = BREAK_CAUSES.get(request.break_.cause, request.break_.cause)
        return f"The prompt prefix broke: {clause}.", True
    if minutes is not None and minutes >= _CACHE_MINUTES:
        return f"Nothing was sent for {minutes} minutes; cache entries expire.", False
    return "Not explained by the transcript: the system prompt or the tools may have changed.", False
