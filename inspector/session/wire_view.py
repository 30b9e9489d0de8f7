"""One request block by block, beside the one before it and beside what was recorded.

Sizes are measured on the very bodies that `inspector wire` prints, reminders included, so this view
can be checked against the output of that command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from inspector.model.policy import Unit
from inspector.pipeline.wire.recorded import compare
from inspector.replay.sentences import UNIT_WORDS
from inspector.session.wire_blocks import Body, block_chars, block_text, blocks_of, in_blocks
from inspector.session.wire_unsent import UnsentRow


class Mark(StrEnum):
    """How a block stands to the request before."""

    SAME = "same"
    """Sent before at this very place: a cache hit."""
    CHANGED = "changed"
    AFTER = "after the break"
    """Unchanged itself, but something in front of it changed: no cache hit."""
    NEW = "new"


class Side(StrEnum):
    """Whose text of a block is meant."""

    PREDICTED = "predicted"
    RECORDED = "recorded"
    BEFORE = "request before"


@dataclass(frozen=True, slots=True)
class WireBlockRow:
    """One block of a request."""

    message: int
    """Index of its message, from 0."""
    block: int
    """Index in its message, from 0."""
    role: str
    kind: str
    """`text`, `call`, `result`, `image`, `thinking` or the block's own word; untrusted."""
    words: str
    """The beginning of its text, or the call it belongs to; untrusted."""
    tool_use_id: str
    chars: int
    """In the policy's unit."""
    mark: Mark
    before: int | None
    """Size in the request before; None where it was not there."""
    other: int | None
    """Size in the other form of the request: recorded beside predicted, or the other way round."""
    differs: bool
    """Whether recorded and predicted differ here."""
    state: str = ""
    """What was done to it, such as `replaced` or `reminder`."""
    transcript: int | None = None
    """Of a result: its size in the transcript; None for other blocks, or where it has none there."""
    role_before: str = ""
    """Who sent the block at its place in the request before, where that was somebody else."""
    is_prompt: bool = False
    """Whether it is of the system prompt: a system message in front of all that was said."""

    @property
    def counted_chars(self) -> int:
        """What it adds to the size on the wire: thinking and the system prompt are counted apart."""
        return 0 if self.kind == "thinking" or self.is_prompt else self.chars


@dataclass(frozen=True, slots=True)
class WireView:
    """One request, with totals."""

    request: int
    against: int | None
    """The request it is compared with; None for the first one."""
    rows: Sequence[WireBlockRow]
    break_at: int | None
    """Row of the first block that is not the one sent at its place before; None where there is none."""
    break_words: str
    """Why, in a clause; empty where nothing broke or the cause is not known."""
    gone: int
    """Blocks of the request before that are not sent any more."""
    unit: str
    resumed: bool
    """The session is finished: this is what a resume would send."""
    is_recorded: bool
    """Whether the request was recorded too."""
    other_chars: int | None
    """Size of the other form of the request; None where there is only one."""
    side: Side = Side.PREDICTED
    """Which form of the request the rows are; the other one stands beside it."""
    reminder_chars: int = 0
    """What the client's reminders add; they stand in the rows, but not in `chars`."""
    resume_chars: int = 0
    """What a resume adds to the records as they end; it stands in the rows, but not in `chars`."""
    estimated: bool = False
    """Whether the size on the wire is marked as an estimate on the other screens."""
    ledger_chars: int | None = None
    """That estimate, where it is another number; None where all screens say the same."""
    ends_at: tuple[int, int] | None = None
    """Message and block, from 0, of the request before that would come next, where this one only sends
    what stands in front of them."""
    gone_at: tuple[int, int] | None = None
    """Message and block, from 0, of the request before that should have stood at the break, where its
    message is an earlier one than that of the block which stands there now: that message was cut short."""
    unsent: Sequence[UnsentRow] = ()
    """What its history holds and it does not send, in order; told of the predicted form only."""

    @property
    def first_changed(self) -> tuple[int, int] | None:
        """Message and block of the first one that is not in both; None where the request only grew."""
        if self.break_at is None:
            return self.ends_at
        return self.gone_at or (self.rows[self.break_at].message, self.rows[self.break_at].block)

    @property
    def chars(self) -> int:
        """Size of all blocks but system prompt, thinking, reminders and what a resume adds.

        It is "on the wire" on every screen.
        """
        return sum(row.counted_chars for row in self.rows) - self.reminder_chars - self.resume_chars

    @property
    def transcript_chars(self) -> int:
        """What it would be with every result as the transcript has it."""
        saved = sum((row.transcript or row.chars) - row.chars for row in self.rows)
        return self.chars + saved

    @property
    def thinking_chars(self) -> int:
        """Size of the thinking blocks; whether the client sends them is on no recording."""
        return sum(row.chars for row in self.rows if row.kind == "thinking")

    @property
    def system_chars(self) -> int:
        """Size of the system prompt, where the session's file holds it as a message."""
        return sum(row.chars for row in self.rows if row.is_prompt)

    def chars_of(self, *marks: Mark) -> int:
        """Size of the blocks with these marks, without thinking."""
        return sum(row.counted_chars for row in self.rows if row.mark in marks)


_SPEAKERS = frozenset({"user", "assistant", "tool"})
"""Roles behind whose first message a system message is one among the others."""


def bodies_view(
    before: Body, now: Body, unit: Unit
) -> tuple[WireView, dict[tuple[int, int], tuple[str, str]]]:
    """Two bodies that no session stands behind.

    Args:
        before: The earlier request.
        now: The later one.
        unit: What to count in.

    Returns:
        The later one beside the earlier one, as requests 2 and 1; and the texts of its changed blocks.
    """
    names = {
        str(block.get("id")): str(block.get("name") or "tool")
        for message in [*before, *now]
        for block in blocks_of(message)
        if block.get("type") == "tool_use"
    }
    maker = BlockRows(unit, now, before, None, lambda id: f"{names.get(id, '(no call)')} {id}")
    rows = maker.rows()
    changed: dict[tuple[int, int], tuple[str, str]] = {}
    for row in rows:
        if row.mark is Mark.CHANGED:
            block = blocks_of(now[row.message])[row.block]
            old = maker.old(row.message, row.block)
            changed[row.message, row.block] = (block_text(old) if old else "", block_text(block))
    kept = sum(row.before is not None for row in rows)
    view = WireView(
        request=2,
        against=1,
        rows=rows,
        break_at=maker.break_at,
        break_words="",
        gone=sum(len(blocks_of(m)) for m in before) - kept,
        unit=UNIT_WORDS[unit],
        resumed=False,
        is_recorded=False,
        other_chars=None,
        ends_at=maker.ends_at,
        gone_at=maker.gone_at,
    )
    return view, changed


class BlockRows:
    """Makes the rows of one view."""

    def __init__(
        self,
        unit: Unit,
        now: Body,
        before: Body,
        other: Body | None,
        named: Callable[[str], str],
        in_transcript: Callable[[str], int | None] = lambda _id: None,
    ) -> None:
        self._in_transcript = in_transcript
        self._unit = unit
        self._named = named
        self._now = now
        self._before_body = before
        self._old = [b for m in before for b in blocks_of(m)]
        self._old_roles = [str(m.get("role")) for m in before for _ in blocks_of(m)]
        self.break_at: int | None = None
        self.ends_at: tuple[int, int] | None = None
        self.gone_at: tuple[int, int] | None = None
        """As of `WireView`, all three of them, once the rows were made."""
        self._old_ids = {key: b for b in self._old if (key := _key(b)) is not None}
        self._other = other
        differing = compare(in_blocks(now), in_blocks(other)) if other is not None else []
        self._differing = {(d.message, d.block) for d in differing if d.what != "missing"}

    def rows(self) -> list[WireBlockRow]:
        """All blocks, in order."""
        out: list[WireBlockRow] = []
        self.break_at = None
        in_front = True
        for message, content in enumerate(self._now):
            role = str(content.get("role"))
            in_front = in_front and role not in _SPEAKERS
            for number, block in enumerate(blocks_of(content)):
                at = len(out)
                old = self._before(at, block)
                mark = self._mark(at, block, role, old)
                row = self._row(message, number, role, block, None if mark is Mark.NEW else old, mark)
                stood = self._old_roles[at : at + 1]
                if mark is Mark.CHANGED and stood and stood[0] != role:
                    row = replace(row, role_before=stood[0])
                if in_front and role == "system":
                    row = replace(row, is_prompt=True)
                out.append(row)
        self._note_gone(out)
        return out

    def _note_gone(self, out: Sequence[WireBlockRow]) -> None:
        """Where the request before goes on, or went on, without the other."""
        end = len(out) if self.break_at is None else self.break_at
        stood = self._place(end) if end < len(self._old) else None
        self.ends_at = stood if self.break_at is None else None
        cut = self.break_at is not None and stood is not None and stood[0] < out[end].message
        self.gone_at = stood if cut else None

    def _place(self, at: int) -> tuple[int, int]:
        """Message and block of a block of the request before."""
        for message, content in enumerate(self._before_body):
            count = len(blocks_of(content))
            if at < count:
                return message, at
            at -= count
        raise IndexError(at)

    def _mark(self, at: int, block: Mapping[str, Any], role: str, old: Mapping[str, Any] | None) -> Mark:
        """How a block stands to the request before; the first one that is not where it was is noted."""
        stood = at < len(self._old) and self._old[at] == block
        same_role = at < len(self._old) and self._old_roles[at] == role
        if self.break_at is None:
            if at >= len(self._old):
                return Mark.NEW
            if stood and same_role:
                return Mark.SAME
            self.break_at = at
        if old is None:
            return Mark.NEW
        return Mark.AFTER if old == block and (same_role or not stood) else Mark.CHANGED

    def old(self, message: int, block: int) -> Mapping[str, Any] | None:
        """What a block of this request was in the request before.

        Args:
            message: Index of its message, from 0.
            block: Its index in the message, from 0.
        """
        blocks = blocks_of(self._now[message]) if message < len(self._now) else []
        if block >= len(blocks):
            return None
        at = sum(len(blocks_of(m)) for m in self._now[:message]) + block
        return self._before(at, blocks[block])

    def _before(self, at: int, block: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The same call or result in the request before, or what stood at the same place."""
        key = _key(block)
        if key is not None:
            return self._old_ids.get(key)
        old = self._old[at] if at < len(self._old) else None
        return old if old is not None and _key(old) is None else None

    def _row(
        self,
        message: int,
        number: int,
        role: str,
        block: Mapping[str, Any],
        old: Mapping[str, Any] | None,
        mark: Mark,
    ) -> WireBlockRow:
        kind = str(block.get("type", ""))
        tool_use_id = str(block.get("tool_use_id") or (block.get("id") if kind == "tool_use" else "") or "")
        other = self.other(message, number)
        return WireBlockRow(
            message=message,
            block=number,
            role=role,
            kind={"tool_use": "call", "tool_result": "result"}.get(kind, kind),
            words=self._named(tool_use_id) if tool_use_id else block_text(block).strip()[:_WORDS_CHARS],
            tool_use_id=tool_use_id,
            chars=block_chars(block, self._unit),
            mark=mark,
            before=block_chars(old, self._unit) if old is not None else None,
            other=block_chars(other, self._unit) if other is not None else None,
            differs=not self._differing.isdisjoint({(message, number), (message, None)}),
            state=_state(block),
            transcript=self._in_transcript(tool_use_id) if kind == "tool_result" else None,
        )

    def other(self, message: int, number: int) -> Mapping[str, Any] | None:
        """A block in the other form of the request.

        Args:
            message: Index of its message, from 0.
            number: Its index in the message, from 0.
        """
        if self._other is None or message >= len(self._other) or message >= len(self._now):
            return None
        blocks, mine = blocks_of(self._other[message]), blocks_of(self._now[message])
        if number >= len(mine):
            return None
        key = _key(mine[number])
        if key is not None:
            return next((b for b in blocks if _key(b) == key), None)
        found = blocks[number] if number < len(blocks) else None
        return found if found is not None and _key(found) is None else None


_WORDS_CHARS = 200
"""Of a block's text, for its row: more than any terminal is wide."""


def _state(block: Mapping[str, Any]) -> str:
    text = block_text(block)
    if block.get("type") == "text":
        return "reminder" if text.startswith("<system-reminder>") else ""
    if block.get("type") != "tool_result":
        return ""
    if text.startswith("<persisted-output>"):
        return "replaced"
    if text.startswith("[Old tool result content cleared]"):
        return "cleared"
    return "error" if block.get("is_error") else ""


def _key(block: Mapping[str, Any]) -> tuple[str, str] | None:
    kind = block.get("type")
    found = block.get("tool_use_id") if kind == "tool_result" else block.get("id")
    return (str(kind), str(found)) if kind in ("tool_use", "tool_result") and found else None
