"""Emergency shrinking of the stored history after a "context too long" answer (§8).

Three attempts, each harsher than the one before; unlike the normal budget they change the history
that is kept, so what they cut is gone for the rest of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.model.chatcli import Message, Settings
from inspector.pipeline.chatcli import cuts
from inspector.pipeline.chatcli.budget import enforce_budget
from inspector.pipeline.chatcli.overflow import OverflowSink
from inspector.pipeline.chatcli.pairing import repair_pairing

BUDGET_FACTOR = 0.5
ASSISTANT_BYTES = 5_000
"""Attempt 1: longer assistant texts lose their middle."""
CONTENT_BYTES = 4_000
"""Attempt 3: the same for every text but system messages."""
LAST_KEEP_MESSAGES = 4
"""Non-system messages that attempt 3 keeps."""

NOTICE = (
    b"[Context was automatically compacted due to size limits. "
    b"Previous conversation history has been summarized. Continue from where you left off.]"
)


@dataclass(frozen=True, slots=True)
class RecoveryRun:
    """What one attempt did."""

    messages: tuple[Message, ...]
    recovered: bool
    """False: the attempts are used up and nothing was changed."""
    counter: int
    """Last file number taken."""


def recover_context(
    messages: Sequence[Message], attempt: int, settings: Settings, sink: OverflowSink, counter: int = 0
) -> RecoveryRun:
    """Make one attempt.

    Args:
        messages: The stored history; left as it is.
        attempt: From 1.
        settings: Limits of the budget and of recovery.
        sink: Where full texts go (attempt 1 only).
        counter: Last file number taken.
    """
    if attempt > settings.recovery.max_attempts:
        return RecoveryRun(tuple(messages), False, counter)
    if attempt <= 1:
        paired = repair_pairing(messages).messages
        budget = enforce_budget(paired, settings.budget.scaled(BUDGET_FACTOR), sink, counter)
        shortened = tuple(_shorten(m, ASSISTANT_BYTES, m.role == "assistant") for m in budget.messages)
        return RecoveryRun(shortened, True, budget.counter)
    if attempt == 2:
        return RecoveryRun(_keep_last(messages, settings.recovery.keep_messages), True, counter)
    kept = _keep_last(messages, LAST_KEEP_MESSAGES)
    return RecoveryRun(tuple(_shorten(m, CONTENT_BYTES, m.role != "system") for m in kept), True, counter)


def _shorten(message: Message, size_bytes: int, concerned: bool) -> Message:
    if not concerned or len(message.content) <= size_bytes:
        return message
    return message.with_content(cuts.keep_ends(message.content, size_bytes))


def _keep_last(messages: Sequence[Message], count: int) -> tuple[Message, ...]:
    """All system messages, then the last others from a user message on, or a notice in their place."""
    systems = [m for m in messages if m.role == "system"]
    others = [m for m in messages if m.role != "system"]
    kept = others[max(len(others) - count, 0) :]
    first = next((at for at, m in enumerate(kept) if m.role == "user"), len(kept))
    rest = kept[first:] or [Message("user", NOTICE)]
    return repair_pairing([*systems, *rest]).messages
