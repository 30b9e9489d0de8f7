"""Content blocks of a Claude Code message, measured and without their texts."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import orjson

from inspector.model.transcript import NOTHING, Block, BlockKind, Candidate, Persisted, Size
from inspector.reading.claude_lines import ABSENT, ContentBlock, ContentPart, SourcePart
from inspector.reading.images import UNREADABLE, image_size
from inspector.reading.lenient import decode_json
from inspector.reading.persisted import TAG, parse_persisted
from inspector.reading.shape import ASCII_SIZES, SHORT_CHARS, Measures, measure, size_of

ARGUMENT_CHARS = 120
"""Code points kept of the argument that tells calls apart."""

_ARGUMENT_KEYS = ("command", "file_path", "pattern", "path", "url", "query", "description", "prompt")
_OVERFLOW_PATH = re.compile(r"tool-results[/\\]+((?:[^/\\\s\"'`;|&<>()]+))")
_THINKING = frozenset({"thinking", "redacted_thinking"})
_RESULT, _USE = BlockKind.TOOL_RESULT, BlockKind.TOOL_USE
_YES = Candidate.YES
_EMPTY = Measures(NOTHING)


def blocks_of(content: str | list[ContentBlock] | None, tool_use_result: msgspec.Raw) -> tuple[Block, ...]:
    """The blocks of one message.

    Args:
        content: `message.content`; a string is one text block.
        tool_use_result: The record's `toolUseResult`, undecoded: it may state the exact size of a
            persisted output.
    """
    if isinstance(content, str):
        return (text_block(content),)
    if not content:
        return ()
    if len(content) == 1:  # as nearly all records have it
        return (_block(content[0], tool_use_result),)
    return tuple([_block(block, tool_use_result) for block in content])


def text_block(text: str, kind: BlockKind = BlockKind.TEXT) -> Block:
    """A block that is one text."""
    found = measure(text)
    size, shape, base64 = found.size, found.shape, found.base64_chars
    oddities = found.lone_surrogates, found.controls
    return Block(kind, size, "", "", "", None, _YES, None, shape, (), 0, base64, *oddities)


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
    value = block.input
    return Block(
        _USE,
        json_size(value),
        block.id or "",
        block.name or "",
        argument_of(value),
        overflow_name=overflow_name_of(value),
    )


def _tool_result(block: ContentBlock, tool_use_result: msgspec.Raw) -> Block:
    content = block.content
    identity = block.tool_use_id or ""
    if not content:
        return Block(_RESULT, NOTHING, identity, "", "", block.is_error, Candidate.NO_CONTENT)
    if not isinstance(content, str):
        return _listed_result(content, identity, block.is_error)
    chars = len(content)
    if chars < SHORT_CHARS and content.isascii() and content.isprintable():
        return Block(_RESULT, ASCII_SIZES[chars], identity, "", "", block.is_error)
    found = measure(content)
    candidate, persisted = _YES, None
    if content.startswith(TAG):
        candidate = Candidate.PERSISTED
        persisted = _with_stated_size(parse_persisted(content), tool_use_result)
    size, shape, base64 = found.size, found.shape, found.base64_chars
    oddities = found.lone_surrogates, found.controls
    error = block.is_error
    return Block(
        _RESULT, size, identity, "", "", error, candidate, persisted, shape, (), 0, base64, *oddities
    )


def _listed_result(parts: list[ContentPart], identity: str, is_error: bool | None) -> Block:
    """A result whose content is a list: measured as one text, its text items one after another."""
    texts = [part.text for part in parts if part.type == "text" and part.text]
    images = [part.source for part in parts if part.type == "image"]
    found = measure(texts[0] if len(texts) == 1 else "".join(texts)) if texts else _EMPTY
    candidate = Candidate.IMAGE if images else Candidate.YES if texts else Candidate.NO_CONTENT
    sizes = tuple([_image_size(source) for source in images])
    chars = sum([_image_chars(source) for source in images])
    size, shape, base64 = found.size, found.shape, found.base64_chars
    oddities = found.lone_surrogates, found.controls
    return Block(
        _RESULT, size, identity, "", "", is_error, candidate, None, shape, sizes, chars, base64, *oddities,
        is_list=True,
    )  # fmt: skip


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


def overflow_name_of(value: object) -> str:
    """The file in a `tool-results` directory that a call's input names, by its last path part.

    Args:
        value: The input as decoded.
    """
    if isinstance(value, dict):
        for text in value.values():
            if isinstance(text, str) and "tool-results" in text and (found := _OVERFLOW_PATH.search(text)):
                return found[1]
    return ""


def _one_line(text: str) -> str:
    if len(text) <= ARGUMENT_CHARS and text.isprintable():
        return text
    line = " ".join(text[: 8 * ARGUMENT_CHARS].split())
    return line if len(line) <= ARGUMENT_CHARS else line[: ARGUMENT_CHARS - 1] + "…"


def json_size(value: Any) -> Size:
    """Size of a call's input as compact JSON, the way the client's own writer puts it.

    Args:
        value: The input as decoded. One that is nested too deeply to be written counts as nothing.
    """
    try:
        data = orjson.dumps(value)
    except orjson.JSONEncodeError:
        return _odd_json_size(value)
    length = len(data)
    if not data.isascii():
        return size_of(data.decode())
    return ASCII_SIZES[length] if length < SHORT_CHARS else Size(length, length, length)


def _odd_json_size(value: Any) -> Size:
    """For lone surrogates, numbers over 64 bits, and nesting deeper than orjson writes."""
    try:
        return size_of(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    except RecursionError:
        return NOTHING


def _image_size(source: SourcePart | None) -> tuple[int, int]:
    return image_size(bytes(source.data)[1:-1]) if source else UNREADABLE


def _image_chars(source: SourcePart | None) -> int:
    return max(len(memoryview(source.data)) - 2, 0) if source else 0


def _with_stated_size(persisted: Persisted | None, tool_use_result: msgspec.Raw) -> Persisted | None:
    """A persisted output with the exact size that newer clients state beside it."""
    if persisted is None or tool_use_result is ABSENT:
        return persisted
    stated = decode_json(bytes(tool_use_result)).value
    if not isinstance(stated, dict):
        return persisted
    size, path = stated.get("persistedOutputSize"), stated.get("persistedOutputPath")
    if not isinstance(size, int) or isinstance(size, bool) or path not in {None, persisted.path}:
        return persisted
    return Persisted(persisted.path, persisted.label, size)
