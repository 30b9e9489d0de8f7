"""What the budget decides about the groups that a request sees for the first time.

Nearly every group stays under its limit, and then there is nothing to choose: such a group is
decided in one pass. The long way is the rule itself (`pipeline.budget.decide`) with all its figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspector.model.ledger import Level, Span, State
from inspector.model.transcript import Candidate
from inspector.pipeline.budget import Decision, Item, decide, kept_in_full
from inspector.replay.calls import Turn
from inspector.replay.group_sums import GroupSums
from inspector.replay.repairing import Repairing
from inspector.replay.requests import GroupDecision, Members, Request, UnderLimit
from inspector.replay.tracked import Tracked

# A member looked up on its enum costs ten times what a name costs, and these are asked for per result.
_FULL = Level.FULL
_FROZEN = State.FROZEN
_NOT_CANDIDATE = State.NOT_CANDIDATE
_REPLACED = State.REPLACED
_SKIPPED = State.SKIPPED
_YES = Candidate.YES


class Deciding(Repairing):
    """Rows whose groups are held against the budget."""

    def _decide_groups(self, request: Request) -> None:
        fresh, self._fresh = self._fresh, {}
        for index, results in fresh.items():
            turn = self.calls.turns[index]
            if not self._is_under_limit(turn, results, request):
                self._decide_group(turn, results, request)

    def _is_under_limit(self, turn: Turn, fresh: list[Tracked], request: Request) -> bool:
        """Decide a group in which nothing has to be chosen, as nearly all are; False: it is not one."""
        settings = self.policy.budget
        most, skip_tools = settings.result_limit, settings.skip_tools
        total = visible = 0
        skipped: list[Tracked] = []
        for row in fresh:
            result, call, full = row.entry.result, row.entry.call_block, row.full
            if result is None or result.candidate is not _YES or row.request:
                return False
            if not row.on_wire or row.removed or row.stored is not None:
                return False
            visible += full
            if (call.name if call is not None else row.entry.tool) in skip_tools:
                skipped.append(row)
                continue
            if most is not None and full > most:
                return False
            total += full
        if total > settings.turn_limit or len(turn.results) != len(fresh):
            return False
        n, journal = request.n, self._journal
        for row in fresh:
            if journal is not None:
                journal.note(row)
            state = _SKIPPED if skipped and row.entry.tool in skip_tools else _FROZEN
            full = row.full
            self._delta += full - row.chars
            row.request, row.state, row.level, row.chars = n, state, _FULL, full
            row.spans = [Span(n, state, _FULL, full, True)]
        group = UnderLimit(turn.index, fresh, tuple(skipped), (total, visible), settings.turn_limit)
        request.groups = (*request.groups, group) if request.groups else (group,)
        return True

    def _decide_group(self, turn: Turn, fresh: list[Tracked], request: Request) -> None:
        settings = self.policy.budget
        items = []
        so_far = self._so_far(turn, fresh)
        follow = so_far.stands_before(fresh)
        for tracked in fresh:
            self._touch(tracked)
            tracked.request = request.n
            if tracked.removed and self._pairs_first:
                continue
            if tracked.entry.candidate is not _YES:
                tracked.state = _NOT_CANDIDATE
                continue
            skipped = tracked.entry.tool in settings.skip_tools
            # What replacing leaves is asked for only where it counts; otherwise for the chosen ones, below.
            left = self.sizing.preview(tracked.entry).chars if settings.count_previews else 0
            items.append(Item(tracked.entry.index, tracked.full, skipped, left))
        frozen = so_far.frozen
        decision = decide(items, frozen, so_far.previews, settings)
        mixed = [key for key in decision.replace if self.tracked[key].entry.is_mixed]
        decision = kept_in_full(decision, mixed, items, settings)
        for keys, state in (
            (decision.frozen, _FROZEN),
            (decision.skipped, _SKIPPED),
            (decision.replace, _REPLACED),
        ):
            for key in keys:
                self.tracked[key].state = state
        for key in decision.replace:
            chosen = self.tracked[key]
            weight = self.sizing.preview(chosen.entry)
            chosen.preview, chosen.preview_estimated = weight.chars, weight.estimated
        for tracked in fresh:
            self._refresh(tracked, request, "replacement", decided=True)
        if follow:
            so_far.take(fresh, len(turn.results))
        else:  # pairing gave one back that stands between others
            so_far = self._added_up(turn, ())
        if self._journal is None:
            self._groups[turn.index] = so_far
        if items:
            self._note_group(turn, decision, frozen, so_far, request)

    def _so_far(self, turn: Turn, fresh: list[Tracked]) -> GroupSums:
        """What a group held in front of a request that brings more results of it."""
        kept = self._groups.get(turn.index)
        if self._journal is None and kept is not None and kept.lacks_only(fresh, len(turn.results)):
            return kept
        return self._added_up(turn, fresh)

    def _added_up(self, turn: Turn, without: Sequence[Tracked]) -> GroupSums:
        """All results of a group that requests have seen, but some."""
        left_out = set(map(id, without))
        rows = (row for entry in turn.results if (row := self.tracked[entry.index]).request)
        sums = GroupSums(pairs_first=self._pairs_first)
        sums.take((row for row in rows if id(row) not in left_out), len(turn.results))
        return sums

    def _note_group(
        self, turn: Turn, decision: Decision, frozen: int, so_far: GroupSums, request: Request
    ) -> None:
        limit = self.policy.budget.turn_limit
        group = GroupDecision(
            turn.index,
            candidates=Members(so_far.ids, len(so_far.ids)),
            decision=decision,
            frozen_total=frozen,
            visible_total=so_far.visible,
            left_out=Members(so_far.skipped, len(so_far.skipped)),
            replaced=tuple(self.tracked[key].entry.id for key in decision.replace),
            limit=limit,
        )
        request.groups = (*request.groups, group)
        if decision.total > limit:
            request.over_by = max(request.over_by, decision.total - limit)
