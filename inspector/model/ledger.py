"""States of a tool result, and how they change over requests (seed 001 §2.5; `Lifeline`)."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class State(StrEnum):
    """Budget state of a result as of one request."""

    PENDING = "fresh"
    """Seen by no request yet."""
    REPLACED = "replaced"
    """Chosen by this request: a preview stands on the wire, the text is on disk."""
    MUST_REAPPLY = "must-reapply"
    """Replaced earlier: the very same preview again."""
    FROZEN = "frozen"
    """Sent in full once; the budget never touches it again."""
    SKIPPED = "skipped"
    """Tool with an unlimited cap: marked seen, not counted while fresh."""
    NOT_CANDIDATE = "not a candidate"
    """No content, an image, or already persisted."""


class Level(StrEnum):
    """What of a result is on the wire."""

    FULL = "full"
    PREVIEW = "preview"
    TRUNCATED = "truncated"
    SUMMARIZED = "summarized"
    CLEARED = "cleared"
    GONE = "gone"
    """Not sent any more: before a compaction, on an abandoned branch, or removed by a repair."""
    EXEMPT = "exempt"
    """Ageing only: old enough, but kept in full on purpose."""


class Span(msgspec.Struct, frozen=True, gc=False):
    """One stretch of requests over which a result did not change."""

    start: int
    """First request of the stretch, from 1."""
    state: State
    level: Level
    chars: int
    """What is on the wire, in the policy's unit."""
    decided: bool = False
    """True where `start` itself is the request that decided the state."""
    estimated: bool = False
    """True where `chars` could not be computed exactly from what the index holds (shown with ≈)."""


Lifeline = tuple[Span, ...]
"""Spans in order of `start`; the last one is open. Requests before the first do not know the result."""


def span_at(lifeline: Lifeline, request: int) -> Span | None:
    """The span that holds at a request, or None when the result was not there yet.

    Args:
        lifeline: Spans in order.
        request: Request number, from 1.
    """
    found = None
    for span in lifeline:
        if span.start > request:
            break
        found = span
    return found
