"""Content blocks of a Claude Code message, measured and without their texts."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import orjson

from inspector.model.transcript import NOTHING, Block, BlockKind, Candidate, Persisted, Size
from inspector.reading.claude_lines import ABSENT, ContentBlock, ContentPart, SourcePart
from inspector.reading.cleared import is_cleared
from inspector.reading.images import UNREADABLE, image_size
from inspector.reading.persisted import TAG, parse_persisted
from inspector.reading.shape import NO_TEXT, ascii_size, measure, size_of

ARGUMENT_CHARS = 120
"""Code points kept of the argument that tells calls apart."""

_ARGUMENT_KEYS = ("command", "file_path", "pattern", "path", "url", "query", "description", "prompt")
_OVERFLOW_WORD = b"tool-results"
_OVERFLOW_PATH = re.compile(r"tool-results[/\\]+((?:[^/\\\s\"'`;|&<>()]+))")
_THINKING = frozenset({"thinking", "redacted_thinking"})
_RESULT, _USE = BlockKind.TOOL_RESULT, BlockKind.TOOL_USE
_YES = Candidate.YES


class _Stated(msgspec.Struct, gc=False):
    """What a record says of a persisted output beside its text; the rest may be half a megabyte."""

    size: Any = msgspec.field(default=None, name="persistedOutputSize")
    path: Any = msgspec.field(default=None, name="persistedOutputPath")


_decode_stated = msgspec.json.Decoder(_Stated).decode


class BlockReader:
    """Makes the blocks of one transcript; what many of them repeat is kept once."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._calls: dict[str, str] = {}

    def of(self, content: str | list[ContentBlock] | None, tool_use_result: msgspec.Raw) -> tuple[Block, ...]:
        """The blocks of one message.

        Args:
            content: `message.content`; a string is one text block.
            tool_use_result: The record's `toolUseResult`, undecoded: it may state the exact size of a
                persisted output.
        """
        if not content:
            return (text_block(""),) if content == "" else ()
        if isinstance(content, str):
            return (text_block(content),)
        if len(content) == 1:  # as nearly all records have it
            return (self._block(content[0], tool_use_result),)
        return tuple([self._block(block, tool_use_result) for block in content])

    def _block(self, block: ContentBlock, tool_use_result: msgspec.Raw) -> Block:
        kind = block.type
        if kind == "tool_result":
            identity = block.tool_use_id or ""
            return _tool_result(block, self._calls.pop(identity, identity), tool_use_result)
        if kind == "tool_use":
            return self._tool_use(block)
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

    def _tool_use(self, block: ContentBlock) -> Block:
        value, identity, name = block.input, block.id or "", block.name or ""
        self._calls[identity] = identity
        name = self._names.setdefault(name, name)
        argument = argument_of(value)
        try:
            data = orjson.dumps(value)
        except orjson.JSONEncodeError:
            size = _odd_json_size(value)
        else:
            size = ascii_size(len(data)) if data.isascii() else size_of(data.decode())
            if _OVERFLOW_WORD not in data:
                return Block(_USE, size, identity, name, argument)
        return Block(_USE, size, identity, name, argument, overflow_name=overflow_name_of(value))


def text_block(text: str, kind: BlockKind = BlockKind.TEXT) -> Block:
    """A block that is one text."""
    found = measure(text)
    if found.is_plain:
        return Block(kind, found.size)
    return Block(
        kind, found.size, "", "", "", None, _YES, None, found.shape, (), 0,
        found.base64_chars, found.lone_surrogates, found.controls,
    )  # fmt: skip


def _tool_result(block: ContentBlock, identity: str, tool_use_result: msgspec.Raw) -> Block:
    content = block.content
    if not content:
        return Block(_RESULT, NOTHING, identity, "", "", block.is_error, Candidate.NO_CONTENT)
    if not isinstance(content, str):
        return _listed_result(content, identity, block.is_error)
    found = measure(content)
    cleared = False
    if not content.startswith(TAG):
        cleared = is_cleared(content)
        if found.is_plain and not cleared:
            return Block(_RESULT, found.size, identity, "", "", block.is_error)
        candidate, persisted = _YES, None
    else:
        candidate = Candidate.PERSISTED
        persisted = _with_stated_size(parse_persisted(content), tool_use_result)
    return Block(
        _RESULT, found.size, identity, "", "", block.is_error, candidate, persisted, found.shape, (), 0,
        found.base64_chars, found.lone_surrogates, found.controls, is_cleared=cleared,
    )  # fmt: skip


def _listed_result(parts: list[ContentPart], identity: str, is_error: bool | None) -> Block:
    """A result whose content is a list: measured as one text, its text items one after another."""
    texts = [part.text for part in parts if part.type == "text" and part.text]
    images = [part.source for part in parts if part.type == "image"]
    text = texts[0] if len(texts) == 1 else "".join(texts)
    found = measure(text) if texts else NO_TEXT
    candidate = Candidate.IMAGE if images else Candidate.YES if texts else Candidate.NO_CONTENT
    persisted = None
    if candidate is _YES and text.startswith(TAG):
        candidate, persisted = Candidate.PERSISTED, parse_persisted(text)
    sizes = tuple([_image_size(source) for source in images])
    chars = sum([_image_chars(source) for source in images])
    return Block(
        _RESULT, found.size, identity, "", "", is_error, candidate, persisted, found.shape, sizes, chars,
        found.base64_chars, found.lone_surrogates, found.controls, is_list=True,
        is_cleared=not images and is_cleared(text), is_mixed=any(part.type != "text" for part in parts),
    )  # fmt: skip


def argument_of(value: object) -> str:
    """The one value of a call's input that tells calls apart, as a single line.

    A tool of several commands is told its command and, apart from it, what that acts on (seed 000:
    `{"cmd": "read", "args": {"file": …}}`): then it is both.

    Args:
        value: The input as decoded; anything but an object gives an empty text.
    """
    if not isinstance(value, dict):
        return ""
    for key in _ARGUMENT_KEYS:
        if key in value and (found := value[key]) and isinstance(found, str):
            return _one_line(found)
    command, inner = value.get("cmd"), value.get("args")
    if command and isinstance(command, str) and inner and isinstance(inner, (dict, str)):
        return _one_line(
            f"{command} {inner if isinstance(inner, str) else argument_of(_but_args(inner))}".rstrip()
        )
    return next((_one_line(found) for found in value.values() if isinstance(found, str) and found), "")


def overflow_name_of(value: object) -> str:
    """The file in a `tool-results` directory that a call's input names, by its last path part.

    Args:
        value: The input as decoded; its `args` may hold what its command acts on.
    """
    if isinstance(value, dict):
        for text in value.values():
            if isinstance(text, str) and "tool-results" in text and (found := _OVERFLOW_PATH.search(text)):
                return found[1]
        inner = value.get("args")
        if isinstance(inner, dict):
            return overflow_name_of(_but_args(inner))
    return ""


def _but_args(value: dict[str, object]) -> dict[str, object]:
    """What stands within `args`, which holds no further ones: an input may be nested without end."""
    return {key: inner for key, inner in value.items() if key != "args"}


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
    return ascii_size(len(data)) if data.isascii() else size_of(data.decode())


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
    try:
        stated = _decode_stated(tool_use_result)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):  # no object, or nothing usable in it
        return persisted
    size, path = stated.size, stated.path
    if not isinstance(size, int) or isinstance(size, bool) or path not in {None, persisted.path}:
        return persisted
    return Persisted(persisted.path, persisted.label, size)
