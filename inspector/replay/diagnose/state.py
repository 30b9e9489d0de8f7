"""What broke the prompt prefix, and when the cache went cold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding, Severity, counted
from inspector.replay.diagnose.pairing import finding
from inspector.replay.diagnose.settled import Settled
from inspector.replay.prefix import (
    CAUSES,
    PrefixRow,
    clearing_line,
    has_usage,
    is_cold,
    prefix_row,
    usage_before,
)
from inspector.replay.sentences import UNIT_WORDS

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline


class StateFindings:
    """Findings of the state family of one conversation."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._breaks = Settled(timeline, _breaks)
        self._planned = Settled(timeline, _planned)
        self._unstable = Settled(timeline, _unstable_requests)
        self._cold = Settled(timeline, _cold)

    def now(self, again: int) -> list[Finding]:
        """By request; planned breaks are folded into one.

        Args:
            again: How often settled requests have changed after all.
        """
        timeline = self._timeline
        out = self._breaks.now(again)
        if planned := self._planned.now(again):
            out.append(_of_ageing(planned))
        if unstable := self._unstable.now(again):
            out.append(_folded(unstable))
        out += _unstable(timeline)
        out += _lost_replacements(timeline)
        out += self._cold.now(again)
        return out


def _of_ageing(planned: list[int]) -> Finding:
    """Breaks that the policy plans, folded into one."""
    return finding(
        "prefix_break",
        f"{counted(len(planned), 'request breaks', 'requests break')} the prompt prefix by ageing, "
        f"as the policy plans (first: request {planned[0]}).",
        severity=Severity.INFO, request=planned[0], data={"requests": planned, "planned": True},
    )  # fmt: skip


_UNSTABLE = "unstable preview"


def _breaks(timeline: Timeline, start: int, end: int) -> Iterator[Finding]:
    for request in timeline.requests[start:end]:
        broken = request.break_
        if broken is not None and not broken.planned and broken.cause != _UNSTABLE:
            yield _break(request)


def _planned(timeline: Timeline, start: int, end: int) -> list[int]:
    """Requests whose prefix breaks as the policy plans it."""
    return [r.n for r in timeline.requests[start:end] if r.break_ is not None and r.break_.planned]


def _unstable_requests(timeline: Timeline, start: int, end: int) -> list[Request]:
    """Requests whose prefix breaks at a result that only got another preview."""
    broken = [r for r in timeline.requests[start:end] if r.break_ is not None]
    return [r for r in broken if r.break_ and not r.break_.planned and r.break_.cause == _UNSTABLE]


def _folded(requests: list[Request]) -> Finding:
    """Breaks that come back with every request, as one finding."""
    first = requests[0]
    assert first.break_ is not None
    count = counted(len(requests), "request breaks", "requests break")
    return finding(
        "prefix_break",
        f"{count} the prompt prefix at a result that has only got another preview (first: request "
        f"{first.n}, from {first.break_.tool_use_id} on).",
        request=first.n, see=f"request {first.n}",
        ids=tuple(dict.fromkeys(r.break_.tool_use_id for r in requests if r.break_)),
        cause=_sentence(CAUSES[_UNSTABLE]),
        data={"cause": _UNSTABLE, "requests": [r.n for r in requests], "planned": False},
    )  # fmt: skip


def _sentence(clause: str) -> str:
    """A clause as a sentence of its own: the reports put "Because:" or "Likely:" before it."""
    return f"{clause[:1].upper()}{clause[1:]}."


_MEANT = frozenset({"compaction", "rewind", "new start"})
"""Causes of a break that somebody asked for: the history is another one, and nothing went wrong."""


def _break(request: Request) -> Finding:
    broken = request.break_
    assert broken is not None
    where = broken.tool_use_id or f"message {broken.message}"
    severity = Severity.INFO if broken.cause in _MEANT else Severity.WARNING
    return finding(
        "prefix_break",
        f"Request {request.n} differs from the one before from {where} on: all behind it misses the cache.",
        severity=severity, request=request.n,
        ids=(broken.tool_use_id,) if broken.tool_use_id else (),
        cause=_sentence(CAUSES.get(broken.cause, broken.cause)), certain=broken.certain,
        see=f"request {request.n}", data={"cause": broken.cause, "planned": False},
    )  # fmt: skip


def _unstable(timeline: Timeline) -> Iterator[Finding]:
    """The same result under another preview, where the session's own records say so."""
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
            f"Request {n} sends {counted(len(ids), 'result')} in full again where a preview was sent before: "
            f"{cost:,} {UNIT_WORDS[timeline.policy.unit]} more, and the prefix breaks.",
            request=n, ids=tuple(ids), see=f"request {n}", data={"chars": cost},
            cause="Print mode ignores the stored replacements of a screen session.",
        )  # fmt: skip


def _cold(timeline: Timeline, start: int, end: int) -> Iterator[Finding]:
    before = usage_before(timeline, start)
    for request in timeline.requests[start:end]:
        if not has_usage(request):
            continue
        if before is not None and is_cold(before, request):
            row = prefix_row(before, request, clearing_line(timeline, before, request))
            yield _cold_finding(request, row, before)
        before = request


def _cold_finding(request: Request, row: PrefixRow, before: Request) -> Finding:
    read_before = before.usage.cache_read if before.usage else 0
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
