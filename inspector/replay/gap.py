"""What a long pause takes off one request (`claude-code-wire.md` rule 29), where the policy asks for it.

The rule holds for the request of the prompt behind the pause, and nothing is known of later ones, so
it is no state of a result: it is worked out for that request and leaves the lifelines alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.model.policy import Ageing
from inspector.pipeline.wire.clearing import GapSettings, cleared_by_gap
from inspector.pipeline.wire.facts import facts_of
from inspector.replay.sizing import CLEARED_CHARS

if TYPE_CHECKING:
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked


def cleared_by_pause(timeline: Timeline, gap_s: float | None) -> list[Tracked]:
    """Results that the request decided now sends as cleared, in message order.

    Args:
        timeline: Its history stands on that request.
        gap_s: Seconds between the newest answer and the newest user record.

    Returns:
        Nothing in all but the rare request behind a pause: only then is the history looked at.
    """
    settings = timeline.policy.microcompact
    minutes = settings.clear_after_gap_minutes
    if settings.variant is not Ageing.RECORDED or minutes is None or gap_s is None or gap_s < minutes * 60:
        return []
    entries = timeline.history.entries()
    rows = [timeline.tracked[e.index] for turn in timeline.calls.turns for e in turn.results]
    rows = [row for row in rows if row.on_wire and not row.removed]
    ids = cleared_by_gap(
        entries,
        [(row.entry.id, row.entry.tool) for row in rows],
        facts_of(entries),
        GapSettings(minutes, settings.clear_keep),
    )
    return [row for row in rows if row.entry.id in ids]


def pause_saves(rows: list[Tracked]) -> int:
    """Characters that clearing these results takes off a request, in the policy's unit."""
    return sum(row.chars - CLEARED_CHARS for row in rows)
