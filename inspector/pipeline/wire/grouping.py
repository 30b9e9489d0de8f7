"""Records become messages: what is left out, what joins what (rules 13, 14, 17, 22, 23)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from inspector.model.transcript import Block, BlockKind, Flag, Record, Role
from inspector.pipeline.wire.chain import Chain, Move
from inspector.pipeline.wire.edge import Ref
from inspector.pipeline.wire.ordinals import Places

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_ASSISTANT = Role.ASSISTANT
_USER = Role.USER
_API_ERROR = Flag.API_ERROR
_SUMMARY = Flag.SUMMARY
_TRANSCRIPT_ONLY = Flag.TRANSCRIPT_ONLY
_TOOL_RESULT = BlockKind.TOOL_RESULT
_TOOL_USE = BlockKind.TOOL_USE


class Retry(Exception):  # noqa: N818 - a signal between two functions, never an error for people
    """The kept messages reach too far: entries from `position` on have to be read again."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class Message:
    """One message in front of the API edge. Changes only while it is built."""

    __slots__ = (
        "_refs", "assistant", "dropped", "end", "has_results", "message_id", "prompt", "reach", "start",
    )  # fmt: skip

    def __init__(self, *, assistant: bool, message_id: str, position: int) -> None:
        self.assistant = assistant
        self.message_id = message_id
        self._refs: list[Ref] = []
        self.dropped: list[Ref] = []
        """Calls that nothing answers (rule 17)."""
        self.has_results = False
        self.start = self.end = position
        """First and last position among the entries."""
        self.reach = position
        """Greatest `end` of this and all earlier messages."""
        self.prompt = -1
        """Index of the last user message without results, this one included; -1: none."""

    @property
    def refs(self) -> Sequence[Ref]:
        """Its blocks, in order."""
        return self._refs

    def take(self, refs: Sequence[Ref], position: int) -> None:
        """Appends blocks of one more record."""
        self._refs.extend(refs)
        self.end = max(self.end, position)
        self.has_results = self.has_results or any(is_result(r.content) for r in refs)


class Grouping:
    """Makes messages of a chain's entries, from any place that is safe to start at."""

    def __init__(self, chain: Chain, *, drop_unanswered: bool = True) -> None:
        self._chain = chain
        self.drop_unanswered = drop_unanswered
        self._answers: Counter[str] = Counter()
        self._callers = Places(with_empty=True)
        """Id → records that call it."""
        self._latest = Places()
        """`message.id` → the messages of that answer."""
        self.end = 0
        """Entries that the committed messages were made of."""

    def is_answered(self, tool_use_id: str) -> bool:
        """Whether any result of the history has this id (rule 17)."""
        return self._answers[tool_use_id] > 0

    def recount(self, move: Move) -> int:
        """Follows a move of the chain.

        Returns:
            First entry position that the move may have changed, calls further up included that are
            answered now and were not before, or the other way round.
        """
        ids: dict[str, bool] = {}
        for ordinal in move.left:
            self._count(ordinal, -1, ids)
        for ordinal in self._chain.entries[move.start :]:
            self._count(ordinal, 1, ids)
        where = self._chain.where
        places = (
            where[ordinal]
            for tool_use_id, was_answered in ids.items()
            if was_answered != self.is_answered(tool_use_id)
            for ordinal in self._callers.of(tool_use_id)
        )
        return min(move.start, min(places, default=move.start))

    def _count(self, ordinal: int, sign: int, ids: dict[str, bool]) -> None:
        for block in self._chain.records[ordinal].blocks:
            if is_result(block):
                ids.setdefault(block.id, self.is_answered(block.id))
                self._answers[block.id] += sign
            elif is_call(block):
                if sign > 0:
                    self._callers.add(block.id, ordinal)
                else:
                    self._callers.remove(block.id, ordinal)

    def boundary(self, messages: Sequence[Message], touched: int) -> int:
        """How many messages can stay when entries from a position on may have changed.

        What follows begins with an answer, and nothing of it stands inside what stays. Whether an answer
        at the end of what stays is followed by a message of the user cannot change by this: if it does,
        `build` asks for more.
        """
        if touched == self.end and messages and not messages[-1].assistant:
            return len(messages)
        for place in range(len(messages) - 1, 0, -1):
            message, above = messages[place], messages[place - 1]
            if message.assistant and message.start <= touched and above.reach < message.start:
                return place
        return 0

    def build(self, messages: Sequence[Message], keep: int, touched: int) -> list[Message]:
        """The messages behind those that stay.

        Args:
            messages: What stands.
            keep: How many of them stay.
            touched: First entry position that may have changed; read from there if all of them stay.

        Raises:
            Retry: A record belongs to a message among those that were to stay.
        """
        start = touched if keep == len(messages) > 0 else messages[keep].start if keep else 0
        builder = _Builder(self, messages, keep, start)
        for position in range(start, len(self._chain.entries)):
            record = self._chain.records[self._chain.entries[position]]
            if not is_sent(record):
                continue
            if record.role is _ASSISTANT:
                builder.answer(record, position)
            else:
                builder.user(record, position)
        if keep and not builder.built:
            raise Retry(start - 1)
        return builder.built

    def commit(self, messages: list[Message], built: Sequence[Message]) -> None:
        """Appends built messages to those that stayed."""
        self.end = len(self._chain.entries)
        for message in built:
            above = messages[-1] if messages else None
            message.reach = max(message.end, above.reach if above else -1)
            is_prompt = not message.assistant and not message.has_results
            message.prompt = len(messages) if is_prompt else above.prompt if above else -1
            if message.assistant:
                self._latest.add(message.message_id, len(messages))
            messages.append(message)

    def extend(self, message: Message, lost: Sequence[Ref], texts: Sequence[Ref], end: int) -> None:
        """Puts lost calls and texts of the user into the last message that was committed.

        Args:
            message: The message.
            lost: Calls that nothing answers.
            texts: Texts behind what it holds.
            end: Position of the last of them.
        """
        self.end = len(self._chain.entries)
        message.dropped = [*message.dropped, *lost]
        if texts:
            message.take(texts, end)
            message.reach = max(message.reach, message.end)

    def rejoin(self, message: Message, refs: Sequence[Ref], end: int) -> None:
        """Puts more of the same answer, or of what the user sent behind it, into one of the last messages.

        Args:
            message: The message; the one behind it comes after it.
            refs: The blocks.
            end: Position of the last of them.
        """
        self.end = len(self._chain.entries)
        message.take(refs, end)
        message.reach = max(message.reach, message.end)

    def is_new(self, calls: Iterable[str]) -> bool:
        """Whether nothing of the history calls or answers any of these ids."""
        return not any(self._callers.of(i) or self._answers.get(i) for i in calls)

    def count_plain(self, calls: Mapping[str, int]) -> None:
        """Counts a plain turn: new calls, by the positions of their records, each with its one result."""
        entries = self._chain.entries
        for tool_use_id, position in calls.items():
            self._callers.add(tool_use_id, entries[position])
            self._answers[tool_use_id] = 1

    def forget(self, messages: Sequence[Message]) -> None:
        """Takes back the last messages that were committed."""
        for message in reversed(messages):
            if message.assistant and message.message_id:
                self._latest.remove(message.message_id, self._latest.of(message.message_id)[-1])

    def joins(self, message_id: str, messages: Sequence[Message]) -> bool:
        """Whether more of an answer would join one that stands: not past a prompt (rule 22).

        Args:
            message_id: Of the answer.
            messages: What stands; at least one message.
        """
        return self.latest(message_id, len(messages)) > messages[-1].prompt

    def latest(self, message_id: str, keep: int) -> int:
        """Index of the last message with an id among those that stay; -1: none."""
        return next((n for n in reversed(self._latest.of(message_id)) if n < keep), -1)


class _Builder:
    """Puts records together behind the messages that stay."""

    def __init__(self, grouping: Grouping, messages: Sequence[Message], keep: int, start: int) -> None:
        self.built: list[Message] = []
        self._grouping = grouping
        self._messages = messages
        self._keep = keep
        self._start = start
        self._latest: dict[str, int] = {}
        self._prompts = [messages[keep - 1].prompt if keep else -1]
        self._dropped: list[Ref] = []

    def answer(self, record: Record, position: int) -> None:
        """Rules 17 and 22."""
        refs, dropped = self._answered(record)
        place = self._joins(record.message_id)
        if 0 <= place < self._keep:
            raise Retry(self._messages[place].start)
        if refs and place < 0:
            place = self._open(Message(assistant=True, message_id=record.message_id, position=position))
        elif place < 0:
            place = self._keep + len(self.built) - 1
        if place < self._keep:
            if self._keep:
                raise Retry(self._start - 1)
            self._dropped.extend(dropped)
            return
        message = self.built[place - self._keep]
        message.dropped.extend(dropped)
        if refs:
            message.take(refs, position)

    def user(self, record: Record, position: int) -> None:
        """Rule 23."""
        summary = bool(record.flags & _SUMMARY)
        refs = [Ref(record.index, n, block, summary) for n, block in enumerate(record.blocks)]
        if not refs:
            return
        if not self.built and self._keep:
            raise Retry(self._start - 1)
        if not self.built or self.built[-1].assistant:
            self._open(Message(assistant=False, message_id="", position=position))
        message = self.built[-1]
        message.take(refs, position)
        place = self._keep + len(self.built) - 1
        if self._prompts[-1] == place:
            self._prompts.pop()
        if not message.has_results:
            self._prompts.append(place)

    def _open(self, message: Message) -> int:
        place = self._keep + len(self.built)
        message.dropped, self._dropped = self._dropped, []
        self.built.append(message)
        if message.assistant and message.message_id:
            self._latest[message.message_id] = place
        return place

    def _joins(self, message_id: str) -> int:
        """The nearest earlier message of the same answer, not past a prompt; -1: none."""
        if not message_id:
            return -1
        place = self._latest.get(message_id)
        if place is None:
            place = self._grouping.latest(message_id, self._keep)
        return place if place > self._prompts[-1] else -1

    def _answered(self, record: Record) -> tuple[list[Ref], list[Ref]]:
        refs: list[Ref] = []
        dropped: list[Ref] = []
        for number, block in enumerate(record.blocks):
            lost = (
                self._grouping.drop_unanswered and is_call(block) and not self._grouping.is_answered(block.id)
            )
            (dropped if lost else refs).append(Ref(record.index, number, block))
        return refs, dropped


def is_sent(record: Record) -> bool:
    """Rules 13 and 14: whether a record of the history becomes content."""
    if record.role not in (_USER, _ASSISTANT) or record.flags & _API_ERROR:
        return False
    return not record.flags & _TRANSCRIPT_ONLY or bool(record.flags & _SUMMARY)


def is_result(block: Block) -> bool:
    """Whether a block answers a call."""
    return block.kind is _TOOL_RESULT


def is_call(block: Block) -> bool:
    """Whether a block is a call."""
    return block.kind is _TOOL_USE
