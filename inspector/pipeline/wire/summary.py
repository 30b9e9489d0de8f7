"""The request that asks for the summary of a compaction (rule 11)."""

from __future__ import annotations

from inspector.model.transcript import Record, Role
from inspector.pipeline.wire.grouping import is_sent
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.ordinals import holds_result


def summary_tip(history: History) -> str:
    """Tip of the history that the request for a summary carries: all but the newest exchange.

    Args:
        history: Cut for the point at which the compaction starts.

    Returns:
        uuid for `History.cut`. The client's long prompt for the summary stands behind that history;
        no record holds it.
    """
    entries = history.entries()
    sent = [n for n, record in enumerate(entries) if is_sent(record)]
    if not sent:
        return ""
    last = entries[sent[-1]]
    if last.role is Role.USER and not holds_result(last):
        return last.parent
    answers = [n for n in sent if entries[n].role is Role.ASSISTANT]
    return _first_of(entries, answers).parent if answers else ""


def _first_of(entries: tuple[Record, ...], answers: list[int]) -> Record:
    """The first record of the newest assistant message."""
    newest = entries[answers[-1]]
    same = (n for n in answers if newest.message_id and entries[n].message_id == newest.message_id)
    return entries[next(same, answers[-1])]
