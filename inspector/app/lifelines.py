"""A lifeline in words: what became of one result, request by request, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from inspector.figures import count_words, number
from inspector.model.ledger import Level, Lifeline, Span, State
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.view import Event, Repair, ResultRow, SessionView

_IN_FULL = {
    State.FROZEN: "frozen, sent in full",
    State.SKIPPED: "skipped, sent in full",
    State.NOT_CANDIDATE: "not a candidate, sent as it is",
    State.REPLACED: "would be replaced; sent in full",
    State.MUST_REAPPLY: "would be replaced; sent in full",
    State.PENDING: "fresh",
}
_REMOVED = {
    Repair.ORPHAN: "removed, an orphan",
    Repair.DUPLICATE: "pruned, a duplicate",
    Repair.DROPPED: "dropped, never answered",
}


class Stretch(NamedTuple):
    """Some requests, and how the result was in them."""

    first: int
    last: int
    words: str

    @property
    def where(self) -> str:
        """The requests: `38` or `39–77`."""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


def stretches(view: SessionView, row: ResultRow, lifeline: Lifeline) -> list[Stretch]:
    """A lifeline as stretches with words.

    Args:
        view: The session.
        row: The result, as of any request.
        lifeline: Its spans.
    """
    last = view.request_count
    ends = [*(span.start - 1 for span in lifeline[1:]), last]
    out: list[Stretch] = []
    for span, end in zip(lifeline, ends, strict=False):
        out += _of_span(view, row, span, max(span.start, end))
    return out


def _of_span(view: SessionView, row: ResultRow, span: Span, end: int) -> Iterator[Stretch]:
    unit = UNIT_WORDS[view.policy.unit]
    size = f"{'≈ ' if span.estimated else ''}{number(span.chars)} {unit}"
    if span.level is Level.PREVIEW and span.state is State.REPLACED:
        first = span.start
        if span.decided:
            yield Stretch(first, first, f"replaced by {size}")
            first += 1
        if first <= end:
            yield Stretch(first, end, "must-reapply, the same" if span.decided else f"must-reapply, {size}")
        return
    yield Stretch(span.start, end, _words(view, row, span, size))


def _words(view: SessionView, row: ResultRow, span: Span, size: str) -> str:
    if span.level is Level.GONE:
        if view.request(span.start).events & Event.COMPACTION:
            return "gone by compaction"
        return _REMOVED.get(row.pairing, "gone")
    if span.level is Level.PREVIEW and span.state is State.MUST_REAPPLY:
        return "must-reapply, the same"
    words = {
        Level.PREVIEW: f"saved to disk by its tool, {size} of preview",
        Level.TRUNCATED: f"truncated to {size}",
        Level.SUMMARIZED: f"one line, {size}",
        Level.CLEARED: f"cleared, {size}",
    }
    if row.anew and span.state is State.PENDING:
        return words.get(span.level) or "not replaced, sent in full"
    return words.get(span.level) or _IN_FULL[span.state]


def unseen_words(view: SessionView, row: ResultRow) -> str:
    """What became of a call that never had a result, for which there is no lifeline.

    Args:
        view: The session.
        row: The call, as of the newest request.
    """
    if row.pairing is Repair.SYNTHETIC and row.wire_chars:
        size = f"{number(row.wire_chars)} {UNIT_WORDS[view.policy.unit]}"
        return f"never answered; an error of {size} is sent in its place"
    return _REMOVED.get(row.pairing) or "no request has seen it yet"


def cost_words(view: SessionView, row: ResultRow, lifeline: Lifeline) -> str:
    """What a result cost over all requests, beside what it would have cost in full.

    Args:
        view: The session.
        row: The result, as of the newest request.
        lifeline: Its spans.
    """
    unit = UNIT_WORDS[view.policy.unit]
    ends = [*(span.start for span in lifeline[1:]), view.request_count + 1]
    sent = requests = 0
    for span, end in zip(lifeline, ends, strict=False):
        if span.level is not Level.GONE:
            sent += span.chars * (end - span.start)
            requests += end - span.start
    if not requests:
        return "" if row.wire_chars else "never sent"
    words = f"sent {number(sent)} {unit} in {count_words(requests, 'request')}"
    full = (row.chars or 0) * requests
    return f"{words} instead of {number(full)}" if full != sent else f"{words}, always in full"
