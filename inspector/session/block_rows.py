"""`BlockRows`: the blocks of one body beside those of the body before it, and of its own other form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspector.model.policy import Unit
from inspector.pipeline.wire.recorded import compare
from inspector.session.body_blocks import Body, block_chars, block_text, blocks_of, in_blocks
from inspector.session.wire_view import Mark, WireBlockRow

_SPEAKERS = frozenset({"user", "assistant", "tool"})
"""Roles behind whose first message a system message is one among the others."""
_WORDS_CHARS = 200
"""Of a block's text, for its row: more than any terminal is wide."""


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
        *,
        other_head: bool = False,
    ) -> None:
        """Args:
        unit: What to count in.
        now: The body whose blocks are told.
        before: The body it is compared with; empty: none.
        other: The other form of `now`: recorded beside predicted, or the other way round.
        named: tool_use id → the words of its call; untrusted.
        in_transcript: tool_use id → size of its result in the transcript; None where it has none there.
            other_head: What stands in front of the messages is not what it was: nothing is as it was sent.
        """
        self._other_head = other_head
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
        self.gone = 0
        """As of `WireView`, all four of them, once the rows were made."""
        self._old_ids = {key: b for b in self._old if (key := _key(b)) is not None}
        self._other = other
        differing = compare(in_blocks(now), in_blocks(other)) if other is not None else []
        self._differing = {(d.message, d.block) for d in differing if d.what != "missing"}

    def rows(self) -> list[WireBlockRow]:
        """All blocks, in order."""
        out: list[WireBlockRow] = []
        self.break_at = 0 if self._other_head and self._old and self._now else None
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
        """How much of the request before is left out, and where it goes on, or went on, without the other."""
        self.gone = len(self._old) - sum(row.before is not None for row in out)
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
