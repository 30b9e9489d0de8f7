"""One request block by block, beside the one before it and beside what was recorded.

Sizes are measured on the very bodies that `inspector wire` prints, reminders included, so this view
can be checked against the output of that command.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from inspector.model.policy import Unit
from inspector.pipeline.units import in_unit, measure
from inspector.pipeline.wire.recorded import compare
from inspector.reading.claude_blocks import json_size
from inspector.replay.prefix import CAUSES
from inspector.replay.sentences import UNIT_WORDS
from inspector.session.wire_builder import WireBuilder

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.session.session import Session


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
    recorded: int | None
    """Size as recorded; None where it was not."""
    differs: bool
    """Whether recorded and predicted differ here."""
    state: str = ""
    """What was done to it, such as `replaced` or `reminder`."""

    @property
    def counted_chars(self) -> int:
        """What it adds to the size on the wire: thinking is counted apart."""
        return 0 if self.kind == "thinking" else self.chars


@dataclass(frozen=True, slots=True)
class WireView:
    """One request, with totals."""

    request: int
    against: int | None
    """The request it is compared with; None for the first one."""
    rows: Sequence[WireBlockRow]
    break_at: int | None
    """Row of the first block that changed; None where the request only grew."""
    break_words: str
    """Why, in a clause; empty where nothing broke or the cause is not known."""
    gone: int
    """Blocks of the request before that are not sent any more."""
    unit: str
    resumed: bool
    """The session is finished: this is what a resume would send."""
    is_recorded: bool
    recorded_chars: int | None
    reminder_chars: int = 0
    """What the client's reminders add; they stand in the rows, but not in `chars`."""

    @property
    def chars(self) -> int:
        """Size of all blocks but thinking and reminders: what every screen means by "on the wire"."""
        return sum(row.counted_chars for row in self.rows) - self.reminder_chars

    @property
    def thinking_chars(self) -> int:
        """Size of the thinking blocks; whether the client sends them is on no recording."""
        return sum(row.chars - row.counted_chars for row in self.rows)

    def chars_of(self, *marks: Mark) -> int:
        """Size of the blocks with these marks, without thinking."""
        return sum(row.counted_chars for row in self.rows if row.mark in marks)


Body = Sequence[Mapping[str, Any]]


def _size(body: Body, unit: Unit) -> int:
    """Size of all blocks of a request."""
    return sum(block_chars(block, unit) for message in body for block in blocks_of(message))


class WireViews:
    """Views of one conversation's requests; keeps the builder, so that stepping on is cheap."""

    def __init__(self, session: Session, thread: str = "") -> None:
        """Args:
        session: Read as far as it will be asked for.
        thread: The conversation.
        """
        self._session = session
        self._thread = thread
        self.timeline = session.timelines[thread]
        self._builder = WireBuilder(session, thread)

    def view(self, n: int) -> WireView:
        """Request n beside request n - 1 and its recording."""
        before = self._builder.body(n - 1) if n > 1 else []
        now = self._builder.body(n)
        recorded = self._recorded(n)
        request = self.timeline.requests[n - 1]
        rows = _Rows(self._session.policy.unit, now, before, recorded, self._named).rows()
        changed = (i for i, row in enumerate(rows) if row.mark in (Mark.CHANGED, Mark.AFTER))
        kept = sum(row.before is not None for row in rows)
        unit = self._session.policy.unit
        bare = self._builder.body(n, reminders=False) if self.timeline.new_client else now
        return WireView(
            request=n,
            against=n - 1 if n > 1 else None,
            rows=rows,
            break_at=next(changed, None),
            break_words=self._cause(request),
            gone=sum(len(blocks_of(m)) for m in before) - kept,
            unit=UNIT_WORDS[unit],
            resumed=self._builder.is_resumed(n),
            is_recorded=recorded is not None,
            recorded_chars=None if recorded is None else _size(recorded, unit),
            reminder_chars=_size(now, unit) - _size(bare, unit),
        )

    def text(self, n: int, message: int, block: int, side: Side) -> str | None:
        """The text of a block; None where that side has no such block.

        In the request before, a call or result is found by its id: it may have stood elsewhere.
        """
        now = self._builder.body(n)
        if side is Side.BEFORE:
            before = self._builder.body(n - 1) if n > 1 else []
            old = _Rows(self._session.policy.unit, now, before, None, self._named).old(message, block)
            return block_text(old) if old is not None else None
        body = now if side is Side.PREDICTED else self._recorded(n) or []
        blocks = blocks_of(body[message]) if message < len(body) else []
        return block_text(blocks[block]) if block < len(blocks) else None

    def _recorded(self, n: int) -> Body | None:
        found = self._session.recorded_request(self._thread, self.timeline.requests[n - 1].request_ref)
        return [m.message or {} for m in found.messages] if found is not None else None

    def _cause(self, request: Request) -> str:
        broken = request.break_
        if broken is None:
            return ""
        words = CAUSES.get(broken.cause, broken.cause)
        return f"{self._named(broken.tool_use_id)}: {words}" if broken.tool_use_id else words

    def _named(self, tool_use_id: str) -> str:
        """A call, told by its tool and the one argument that tells calls apart."""
        for row in self.timeline.rows_of(tool_use_id):
            return f"{row.entry.tool or '(no call)'} {row.entry.argument or tool_use_id}"
        return tool_use_id


class _Rows:
    """Makes the rows of one view."""

    def __init__(
        self,
        unit: Unit,
        now: Body,
        before: Body,
        recorded: Body | None,
        named: Callable[[str], str],
    ) -> None:
        self._unit = unit
        self._named = named
        self._now = now
        self._old = [b for m in before for b in blocks_of(m)]
        self._old_ids = {key: b for b in self._old if (key := _key(b)) is not None}
        self._recorded = recorded
        differing = compare(now, recorded) if recorded is not None else []
        self._differing = {(d.message, d.block) for d in differing if d.what != "missing"}

    def rows(self) -> list[WireBlockRow]:
        """All blocks, in order."""
        out: list[WireBlockRow] = []
        broken = False
        for message, content in enumerate(self._now):
            for number, block in enumerate(blocks_of(content)):
                at = len(out)
                same_place = at < len(self._old) and self._old[at] == block
                broken |= at < len(self._old) and not same_place
                old = self._before(at, block)
                mark = _mark(block, old, broken=broken, same_place=same_place)
                out.append(self._row(message, number, str(content.get("role")), block, old, mark))
        return out

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
        recorded = self._recorded_block(message, number)
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
            recorded=block_chars(recorded, self._unit) if recorded is not None else None,
            differs=not self._differing.isdisjoint({(message, number), (message, None)}),
            state=_state(block),
        )

    def _recorded_block(self, message: int, number: int) -> Mapping[str, Any] | None:
        if self._recorded is None or message >= len(self._recorded):
            return None
        blocks = blocks_of(self._recorded[message])
        key = _key(blocks_of(self._now[message])[number])
        if key is not None:
            return next((b for b in blocks if _key(b) == key), None)
        found = blocks[number] if number < len(blocks) else None
        return found if found is not None and _key(found) is None else None


_WORDS_CHARS = 200
"""Of a block's text, for its row: more than any terminal is wide."""


def _mark(block: Mapping[str, Any], old: Mapping[str, Any] | None, *, broken: bool, same_place: bool) -> Mark:
    if same_place and not broken:
        return Mark.SAME
    if old is None:
        return Mark.NEW
    return Mark.AFTER if old == block else Mark.CHANGED


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


def blocks_of(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The blocks of a message; a bare text counts as one."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def block_text(block: Mapping[str, Any]) -> str:
    """The text that a block carries; a call's input as JSON; empty for a picture."""
    kind = block.get("type")
    if kind == "tool_use":
        return json.dumps(block.get("input"), ensure_ascii=False, indent=2, default=str)
    if kind == "tool_result":
        content = block.get("content")
        if isinstance(content, str):
            return content
        items = content if isinstance(content, list) else []
        return "\n".join(str(i.get("text") or "") for i in items if isinstance(i, dict))
    return str(block.get("text") or block.get("thinking") or "")


def block_chars(block: Mapping[str, Any], unit: Unit) -> int:
    """Size of a block: its text, a call's input as compact JSON, all texts of a result.

    Args:
        block: As the API takes it.
        unit: What to count in.
    """
    if block.get("type") == "tool_use":
        return in_unit(json_size(block.get("input")), unit)
    content = block.get("content")
    if block.get("type") == "tool_result" and isinstance(content, list):
        return sum(measure(str(i.get("text") or ""), unit) for i in content if isinstance(i, dict))
    return measure(block_text(block), unit)
