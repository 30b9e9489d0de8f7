"""What a client that resumes a session in the middle would do with its results (seed 001 §2.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inspector.model.policy import Stage
from inspector.model.transcript import Candidate
from inspector.pipeline.budget import Item, decide, kept_in_full
from inspector.pipeline.units import measure

if TYPE_CHECKING:
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked


def resume_state(timeline: Timeline, after_line: int) -> dict[str, Any]:
    """The ledger of a client that starts anew with the first lines of a session as its history.

    Everything in the history is seen: what has a stored replacement is re-applied with the stored
    text, byte for byte, and the rest is frozen. Results behind the line are fresh, and only these
    may be replaced now.

    Args:
        timeline: The whole session.
        after_line: Last line of the history.

    Returns:
        `must_reapply` {id: text}, `frozen`, `fresh`, `replace_now` and `accepted_overage` (groups that
        stay over the limit).
    """
    stored: dict[str, str] = {}
    for record in timeline.replacements:
        for r in record.replacements if record.line <= after_line else ():
            stored[r.tool_use_id] = r.text  # of several lines the last one counts, as on the wire (rule 27)
    order = timeline.policy.order
    pairs_first = order.index(Stage.PAIRING) < order.index(Stage.BUDGET)
    must_reapply: dict[str, str] = {}
    frozen: list[str] = []
    fresh: list[str] = []
    replace_now: list[str] = []
    accepted: list[list[str]] = []
    for turn in timeline.calls.turns:
        rows = [timeline.tracked[e.index] for e in turn.results]
        rows = [r for r in rows if r.entry.candidate is Candidate.YES and not (r.removed and pairs_first)]
        kept = previews = 0
        new: list[Tracked] = []
        for row in rows:
            if row.entry.line > after_line:
                new.append(row)
                fresh.append(row.entry.id)
            elif row.entry.id in stored:
                must_reapply[row.entry.id] = stored[row.entry.id]
                previews += measure(stored[row.entry.id], timeline.policy.unit)
            else:
                frozen.append(row.entry.id)
                kept += row.full
        chosen, over = _decide(timeline, new, kept, previews)
        replace_now += chosen
        if over:
            accepted.append([r.entry.id for r in rows])
    return {
        "after_line": after_line,
        "must_reapply": must_reapply,
        "frozen": frozen,
        "fresh": fresh,
        "replace_now": replace_now,
        "accepted_overage": accepted,
    }


def _decide(timeline: Timeline, rows: list[Tracked], kept: int, previews: int) -> tuple[list[str], bool]:
    """Replay the decisions of one group's fresh rows, request by request."""
    settings = timeline.policy.budget
    chosen: list[str] = []
    over = kept + (previews if settings.count_previews else 0) > settings.turn_limit
    for n in sorted({r.request for r in rows}):
        now = [r for r in rows if r.request == n]
        items = [
            Item(
                r.entry.index,
                r.full,
                r.entry.tool in settings.skip_tools,
                timeline.sizing.preview(r.entry).chars,
            )
            for r in now
        ]
        names = {r.entry.index: r for r in now}
        decision = decide(items, kept, previews, settings)
        mixed = [key for key in decision.replace if names[key].entry.is_mixed]
        decision = kept_in_full(decision, mixed, items, settings)
        chosen += [names[key].entry.id for key in decision.replace]
        kept += sum(r.full for r in now if r.entry.index not in decision.replace)
        previews += sum(item.preview_size for item in items if item.key in decision.replace)
        over = decision.accepted
    return chosen, over
