"""What happened to a row, said in one sentence: the first line of the detail pane."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from inspector.model.ledger import Level, Span, State
from inspector.model.policy import Unit
from inspector.model.transcript import Candidate
from inspector.replay.view import Repair

if TYPE_CHECKING:
    from inspector.replay.requests import AnyGroup
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

UNIT_WORDS: dict[Unit, str] = {
    Unit.CODE_POINTS: "chars",
    Unit.UTF16: "UTF-16 units",
    Unit.BYTES: "bytes",
}
"""How a policy's unit is called in a sentence."""
UNIT_HEADS: dict[Unit, str] = {
    Unit.CODE_POINTS: "chars",
    Unit.UTF16: "UTF-16",
    Unit.BYTES: "bytes",
}
"""How it is called at the head of a column and behind a label."""


_REPAIRS: dict[Repair, str] = {
    Repair.SYNTHETIC: "+ synthetic: the call was never answered; an error result stands in its place.",
    Repair.ORPHAN: "× orphan: no call with this id precedes the result; it is not sent.",
    Repair.DUPLICATE: "» duplicate: this id was used before; only the first one is sent.",
    Repair.DROPPED: "× dropped: the call was never answered, so the client leaves it out.",
    Repair.PENDING: "? pending: the call has no result yet.",
    Repair.MOVED: "↑ moved: the result was put next to its call.",
    Repair.REORDERED: "↑ reordered: put into call order because another part was repaired; not counted.",
}
_NOT_CANDIDATE: dict[Candidate, str] = {
    Candidate.NO_CONTENT: "it has no content",
    Candidate.IMAGE: "it holds an image",
    Candidate.PERSISTED: "it was already saved to disk when the tool returned",
    Candidate.YES: "the budget does not look at it",
}


def row_sentence(timeline: Timeline, row: Tracked, n: int) -> str:
    """Why a row is as it is at request n."""
    repair = next((what for at, what in reversed(row.repairs) if at <= n), Repair.OK)
    if said := repair_sentence(repair, anew=row.anew):
        return said
    at = bisect_right(row.spans, n, key=lambda span: span.start) - 1
    if at < 0:
        return "? fresh: no request has seen this result yet."
    span = row.spans[at]
    if span.level is Level.GONE and at == 0:
        return f"· gone: it was taken away in front of request {span.start}, and never sent."
    if span.level is Level.GONE:
        return f"· gone: not sent since request {span.start}."
    aged = _aged_sentence(timeline, row, span, n)
    if row.anew:
        return aged or _anew_sentence(timeline, row, span)
    return aged or _budget_sentence(timeline, row, n)


def repair_sentence(repair: Repair, *, anew: bool) -> str:
    """What a repair did, and why; empty where it did nothing that one could tell of a row.

    Args:
        repair: What was done.
        anew: Whether the policy keeps no ledger: it pairs by place.
    """
    if repair is Repair.ORPHAN and anew:
        return "× orphan: no call waits for this id where the result stands; it is not sent."
    return _REPAIRS.get(repair, "")


def _anew_sentence(timeline: Timeline, row: Tracked, span: Span) -> str:
    """The budget's part where no decision is kept."""
    unit = UNIT_WORDS[timeline.policy.unit]
    if span.state is State.REPLACED:
        limit = timeline.policy.budget.result_limit
        single = limit is not None and row.full > limit
        over = f"the limit of {limit:,} for one result" if single else "what its turn has room for"
        return (
            f"R replaced now: at {row.full:,} {unit} it is over {over}. No ledger keeps that: "
            "the next request decides again and writes another file."
        )
    if span.state is State.MUST_REAPPLY:
        return "r must-reapply: its preview stands in the stored history since it was replaced."
    return "n not replaced: sent in full this time. No ledger keeps that: each request decides again."


def _aged_sentence(timeline: Timeline, row: Tracked, span: Span, n: int) -> str:
    if span.level not in (Level.TRUNCATED, Level.SUMMARIZED, Level.CLEARED):
        return ""
    age = timeline.requests[n - 1].answers - row.birth
    unit = UNIT_WORDS[timeline.policy.unit]
    when = "now" if span.start == n else f"since request {span.start}"
    sizes = f"{span.chars:,} of {row.full:,} {unit} are left"
    if span.level is Level.CLEARED:
        return f"▁ cleared {when}: the session recorded that this result was cleared; ≈ {sizes}."
    sign, word = ("▄", "truncated") if span.level is Level.TRUNCATED else ("▁", "one line")
    settings = timeline.policy.microcompact
    limit = settings.truncate_turns if span.level is Level.TRUNCATED else settings.summarize_turns
    return f"{sign} {word} {when}: {age} answers later (limit {limit}), {sizes}."


def _budget_sentence(timeline: Timeline, row: Tracked, n: int) -> str:
    unit = UNIT_WORDS[timeline.policy.unit]
    now = row.request == n
    group = _group_of(timeline, row)
    held = f"the group held {group.total:,} of {group.limit:,} {unit}" if group else ""
    if row.state is State.REPLACED:
        note = _not_on_wire(timeline, row)
        if now:
            return f"R replaced now: {held}; {_why_chosen(timeline, row, group)}.{note}"
        return f"r must-reapply: replaced in request {row.request}, the very same preview ever since.{note}"
    if row.state is State.SKIPPED:
        word = "S skipped now" if now else "s skipped"
        return (
            f"{word}: {row.entry.tool} has no cap of its own, so the budget neither counts nor replaces it."
        )
    if row.state is State.FROZEN:
        if now and group and group.total > group.limit and row.entry.is_mixed:
            return f"F frozen now: {held}, but what holds more than text is never replaced."
        if now:
            return f"F frozen now: sent in full; {held or 'the budget leaves it alone'} from here on."
        return f"f frozen: sent in full in request {row.request}, never replaced after that."
    if row.state is State.NOT_CANDIDATE:
        return f"- not a candidate: {_NOT_CANDIDATE[row.entry.candidate]}."
    return "? fresh: no request has decided it yet."


def _why_chosen(timeline: Timeline, row: Tracked, group: AnyGroup | None) -> str:
    limit = timeline.policy.budget.result_limit
    unit = UNIT_WORDS[timeline.policy.unit]
    if limit is not None and row.full > limit:
        return f"at {row.full:,} it is over the limit of {limit:,} {unit} for one result"
    if group and group.replaced and group.replaced[0] == row.entry.id:
        return "this was its largest fresh result"
    return "this was among its largest fresh results"


def _not_on_wire(timeline: Timeline, row: Tracked) -> str:
    if row.applied:
        return ""
    if row.entry.id in timeline.differing:
        return " No replacement line is stored, so it counts in full here."
    return " Only predicted: no record shows a replacement, so the full text counts as sent."


def _group_of(timeline: Timeline, row: Tracked) -> AnyGroup | None:
    if not row.request or row.request > len(timeline.requests):
        return None
    groups = timeline.requests[row.request - 1].groups
    return next((g for g in groups if g.turn == row.entry.turn), None)
