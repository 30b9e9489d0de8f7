"""Pairing repair as ChatCLI does it today: by position, one assistant message at a time (§2.1–2.3).

Besides the repaired history a run names where each message came from, so that a screen can show
a moved result at both places without comparing texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from inspector.model.chatcli import Message, ToolCall

SYNTHETIC_CONTENT = (
    "[Tool result missing — the tool execution was interrupted or failed silently. "
    "Do NOT retry this tool call. Analyze what went wrong and try a different approach.]"
).encode()
SYNTHETIC_CODE = "missing_result"


@dataclass(frozen=True, slots=True)
class PairingReport:
    """ChatCLI's own counters for one repair."""

    synthetic_results_injected: int = 0
    orphan_results_removed: int = 0
    duplicate_tool_use_pruned: int = 0
    """Also counts calls that were dropped because their id is empty."""
    results_relocated: int = 0
    """Results that a message of another role stood before. A mere change of order is not counted."""
    missing_tool_use_ids: tuple[str, ...] = ()
    orphan_tool_result_ids: tuple[str, ...] = ()
    """In history order, with repetitions; an empty id appears as an empty string."""

    @property
    def has_repairs(self) -> bool:
        """Whether any counter rose."""
        return bool(
            self.synthetic_results_injected
            or self.orphan_results_removed
            or self.duplicate_tool_use_pruned
            or self.results_relocated
        )


@dataclass(frozen=True, slots=True)
class PairingRun:
    """What one repair did."""

    messages: tuple[Message, ...]
    report: PairingReport
    origins: tuple[int | None, ...]
    """For each message its place in the input; None for a synthetic result."""
    relocated_ids: tuple[str, ...] = ()
    """Ids behind `results_relocated`, in history order."""
    pruned_ids: tuple[str, ...] = ()
    """Ids behind `duplicate_tool_use_pruned`, in history order."""
    reordered_ids: tuple[str, ...] = ()
    """Results that moved within their own block: no counter of ChatCLI's shows it (§2.2)."""


def is_paired(messages: Sequence[Message]) -> bool:
    """Whether every call is answered once, right after its message, and nothing else is a result.

    Args:
        messages: A history. The order of results inside a block does not matter (§2.1).
    """
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        if message.role == "tool":
            return False
        if not message.opens_block:
            continue
        open_ids = {call.id for call in message.tool_calls}
        if "" in open_ids or len(open_ids) != len(message.tool_calls):
            return False
        while at < len(messages) and messages[at].role == "tool":
            if messages[at].tool_call_id not in open_ids:
                return False
            open_ids.discard(messages[at].tool_call_id)
            at += 1
        if open_ids:
            return False
    return True


def repair_pairing(messages: Sequence[Message]) -> PairingRun:
    """Make a history acceptable for the API, the way ChatCLI does (§2.2).

    Args:
        messages: The history.

    Returns:
        The run; its messages are the given ones where nothing had to be repaired.
    """
    if is_paired(messages):
        return PairingRun(tuple(messages), PairingReport(), tuple(range(len(messages))))
    work = _Work()
    claimed: set[int] = set()
    for at, message in enumerate(messages):
        if message.role == "tool":
            if at not in claimed:
                work.orphans.append(message.tool_call_id)
        elif message.opens_block:
            calls = _prune(message.tool_calls, work)
            found = _claim(messages, at + 1, {call.id for call in calls})
            claimed.update(place for place, _ in found.values())
            work.put(message if calls == message.tool_calls else _with_calls(message, calls), at)
            _answer(messages, calls, found, work)
        else:
            work.put(message, at)
    return work.run()


def pending_calls(messages: Sequence[Message]) -> int:
    """Calls of the last block without a result anywhere after it (§2.3).

    Args:
        messages: A history. Repeated ids count each time; an empty id is never answered.
    """
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].opens_block:
            answered = {m.tool_call_id for m in messages[at + 1 :] if m.role == "tool"} - {""}
            return sum(call.id not in answered for call in messages[at].tool_calls)
    return 0


@dataclass(slots=True)
class _Work:
    """The history under construction and what was done to it."""

    out: list[Message] = field(default_factory=list)
    origins: list[int | None] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    pruned: list[str] = field(default_factory=list)
    relocated: list[str] = field(default_factory=list)
    reordered: list[str] = field(default_factory=list)

    def put(self, message: Message, origin: int | None) -> None:
        self.out.append(message)
        self.origins.append(origin)

    def run(self) -> PairingRun:
        report = PairingReport(
            len(self.missing),
            len(self.orphans),
            len(self.pruned),
            len(self.relocated),
            tuple(self.missing),
            tuple(self.orphans),
        )
        return PairingRun(
            tuple(self.out),
            report,
            tuple(self.origins),
            tuple(self.relocated),
            tuple(self.pruned),
            tuple(self.reordered),
        )


def _prune(calls: tuple[ToolCall, ...], work: _Work) -> tuple[ToolCall, ...]:
    """Without empty ids and without repetitions inside the message; the first one stays."""
    kept: dict[str, ToolCall] = {}
    for call in calls:
        if call.id and call.id not in kept:
            kept[call.id] = call
        else:
            work.pruned.append(call.id)
    return tuple(kept.values())


def _stretch(messages: Sequence[Message], start: int) -> Iterator[tuple[int, Message]]:
    """Messages up to the next assistant message of any kind."""
    for at in range(start, len(messages)):
        if messages[at].role == "assistant":
            return
        yield at, messages[at]


def _claim(messages: Sequence[Message], start: int, ids: set[str]) -> dict[str, tuple[int, bool]]:
    """First result of each id in the stretch: its place, and whether something stood before it."""
    found: dict[str, tuple[int, bool]] = {}
    interposed = False
    for at, message in _stretch(messages, start):
        if message.role != "tool":
            interposed = True
        elif message.tool_call_id in ids and message.tool_call_id not in found:
            found[message.tool_call_id] = (at, interposed)
    return found


def _answer(
    messages: Sequence[Message],
    calls: tuple[ToolCall, ...],
    found: dict[str, tuple[int, bool]],
    work: _Work,
) -> None:
    """Put one result after each call, in call order."""
    last = -1
    for call in calls:
        if call.id not in found:
            work.missing.append(call.id)
            work.put(synthetic_result(call.id, flagged=True), None)
            continue
        place, interposed = found[call.id]
        if interposed:
            work.relocated.append(call.id)
        elif place < last:
            work.reordered.append(call.id)
        last = max(last, place)
        work.put(messages[place], place)


def synthetic_result(call_id: str, *, flagged: bool) -> Message:
    """The result that stands in for a missing one.

    Args:
        call_id: Id of the unanswered call.
        flagged: Whether it carries the error flag and code (the older variant does not).
    """
    return Message(
        "tool",
        SYNTHETIC_CONTENT,
        tool_call_id=call_id,
        is_error=flagged,
        error_code=SYNTHETIC_CODE if flagged else "",
    )


def _with_calls(message: Message, calls: tuple[ToolCall, ...]) -> Message:
    return msgspec.structs.replace(message, tool_calls=calls)
