"""Content blocks of a Claude Code message, measured and without their texts."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import orjson

from inspector.model.transcript import NOTHING, Block, BlockKind, Candidate, Persisted, Size
from inspector.reading.claude_lines import ContentBlock, ContentPart, SourcePart
from inspector.reading.images import UNREADABLE, image_size
from inspector.reading.lenient import decode_json
from inspector.reading.persisted import TAG, parse_persisted
from inspector.reading.shape import Measures, measure

ARGUMENT_CHARS = 120
"""Code points kept of the argument that tells calls apart."""

_ARGUMENT_KEYS = ("command", "file_path", "pattern", "path", "url", "query", "description", "prompt")
_THINKING = frozenset({"thinking", "redacted_thinking"})
_EMPTY = Measures(NOTHING)


def blocks_of(content: str | list[ContentBlock] | None, tool_use_result: msgspec.Raw) -> tuple[Block, ...]:
    """The blocks of one message.

    Args:
        content: `message.content`; a string is one text block.
        tool_use_result: The record's `toolUseResult`, undecoded: it may state the exact size of a
            persisted output.
    """
    if type(content) is list:
        return tuple([_block(block, tool_use_result) for block in content])
    return (text_block(content),) if isinstance(content, str) else ()


def text_block(text: str, kind: BlockKind = BlockKind.TEXT) -> Block:
    """A block that is one text."""
    found = measure(text)
    return Block(
        kind,
        found.size,
        shape=found.shape,
        base64_chars=found.base64_chars,
        lone_surrogates=found.lone_surrogates,
        controls=found.controls,
    )


def _block(block: ContentBlock, tool_use_result: msgspec.Raw) -> Block:
    kind = block.type
    if kind == "tool_result":
        return _tool_result(block, tool_use_result)
    if kind == "tool_use":
        return _tool_use(block)
    if kind == "text":
        return text_block(block.text or "")
    if kind in _THINKING:
        return text_block(block.thinking or "", BlockKind.THINKING)
    if kind == "image":
        return Block(
            BlockKind.IMAGE,
            NOTHING,
            images=(_image_size(block.source),),
            image_chars=_image_chars(block.source),
        )
    return Block(BlockKind.OTHER, NOTHING, block.id or block.tool_use_id or "", block.name or "")


def _tool_use(block: ContentBlock) -> Block:
    text = json_text(block.input)
    return Block(
        BlockKind.TOOL_USE, measure(text).size, block.id or "", block.name or "", argument_of(block.input)
    )


def _tool_result(block: ContentBlock, tool_use_result: msgspec.Raw) -> Block:
    content = block.content
    identity = block.tool_use_id or ""
    if type(content) is list:
        return _listed_result(content, identity, block.is_error)
    if not content:
        return Block(BlockKind.TOOL_RESULT, NOTHING, identity, "", "", block.is_error, Candidate.NO_CONTENT)
    assert isinstance(content, str)
    found = measure(content)
    candidate, persisted = Candidate.YES, None
    if content.startswith(TAG):
        candidate = Candidate.PERSISTED
        persisted = _with_stated_size(parse_persisted(content), tool_use_result)
    return Block(
        BlockKind.TOOL_RESULT,
        found.size,
        identity,
        "",
        "",
        block.is_error,
        candidate,
        persisted,
        found.shape,
        base64_chars=found.base64_chars,
        lone_surrogates=found.lone_surrogates,
        controls=found.controls,
    )


def _listed_result(parts: list[ContentPart], identity: str, is_error: bool | None) -> Block:
    """A result whose content is a list: measured as one text, its text items one after another."""
    texts = [part.text for part in parts if part.type == "text" and part.text]
    images = [part.source for part in parts if part.type == "image"]
    found = measure(texts[0] if len(texts) == 1 else "".join(texts)) if texts else _EMPTY
    candidate = Candidate.IMAGE if images else Candidate.YES if texts else Candidate.NO_CONTENT
    return Block(
        BlockKind.TOOL_RESULT,
        found.size,
        identity,
        "",
        "",
        is_error,
        candidate,
        None,
        found.shape,
        tuple([_image_size(source) for source in images]),
        sum([_image_chars(source) for source in images]),
        found.base64_chars,
        found.lone_surrogates,
        found.controls,
    )


def argument_of(value: object) -> str:
    """The one value of a call's input that tells calls apart, as a single line.

    Args:
        value: The input as decoded; anything but an object gives an empty text.
    """
    if not isinstance(value, dict):
        return ""
    for key in _ARGUMENT_KEYS:
        found = value.get(key)
        if isinstance(found, str) and found:
            return _one_line(found)
    return next((_one_line(found) for found in value.values() if isinstance(found, str) and found), "")


def _one_line(text: str) -> str:
    line = " ".join(text[: 8 * ARGUMENT_CHARS].split())
    return line if len(line) <= ARGUMENT_CHARS else line[: ARGUMENT_CHARS - 1] + "…"


def json_text(value: Any) -> str:
    """A call's input as compact JSON, the way the client's own writer puts it.

    Args:
        value: The input as decoded.

    Returns:
        An empty text where the input is nested too deeply to be written.
    """
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        pass  # lone surrogates, numbers over 64 bits, or nested deeper than orjson writes
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return ""


def _image_size(source: SourcePart | None) -> tuple[int, int]:
    return image_size(bytes(source.data)[1:-1]) if source else UNREADABLE


def _image_chars(source: SourcePart | None) -> int:
    return max(len(memoryview(source.data)) - 2, 0) if source else 0


def _with_stated_size(persisted: Persisted | None, tool_use_result: msgspec.Raw) -> Persisted | None:
    """A persisted output with the exact size that newer clients state beside it."""
    if persisted is None or not memoryview(tool_use_result):
        return persisted
    stated = decode_json(bytes(tool_use_result)).value
    if not isinstance(stated, dict):
        return persisted
    size, path = stated.get("persistedOutputSize"), stated.get("persistedOutputPath")
    if not isinstance(size, int) or isinstance(size, bool) or path not in {None, persisted.path}:
        return persisted
    return Persisted(persisted.path, persisted.label, size)
