"""What broke the prompt prefix, and when the cache went cold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding, Severity
from inspector.model.ledger import State
from inspector.replay.diagnose.pairing import finding
from inspector.replay.prefix import CAUSES, PrefixRow, prefix_rows

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline


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
    yield from _unstable(timeline)
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
        cause=f"Because {CAUSES.get(broken.cause, broken.cause)}.", certain=broken.certain,
        see=f"request {request.n}", data={"cause": broken.cause, "planned": False},
    )  # fmt: skip


def _unstable(timeline: Timeline) -> Iterator[Finding]:
    """The same result under another preview: without a ledger on every turn, else where records say so."""
    if not timeline.policy.budget.ledger:
        last = len(timeline.requests)
        rows = [r for r in timeline.tracked if r.state is State.REPLACED and 0 < r.request < last]
        if rows:
            first = min(rows, key=lambda r: r.request)
            yield finding(
                "unstable_preview",
                f"{len(rows)} replaced results get a new file and a new preview in every request after the "
                f"one that replaced them (first: {first.entry.id}).",
                request=first.request + 1, see=f"line {first.entry.line}",
                ids=tuple(r.entry.id for r in rows),
                cause="Decisions are not kept: the budget runs anew on the whole history each turn.",
            )  # fmt: skip
    for tool_use_id, line in timeline.other_previews:
        yield finding(
            "unstable_preview",
            f"Line {line} replaces {tool_use_id} by another text than before: the prefix breaks there.",
            ids=(tool_use_id,), see=f"line {line}",
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
    read_before = 0
    for row in prefix_rows(timeline):
        if row.cold:
            yield _cold_finding(timeline.requests[row.n - 1], row, read_before)
        if row.cache_read is not None:
            read_before = row.cache_read


def _cold_finding(request: Request, row: PrefixRow, read_before: int) -> Finding:
    return finding(
        "cold_cache",
        f"Request {row.n} read {row.cache_read:,} tokens from the cache where the one before "
        f"read {read_before:,}; {row.cache_creation:,} were written anew.",
        request=row.n, cause=row.cause, certain=row.certain, see=f"line {request.line}",
        data={
            "message_id": request.message_id,
            "gap_minutes": row.gap_minutes,
            "cache_read_before": read_before,
            "cache_read_after": row.cache_read,
            "cache_creation": row.cache_creation,
        },
    )  # fmt: skip
