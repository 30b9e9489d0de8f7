"""What fills a request, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from inspector.replay.usage_totals import UsageTotals


@dataclass(frozen=True, slots=True)
class Share:
    """A part of one request: a result, or what is left of it beside the largest ones."""

    name: str
    """Tool, or what the part is; the tool is untrusted."""
    words: str = ""
    """What tells it apart, such as a command; untrusted."""
    chars: int = 0
    """On the wire of the request shown; 0 for what no record shows."""
    tokens: int = 0
    """≈ the same in tokens."""
    in_all_chars: int = 0
    """Sum over all requests up to the one shown; of what is no result, from the last compaction on."""
    request: int | None = None
    """The first request that sent it; None for a part that is no result."""
    result: int | None = None
    """Index of the result."""
    sentence: str = ""
    """How often it was sent, and why it is still there; untrusted."""
    turn: int | None = None
    """The turn that it belongs to."""
    sent: int = 0
    """Requests up to the one shown that sent it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One cause of what `inspector why` says."""

    kind: str
    loud: str
    """`error`, `warning` or `info`."""
    sentence: str
    """Untrusted."""
    request: int | None = None
    id: str = ""
    """Result to jump to."""
    notes: Sequence[str] = ()
    """Why, and what followed from it; untrusted."""
    brief: str = ""
    """The sentence for a row, without ids; empty where there is none; untrusted."""
    share: float | None = None
    """≈ its part of all input since it began, 0 to 1; None where it is not about size."""
    turn: int | None = None
    """The turn of the result to jump to."""
    thread: str | None = None
    """Conversation that it is of, where that is not the one shown."""
    where: str = ""
    """How that one is called; untrusted."""


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """What fills one request, and why."""

    request: int
    chars: int
    tokens: int | None
    """The whole request by usage; exact."""
    shown_tokens: int
    """≈ tokens of what the records show."""
    unit: str
    """What `chars` counts."""
    results: Sequence[Share] = ()
    """Results of the request, in no order."""
    rest: Sequence[Share] = ()
    """Its other parts."""
    reasons: Sequence[Reason] = ()
    """Causes over the whole session, most important first."""
    reasons_total: int = 0
    """How many there are; more than `reasons` where not all are shown."""
    usage: UsageTotals | None = None
    """Tokens of all answers of the session, exact; None where no answer says what it used."""
    thinking_chars: int = 0
    """Thinking, which `chars` leaves out: no recording shows whether it is sent."""
    estimated: bool = False
    """Whether `chars` is an estimate."""


class WhySource(Protocol):
    """Whoever explains a session's size."""

    def answer(self, request: int) -> WhyAnswer:
        """Explain one request. Called in a worker thread.

        Args:
            request: From 1.

        Raises:
            InspectorError: It cannot be told.
        """
