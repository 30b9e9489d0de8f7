"""What the context is full of: every result by what it weighs and how many requests it stayed.

A large result that leaves after one request costs less than a middling one that is sent forty times,
so growers are ranked by carry: size times the requests that sent it, read off its lifeline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from inspector.model.ledger import Level
from inspector.model.transcript import Candidate

if TYPE_CHECKING:
    from inspector.replay.accounting import Account
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked


# A member looked up on its enum costs ten times what a name costs, and these are asked for per row.
_FULL = Level.FULL
_GONE = Level.GONE
_YES = Candidate.YES


class Grower(msgspec.Struct, frozen=True, gc=False):
    """One result, by what it cost."""

    index: int
    """Ordinal among the rows of its conversation."""
    id: str
    tool: str
    argument: str
    turn: int
    """Number of its turn, from 1."""
    request: int
    """First request that sent it."""
    chars: int
    """What the first request sent of it, in the policy's unit."""
    tokens: int
    """≈ the same in tokens, by the rate of that request."""
    stayed: int
    """Requests that sent anything of it."""
    carry_chars: int
    """Sum of what each request sent of it."""
    carry_tokens: int
    """≈ the same in tokens."""
    share: float
    """≈ its part of all input since its first request, 0 to 1."""
    preview_chars: int | None
    """What the budget would leave of it; None where the budget does not look at it."""
    caused_chars: int
    """Characters of later results that exist because of it: its file read again, the call repeated."""
    line: int


def growers(timeline: Timeline, accounts: Sequence[Account], caused: Mapping[str, int]) -> list[Grower]:
    """All results that were ever sent, by carry, largest first. O(results + their changes).

    Args:
        timeline: The conversation.
        accounts: Its accounts.
        caused: tool_use id → characters of later results that it caused.
    """
    sums = _Sums(accounts)
    out = [
        _grower(timeline, row, sums, caused)
        for row in timeline.tracked
        if (spans := row.spans) and ((spans[0].level is _FULL and spans[0].chars) or _was_sent(row))
    ]
    out.sort(key=lambda g: (-g.carry_tokens, g.index))
    return out


def _was_sent(row: Tracked) -> bool:
    return any(span.chars and span.level is not _GONE for span in row.spans)


class _Sums:
    """Running sums over requests, so that a stretch of any length costs one subtraction."""

    def __init__(self, accounts: Sequence[Account]) -> None:
        self.accounts = accounts
        self._tokens = [0.0]
        self._rates = [0.0]
        # A request that nobody told the usage of carries the system prompt and tools all the same.
        unseen = next((a.remainder for a in accounts if a.remainder is not None), 0)
        for account in accounts:
            unseen = account.remainder if account.remainder is not None else unseen
            self._tokens.append(self._tokens[-1] + account.shown_tokens + unseen)
            rate = account.shown_tokens / account.parts.chars if account.parts.chars else 0.0
            self._rates.append(self._rates[-1] + rate)

    def since(self, n: int) -> float:
        """≈ tokens of all requests from n on."""
        return self._tokens[-1] - self._tokens[n - 1]

    def carried(self, chars: int, start: int, length: int) -> float:
        """≈ tokens of so many characters in so many requests from `start` on, each by its own mean."""
        return chars * (self._rates[start - 1 + length] - self._rates[start - 1])


def _grower(timeline: Timeline, row: Tracked, sums: _Sums, caused: Mapping[str, int]) -> Grower:
    last = len(timeline.requests) + 1
    spans, entry = row.spans, row.entry
    if len(spans) == 1:
        sent = [(spans[0], last - spans[0].start)]
    else:
        ends = [*(span.start for span in spans[1:]), last]
        sent = [(s, end - s.start) for s, end in zip(spans, ends, strict=True) if s.level is not _GONE]
    first = sent[0][0]
    stayed = carry = 0
    tokens = 0.0
    for span, length in sent:
        stayed += length
        carry += span.chars * length
        tokens += sums.carried(span.chars, span.start, length)
    call = entry.call_block
    looked_at = entry.candidate is _YES
    return Grower(
        index=entry.index,
        id=entry.id,
        tool=(call.name if call else "") or "result",
        argument=call.argument if call else "",
        turn=entry.turn + 1,
        request=first.start,
        chars=first.chars,
        tokens=round(first.chars * sums.accounts[first.start - 1].rate),
        stayed=stayed,
        carry_chars=carry,
        carry_tokens=round(tokens),
        share=min(1.0, tokens / max(1.0, sums.since(first.start))),
        preview_chars=timeline.sizing.preview(entry).chars if looked_at else None,
        caused_chars=caused.get(entry.id, 0),
        line=entry.line,
    )
