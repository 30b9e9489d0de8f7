"""Results that are cleared: recorded by a boundary (rule 12), or by a gap in time (rule 29)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from inspector.model.transcript import Flag, Record, Role
from inspector.pipeline.wire.facts import ClientFacts
from inspector.pipeline.wire.grouping import is_sent
from inspector.pipeline.wire.ordinals import holds_result

CLEARED_TEXT = "[Old tool result content cleared]"
"""What stands in place of a result that was cleared by time (rule 29)."""
CLEARABLE_TOOLS = frozenset({"Bash", "Read", "Grep", "Glob", "Write", "Edit"})
"""Tools whose results a gap in time clears (rule 29)."""


class GapSettings(msgspec.Struct, frozen=True):
    """The old client's time gate. No transcript shows it (X8)."""

    minutes: int = 60
    """Gap from which results are cleared."""
    keep: int = 5
    """Newest results of clearable tools that stay."""


def cleared_by_boundaries(entries: Sequence[Record]) -> set[str]:
    """ids that `microcompact_boundary` records of the chain name (rule 12).

    Args:
        entries: The history, in order.
    """
    return {
        tool_use_id
        for record in entries
        if record.role is Role.CLEARING and record.boundary
        for tool_use_id in record.boundary.cleared_ids
    }


def gap_minutes(entries: Sequence[Record]) -> float | None:
    """Minutes between the newest prompt and the newest assistant record in front of it (rule 29).

    Args:
        entries: The history, in order.

    Returns:
        None where the last message is no prompt, or a time is missing.
    """
    prompt: Record | None = None
    for record in reversed(entries):
        if record.role is Role.ASSISTANT:
            if prompt is None or prompt.time is None or record.time is None:
                return None
            return (prompt.time - record.time) / 60
        if prompt is None and is_sent(record):
            if holds_result(record):
                return None
            if not record.flags & Flag.META:
                prompt = record
    return None


def cleared_by_gap(
    entries: Sequence[Record],
    results: Sequence[tuple[str, str]],
    facts: ClientFacts,
    settings: GapSettings | None,
) -> set[str]:
    """ids of the results that the request of a prompt after a long pause clears (rule 29).

    Args:
        entries: The history, in order.
        results: id and tool of every result on the wire, in order.
        facts: Only the old client does it, and only on the screen.
        settings: None: the feature is off.
    """
    if settings is None or facts.new or not facts.screen:
        return set()
    gap = gap_minutes(entries)
    if gap is None or gap < settings.minutes:
        return set()
    clearable = [tool_use_id for tool_use_id, tool in results if tool in CLEARABLE_TOOLS]
    return set(clearable[: max(0, len(clearable) - settings.keep)])
