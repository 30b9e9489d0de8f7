"""A turn that the edge leaves as it is: one answer, and results for all of its calls.

Nearly all turns are of this kind. Telling so takes one look at each block; then neither its messages
nor what the edge makes of them have to be put together, because both follow from the records. They
are made when somebody asks: the exact wire of one request, or a later change that reaches back.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspector.model.transcript import Block, BlockKind, Flag, Record, Role
from inspector.pipeline.wire.edge import Ref, as_is
from inspector.pipeline.wire.grouping import Message
from inspector.pipeline.wire.parts import TALLY_FIGURES, WireMessage, WireRepair
from inspector.pipeline.wire.units import measured

# A member looked up on its enum costs ten times what a name costs, and these are asked for per block.
_ASSISTANT = Role.ASSISTANT
_USER = Role.USER
_IMAGE = BlockKind.IMAGE
_TEXT = BlockKind.TEXT
_THINKING = BlockKind.THINKING
_TOOL_RESULT = BlockKind.TOOL_RESULT
_TOOL_USE = BlockKind.TOOL_USE
_ODD = Flag.API_ERROR | Flag.TRANSCRIPT_ONLY | Flag.SUMMARY
"""Flags of records that become no content, or content of another kind."""

_NONE: list[Ref] = []
"""What plain messages have lost; messages change only while they are built, and these never are."""

_USER_SUM, _ASSISTANT_SUM, _CALLS, _RESULTS, _THINKING_SUM = 0, 3, 6, 9, 15
"""Where the figures of a `Tally` begin that a plain turn can add to."""


def refs_of(records: Sequence[Record]) -> list[Ref]:
    """All blocks of some records, in order."""
    return [Ref(r.index, n, block) for r in records for n, block in enumerate(r.blocks)]


class PlainMessage(Message):
    """A message that its records make up, all their blocks in order; the edge leaves it as it is.

    It is a message and what the edge made of it (a unit) at once: very many are kept.
    """

    __slots__ = ("at", "records")

    repairs: tuple[WireRepair, ...] = ()
    width = 1
    """Wire messages that it takes up."""

    def __init__(
        self, message_id: str, places: Sequence[int], records: Sequence[Record], *, has_results: bool = False
    ) -> None:
        """Args:
        message_id: `message.id` of an answer; empty: a message of the user.
        places: Positions of its first and last record.
        records: What it is made of, in order.
        has_results: Whether it answers calls.
        """
        self.assistant = bool(message_id)
        self.message_id = message_id
        self.start, self.end = places
        self.reach = self.end
        self.prompt = -1
        self.has_results = has_results
        self.dropped = _NONE
        self.records = records
        self.at = -1
        """Index of its wire message; set when it is put on the wire."""

    @property
    def refs(self) -> list[Ref]:
        """Its blocks, made anew."""
        return refs_of(self.records)

    @property
    def wire(self) -> tuple[WireMessage, ...]:
        """Its one message, by reference."""
        return (WireMessage(self.assistant, tuple(map(as_is, self.refs))),)

    @property
    def calls(self) -> tuple[Ref, ...]:
        """Its calls."""
        return tuple(ref for ref in self.refs if ref.content.kind is _TOOL_USE)

    @property
    def introduced(self) -> tuple[str, ...]:
        """ids of calls that stand here first."""
        return tuple(b.id for r in self.records for b in r.blocks if b.kind is _TOOL_USE)

    @property
    def results(self) -> tuple[tuple[int, int], ...]:
        """Its results: record index, block ordinal."""
        return tuple(
            (r.index, n) for r in self.records for n, b in enumerate(r.blocks) if b.kind is _TOOL_RESULT
        )

    @property
    def sums(self) -> tuple[int, ...]:
        """The figures of `Tally`, one after another."""
        _, sums = measured(self.wire, self.refs)
        return sums


class PlainTurn:
    """An answer and the results of its calls, read record by record until something is odd."""

    def __init__(self) -> None:
        self.answers: list[Record] = []
        self.users: list[Record] = []
        self.calls: dict[str, int] = {}
        """id → position of the call's record."""
        self.results: list[tuple[int, int]] = []
        """Record index and block ordinal of each result."""
        self.answered: set[str] = set()
        self.sums = [0] * TALLY_FIGURES
        self.places = [-1, -1, -1, -1]
        """Positions of the first and last record of the answer, then of what the user sent."""
        self._joint: Record | None = None
        """The record of a text at the end of what the user sent so far."""

    def take(self, record: Record, position: int) -> bool:
        """One more record of the history; False: it does not fit a plain turn.

        Args:
            record: The record.
            position: Where it stands among the entries.
        """
        role = record.role
        if role is _ASSISTANT:
            return self._answer(record, position)
        if role is _USER:
            return self._user(record, position)
        return not record.blocks  # a step that is no content

    def is_whole(self) -> bool:
        """Whether every call of the answer has its one result, and the user spoke last."""
        return bool(self.answers and self.users) and len(self.calls) == len(self.answered)

    def messages(self) -> tuple[PlainMessage, PlainMessage]:
        """The two messages that it is."""
        answer = PlainMessage(self.answers[0].message_id, self.places[:2], tuple(self.answers))
        user = PlainMessage("", self.places[2:], tuple(self.users), has_results=bool(self.results))
        return answer, user

    def _answer(self, record: Record, position: int) -> bool:
        first = self.answers[0] if self.answers else record
        message_id = record.message_id
        if record.flags & _ODD or not message_id or message_id != first.message_id or not record.blocks:
            return False
        if self._joint is not None:  # a prompt stands between: it starts another message
            return False
        for block in record.blocks:
            kind = block.kind
            if kind is _TOOL_USE:
                if block.id in self.calls:
                    return False
                self.calls[block.id] = position
                self._count(_CALLS, block)
            elif kind is _THINKING:
                self._count(_THINKING_SUM, block)
            elif block.images or kind is _IMAGE or kind is _TOOL_RESULT:
                return False
            else:
                self._count(_ASSISTANT_SUM, block)
        if not self.answers:
            self.places[0] = position
        self.places[1] = position
        self.answers.append(record)
        return True

    def _user(self, record: Record, position: int) -> bool:
        if record.flags & _ODD or not self.answers or not record.blocks:
            return False
        for place, block in enumerate(record.blocks):
            kind = block.kind
            if block.images or kind is _IMAGE:
                return False
            if kind is _TOOL_RESULT:
                if self._joint is not None or block.id in self.answered or block.id not in self.calls:
                    return False
                self.answered.add(block.id)
                self.results.append((record.index, place))
                self._count(_RESULTS, block)
            elif kind is _TEXT:
                if self._joint is not None and self._joint is not record:
                    return False  # two texts that meet
                self._joint = record
                self._count(_USER_SUM, block)
            else:
                return False
        if not self.users:
            self.places[2] = position
        self.places[3] = position
        self.users.append(record)
        return True

    def _count(self, place: int, block: Block) -> None:
        size, sums = block.size, self.sums
        sums[place] += size.chars
        sums[place + 1] += size.utf16
        sums[place + 2] += size.bytes
