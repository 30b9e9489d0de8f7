"""The budget's part of one run of ChatCLI's stages, as decisions about groups.

Every run decides about every turn again; only a turn that is new, or that was cut again, is told.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator

from inspector.pipeline.budget import Decision
from inspector.pipeline.chatcli.budget import TurnSize
from inspector.replay.chatcli_fold import Ran, Ref
from inspector.replay.requests import GroupDecision, Members
from inspector.replay.tracked import Tracked

GroupKey = tuple[Ref, ...]
"""The results of a turn."""


def group_decisions(
    ran: Ran,
    result_at: Callable[[Ref], Tracked | None],
    limit_bytes: int,
    decided: Container[GroupKey],
) -> Iterator[tuple[GroupKey, GroupDecision]]:
    """What a run decided about each turn that is worth telling.

    Args:
        ran: The run.
        result_at: The row of a result.
        limit_bytes: The limit of a turn.
        decided: Turns that an earlier request decided about.
    """
    cuts = dict.fromkeys(cut.at for cut in ran.run.budget.cuts)  # in order of choice
    for turn in ran.run.budget.turns:
        key = tuple(ran.refs[at] for at in turn.places)
        found = [(at, result_at(ref)) for at, ref in zip(turn.places, key, strict=True)]
        known = [(at, row) for at, row in found if row is not None]
        again = key in decided
        if known and not (again and cuts.keys().isdisjoint(turn.places)):
            yield key, _group(turn, known, cuts, limit_bytes, again=again)


def _group(
    turn: TurnSize, known: list[tuple[int, Tracked]], cuts: Iterable[int], limit: int, *, again: bool
) -> GroupDecision:
    rows = dict(known)
    chosen = [rows[at].entry for at in cuts if at in rows]
    replaced = {entry.index for entry in chosen}
    over = turn.after_bytes > limit
    decision = Decision(
        replace=tuple(entry.index for entry in chosen),
        frozen=tuple(row.entry.index for _, row in known if row.entry.index not in replaced),
        skipped=(),
        total=turn.before_bytes,
        remaining=turn.after_bytes,
        over=turn.before_bytes > limit,
        accepted=over,
        cannot_fit=over,
        over_after_limit=turn.counted_bytes > limit,
    )
    return GroupDecision(
        turn=known[0][1].entry.turn,
        candidates=Members.of(row.entry.id for _, row in known),
        decision=decision,
        frozen_total=0,
        visible_total=turn.before_bytes,
        left_out=Members.of(()),
        replaced=tuple(entry.id for entry in chosen),
        limit=limit,
        again=again,
    )
