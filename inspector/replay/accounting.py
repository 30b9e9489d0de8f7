"""Where the characters and tokens of every request are: by what they are, and by what no transcript shows.

Usage gives the exact total of a request but not its parts. What a request adds is measured where it
enters: the tokens by which the total grew are those of the blocks that are new, as long as that is a
possible ratio. So one odd text cannot distort another, and the rest (system prompt, tools, hidden
thinking, reminders) is what is left: it moves only when something moved that the records do not show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from inspector.model.findings import counted
from inspector.pipeline.wire.parts import TALLY_FIGURES, UNIT_PLACES
from inspector.replay.conversation import span_of, state_at
from inspector.replay.prefix import clearing_line

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline

_DEFAULT_RATE = 1 / 3
"""Tokens per character where a session has measured none yet."""
_RATES = (1 / 8, 1.0)
"""Tokens per character that a text can have: blanks and repeated text at one end, base64 at the other."""
_SLACK_TOKENS = 400
"""Tokens around blocks (roles, ids, names of tools) that one request may add beside their texts."""
_IMAGE_TOKENS = 1_600
"""Most tokens that one image costs after the API has scaled it."""
_MEASURED = 40
"""Requests from whose growth the ratio of what stood there before them is taken."""
_STEP_CHARS = 1_000
"""Growth from which a step says something about the ratio."""
_NO_FIGURES = (0,) * TALLY_FIGURES
JUMP_TOKENS = 2_000
"""Change of the remainder that is worth a line; hidden thinking of one answer is mostly below it."""


class Parts(msgspec.Struct, frozen=True, gc=False):
    """Characters on the wire of one request, by what they are, in the policy's unit."""

    user: int
    """Prompts, and what the client wrote in the user's name."""
    assistant: int
    """Texts of answers."""
    thinking: int
    """As far as the transcript holds it."""
    calls: int
    """Inputs of tool calls."""
    results: int
    """Results as they are sent: previews and shortened texts at their own size."""
    summaries: int
    """Summaries of compactions."""
    images: int
    """Number of images, not characters."""

    @property
    def chars(self) -> int:
        """All characters that the records show."""
        return self.user + self.assistant + self.thinking + self.calls + self.results + self.summaries


class Account(msgspec.Struct, frozen=True, gc=False):
    """What one request holds, in characters and tokens."""

    n: int
    parts: Parts
    tokens: int | None
    """The whole request, by usage: exact. None where there is no usage, or one that cannot be of it."""
    shown_tokens: int
    """≈ tokens of what the records show."""
    remainder: int | None
    """`tokens - shown_tokens`: system prompt, tools and whatever no record shows. Never negative."""
    jump: int
    """Change of the remainder since the request before; 0 for the first."""
    cause: str
    """Why it moved, in a sentence; empty below `JUMP_TOKENS`."""
    certain: bool
    cut_tokens: int
    """≈ tokens of what the records show that were not sent although no record says so (an old client
    cleared results on the wire only): usage fell below what the remainder can give."""
    growth_chars: int
    """Characters more (or fewer) than in the request before."""
    growth_tokens: int | None
    """Tokens more than in the request before; exact."""
    floor: int | None
    """The smallest remainder since the last compaction."""
    rate: float
    """≈ tokens per character of what entered with this request."""

    def tokens_of(self, chars: int) -> int:
        """≈ tokens of a part of this request, by the mean over all that it shows."""
        return round(chars * self.shown_tokens / self.parts.chars) if self.parts.chars else 0


class Accounts:
    """The accounts of one conversation, extended at the cost of the requests that are new."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        """The conversation."""
        self._rows: list[Account] = []
        self._base_rate = _DEFAULT_RATE

    def rows(self) -> Sequence[Account]:
        """One account for each request, in order. Costs what came since it was asked last."""
        requests = self.timeline.requests
        # The last answer's usage may still change, and the pending request is decided anew.
        keep = max(0, min(len(self._rows), len(requests)) - 2)
        if keep < _MEASURED:
            keep = 0
            self._base_rate = _measured_rate(requests[:_MEASURED], self.timeline)
        del self._rows[keep:]
        for request in requests[keep:]:
            self._rows.append(self._account(request))
        return self._rows

    def _account(self, request: Request) -> Account:
        parts = parts_of(self.timeline, request)
        before = self._rows[-1] if self._rows else None
        stated = request.usage.context if request.usage and request.usage.context else None
        known = next((r for r in reversed(self._rows) if r.tokens is not None), None)
        total = stated if stated is None or self._is_possible(stated, request, parts, known) else None
        shown, rate = self._shown(request, parts, total, known)
        cut = self._unseen_cut(request, shown, total, known) if total is not None else 0
        shown -= cut
        remainder = total - shown if total is not None else None
        jump = 0
        if remainder is not None and known is not None and known.remainder is not None:
            jump = remainder - known.remainder
        cause, certain = "", True
        if abs(jump) >= JUMP_TOKENS or cut >= JUMP_TOKENS:
            cause, certain = self._cause(request, jump, cut, known)
        if stated is not None and total is None and known is not None and not self._is_told(before):
            cause = _impossible(stated, parts.chars - known.parts.chars)
        return Account(
            n=request.n,
            parts=parts,
            tokens=total,
            shown_tokens=shown,
            remainder=remainder,
            jump=jump,
            cause=cause,
            certain=certain,
            cut_tokens=cut,
            growth_chars=parts.chars - (before.parts.chars if before else 0),
            growth_tokens=total - known.tokens
            if total is not None and known is not None and known.tokens is not None
            else None,
            floor=self._floor(request, remainder, before),
            rate=rate,
        )

    def _is_possible(self, stated: int, request: Request, parts: Parts, known: Account | None) -> bool:
        """Whether usage can be of this request: what came new is sent in any case, cleared is what is old."""
        if known is None or self._compacted_since(known, request):
            return True
        return not falls_short(stated, parts.chars - known.parts.chars)

    def _is_told(self, before: Account | None) -> bool:
        """Whether the usage of the request before was put aside already."""
        usage = self.timeline.requests[before.n - 1].usage if before is not None else None
        return before is not None and before.tokens is None and usage is not None and usage.context > 0

    def _floor(self, request: Request, remainder: int | None, before: Account | None) -> int | None:
        earlier = before.floor if before is not None and request.compaction is None else None
        if remainder is None or earlier is None:
            return remainder if earlier is None else earlier
        return min(earlier, remainder)

    def _shown(
        self, request: Request, parts: Parts, total: int | None, known: Account | None
    ) -> tuple[int, float]:
        """≈ tokens of what the records show, and the rate of what is new."""
        base = self._base_rate
        if known is None or known.tokens is None or self._compacted_since(known, request):
            images = _IMAGE_TOKENS * parts.images
            return round(parts.chars * base) + images, base
        grown = parts.chars - known.parts.chars
        if grown < 0:
            mean = known.shown_tokens / known.parts.chars if known.parts.chars else base
            return max(0, known.shown_tokens + round(grown * mean)), mean
        if total is None:
            return known.shown_tokens + round(grown * base), base
        images = _IMAGE_TOKENS * max(0, parts.images - known.parts.images)
        least, most = grown * _RATES[0], grown * _RATES[1] + _SLACK_TOKENS + images
        gained: float = total - known.tokens
        if gained < 0:  # something else left: the new text came at the usual rate all the same
            gained = grown * base
        tokens = round(min(max(gained, least), most))
        return known.shown_tokens + tokens, min(_RATES[1], tokens / grown) if grown else base

    def _unseen_cut(self, request: Request, shown: int, total: int, known: Account | None) -> int:
        """Tokens by which less was sent than the records show.

        System prompt and tools do not shrink within a conversation, so a fall below the smallest
        remainder so far was taken from what is shown; unless the remainder holds history that stands
        in an earlier file.
        """
        rest = total - shown
        if known is None or self.timeline.starts_mid_conversation or self._compacted_since(known, request):
            return max(0, -rest)
        floor = min(self._rows[-1].floor or 0, total)
        return max(0, floor - rest) if floor - rest >= JUMP_TOKENS else max(0, -rest)

    def _compacted_since(self, known: Account, request: Request) -> bool:
        if known.n + 1 == request.n:
            return request.compaction is not None
        requests = self.timeline.requests[known.n : request.n]
        return any(r.compaction is not None for r in requests)

    def _cause(self, request: Request, jump: int, cut: int, known: Account | None) -> tuple[str, bool]:
        if known is None:
            return "Usage is smaller than what the records show.", False
        before = self.timeline.requests[known.n - 1]
        broken = request.break_
        if self._compacted_since(known, request):
            return "The conversation was compacted; what the client adds was built anew.", True
        if request.model and before.model and request.model != before.model:
            return f"The model changed from {before.model} to {request.model}, which counts otherwise.", True
        cleared_at = clearing_line(self.timeline, before, request)
        if cleared_at is not None and (cut >= JUMP_TOKENS or jump < 0):
            return f"Line {cleared_at} records that results were cleared.", True
        if cut >= JUMP_TOKENS:
            return (
                f"≈ {cut:,} tokens that the records show were not sent: results were cleared on the wire, "
                "and no record says so."
            ), False
        if broken is not None and not broken.planned:
            return f"The history was not continued as it stood ({broken.cause}).", False
        if jump < 0 and request.hidden_thinking == 0:
            return "Thinking or reminders of earlier turns were left out; records do not show them.", False
        if request.hidden_thinking:
            return "The answer before held thinking whose text is not in the transcript.", False
        if request.attachments:
            between = counted(request.attachments, "line that is no message", "lines that are no messages")
            return (
                f"Between them: {between} (attachments, system); the client may have sent reminders made of "
                "that."
            ), False
        return "The system prompt, the tools or reminders changed; no record shows them.", False


def falls_short(tokens: int, chars: int) -> bool:
    """Whether a whole request of so many tokens is too small for the characters that are new in it.

    Some gateways and stand-ins of an API state a constant, or nothing but the tokens of the last prompt.
    """
    return tokens < chars * _RATES[0] - _SLACK_TOKENS


def _impossible(stated: int, grown: int) -> str:
    return (
        f"Usage states {counted(stated, 'token')} for all of it, fewer than the ≈ "
        f"{round(grown * _RATES[0]):,} that what is new takes at least: it is not counted from here on."
    )


def parts_of(timeline: Timeline, request: Request) -> Parts:
    """What a request is made of. The sum but for thinking is its `wire_chars`.

    Read from the summed numbers themselves (their order: `pipeline.wire.parts.tally_of`), because every
    request is asked for its parts.
    """
    figures, place = request.figures or _NO_FIGURES, UNIT_PLACES[timeline.policy.unit]
    return Parts(
        user=figures[place],
        assistant=figures[3 + place],
        thinking=figures[15 + place],
        calls=figures[6 + place] + request.calls_shift,
        results=figures[9 + place] + request.results_shift,
        summaries=figures[12 + place],
        images=figures[18] + request.images_shift,
    )


ERRORS_SENT = ("(no result)", "error sent")
"""Tool and state of the errors that stand in for results which never came: no row is one of them."""


def results_by_tool(timeline: Timeline, n: int) -> dict[tuple[str, str], int]:
    """Characters of results on the wire of request n, by tool and state. O(results that it knows).

    Returns:
        (tool, state word) → characters in the policy's unit; largest first.
    """
    sums: dict[tuple[str, str], int] = {}
    for row in timeline.tracked:
        span = span_of(row, n)
        if span is None or not span.chars:
            continue
        key = (row.entry.tool or "(no call)", state_at(row, span, n).value)
        sums[key] = sums.get(key, 0) + span.chars
    errors = parts_of(timeline, timeline.requests[n - 1]).results - sum(sums.values())
    if errors > 0:
        sums[ERRORS_SENT] = errors
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def _measured_rate(requests: Sequence[Request], timeline: Timeline) -> float:
    """Median tokens per character of the growth of some requests, within what is possible."""
    rates = []
    known: tuple[int, int] | None = None
    for request in requests:
        if request.usage is None or not request.usage.context:
            continue
        chars, tokens = parts_of(timeline, request).chars, request.usage.context
        if known is not None and request.compaction is None and chars - known[0] >= _STEP_CHARS:
            rate = (tokens - known[1]) / (chars - known[0])
            if _RATES[0] <= rate <= _RATES[1]:
                rates.append(rate)
        known = (chars, tokens)
    rates.sort()
    middle = len(rates) // 2
    return (rates[middle] + rates[~middle]) / 2 if rates else _DEFAULT_RATE
