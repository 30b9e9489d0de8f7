"""`History`: the wire of every request of one thread, by reference, at the cost of what is new.

A request extends the one before it in all but rare cases, so the messages of the last wire are kept
and only those from the last place that a new record can touch are made again. Where that place is
found by looking at what changed (order of entries, answered calls, joined answers); the result is
the same as from an empty start, which the tests prove on random and on real transcripts.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import add, attrgetter, sub

import msgspec

from inspector.model.transcript import Block, Flag, Record, Role
from inspector.pipeline.wire.chain import Chain, Move
from inspector.pipeline.wire.edge import Ref
from inspector.pipeline.wire.grouping import Grouping, Message, Retry, is_call, is_result
from inspector.pipeline.wire.lost import grown, lost_behind
from inspector.pipeline.wire.parts import (
    TALLY_FIGURES,
    Part,
    RepairKind,
    Tally,
    WireBlock,
    WireMessage,
    WireRepair,
    tally_of,
)
from inspector.pipeline.wire.plain import PlainTurn, refs_of
from inspector.pipeline.wire.rejoined import may_take_more, rejoined
from inspector.pipeline.wire.units import AnyUnit, unit_of

_WIRE = attrgetter("wire")
_INDEX = attrgetter("index")
_MOST_OF_FOUR_BYTES = 2**32 - 1


class Cut(msgspec.Struct, frozen=True, gc=False):
    """The wire of one request: what it measures, and what changed since the cut before."""

    messages: int
    """Messages on the wire."""
    figures: Sequence[int]
    """Sums over the wire, as in the transcript: no replacement, no reminder; those of a `Tally`."""
    added: tuple[tuple[int, int], ...]
    """Results that are on this wire and were not on the one before: record index, block ordinal."""
    removed: tuple[tuple[int, int], ...]
    """Results that were on the wire before and are not on this one."""
    repairs: tuple[WireRepair, ...]
    """Repairs in force that were not in force before."""
    ended: tuple[WireRepair, ...]
    """Repairs that were in force before and are not any more."""
    first_changed: int | None
    """First message that differs although the wire only had to grow; None where it only grew."""
    cause: str
    """Why, in one word: compaction, new start, rewind, load, late result, repair; empty: it grew."""

    @property
    def tally(self) -> Tally:
        """The sums by what they are of."""
        return tally_of(self.figures)


class History:
    """The histories of one thread's requests.

    Args:
        linear: For a source without parents: every record follows the one before.
        edge: Whether calls and results are paired as the client does it (rules 17, 24, 32-34). Without
            it the messages are what the transcript holds, for a policy that repairs otherwise.
    """

    def __init__(self, *, linear: bool = False, edge: bool = True) -> None:
        self._edge = edge
        self._chain = Chain(linear=linear)
        self._messages: list[Message] = []
        self._units: list[AnyUnit] = []
        self._seen: set[str] = set()
        self._grouping = Grouping(self._chain, drop_unanswered=edge)
        self._sums = [0] * TALLY_FIGURES
        self._in_force: Counter[tuple[RepairKind, str, int, int]] = Counter()
        self._root = -1
        self._replacements: list[Record] = []
        self._upto: int | None = None
        self._before_first = True
        self._base: tuple[int, list[AnyUnit], int] | None = None
        """The last cut that was not provisional: how many of its units still stand, the others, its root."""
        self._was_pending = False
        self._rejoined: AnyUnit | None = None
        """The last unit, where it has taken more of what it is made of, and can take more still."""
        self.cuts: list[Cut] = []
        """All cuts that were not provisional, in order."""
        self.pending: Cut | None = None
        """The last cut, where it was provisional."""

    def add(self, record: Record) -> None:
        """Takes the next record of the thread, in file order, whatever its role."""
        if record.role is Role.REPLACEMENTS and not record.flags & Flag.SALVAGED:
            self._replacements.append(record)
        else:
            self._chain.add(record)

    def cut(self, tip: str | None, *, upto: int | None = None, provisional: bool = False) -> Cut:
        """The history of one request, and how it differs from that of the cut before.

        Args:
            tip: `parent` of the first record of the answer; None for the pending request (rule 3).
            upto: `Record.index` of the first record of the answer; None: everything added so far.
            provisional: The request may yet change: the next cut is compared with the one before this.
        """
        cut = self._cut(tip, upto, provisional=provisional)
        self.pending = cut if provisional else None
        if not provisional:
            self.cuts.append(cut)
        return cut

    def _cut(self, tip: str | None, upto: int | None, *, provisional: bool) -> Cut:
        known = self._chain.root
        self._upto = upto
        move = self._chain.move(tip, upto)
        turn = self._plain_turn(move)
        if turn is not None and self._grouping.joins(turn.answers[0].message_id, self._messages):
            settled = self._base is None and tip is not None and not self._was_pending
            if settled and (joined := self._rejoin(turn)) is not None:
                return joined
            turn = None
        if turn is not None:
            self._was_pending = tip is None
            keep = self._grow(turn)
            left: list[AnyUnit] = []
            if self._base is None:
                self._base = (keep, [], known) if provisional else None
                self._before_first &= provisional
                return self._grown(turn)
        elif self._base is None and tip is not None and (lost := self._lost(move)) is not None:
            return lost
        else:
            keep, left = self._rebuild(move, pending=tip is None)
        if self._base is not None:
            stands, gone, known = self._base
            if keep >= stands:
                keep, left = stands, gone
            else:
                left = left[: stands - keep] + gone
        cut = self._compare(keep, left, self._chain.root != known)
        self._base = (keep, left, known) if provisional else None
        self._before_first &= provisional
        return cut

    def wire(self) -> tuple[WireMessage, ...]:
        """The messages of the last cut. O(messages)."""
        return tuple(chain.from_iterable(map(_WIRE, self._units)))

    def repairs(self) -> tuple[WireRepair, ...]:
        """All repairs that are in force on the last cut, in order. O(messages)."""
        return tuple(r for unit in self._units for r in unit.repairs)

    def entries(self) -> tuple[Record, ...]:
        """All records that the last cut holds, steps that are no messages included, in order."""
        return tuple(self._chain.records[n] for n in self._chain.entries)

    def replaced(self) -> dict[str, str]:
        """tool_use id → text, of all replacement lines in front of the last cut's request (rule 27)."""
        return {
            entry.tool_use_id: entry.text
            for record in self._replacements
            if self._upto is None or record.index < self._upto
            for entry in record.replacements
        }

    def places(self) -> dict[int, int]:
        """`Record.index` → index of the wire message that the record went into. O(records)."""
        return {
            ref.record: unit.at
            for message, unit in zip(self._messages, self._units, strict=True)
            for ref in message.refs
        }

    def siblings(self) -> tuple[tuple[int, int], ...]:
        """Results of the last cut that the parent chain passes by (rule 7): record index, block."""
        return _results_in(self._chain.off_path())

    def left_behind(self) -> tuple[tuple[int, int], ...]:
        """Results on branches that the last cut's conversation left: record index, block."""
        return _results_in(self._chain.left_behind())

    def record(self, index: int) -> Record:
        """The record with that `index`; it must be one that takes part."""
        return self._chain.records[self._ordinal(index)]

    def _ordinal(self, index: int) -> int:
        return bisect_left(self._chain.records, index, key=_INDEX)

    @property
    def tip(self) -> Record | None:
        """The last record of the last cut's chain."""
        return self._chain.records[self._chain.tip] if self._chain.tip >= 0 else None

    def _rebuild(self, move: Move, *, pending: bool) -> tuple[int, list[AnyUnit]]:
        """Makes the messages anew from the last place that may have changed."""
        touched = self._grouping.recount(move)
        if self._was_pending and self._messages and self._messages[-1].dropped:
            touched = min(touched, self._messages[-1].start)  # what was pending is dropped from now on
        self._was_pending = pending
        while True:
            keep = self._grouping.boundary(self._messages, touched)
            try:
                built = self._grouping.build(self._messages, keep, touched)
                break
            except Retry as retry:
                touched = retry.position
        left = self._units[keep:]
        self._grouping.forget(self._messages[keep:])
        del self._units[keep:], self._messages[keep:]
        self._take_off(left)
        self._grouping.commit(self._messages, built)
        for place in range(keep, len(self._messages)):
            self._push(place, pending)
        return keep, left

    def _take_off(self, left: Sequence[AnyUnit]) -> None:
        """Takes what units added out of all sums; they stand no longer among the units."""
        if not self._units:
            self._seen, self._sums, self._in_force = set(), [0] * TALLY_FIGURES, Counter()
            return
        for unit in left:
            self._seen.difference_update(unit.introduced)
            self._sums = list(map(sub, self._sums, unit.sums))
            if unit.repairs:
                self._in_force.subtract(map(_key, unit.repairs))

    def _plain_turn(self, move: Move) -> PlainTurn | None:
        """What a move appended, where it is nothing but one plain turn behind a message of the user."""
        if move.left or move.start != self._grouping.end or not self._messages:
            return None
        last = self._messages[-1]
        if last.assistant or last.dropped:
            return None
        turn, entries, records = PlainTurn(), self._chain.entries, self._chain.records
        for position in range(move.start, len(entries)):
            if not turn.take(records[entries[position]], position):
                return None
        if not turn.is_whole():
            return None
        return turn if self._grouping.is_new(turn.calls) else None

    def _grow(self, turn: PlainTurn) -> int:
        """Appends a plain turn; how many units stood before."""
        keep = len(self._units)
        self._grouping.count_plain(turn.calls)
        messages = turn.messages()
        self._grouping.commit(self._messages, messages)
        at = self._units[-1].at + self._units[-1].width
        messages[0].at, messages[1].at = at, at + 1
        self._units += messages
        self._seen.update(turn.calls)
        self._sums = list(map(add, self._sums, turn.sums))
        return keep

    def _rejoin(self, turn: PlainTurn) -> Cut | None:
        """The cut of a turn whose answer goes on with the last one, and its results with what is behind."""
        grouping, messages = self._grouping, self._messages
        place = grouping.latest(turn.answers[0].message_id, len(messages))
        if place != len(messages) - 2 or messages[-1].assistant:
            return None
        before = self._units[-1]
        if before is not self._rejoined and not may_take_more(self._units[-2], before):
            return None
        last = before.wire[0].blocks[-1]
        summary = bool(self.record(last.record).flags & Flag.SUMMARY)
        text = Ref(last.record, last.block, self._content(last), summary)
        joined = rejoined(
            turn, self._units[-2], before, None if is_result(text.content) else text, edge=self._edge
        )
        answer, user = messages[-2:]
        grouping.count_plain(turn.calls)
        grouping.rejoin(answer, refs_of(turn.answers), turn.places[1])
        grouping.rejoin(user, refs_of(turn.users), turn.places[3])
        user.reach = max(user.reach, answer.reach)
        self._units[-2:] = [joined.answer, joined.user]
        self._rejoined = joined.user
        if self._edge:
            self._seen.update(turn.calls)
        self._sums = list(map(add, self._sums, joined.sums))
        self._in_force.update(map(_key, joined.repairs))
        fresh = WireBlock(Part.RECORD, turn.answers[0].index, 0)
        first, self._before_first = self._before_first, False
        return Cut(
            joined.user.at + joined.user.width, _figures(self._sums), tuple(turn.results), (),
            joined.repairs, (), first_changed=None if first else joined.answer.at,
            cause="" if first else self._cause(before.wire[0].blocks[0], fresh, new_root=False),
        )  # fmt: skip

    def _lost(self, move: Move) -> Cut | None:
        """The cut of a move that appended nothing but what the last message takes with it."""
        grouping, messages = self._grouping, self._messages
        if move.left or move.start != grouping.end or not messages or self._was_pending:
            return None
        if not grouping.drop_unanswered:
            return None
        lost = lost_behind(grouping, self._chain, move, messages)
        last = grown(messages[-1], self._units[-1], lost) if lost is not None else None
        if lost is None or last is None:
            return None
        grouping.recount(move)
        message, before = messages[-1], self._units[-1]
        grouping.extend(message, lost.calls, lost.texts, lost.end)
        self._units[-1] = last.unit
        self._sums = list(map(add, self._sums, map(sub, last.unit.sums, before.sums)))
        self._in_force.update(map(_key, last.repairs))
        changed = last.unit.at if last.is_jointed and not self._before_first else None
        self._before_first = False
        return Cut(
            last.unit.at + last.unit.width, _figures(self._sums), (), (), last.repairs, (),
            first_changed=changed, cause="" if changed is None else "repair",
        )  # fmt: skip

    def _push(self, place: int, pending: bool) -> None:
        following = self._messages[place + 1] if place + 1 < len(self._messages) else None
        unit = unit_of(
            self._messages[place],
            self._units[-1] if self._units else None,
            self._seen,
            followed_by_user=following is not None and not following.assistant,
            pending=pending and following is None,
            edge=self._edge,
        )
        self._seen.update(unit.introduced)
        self._sums = list(map(add, self._sums, unit.sums))
        if unit.repairs:
            self._in_force.update(map(_key, unit.repairs))
        self._units.append(unit)

    def _grown(self, turn: PlainTurn) -> Cut:
        """What a plain turn changed: its results are new, and nothing else."""
        last = self._units[-1]
        return Cut(
            last.at + last.width, _figures(self._sums), tuple(turn.results), (), (), (),
            first_changed=None, cause="",
        )  # fmt: skip

    def _compare(self, keep: int, left: Sequence[AnyUnit], new_root: bool) -> Cut:
        fresh = self._units[keep:]
        before, after = _results(left), _results(fresh)
        known = {_key(r) for unit in left for r in unit.repairs}
        now = {_key(r) for unit in fresh for r in unit.repairs}
        first, cause = (None, "") if self._before_first else self._first_changed(left, fresh, new_root)
        return Cut(
            messages=self._units[-1].at + self._units[-1].width if self._units else 0,
            figures=_figures(self._sums),
            added=tuple(r for r in after if r not in before),
            removed=tuple(r for r in before if r not in after),
            repairs=tuple(r for unit in fresh for r in unit.repairs if _key(r) not in known),
            ended=tuple(r for unit in left for r in unit.repairs if _key(r) not in now),
            first_changed=first,
            cause=cause,
        )

    def _first_changed(
        self, left: Sequence[AnyUnit], fresh: Sequence[AnyUnit], new_root: bool
    ) -> tuple[int | None, str]:
        now = _blocks(fresh)
        for at, block, message in _blocks(left):
            found = next(now, None)
            if found != (at, block, message):
                place = at if found is None else min(at, found[0])
                cause = self._cause(block, found[1] if found else None, new_root)
                # What changed may be no more than the line feed where two prompts meet.
                return place, "rewind" if cause == "repair" and self._is_left(left) else cause
        return None, ""

    def _is_left(self, units: Sequence[AnyUnit]) -> bool:
        """Whether the chain has left something that was sent, but for results: those may stand beside it."""
        blocks = (block for _, block, _ in _blocks(units) if block.record >= 0)
        return any(
            self._chain.where[self._ordinal(block.record)] < 0 and not is_result(self._content(block))
            for block in blocks
            if block.part is Part.RECORD
        )

    def _cause(self, old: WireBlock, new: WireBlock | None, new_root: bool) -> str:
        if new_root:
            root = self._chain.root
            at_boundary = root >= 0 and self._chain.records[root].role is Role.BOUNDARY
            return "compaction" if at_boundary else "new start"
        if old.record >= 0 and self._chain.where[self._ordinal(old.record)] < 0:
            return "rewind"
        if old.record >= 0 and is_call(self._content(old)):
            return "load" if not self._grouping.is_answered(self._content(old).id) else "repair"
        if new is not None and new.record >= 0 and is_result(self._content(new)):
            return "late result"
        if new is not None and new.record >= 0 and is_call(self._content(new)):
            return "load"
        return "repair"

    def _content(self, block: WireBlock) -> Block:
        return self.record(block.record).blocks[block.block]


def _figures(sums: Sequence[int]) -> Sequence[int]:
    """Sums to be kept for each request, in half the room where they are not huge."""
    return array("I" if max(sums) <= _MOST_OF_FOUR_BYTES else "q", sums)


def _results(units: Sequence[AnyUnit]) -> dict[tuple[int, int], None]:
    """Results of records on the wire of these units, in order."""
    return {ref: None for unit in units for ref in unit.results}


def _key(repair: WireRepair) -> tuple[RepairKind, str, int, int]:
    """What makes a repair the same one at another request: all but the message's place."""
    return repair.kind, repair.id, repair.record, repair.block


def _blocks(units: Sequence[AnyUnit]) -> Iterator[tuple[int, WireBlock, bool]]:
    """Every block with the index of its message and its role."""
    for unit in units:
        for offset, message in enumerate(unit.wire):
            for block in message.blocks:
                yield unit.at + offset, block, message.assistant


def _results_in(records: Iterable[Record]) -> tuple[tuple[int, int], ...]:
    return tuple(
        (record.index, place)
        for record in records
        for place, block in enumerate(record.blocks)
        if is_result(block)
    )
