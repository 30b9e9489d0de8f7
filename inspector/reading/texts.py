"""Reading texts again by position: one positioned read for each text that is shown.

The index holds no texts. What a screen, a report or the wire needs is decoded here from the very
bytes that were indexed, by the same lenient rules, so that sizes and texts cannot disagree.
"""

from __future__ import annotations

from typing import Any

import msgspec

from inspector.errors import UnreadableError
from inspector.model.transcript import Record
from inspector.reading.lenient import read_line
from inspector.reading.source import ByteSource


class _Message(msgspec.Struct, gc=False):
    """`message` of a record, its content as it stands."""

    content: Any = None


class _Line(msgspec.Struct, gc=False):
    """The one field that is decoded; copies for the screen beside it are stepped over."""

    message: _Message | None = None


_decode_content = msgspec.json.Decoder(_Line).decode


def record_bytes(source: ByteSource, record: Record) -> bytes:
    """The bytes of a record as they stand in the file.

    Args:
        source: The file that the record was read from.
        record: For one rescued from a bad line, its own part of that line.

    Raises:
        UnreadableError: The file does not reach that far any more.
    """
    data = source.read(record.start, record.end)
    if len(data) != record.end - record.start:
        raise UnreadableError(f"line {record.line} is not in the file any more: it was cut")
    return data


def message_content(source: ByteSource, record: Record) -> str | list[Any]:
    """`message.content` of a user or assistant record.

    Args:
        source: The file that the record was read from.
        record: A record with blocks; block *n* of it is item *n* of the list.

    Returns:
        An empty list where the record has no content.

    Raises:
        UnreadableError: The file holds something else at this place now.
    """
    content = content_in(record_bytes(source, record))
    if content is None:
        raise UnreadableError(f"line {record.line} holds no record any more: the file was written anew")
    return content


def content_in(data: bytes) -> str | list[Any] | None:
    """`message.content` of the bytes of a record; nothing else of them is decoded where they are sound.

    Returns:
        An empty list where the record has no content; None where the bytes hold no record.
    """
    try:
        line = _decode_content(data)
        content = line.message.content if line.message is not None else None
    except (msgspec.DecodeError, RecursionError):
        pieces = read_line(data).pieces
        if not pieces:
            return None
        message = pieces[0].value.get("message")
        content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, dict):
        return [content]
    return content if isinstance(content, str | list) else []


def result_text(source: ByteSource, record: Record, block_index: int) -> str:
    """The text of one block: for a tool result, its text items one after another.

    Args:
        source: The file that the record was read from.
        record: The record that holds the block.
        block_index: Ordinal among `record.blocks`, from 0.

    Returns:
        The text whose sizes the block states; empty where it has none.

    Raises:
        UnreadableError: As for `message_content`, or the record has no such block.
    """
    content = message_content(source, record)
    if isinstance(content, str):
        content = [content]
    if not 0 <= block_index < len(content):
        raise UnreadableError(f"line {record.line} has no block {block_index + 1}")
    return block_text(content[block_index])


def block_text(block: object) -> str:
    """The text of a decoded content block, by the rules of `inspector.reading.claude_blocks`.

    Args:
        block: An item of `message.content`.
    """
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return ""
    kind = _text(block.get("type"))
    if kind == "tool_result":
        return _joined(block.get("content"))
    if kind in {"thinking", "redacted_thinking"}:
        return _text(block.get("thinking"))
    return _text(block.get("text")) if kind == "text" else ""


def _joined(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = [content] if isinstance(content, dict) else content if isinstance(content, list) else []
    return "".join(
        block_text(part) for part in parts if not isinstance(part, dict) or part.get("type") == "text"
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
