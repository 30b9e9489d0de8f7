"""Which result answers which call: pairing facts of one conversation, in file order, under no policy.

Two readings are kept side by side, because the two systems repair by different ones: the global
reading compares sets of ids over the whole history (seed 000), the positional reading asks for the
result between its assistant message and the next one (ChatCLI's newest code). Facts are per record
fed, so one appended record costs what it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import itemgetter

from inspector.model.transcript import Block, BlockKind, Candidate, Flag, Record, Role

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_ASSISTANT = Role.ASSISTANT
_USER = Role.USER
_API_ERROR = Flag.API_ERROR
_TOOL_RESULT = BlockKind.TOOL_RESULT
_TOOL_USE = BlockKind.TOOL_USE
_NO_CONTENT = Candidate.NO_CONTENT


class Entry:
    """One tool call, its result, or both: a row of the ledger.

    Mutable on purpose: a live call gets its result later, and copies per state would cost a live
    session its constant cost per record.
    """

    __slots__ = (
        "answered", "call_block", "call_record", "call_turn", "displaced", "duplicate_call",
        "duplicate_result", "id", "index", "result", "result_block", "result_record", "turn",
    )  # fmt: skip

    def __init__(self, index: int, tool_use_id: str) -> None:
        self.index = index
        """Ordinal among the entries of its conversation."""
        self.id = tool_use_id
        self.turn = -1
        """Index of the turn (group) that it is shown under."""
        self.call_turn = -1
        """The turn that it was shown under before its result came."""
        self.call_record: Record | None = None
        self.call_block: Block | None = None
        self.answered: Block | None = None
        """Of a result whose call had one already: that call."""
        self.result_record: Record | None = None
        self.result_block: int = -1
        """Position of the result among its record's blocks."""
        self.result: Block | None = None
        self.duplicate_call = False
        """The id was used before."""
        self.duplicate_result = False
        """The id was answered before."""
        self.displaced = False
        """The result does not stand between its call's message and the next one, but behind or before."""

    @property
    def tool(self) -> str:
        """The tool's name; empty for a result without call. Names go by ids (seed 001 §2.9), so every
        further result of a call is of its tool too."""
        call = self.call_block or self.answered
        return call.name if call else ""

    @property
    def argument(self) -> str:
        return self.call_block.argument if self.call_block else ""

    @property
    def line(self) -> int:
        """Line of the result's record, or of the call's."""
        record = self.result_record or self.call_record
        return record.line if record else 0

    @property
    def is_mixed(self) -> bool:
        """Whether its result holds more than text, and so cannot go to a file (seed 001 §2.7)."""
        return self.result is not None and self.result.is_mixed

    @property
    def candidate(self) -> Candidate:
        return self.result.candidate if self.result else _NO_CONTENT


class Turn:
    """One group of results, and the calls that wait in it (`pipeline.md`: group, turn)."""

    __slots__ = ("entries", "first_line", "index", "results")

    def __init__(self, index: int, line: int) -> None:
        self.index = index
        self.entries: list[Entry] = []
        """Rows in order of appearance (calls first, then results without call); one whose result came in
        a later turn stands in both."""
        self.results: list[Entry] = []
        """Entries in order of their results: the order in the message."""
        self.first_line = line


class Calls:
    """Entries and turns of one conversation, with both readings of its pairing."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.turns: list[Turn] = []
        self.order_violations: list[str] = []
        """Results outside the leading run of result blocks of their message."""
        self.positional_missing: list[str] = []
        self.positional_orphan: list[str] = []
        self.positional_duplicate: list[str] = []
        self._by_id: dict[str, Entry | list[Entry]] = {}
        """Id → its entry; a list only where several have it."""
        self._waiting: dict[str, dict[int, Entry]] = {}
        """Of ids that several entries have: the calls without a result, in order."""
        self._seen_messages: set[str] = set()
        self._open: Turn | None = None
        self._open_ids: dict[str, str] = {}
        """Calls of the open block not answered yet: id → message."""
        self._block_ids: set[tuple[str, str]] = set()

    def feed(self, record: Record) -> Sequence[Entry]:
        """Take the next record of the conversation.

        Returns:
            The entries that it made or answered, in order.
        """
        role = record.role
        if role is _ASSISTANT:
            return self._feed_assistant(record) if not record.flags & _API_ERROR else ()
        return self._feed_user(record) if role is _USER else ()

    def open_turn(self, line: int) -> Turn:
        """The turn that a result arriving now belongs to."""
        if self._open is None:
            self._open = Turn(len(self.turns), line)
            self.turns.append(self._open)
        return self._open

    def of(self, tool_use_id: str) -> Sequence[Entry]:
        """The entries that have an id, in file order."""
        found = self._by_id.get(tool_use_id)
        if found is None:
            return ()
        return found if isinstance(found, list) else (found,)

    @property
    def uses(self) -> dict[str, int]:
        """Id → how often it was used as a call, in order of first use. O(entries)."""
        return _counted((e.call_record.index, e.id) for e in self.entries if e.call_record is not None)

    @property
    def answers(self) -> dict[str, int]:
        """Id → how often it was answered, in order of first answers. O(entries)."""
        return _counted((e.result_record.index, e.id) for e in self.entries if e.result_record is not None)

    @property
    def global_missing(self) -> list[str]:
        """Ids used but answered nowhere, in order of first use."""
        waiting = dict.fromkeys(e.id for e in self.entries if e.result is None and e.id)
        return [i for i in waiting if all(e.result is None for e in self.of(i))]

    @property
    def global_orphan(self) -> list[str]:
        """Ids answered but used nowhere."""
        uncalled = dict.fromkeys(e.id for e in self.entries if e.call_block is None)
        return [i for i in uncalled if all(e.call_block is None for e in self.of(i))]

    @property
    def global_duplicate(self) -> list[str]:
        """Ids used more than once."""
        several = [i for i, found in self._by_id.items() if isinstance(found, list)]
        return [i for i, n in self.uses.items() if n > 1] if several else []

    def open_positional_missing(self) -> list[str]:
        """Positional reading at the end: calls of the last block without a result."""
        return list(self._open_ids)

    def _feed_assistant(self, record: Record) -> Sequence[Entry]:
        message = record.message_id
        if not message or message not in self._seen_messages:
            if message:
                self._seen_messages.add(message)
            self._close_block()
            self._open = None
        return [self._feed_call(record, block) for block in record.blocks if block.kind is _TOOL_USE]

    def _close_block(self) -> None:
        if self._open_ids:
            self.positional_missing.extend(self._open_ids)
            self._open_ids.clear()
        self._block_ids.clear()

    def _feed_call(self, record: Record, block: Block) -> Entry:
        known = self._by_id.get(block.id)
        entry = self._called_late(self.of(block.id)) if known is not None else None
        if entry is None:
            entry = self._new_entry(block.id, record.line)
            if known is None:
                self._by_id[block.id] = entry
            else:
                entry.duplicate_call = any(e.call_block is not None for e in self.of(block.id))
                self._keep(entry, known)
        elif self._open is None or entry.turn != self._open.index:
            entry.displaced = True  # the message that calls begins behind the result
        entry.call_record, entry.call_block = record, block
        if known is not None and entry.result is None:
            self._waiting.setdefault(block.id, {})[entry.index] = entry
        key = (record.message_id or str(record.index), block.id)
        if key in self._block_ids:
            self.positional_duplicate.append(block.id)
        else:
            self._block_ids.add(key)
            self._open_ids[block.id] = key[0]
        return entry

    @staticmethod
    def _called_late(known: Sequence[Entry]) -> Entry | None:
        """The first result of an id that no call stands in front of: it waits for this one."""
        if any(e.call_block is not None for e in known):
            return None
        return next((e for e in known if e.result is not None), None)

    def _keep(self, entry: Entry, known: Entry | list[Entry] | None) -> None:
        """Find an entry by its id from now on, behind those that are known."""
        if known is None:
            self._by_id[entry.id] = entry
            return
        if isinstance(known, list):
            known.append(entry)
        else:
            self._by_id[entry.id] = [known, entry]
            if known.call_block is not None and known.result is None:
                self._waiting[entry.id] = {known.index: known}

    def _feed_user(self, record: Record) -> Sequence[Entry]:
        answered = []
        leading = True
        for position, block in enumerate(record.blocks):
            if block.kind is _TOOL_RESULT:
                if not leading:
                    self.order_violations.append(block.id)
                answered.append(self._feed_result(record, block, position))
            else:
                leading = False
        return answered

    def _feed_result(self, record: Record, block: Block, position: int) -> Entry:
        if self._open_ids.pop(block.id, None) is None:
            self.positional_orphan.append(block.id)
        turn = self._open or self.open_turn(record.line)
        entry = self._unanswered(block.id, turn)
        if entry is None:
            entry = self._new_entry(block.id, record.line)
            known = self.of(block.id)
            entry.duplicate_result = any(e.result is not None for e in known)
            entry.answered = next((e.call_block for e in reversed(known) if e.call_block is not None), None)
            self._keep(entry, self._by_id.get(block.id))
        elif entry.turn != turn.index:
            entry.displaced = True
            entry.turn = turn.index
            turn.entries.append(entry)
        entry.result_record, entry.result, entry.result_block = record, block, position
        if block.id in self._waiting:
            self._waiting[block.id].pop(entry.index, None)
        turn.results.append(entry)
        return entry

    def _unanswered(self, tool_use_id: str, turn: Turn) -> Entry | None:
        """The call that a result answers: first of this turn, else the oldest one still open."""
        known = self._by_id.get(tool_use_id)
        if known is None:
            return None
        if not isinstance(known, list):
            return known if known.result is None and known.call_block is not None else None
        waiting = self._waiting.get(tool_use_id)
        if not waiting:
            return None
        found = next(iter(waiting.values()))
        for entry in reversed(waiting.values()):
            if entry.turn != turn.index:
                break
            found = entry
        return found

    def _new_entry(self, tool_use_id: str, line: int) -> Entry:
        entry = Entry(len(self.entries), tool_use_id)
        turn = self._open or self.open_turn(line)
        entry.turn = entry.call_turn = turn.index
        turn.entries.append(entry)
        self.entries.append(entry)
        return entry


def _counted(places: Iterable[tuple[int, str]]) -> dict[str, int]:
    """Id → how often it stands at a place, in order of places."""
    return Counter(tool_use_id for _, tool_use_id in sorted(places, key=itemgetter(0)))


def positional_repairs(calls: Calls) -> dict[str, Sequence[str]]:
    """The positional reading of a finished conversation: missing, orphan, duplicate ids."""
    return {
        "missing": [*calls.positional_missing, *calls.open_positional_missing()],
        "orphan": calls.positional_orphan,
        "duplicate": calls.positional_duplicate,
    }
