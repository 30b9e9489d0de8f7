"""Records as ChatCLI messages: the bytes that a replay by ChatCLI's own stages needs.

A record of a ChatCLI file is one message. A record of any other source is taken apart, because
ChatCLI has one message for each result; that makes its policy a what-if for these sources too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inspector.model.chatcli import Message, ToolCall
from inspector.model.transcript import BlockKind, Flag, Record, Role, Size
from inspector.reading.chatcli import chatcli_message
from inspector.reading.claude_blocks import json_size
from inspector.reading.detect import FileKind
from inspector.reading.go_json import text_of
from inspector.replay.chatcli_fold import Piece
from inspector.session.stated_prompt import is_prompt
from inspector.session.texts import SessionTexts

if TYPE_CHECKING:
    from inspector.session.session import Session

_NOT_SENT = Flag.TRANSCRIPT_ONLY | Flag.API_ERROR | Flag.SYNTHETIC


class SessionMessages:
    """The `MessageSource` of one conversation."""

    def __init__(self, session: Session, thread: str) -> None:
        self._session = session
        self._thread = thread

    def messages(self, record: Record) -> Sequence[Piece]:
        """The ChatCLI messages that a record stands for, in order."""
        if self._session.kind in (FileKind.CHATCLI_SESSION, FileKind.CHATCLI_PARK):
            message = chatcli_message(self._session.raw_record(record, self._thread))
            if message is None:
                return ()
            block = 0 if message.role == "tool" else -1
            in_front = record.role is Role.BRIDGE and message.role == "system"
            return (Piece(message, block, counted=not in_front),)
        if is_prompt(self._session, self._thread, record):
            prompt = "\n".join(self._session.texts(record, self._thread))
            return (Piece(Message("system", _in_go(prompt)), counted=False),)
        if record.flags & _NOT_SENT or record.role not in (Role.USER, Role.ASSISTANT):
            return ()
        texts = self._session.texts(record, self._thread)
        if record.role is Role.ASSISTANT:
            answer = _answer(record, texts, self._inputs(record))
            return (Piece(answer, inputs=_written(answer)),)
        return tuple(_user_pieces(record, texts))

    def _inputs(self, record: Record) -> dict[str, Any]:
        """Inputs of the calls of a Claude Code answer by id: its texts leave them out."""
        is_asked = self._session.is_claude_code and any(b.kind is BlockKind.TOOL_USE for b in record.blocks)
        content = SessionTexts(self._session, self._thread).content(record) if is_asked else ()
        blocks = [b for b in content if isinstance(b, dict) and b.get("type") == "tool_use"]
        return {str(b.get("id")): b.get("input") for b in blocks}


def _answer(record: Record, texts: Sequence[str], inputs: Mapping[str, Any]) -> Message:
    blocks = list(zip(record.blocks, texts, strict=False))
    content = "\n".join(text for block, text in blocks if block.kind is BlockKind.TEXT)
    calls = tuple(
        ToolCall(
            block.id,
            block.name,
            "function",
            _arguments(inputs[block.id] if block.id in inputs else _read(text)),
        )
        for block, text in blocks
        if block.kind is BlockKind.TOOL_USE
    )
    return Message("assistant", _in_go(content), tool_calls=calls)


def _in_go(text: str) -> bytes:
    """A text as Go's decoder reads it: half a character is U+FFFD, so that its size stays when it is sent."""
    return text_of(text).encode()


def _written(answer: Message) -> list[Size]:
    """Sizes of inputs as ChatCLI writes them, which holds them as objects: other APIs send a text of JSON."""
    return [json_size(call.arguments) for call in answer.tool_calls]


def _user_pieces(record: Record, texts: Sequence[str]) -> list[Piece]:
    pieces: list[Piece] = []
    for position, (block, text) in enumerate(zip(record.blocks, texts, strict=False)):
        content = _in_go(text)
        if block.kind is BlockKind.TOOL_RESULT:
            message = Message("tool", content, tool_call_id=block.id, is_error=bool(block.is_error))
            pieces.append(Piece(message, position))
        elif block.kind is BlockKind.TEXT:
            pieces.append(Piece(Message("user", content)))
    return pieces


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _arguments(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"input": value}
