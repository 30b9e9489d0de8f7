"""Applies what pairing does in a request to the rows: by the client's rules, or by id.

The wire's own repairs come with the cut of the history; the global reading is a fold of its own
(`pairing_fold`). Here both become the same words on rows and requests.
"""

from __future__ import annotations

from inspector.model.ledger import State
from inspector.model.policy import Policy
from inspector.model.transcript import Record
from inspector.pipeline.wire.history import Cut
from inspector.pipeline.wire.parts import MISSING_TEXT, RepairKind, WireRepair
from inspector.replay.pairing_fold import Act, PairingFold
from inspector.replay.requests import Request
from inspector.replay.rows import Rows
from inspector.replay.tracked import Tracked, made_at, place_of
from inspector.replay.view import Repair

_REPAIRS: dict[RepairKind, Repair] = {
    RepairKind.SYNTHETIC: Repair.SYNTHETIC,
    RepairKind.DROPPED: Repair.DROPPED,
    RepairKind.PENDING: Repair.PENDING,
    RepairKind.ORPHAN: Repair.ORPHAN,
    RepairKind.DUPLICATE: Repair.DUPLICATE,
    RepairKind.EMPTIED: Repair.EMPTIED,
    RepairKind.MOVED: Repair.MOVED,
}


_PENDING = State.PENDING
_UNANSWERED = frozenset({Repair.SYNTHETIC, Repair.DROPPED, Repair.PENDING})
"""What the client does about a call without result."""


class Repairing(Rows):
    """Rows that pairing repairs, request by request."""

    def __init__(
        self, policy: Policy, *, linear: bool = False, live: bool = False, known: Rows | None = None
    ) -> None:
        """Args as for `Rows`."""
        super().__init__(policy, linear=linear, live=live, known=known)
        self._pairing = PairingFold()
        self._made_chars = self.sizing.text(MISSING_TEXT if self._as_client else _seed_filler())
        """Size of the text that stands for a missing result."""

    def _repair(self, cut: Cut, request: Request) -> None:
        if self._as_client:
            self._repair_as_client(cut, request)
            return
        running = self._may_run if request.pending else None
        returned: dict[int, list[Tracked]] = {}
        for act, tracked in self._pairing.step(running):
            self._repaired_by_id(act, tracked, request)
            if act is Act.RETURN and tracked.request:
                returned.setdefault(tracked.entry.turn, []).append(tracked)
        if returned:  # thousands of one turn may come back at once
            waiting = {turn: [*self._fresh.get(turn, ()), *rows] for turn, rows in returned.items()}
            self._fresh = self._fresh | {turn: sorted(rows, key=place_of) for turn, rows in waiting.items()}

    def _may_run(self, tracked: Tracked) -> bool:
        return self.may_run(tracked.entry)

    def _repaired_by_id(self, act: Act, tracked: Tracked, request: Request) -> None:
        if act is Act.WAIT:
            self._say(tracked, Repair.PENDING, request, new=False)
        elif act is Act.ANSWER:
            self._say(tracked, Repair.SYNTHETIC, request)
            self._make(tracked, self._made_chars, request)
            self._delta += self._made_chars
        elif act is Act.LATE:
            self._say(tracked, Repair.OK, request, new=False)
            self._unmake(tracked, request)
            self._changed.append((tracked, "late result"))
        elif act is Act.DROP_CALL:
            self._say(tracked, Repair.DUPLICATE, request)
            self._drop_call(tracked)
            self._inexact += 1  # a message that it leaves empty gets a filler, which no record shows
        elif act is Act.RETURN:
            self._say(tracked, Repair.OK, request, new=False)
            tracked.removed = False
            if tracked.state is not _PENDING:  # it was a member before it was taken away
                self._groups.pop(tracked.entry.turn, None)
            self._inexact -= 1
            if tracked.request:
                self._changed.append((tracked, "late result"))
        else:
            self._say(tracked, Repair.ORPHAN if act is Act.ORPHAN else Repair.DUPLICATE, request)
            tracked.removed = True
            self._groups.pop(tracked.entry.turn, None)
            self._inexact += 1  # likewise

    def _repair_as_client(self, cut: Cut, request: Request) -> None:
        for repair in cut.ended:
            self._answered_after_all(repair, request)
        for repair in cut.repairs:
            self._repaired_by_client(repair, request)

    def _repaired_by_client(self, repair: WireRepair, request: Request) -> None:
        what = _REPAIRS[repair.kind]
        if repair.kind is RepairKind.PENDING and not self.live:
            what = Repair.SYNTHETIC if self.new_client else Repair.DROPPED
        if what is Repair.EMPTIED or not repair.id:
            request.note_repair(what, repair.id)
            return
        row = self._repaired_row(repair)
        if row is None:
            return
        if what in _UNANSWERED and request.pending and self._may_run(row):
            what = Repair.PENDING
        if repair.kind is RepairKind.SYNTHETIC:
            self._make(row, self._made_chars, request)
        self._say(row, what, request, new=what is not Repair.PENDING)

    def _answered_after_all(self, repair: WireRepair, request: Request) -> None:
        """A repair that is no longer in force: the result has come, or its message has left."""
        if repair.kind is RepairKind.SYNTHETIC and (made := self._repaired_row(repair)) is not None:
            self._make(made, 0, request)
        for row in self.rows_of(repair.id):
            said = row.repairs[-1][1] if row.repairs else Repair.OK
            if said in _UNANSWERED and row.entry.result is not None and row.on_wire:
                self._say(row, Repair.OK, request, new=False)

    def _repaired_row(self, repair: WireRepair) -> Tracked | None:
        """The row whose call or result was repaired: looked for from the end, where repairs are new."""
        found = None
        entries = self.calls.of(repair.id)
        for entry in reversed(entries):
            call, result = entry.call_record, entry.result_record
            stands = (call is not None and call.index == repair.record) or (
                result is not None and result.index == repair.record
            )
            if found is not None and not stands:
                break
            found = entry if stands else None
        if found is None and entries:
            found = entries[-1]
        return self.tracked[found.index] if found is not None else None

    def _drop_call(self, tracked: Tracked) -> None:
        """Take the input of a pruned call off the wire."""
        size = self.sizing.call(tracked.entry)
        self._delta -= size
        self._calls_delta -= size

    def _leave_behind(self, boundary: Record, request: Request) -> None:
        """A compaction: what was made for calls in front of it is not sent any more."""
        kept = boundary.boundary
        if kept is not None and kept.preserved_head and not kept.preserved_uuids:
            return  # a stretch of older records goes on, and only the chain knows which they are
        preserved = kept.preserved_uuids if kept is not None else ()

        def is_behind(record: Record | None) -> bool:
            return record is not None and record.index < boundary.index and record.uuid not in preserved

        for tracked in self._pairing.answered():
            if is_behind(tracked.entry.call_record):
                self._unmake(tracked, request)
        calls, results = self._pairing.leave(is_behind)
        for tracked in calls:  # the history's own size holds the input no more
            size = self.sizing.call(tracked.entry)
            self._delta += size
            self._calls_delta += size
        self._inexact -= len(calls) + len(results)

    def _unmake(self, tracked: Tracked, request: Request) -> None:
        """Take a result that pairing by id made off the wire; nothing where it has left already."""
        self._delta -= made_at(tracked, request.n)
        self._make(tracked, 0, request)

    def _make(self, tracked: Tracked, chars: int, request: Request) -> None:
        """Note that a result of this size, made by pairing, answers a call from now on; 0: none does."""
        if chars != made_at(tracked, request.n):
            self._touch(tracked)
            tracked.made = [*tracked.made, (request.n, chars)]

    def _say(self, tracked: Tracked, repair: Repair, request: Request, *, new: bool = True) -> None:
        self._touch(tracked)
        tracked.repairs = [*tracked.repairs, (request.n, repair)]
        if new:
            request.note_repair(repair, tracked.entry.id)


def _seed_filler() -> str:
    """Of the documented repair, whose module a client session has no use for."""
    from inspector.pipeline.pairing import MISSING

    return MISSING
