"""Contents of messages for the wire, read again by position."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inspector.model.transcript import Block, BlockKind, Flag, Record
from inspector.reading.lenient import read_line
from inspector.reading.texts import content_in

if TYPE_CHECKING:
    from inspector.session.session import Session


class WrittenObject(dict[str, Any]):
    """An input that its API sends as a text of JSON, blanks and all; it weighs what the text does."""

    def __init__(self, value: Mapping[str, Any], written: str) -> None:
        super().__init__(value)
        self.written = written


class WrittenText(str):
    """The same where the text is no JSON object."""

    __slots__ = ()

    @property
    def written(self) -> str:
        """The text itself."""
        return str(self)


class SessionTexts:
    """The `Texts` of one conversation (`pipeline.wire.messages`)."""

    def __init__(self, session: Session, thread: str) -> None:
        self._session = session
        self._thread = thread

    def content(self, record: Record) -> str | list[Any]:
        """`message.content` in Anthropic's form, whatever the source's own form is."""
        if self._session.is_claude_code:
            content = content_in(self._session.raw_record(record, self._thread))
            return [] if content is None else content
        texts = self._session.texts(record, self._thread)
        return [_made(block, text) for block, text in zip(record.blocks, texts, strict=False)]

    def reminders(self, record: Record) -> tuple[Sequence[str], bool]:
        """Rendered texts of an attachment, and whether they stand beside the result."""
        if not record.flags & Flag.REMINDER:
            return (), False
        value = self._object(record)
        rendered = value.get("rendered")
        texts = [
            item["content"]
            for item in (rendered if isinstance(rendered, list) else ())
            if isinstance(item, dict) and isinstance(item.get("content"), str)
        ]
        return texts, value.get("renderedBesideToolResult") is True

    def _object(self, record: Record) -> dict[str, Any]:
        pieces = read_line(self._session.raw_record(record, self._thread)).pieces
        return pieces[0].value if pieces else {}


def _made(block: Block, text: str) -> dict[str, Any]:
    """A block in Anthropic's form from what is kept of it."""
    if block.kind is BlockKind.TOOL_USE:
        return {"type": "tool_use", "id": block.id, "name": block.name, "input": _input(text)}
    if block.kind is BlockKind.TOOL_RESULT:
        error = {} if block.is_error is None else {"is_error": block.is_error}
        return {"type": "tool_result", "tool_use_id": block.id, "content": text, **error}
    if block.kind is BlockKind.THINKING:
        return {"type": "thinking", "thinking": text}
    if block.kind is BlockKind.IMAGE:
        return {"type": "image"}
    return {"type": "text", "text": text}


def _input(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return WrittenText(text)
    return WrittenObject(value, text) if isinstance(value, dict) else value
