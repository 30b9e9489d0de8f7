"""What a session recorded of a result where that is not what is predicted, in words for its row.

The row shows the prediction; without this sentence its `≠` would only say that something is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from inspector.model.ledger import State
from inspector.pipeline.units import measure
from inspector.replay.sentences import UNIT_WORDS

if TYPE_CHECKING:
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked


class Otherwise(msgspec.Struct):
    """Requests that recorded a call or result otherwise than predicted."""

    words: str
    """What the first of them sent, as the object of "sent"."""
    requests: list[int] = msgspec.field(default_factory=list)
    """In order; never empty once it is kept."""


def otherwise_sentence(timeline: Timeline, row: Tracked) -> str:
    """What was recorded of a row, and where to see it; empty where it is as predicted, or unknown.

    Args:
        timeline: The conversation.
        row: The result.
    """
    found = timeline.differing.get(row.entry.id)
    if found is not None:
        first, last, count = found.requests[0], found.requests[-1], len(found.requests)
        which = f"request {first}"
        if count > 1:
            together = count == last - first + 1
            which = f"requests {first}–{last}" if together else f"{count} requests from {first} to {last}"
        return f"≠ Recorded: {which} sent {found.words}; the wire of request {first} shows both."
    if not timeline.stored:
        return ""
    if row.stored is not None and row.state is not State.REPLACED:
        unit = timeline.policy.unit
        return (
            f"≠ Recorded: a replacement line stores a text of {measure(row.stored, unit):,} for it, "
            f"although its {row.full:,} {UNIT_WORDS[unit]} are predicted in full."
        )
    if row.stored is None and row.state is State.REPLACED and row.applied:
        return "≠ Recorded: no replacement line stores a text for it."
    return ""
