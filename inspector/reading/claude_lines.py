"""The parts of a Claude Code line that are looked at; everything else is skipped undecoded.

Half of a transcript is `toolUseResult`, a copy for the screen that is never sent. Declaring the few
fields that matter lets msgspec step over the rest, which is what makes indexing cheaper than
parsing. `line_from_object` fills the same structs from a plain object, field by field, for lines
whose types are not as declared: what is usable is kept and the rest counts as absent.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any

import msgspec

ABSENT = msgspec.Raw(b"")
"""Value of an undecoded field that the line does not have; told by identity."""

_MOST_TOKENS = 2**53
"""More than any real count: a larger number, or a negative one, is a fault of the line."""

_Tokens = Annotated[int, msgspec.Meta(ge=0, le=_MOST_TOKENS)] | None


class SourcePart(msgspec.Struct, gc=False):
    """`source` of an image block."""

    data: msgspec.Raw = ABSENT
    """The picture, as a JSON string that was not decoded."""


class ContentPart(msgspec.Struct, gc=False):
    """An item of a tool result's `content` list."""

    type: str | None = None
    text: str | None = None
    source: SourcePart | None = None


class ContentBlock(msgspec.Struct, gc=False):
    """An item of `message.content`."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Any = None
    tool_use_id: str | None = None
    content: str | list[ContentPart] | None = None
    is_error: bool | None = None
    source: SourcePart | None = None


class MessageUsage(msgspec.Struct, gc=False):
    """`message.usage`."""

    input_tokens: _Tokens = None
    cache_read_input_tokens: _Tokens = None
    cache_creation_input_tokens: _Tokens = None
    output_tokens: _Tokens = None


class MessagePart(msgspec.Struct, gc=False):
    """`message` of a user or assistant record."""

    id: str | None = None
    model: str | None = None
    content: str | list[ContentBlock] | None = None
    usage: MessageUsage | None = None


class Line(msgspec.Struct, gc=False, rename="camel"):
    """One line of a transcript. Fields stand in the order of most versions: that is found faster."""

    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    is_sidechain: bool | None = None
    session_id: str | None = None
    version: str | None = None
    agent_id: str | None = None
    type: str | None = None
    subtype: str | None = None
    message: MessagePart | None = None
    is_meta: bool | None = None
    request_id: str | None = None
    request_ref: str | None = None
    uuid: str | None = None
    timestamp: datetime | None = None
    tool_use_result: msgspec.Raw = ABSENT
    id: str | None = None
    entrypoint: str | None = None
    origin: msgspec.Raw = ABSENT
    rendered: msgspec.Raw = ABSENT
    replacements: msgspec.Raw = ABSENT
    compact_metadata: msgspec.Raw = ABSENT
    microcompact_metadata: msgspec.Raw = ABSENT
    is_compact_summary: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    is_api_error_message: bool | None = None


decode_line = msgspec.json.Decoder(Line).decode
"""Bytes of one line → `Line`; raises `msgspec.DecodeError` or `RecursionError` where it cannot."""


def line_from_object(value: dict[str, Any]) -> Line:
    """The same parts from a decoded object with any types in its fields.

    Args:
        value: One JSON object.
    """
    return Line(
        type=_text(value.get("type")),
        subtype=_text(value.get("subtype")),
        uuid=_text(value.get("uuid")),
        parent_uuid=_text(value.get("parentUuid")),
        logical_parent_uuid=_text(value.get("logicalParentUuid")),
        session_id=_text(value.get("sessionId")),
        agent_id=_text(value.get("agentId")),
        timestamp=_moment(value.get("timestamp")),
        version=_text(value.get("version")),
        entrypoint=_text(value.get("entrypoint")),
        request_id=_text(value.get("requestId")),
        request_ref=_text(value.get("requestRef")),
        id=_text(value.get("id")),
        is_sidechain=_truth(value.get("isSidechain")),
        is_meta=_truth(value.get("isMeta")),
        is_compact_summary=_truth(value.get("isCompactSummary")),
        is_visible_in_transcript_only=_truth(value.get("isVisibleInTranscriptOnly")),
        is_api_error_message=_truth(value.get("isApiErrorMessage")),
        message=_message(value.get("message")),
        tool_use_result=_raw(_persisted_fields(value.get("toolUseResult"))),
        origin=_raw(value.get("origin")),
        rendered=_raw(value.get("rendered")),
        compact_metadata=_raw(value.get("compactMetadata")),
        microcompact_metadata=_raw(value.get("microcompactMetadata")),
        replacements=_raw(value.get("replacements")),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _moment(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _count(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    usable = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS
    return int(value) if usable and isinstance(value, int) else None


def _raw(value: object) -> msgspec.Raw:
    """A value put back into JSON: ASCII, so that lone surrogates survive."""
    return ABSENT if value is None else msgspec.Raw(json.dumps(value).encode())


def _persisted_fields(value: object) -> object:
    """The two fields of `toolUseResult` that are ever looked at; the rest may be half a megabyte."""
    if not isinstance(value, dict):
        return None
    return {key: value[key] for key in ("persistedOutputPath", "persistedOutputSize") if key in value}


def _message(value: object) -> MessagePart | None:
    if not isinstance(value, dict):
        return None
    return MessagePart(
        id=_text(value.get("id")),
        model=_text(value.get("model")),
        content=_content(value.get("content")),
        usage=_usage(value.get("usage")),
    )


def _usage(value: object) -> MessageUsage | None:
    if not isinstance(value, dict):
        return None
    return MessageUsage(**{name: _count(value.get(name)) for name in MessageUsage.__struct_fields__})


def _content(value: object) -> str | list[ContentBlock] | None:
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, list):
        return [_block(item) for item in value]
    return _text(value)


def _block(value: object) -> ContentBlock:
    if isinstance(value, str):
        return ContentBlock(type="text", text=value)
    if not isinstance(value, dict):
        return ContentBlock()
    return ContentBlock(
        type=_text(value.get("type")),
        text=_text(value.get("text")),
        thinking=_text(value.get("thinking")),
        id=_text(value.get("id")),
        name=_text(value.get("name")),
        input=value.get("input"),
        tool_use_id=_text(value.get("tool_use_id")),
        content=_parts(value.get("content")),
        is_error=_truth(value.get("is_error")),
        source=_source(value.get("source")),
    )


def _parts(value: object) -> str | list[ContentPart] | None:
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, list):
        return [_part(item) for item in value]
    return _text(value)


def _part(value: object) -> ContentPart:
    if isinstance(value, str):
        return ContentPart(type="text", text=value)
    if not isinstance(value, dict):
        return ContentPart()
    return ContentPart(_text(value.get("type")), _text(value.get("text")), _source(value.get("source")))


def _source(value: object) -> SourcePart | None:
    return SourcePart(_raw(_text(value.get("data")))) if isinstance(value, dict) else None
