"""Which records a request holds, and in which order: parents, siblings and compaction (rules 5-10).

The order is kept between requests. A later request mostly extends the chain by a few records, so
only the tail from the last message that can be touched is put together again; whatever does not
look like that (a rewind, a compaction, a parent that turns up late) starts from further back.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from itertools import repeat
from operator import attrgetter

import msgspec

from inspector.model.transcript import Boundary, Flag, Record, Role
from inspector.pipeline.wire.ordinals import Order, Places, holds_result

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_ASSISTANT = Role.ASSISTANT
_BOUNDARY = Role.BOUNDARY
_BRIDGE = Role.BRIDGE
_CLEARING = Role.CLEARING
_USER = Role.USER
_REMINDER = Flag.REMINDER

_STEPS = frozenset({Role.USER, Role.ASSISTANT, Role.BRIDGE, Role.BOUNDARY, Role.CLEARING})
_OUT = Flag.SALVAGED | Flag.DUPLICATE
_INDEX = attrgetter("index")


class Move(msgspec.Struct, frozen=True):
    """What a move to another tip did to the entries."""

    start: int
    """First position whose entry may have changed."""
    left: list[int]
    """Entries that stood from there on before."""
    rewound: bool
    """Whether records of the chain left it."""


class Chain:
    """The records of one thread, and those of them that the current request holds.

    Records are named by their ordinal among those that take part; `entries` lists ordinals.
    """

    def __init__(self, *, linear: bool = False) -> None:
        self.records: list[Record] = []
        self.entries: list[int] = []
        self.where = array("i")
        """Ordinal → position in `entries`; -1: it stands nowhere."""
        self._linear = linear
        self._off_path: list[int] = []
        """Entries that the walk over parents does not meet, in order."""
        self._answering = bytearray()
        """Ordinal → whether the record is one of the user that answers a call."""
        self._by_uuid: dict[str, int] = {}
        self._by_message = Places()
        self._results_under = Places()
        self._path: list[int] = []
        self._depth = array("i")
        """Ordinal → position in `_path`; -1: the walk over parents does not meet it."""
        self._known = self._limit = 0
        """Records that the last move knew, and that the present one knows."""
        self._guessed: set[str] = set()
        """Parents that were asked for and were not there."""
        self._strays: set[int] = set()
        """Entries next to which a sibling belongs that could not be put there, and that sibling."""
        self._has_odd = False
        """Whether a sibling hangs on a foreign message: it may have to move when the chain shrinks."""
        self._stands_twice = False
        """Whether some record stands in two places: it is preserved and met by the walk as well."""
        self._looped = False
        self._left: list[int] = []
        """Results behind the root that stand nowhere, among the first `_left_upto` records."""
        self._left_upto = 0

    def add(self, record: Record) -> bool:
        """Takes the next record of the thread, in file order.

        Returns:
            Whether it takes part (rules 1, 5): it has a uuid that did not occur before, and was not
            rescued from a broken line.
        """
        if record.flags & _OUT or record.role not in _STEPS:
            return False
        if not self._linear:
            uuid = record.uuid
            if not uuid or uuid in self._by_uuid:
                return False
            self._by_uuid[uuid] = len(self.records)
        self.records.append(record)
        return True

    def _take_in(self) -> None:
        """Looks at the records that were added since the last move."""
        first, count = len(self.where), len(self.records)
        if first == count:
            return
        self.where.extend(repeat(-1, count - first))
        self._depth.extend(repeat(-1, count - first))
        answering, by_message, under = self._answering, self._by_message, self._results_under
        for ordinal in range(first, count):
            record = self.records[ordinal]
            role = record.role
            answers = role is _USER and holds_result(record)
            answering.append(answers)
            if role is _ASSISTANT:
                by_message.add(record.message_id, ordinal)
            elif answers:
                under.add(record.parent, ordinal)

    def move(self, tip: str | None, upto: int | None) -> Move:
        """Makes `entries` the history that ends at a tip.

        Args:
            tip: uuid of the last record; None: the last user or assistant record (rule 3); empty:
                there is no history.
            upto: Only records whose `index` is below this exist; None: all.
        """
        self._take_in()
        limit = len(self.records) if upto is None else bisect_left(self.records, upto, key=_INDEX)
        self._limit = limit
        if limit < self._known or self._looped or self._found_late():
            return self._from_the_start(tip, self.entries)
        done = self._go(tip)
        if done.rewound:
            self._left_upto = 0
        if done.start and self._is_off(done):
            return self._from_the_start(tip, self.entries[: done.start] + done.left)
        return done

    def _is_off(self, done: Move) -> bool:
        """Whether a record that stays would stand elsewhere now; only damaged or forked files do this."""
        if self._has_odd and done.rewound:
            return True
        return self._stands_twice or not self._strays.isdisjoint(self.entries[done.start :])

    def _from_the_start(self, tip: str | None, before: list[int]) -> Move:
        nowhere = array("i", [-1]) * len(self.records)
        self.entries, self.where = [], nowhere
        self._path, self._depth = [], nowhere[:]
        self._known, self._guessed, self._strays = 0, set(), set()
        self._off_path = []
        self._left_upto = 0
        self._looped = self._has_odd = self._stands_twice = False
        self._go(tip)
        return Move(0, before, rewound=False)

    @property
    def root(self) -> int:
        """Ordinal of the first record of the chain; -1 when it is empty."""
        return self._path[0] if self._path else -1

    @property
    def tip(self) -> int:
        """Ordinal of the last record of the chain; -1 when it is empty."""
        return self._path[-1] if self._path else -1

    def off_path(self) -> list[Record]:
        """Records of the current history that the walk over parents does not meet (rules 7, 10)."""
        return [self.records[n] for n in self._off_path]

    def left_behind(self) -> list[Record]:
        """Records with results that stand behind the root in the file and not in the history.

        They hang on a branch that was left. O(records since the last call, and the results found)
        """
        if not self._left_upto:
            self._left = []
        fresh = range(max(self._left_upto, self.root), self._limit)
        self._left += (n for n in fresh if self._answering[n])
        self._left = [n for n in self._left if self.where[n] < 0 and n > self.root]
        self._left_upto = self._limit
        return [self.records[n] for n in self._left]

    def _found_late(self) -> bool:
        """Whether a parent that was missing has appeared since: the chain then runs elsewhere."""
        return bool(self._guessed) and any(
            self.records[n].uuid in self._guessed for n in range(self._known, self._limit)
        )

    def _go(self, tip: str | None) -> Move:
        at = self._tip_ordinal(tip)
        untouched = len(self.entries)
        if (steps := self._steps_on(at)) and (grown := self._grown(steps)):
            self._enter(steps, grown)
            return Move(untouched, [], rewound=False)
        return self._go_anywhere(at)

    def _steps_on(self, at: int) -> list[int]:
        """The way from the tip of the chain that stands to a new one; empty: it does not lead there."""
        known, path = self._known, self._path
        if not path or at < known:
            return []
        if self._linear:
            steps = list(range(known, at + 1)) if path[-1] == known - 1 else []
            return [] if any(self.records[n].role is _BOUNDARY for n in steps) else steps
        boundary = self.records[path[0]].boundary
        if boundary and boundary.anchor and self._by_uuid.get(boundary.anchor, -1) >= known:
            return []
        records, ordinal_of = self.records, self._by_uuid.get
        steps = []
        while at >= known:
            record = records[at]
            above = ordinal_of(record.parent, -1)
            if above < 0 or above >= at or record.role is _BOUNDARY:
                return []
            steps.append(at)
            at = above
        steps.reverse()
        return steps if at == path[-1] else []

    def _grown(self, steps: list[int]) -> list[int]:
        """New steps with their siblings, where they simply follow what stands; empty: they do not.

        That is the rule: nothing that stands is touched, and no sibling of the new steps hangs on it.
        """
        if self._linear:
            return steps
        known, limit, records = self._known, self._limit, self.records
        if self._pushes_on(steps[0]):
            return []
        straight = len(steps) == limit - known
        new, mine = (set(), set()) if straight else (set(steps), {records[n].message_id for n in steps})
        siblings: list[int] = []
        for ordinal in range(known, limit):
            record = records[ordinal]
            if record.role is _ASSISTANT:
                message_id = record.message_id
                stood = bool(message_id) and self._by_message.of(message_id)[0] < known
                if stood and not ((straight or ordinal in new) and self._stands(message_id)):
                    return []
                hanging = self._results_under.of(record.uuid)
                if hanging and hanging[0] < known:
                    return []
            elif self._answering[ordinal]:
                above = self._by_uuid.get(record.parent, -1)
                message_id = records[above].message_id if 0 <= above < limit else ""
                if message_id and above < known and not straight:
                    return []
            else:
                continue
            if not straight and message_id and message_id in mine:
                siblings.append(ordinal)
        if straight or not siblings:
            return steps
        return self._with_siblings(steps, siblings)

    def _pushes_on(self, first: int) -> bool:
        """Whether a first new step is more of a message that stands, and siblings stand in front of it.

        Some of them may go past records of their message, this one included.
        """
        record = self.records[first]
        if record.role is not _ASSISTANT or not record.message_id or self.entries[-1] == self._path[-1]:
            return False
        return self._by_message.of(record.message_id)[0] < self._known

    def _stands(self, message_id: str) -> bool:
        """Whether a message with records from before is on the path: its siblings stand there as well.

        An id can be that of very many answers, so only the newest record of those is asked.
        """
        same = self._by_message.of(message_id)
        return self._depth[same[bisect_left(same, self._known) - 1]] >= 0

    def _with_siblings(self, steps: list[int], members: list[int]) -> list[int]:
        """Steps and the records that belong to their messages, in order; empty: some hang elsewhere.

        Args:
            steps: The new part of the path.
            members: All new records of its messages: answers and the results that hang on them.
        """
        records = self.records
        order = sorted({*steps, *members})
        results = next((n for n, o in enumerate(order) if records[o].role is not _ASSISTANT), 0)
        rest = next((n for n, o in enumerate(order) if n >= results and not self._answering[o]), len(order))
        answers = sum(records[o].role is _ASSISTANT for o in steps)
        tail = order[rest:]
        as_in_file = (
            order[:answers] == steps[:answers]
            and len({records[o].message_id for o in order[:results]}) == 1
            and tail == steps[len(steps) - len(tail) :]
            and all(records[o].role is not _ASSISTANT for o in tail)
            and all(map(self._hangs_above, order[1:results], repeat(order[0])))
        )  # one answer's calls, then their results, then what follows them
        return order if as_in_file else self._following(steps)

    def _hangs_above(self, ordinal: int, first: int) -> bool:
        """Whether a record of an answer hangs on one that stands between its first one and itself."""
        above = self._by_uuid.get(self.records[ordinal].parent, -1)
        return first <= above < ordinal and (
            self.records[above].message_id == self.records[ordinal].message_id
        )

    def _go_anywhere(self, at: int) -> Move:
        keep, fresh = self._walk(at)
        lost = self._path[keep:]
        touched = self._touched((*range(self._known, self._limit), *lost)) if keep else 0
        touched = min(touched, self.where[self._path[keep - 1]] if keep else 0)
        start = self._restart_at(touched, keep)
        first = self._depth[self.entries[start]] if start else 0
        left = self.entries[start:]
        for ordinal in left:
            self.where[ordinal] = -1
        while self._off_path and self.where[self._off_path[-1]] < 0:
            self._off_path.pop()
        for ordinal in lost:
            self._depth[ordinal] = -1
        del self.entries[start:], self._path[keep:]
        for ordinal in fresh:
            self._depth[ordinal] = len(self._path)
            self._path.append(ordinal)
        self._enter((), self._arranged(self._path[first:], left))
        return Move(start, left, rewound=bool(lost))

    def _enter(self, path: Iterable[int], entries: Iterable[int]) -> None:
        """Appends to the path and to the entries."""
        for ordinal in path:
            self._depth[ordinal] = len(self._path)
            self._path.append(ordinal)
        for ordinal in entries:
            self._stands_twice |= self.where[ordinal] >= 0
            self.where[ordinal] = len(self.entries)
            self.entries.append(ordinal)
            if self._depth[ordinal] < 0:
                self._off_path.append(ordinal)
        self._known = self._limit

    def _following(self, fresh: list[int]) -> list[int]:
        """New steps with their siblings, each put behind its parent; empty: one hangs on what stands."""
        order = Order(self.records)
        order.extend(fresh)
        for ordinal in self._missing(fresh, (), self._known):
            if ordinal in order:
                continue
            if self._by_uuid.get(self.records[ordinal].parent, -1) not in order:
                return []
            order.put(ordinal, self._host(ordinal, order))
        return order.flat()

    def _tip_ordinal(self, tip: str | None) -> int:
        if tip == "" and not self._linear:  # where there are no parents, an empty one says nothing
            return -1
        if tip is not None and not self._linear:
            found = self._by_uuid.get(tip)
            if found is not None and found < self._limit:
                return found
            self._guessed.add(tip)
            return self._limit - 1
        newest = range(self._limit - 1, -1, -1)
        last = next((n for n in newest if self.records[n].role in (_USER, _ASSISTANT)), -1)
        return self._with_what_hangs(last)

    def _with_what_hangs(self, last: int) -> int:
        """The last attachment with texts, or clearing (rule 12), that hangs behind the last message."""
        tip = front = last
        hanging = {self.records[last].uuid} if last >= 0 else set()
        for ordinal in range(last + 1, self._limit):
            record = self.records[ordinal]
            hangs = record.parent in hanging or (front == ordinal - 1 >= 0 and self._is_lost(record.parent))
            if hangs and record.role in (_BRIDGE, _CLEARING):
                hanging.add(record.uuid)
                front = ordinal
                tip = ordinal if record.flags & _REMINDER or record.role is _CLEARING else tip
        return tip

    def _is_lost(self, parent: str) -> bool:
        """Rule 6: whether a parent is not in the file, so that the record in front takes its place."""
        if not parent or self._linear or self._by_uuid.get(parent, self._limit) < self._limit:
            return False
        self._guessed.add(parent)
        return True

    def _walk(self, tip: int) -> tuple[int, list[int]]:
        """Steps from a tip back to the chain that is known; how much of that stays, and the steps."""
        steps: list[int] = []
        seen: set[int] = set()
        at = tip
        while at >= 0 and self._depth[at] < 0:
            if at in seen:
                self._looped = True
                at = -1
                break
            seen.add(at)
            steps.append(at)
            at = self._parent(at)
        steps.reverse()
        return (self._depth[at] + 1 if at >= 0 else 0), steps

    def _parent(self, ordinal: int) -> int:
        """Rules 5, 6, 9: the parent; where it is not in the file, the record in front."""
        record = self.records[ordinal]
        if record.role is _BOUNDARY:
            return -1
        if self._linear:
            return ordinal - 1
        if not record.parent:
            return -1
        found = self._by_uuid.get(record.parent)
        if found is None or found >= self._limit:
            self._guessed.add(record.parent)
            return ordinal - 1
        return found

    def _touched(self, ordinals: Iterable[int]) -> int:
        """First entry whose surroundings records that came or left may change; past the end: none."""
        first = len(self.entries)
        for message_id in {self._message_of(n) for n in ordinals}:
            for ordinal in self._by_message.of(message_id):
                if 0 <= self.where[ordinal] < first:
                    first = self.where[ordinal]
        return first

    def _restart_at(self, touched: int, keep: int) -> int:
        """The nearest place at or before one that no sibling from further up can pass.

        That is the first record of an assistant message on the part of the chain that stays: what
        belongs to earlier messages stops in front of it.
        """
        for place in range(min(touched, len(self.entries) - 1), 0, -1):
            record = self.records[self.entries[place]]
            depth = self._depth[self.entries[place]]
            if record.role is not _ASSISTANT or not 0 <= depth < keep:
                continue
            above = self.records[self.entries[place - 1]]
            if above.role is not _ASSISTANT or above.message_id != record.message_id:
                return place
        return 0

    def _arranged(self, path: list[int], left: list[int]) -> list[int]:
        """A stretch of the chain with preserved records (rule 10) and siblings (rule 7) put in."""
        order = Order(self.records)
        boundary = self.records[self._path[0]].boundary if self._path else None
        anchor = boundary.anchor if boundary else ""
        for ordinal in path:
            order.append(ordinal)
            if boundary and anchor and self.records[ordinal].uuid == anchor:
                order.extend(n for n in self._preserved(boundary) if self._depth[n] < 0)
        self._put_siblings(order, path, left)
        return order.flat()

    def _put_siblings(self, order: Order, path: list[int], left: list[int]) -> None:
        """Rule 7: other records of these messages, and results that hang on any record of them.

        What stood there before (`left`) can belong to a message further up whose siblings reach down.
        """
        if self._linear or not path:
            return
        missing = self._missing(path, left)
        waiting = [n for n in missing if self._depth[n] < 0 and self.where[n] < 0]
        while waiting:
            coming, held = set(waiting), []
            for ordinal in waiting:
                # A line may stand in front of its parent's: the parents decide, not the lines (rule 5).
                if self._by_uuid.get(self.records[ordinal].parent, -1) in coming:
                    held.append(ordinal)
                    continue
                coming.discard(ordinal)
                order.put(ordinal, self._host(ordinal, order))
            if len(held) == len(waiting):  # parents in a ring
                for ordinal in held:
                    order.put(ordinal, self._host(ordinal, order))
                return
            waiting = held

    def _missing(self, path: list[int], left: Iterable[int], since: int = 0) -> list[int]:
        """Records of the messages of a stretch, from an ordinal on, and results on them, by ordinal."""
        if self._linear:
            return []
        floor = self._path[0] if self.records[self._path[0]].role is _BOUNDARY else -1
        ids = dict.fromkeys(self.records[n].message_id for n in path)
        for message_id in (self._message_of(n) for n in left):
            if any(self._depth[n] >= 0 for n in self._by_message.of(message_id)):
                ids[message_id] = None
        missing: list[int] = []
        for message_id in ids:
            same = self._by_message.of(message_id)
            for ordinal in same[bisect_left(same, since) : bisect_left(same, self._limit)]:
                missing.append(ordinal)
                missing.extend(self._results_under.of(self.records[ordinal].uuid))
        return [n for n in sorted(missing) if floor < n < self._limit]

    def _message_of(self, ordinal: int) -> str:
        """`message.id` that a record belongs to: its own, or that of the call it answers."""
        record = self.records[ordinal]
        if record.role is _ASSISTANT:
            return record.message_id
        parent = self._by_uuid.get(record.parent, -1) if self._answering[ordinal] else -1
        return self.records[parent].message_id if 0 <= parent < self._limit else ""

    def _host(self, ordinal: int, order: Order) -> int:
        """The entry behind which a sibling goes: its parent, else the nearest record of its message."""
        record = self.records[ordinal]
        parent = self._by_uuid.get(record.parent, -1)
        if parent < 0 or self._message_of(parent) != self._message_of(ordinal):
            self._has_odd = True
        if parent in order:
            return parent
        self._strays.update((parent, ordinal))
        self._guessed.add(record.parent)
        same = [n for n in self._by_message.of(record.message_id) if n in order and n != ordinal]
        return max((n for n in same if n < ordinal), default=min(same, default=-1))

    def _preserved(self, boundary: Boundary) -> list[int]:
        """Rule 10: the older records that come in behind the anchor."""
        if boundary.preserved_uuids:
            found = (self._by_uuid.get(uuid, self._limit) for uuid in boundary.preserved_uuids)
            return [n for n in dict.fromkeys(found) if n < self._limit]
        head = self._by_uuid.get(boundary.preserved_head, -1)
        older = Chain()
        for record in self.records[: self._path[0]]:
            older.add(record)
        if not 0 <= head < len(older.records) or boundary.preserved_tail not in older._by_uuid:
            return []
        older.move(boundary.preserved_tail, None)
        return older.entries[older.where[head] :] if older._depth[head] >= 0 else []
