"""Records as ChatCLI messages: the bytes that a replay by ChatCLI's own stages needs.

A record of a ChatCLI file is one message. A record of any other source is taken apart, because
ChatCLI has one message for each result; that makes its policy a what-if for these sources too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from inspector.model.chatcli import Message, ToolCall
from inspector.model.transcript import BlockKind, Flag, Record, Role
from inspector.pipeline.chatcli.overflow import in_utf8
from inspector.reading.chatcli import chatcli_message
from inspector.reading.detect import FileKind
from inspector.replay.chatcli_fold import Piece

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
            return (Piece(message, block, counted=record.role is not Role.BRIDGE),)
        if record.flags & _NOT_SENT or record.role not in (Role.USER, Role.ASSISTANT):
            return ()
        texts = self._session.texts(record, self._thread)
        if record.role is Role.ASSISTANT:
            return (Piece(_answer(record, texts)),)
        return tuple(_user_pieces(record, texts))


def _answer(record: Record, texts: Sequence[str]) -> Message:
    blocks = list(zip(record.blocks, texts, strict=False))
    content = "\n".join(text for block, text in blocks if block.kind is BlockKind.TEXT)
    calls = tuple(
        ToolCall(block.id, block.name, "function", _arguments(text))
        for block, text in blocks
        if block.kind is BlockKind.TOOL_USE
    )
    return Message("assistant", in_utf8(content), tool_calls=calls)


def _user_pieces(record: Record, texts: Sequence[str]) -> list[Piece]:
    pieces: list[Piece] = []
    for position, (block, text) in enumerate(zip(record.blocks, texts, strict=False)):
        content = in_utf8(text)
        if block.kind is BlockKind.TOOL_RESULT:
            message = Message("tool", content, tool_call_id=block.id, is_error=bool(block.is_error))
            pieces.append(Piece(message, position))
        elif block.kind is BlockKind.TEXT:
            pieces.append(Piece(Message("user", content)))
    return pieces


def _arguments(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {"input": text}
    return value if isinstance(value, dict) else {"input": value}
