"""What a client adds when it loads a session: the lines between the old end and the new prompt.

Both generations write these lines into the transcript (rule 20), so they are made here only for a
file that has not been resumed yet. They are made as records, which keeps every later rule the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from inspector.model.transcript import Block, BlockKind, Flag, Record, Role, Size
from inspector.pipeline.wire.grouping import is_call, is_result, is_sent
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.ordinals import holds_result

CALL_INTERRUPTED_TEXT = (
    "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is"
    " unknown. Check whether it took effect before relying on it or running it again.]"
)
"""Result of a call that was running when the session ended (rule 18)."""
NO_RESPONSE_TEXT = "No response requested."
"""The client's own answer to an end that nobody answered (rules 18, 19)."""
CONTINUE_TEXT = "Continue from where you left off."
"""What the old client asks before it (rule 19)."""


class Resumed(msgspec.Struct, frozen=True):
    """The records that a load adds, and their contents."""

    records: tuple[Record, ...]
    contents: dict[int, str | list[dict[str, Any]]]
    """`Record.index` → `message.content`."""
    tip: str
    """uuid of the last record that is sent, for `History.cut`."""


def resume(records: Sequence[Record], prompt: str | None, *, new: bool, now: float | None = None) -> Resumed:
    """The records that a client puts behind a file that it loads, the new prompt included.

    Args:
        records: All records of the file's main thread, in file order.
        prompt: The new prompt; None: only what the client puts in front of it.
        new: Generation of the client (rule 18 against rule 19).
        now: Time of the load, in seconds since the epoch: the client's own records carry it.
    """
    history = History()
    for record in records:
        history.add(record)
    history.cut(None)
    entries: Sequence[Record] = history.entries()
    writer = _Writer(records, now)
    if new:
        _end_new(entries, writer)
    else:
        kept = _without_exit(entries)
        if len(kept) < len(entries):
            writer.parent = kept[-1].uuid if kept else ""
        _end_old(kept, writer)
    if prompt is not None:
        writer.user(prompt, Block(BlockKind.TEXT, _size(prompt)))
    return Resumed(tuple(writer.records), writer.contents, writer.tip)


def _end_new(entries: Sequence[Record], writer: _Writer) -> None:
    """Rule 18."""
    unanswered = _unanswered_at_the_end(entries)
    for block in unanswered:
        writer.user(
            [
                {
                    "type": "tool_result",
                    "tool_use_id": block.id,
                    "is_error": True,
                    "content": CALL_INTERRUPTED_TEXT,
                }
            ],
            Block(BlockKind.TOOL_RESULT, _size(CALL_INTERRUPTED_TEXT), id=block.id, is_error=True),
        )
    last = _last_sent(entries)
    asked = last is not None and last.role is Role.USER and not last.flags & Flag.LOCAL_OUTPUT
    if unanswered or asked:
        writer.no_response()


def _end_old(entries: Sequence[Record], writer: _Writer) -> None:
    """Rule 19, behind the dropped `/exit`."""
    answered = {b.id for r in entries for b in r.blocks if is_result(b)}
    last = _last_sent([r for r in entries if not _is_only_unanswered(r, answered)])
    if last is None or last.role is Role.ASSISTANT:
        return
    if holds_result(last):
        writer.user(CONTINUE_TEXT, Block(BlockKind.TEXT, _size(CONTINUE_TEXT)), Flag.META)
    writer.no_response()


def _unanswered_at_the_end(entries: Sequence[Record]) -> list[Block]:
    answered = {b.id for r in entries for b in r.blocks if is_result(b)}
    answers = [r for r in entries if r.role is Role.ASSISTANT and is_sent(r)]
    if not answers:
        return []
    newest = answers[-1]
    message = [r for r in answers if r is newest or (r.message_id and r.message_id == newest.message_id)]
    return [b for r in message for b in r.blocks if is_call(b) and b.id not in answered]


def _is_only_unanswered(record: Record, answered: set[str]) -> bool:
    """Rule 17: whether a record goes because nothing but unanswered calls is in it."""
    return bool(record.blocks) and all(is_call(b) and b.id not in answered for b in record.blocks)


def _last_sent(entries: Sequence[Record]) -> Record | None:
    return next((r for r in reversed(entries) if is_sent(r)), None)


def _without_exit(entries: Sequence[Record]) -> Sequence[Record]:
    """Rule 19: the entries without a trailing `/exit` and its output; the caveat stays."""
    place = len(entries)
    while place and (
        not is_sent(entries[place - 1]) or entries[place - 1].flags & (Flag.LOCAL_OUTPUT | Flag.EXIT)
    ):
        place -= 1
        if entries[place].flags & Flag.EXIT:
            return entries[:place]
    return entries


class _Writer:
    """Makes records that hang on each other."""

    def __init__(self, records: Sequence[Record], now: float | None) -> None:
        self.records: list[Record] = []
        self.contents: dict[int, str | list[dict[str, Any]]] = {}
        self.parent: str | None = None
        self._next = records[-1].index + 1 if records else 0
        self._now = now
        tips = (r for r in reversed(records) if r.uuid and r.role in (Role.USER, Role.ASSISTANT))
        self._tip = next((r.uuid for r in tips if not r.flags & (Flag.SALVAGED | Flag.DUPLICATE)), "")

    @property
    def tip(self) -> str:
        """uuid that the next record hangs on."""
        return self._tip if self.parent is None else self.parent

    def user(self, content: str | list[dict[str, Any]], block: Block, flags: Flag | None = None) -> None:
        self._add(Role.USER, content, block, flags or Flag(0))

    def no_response(self) -> None:
        """The client's own answer."""
        content = [{"type": "text", "text": NO_RESPONSE_TEXT}]
        block = Block(BlockKind.TEXT, _size(NO_RESPONSE_TEXT))
        self._add(Role.ASSISTANT, content, block, Flag.SYNTHETIC | Flag.NO_RESPONSE)

    def _add(self, role: Role, content: str | list[dict[str, Any]], block: Block, flags: Flag) -> None:
        uuid = f"resumed-{self._next}"
        record = Record(
            index=self._next,
            line=0,
            start=0,
            end=0,
            role=role,
            flags=flags | Flag.CONTENT_STRING if isinstance(content, str) else flags,
            uuid=uuid,
            parent=self.tip,
            message_id=uuid if role is Role.ASSISTANT else "",
            time=self._now,
            blocks=(block,),
        )
        self.contents[record.index] = content
        self.records.append(record)
        self.parent = uuid
        self._next += 1


def _size(text: str) -> Size:
    data = text.encode("utf-8", "surrogatepass")
    return Size(len(text), len(text.encode("utf-16-le", "surrogatepass")) // 2, len(data))
