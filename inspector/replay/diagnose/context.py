"""How the context grew: compactions, jumps, usage that is written more than once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding, counted
from inspector.model.ledger import Level
from inspector.replay.accounting import falls_short
from inspector.replay.diagnose.pairing import finding
from inspector.replay.diagnose.settled import Settled
from inspector.replay.sentences import UNIT_WORDS

if TYPE_CHECKING:
    from inspector.replay.calls import Turn
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline

_JUMP_CHARS = 60_000
"""Growth in one request that is pointed out, in the policy's unit."""
_NAMED = 3
"""Growers named in one finding."""


class ContextFindings:
    """Findings of the context family of one conversation."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._steps = Settled(timeline, _steps)
        self._answers = Settled(timeline, _with_usage)

    def now(self, again: int) -> list[Finding]:
        """By request.

        Args:
            again: How often settled requests have changed after all.
        """
        timeline = self._timeline
        out = self._steps.now(again)
        answers = sum(self._answers.now(again))
        if timeline.usage_records > answers:
            out.append(finding(
                "usage_repeated",
                f"{counted(timeline.usage_records, 'record carries', 'records carry')} usage "
                f"for {counted(answers, 'answer')}; each answer "
                "is counted once, by its last record.",
                data={"records": timeline.usage_records, "answers": answers},
            ))  # fmt: skip
        return out


def _steps(timeline: Timeline, start: int, end: int) -> Iterator[Finding]:
    """Compactions and jumps."""
    before = timeline.requests[start - 1] if start else None
    for request in timeline.requests[start:end]:
        if request.compaction is not None:
            yield _compaction(before, request)
        elif before is not None and request.wire_chars - before.wire_chars >= _JUMP_CHARS:
            yield _jump(timeline, before, request)
        before = request


def _with_usage(timeline: Timeline, start: int, end: int) -> list[int]:
    """The number of requests whose answers carry usage."""
    return [sum(1 for r in timeline.requests[start:end] if r.usage is not None)]


def _compaction(before: Request | None, request: Request) -> Finding:
    boundary = request.compaction
    assert boundary is not None
    old = before.usage.context if before and before.usage else boundary.pre_tokens
    new = request.usage.context if request.usage else boundary.post_tokens
    sizes = f": {old:,} tokens before, {new:,} after" if old is not None and new is not None else ""
    return finding(
        "compaction", f"The conversation was compacted in front of request {request.n}{sizes}.",
        request=request.n, see=f"request {request.n}",
        cause=_agreement(boundary.pre_tokens, before),
        data={
            "trigger": boundary.trigger,
            "pre_tokens": boundary.pre_tokens,
            "post_tokens": boundary.post_tokens,
            "before": old,
            "after": new,
            "preserved": len(boundary.preserved_uuids),
        },
    )  # fmt: skip


def _agreement(stated: int | None, before: Request | None) -> str:
    """Whether the boundary's own figure is that of the last request in front of it."""
    if stated is None or before is None or before.usage is None:
        return ""
    off = stated - before.usage.context
    if not off:
        return f"The boundary states {stated:,} tokens, as the last request used."
    if off == before.usage.output:
        return f"The boundary states {stated:,} tokens: the last request, and {off:,} of its answer."
    return (
        f"The boundary states {stated:,} tokens, {off:+,} against the last request; the text since is in it."
    )


def _jump(timeline: Timeline, before: Request, request: Request) -> Finding:
    grown, unit = request.wire_chars - before.wire_chars, UNIT_WORDS[timeline.policy.unit]
    rows = [timeline.tracked[e.index] for t in _new_turns(timeline, before, request) for e in t.results]
    rows = [r for r in rows if r.request == request.n and r.spans and r.spans[0].level is not Level.GONE]
    rows.sort(key=lambda r: -r.spans[0].chars)
    named = ", ".join(f"{r.entry.tool} {r.entry.id} {r.spans[0].chars:,}" for r in rows[:_NAMED])
    tokens = None
    if before.usage and request.usage and not falls_short(request.usage.context, grown):
        tokens = request.usage.context - before.usage.context
    words = f" ({tokens:,} tokens)" if tokens is not None else ""
    return finding(
        "context_jump",
        f"Request {request.n} is {grown:,} {unit} larger than the one before{words}: "
        f"{named or 'no results'}.",
        request=request.n, ids=tuple(r.entry.id for r in rows[:_NAMED]), see=f"request {request.n}",
        data={"chars": grown, "tokens": tokens},
    )  # fmt: skip


def _new_turns(timeline: Timeline, before: Request, request: Request) -> list[Turn]:
    return timeline.calls.turns[max(0, before.turns - 1) : request.turns]
