"""Plain message lists → records: Anthropic and OpenAI, bare or in a request body.

A document is JSON as a whole, so it is held in memory once while it is read (peak: about the size of
the file plus its largest message); after that each record knows the byte range of its own message,
and the text is read again by position. Anthropic and OpenAI messages are told apart one by one, for
lists are passed on and get mixed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from inspector.errors import UnreadableError
from inspector.model.transcript import BadLine, Block, BlockKind, Flag, Record, Role, Usage
from inspector.reading import json_spans
from inspector.reading.claude_flags import is_interrupted
from inspector.reading.lenient import decode_json
from inspector.reading.parts import (
    TEXTS,
    Part,
    block_of,
    picture,
    tool_result,
    tool_use,
    tool_use_of_text,
    word,
)

_MESSAGE_START = re.compile(rb'\{\s*"role"\s*:')
"""Where reading goes on after a broken message."""
_MAX_RESUMES = 64
SYSTEM_ROLES = frozenset({"system", "developer"})
_RESULT_ROLES = frozenset({"tool", "function"})
_PICTURES = frozenset({"image", "image_url", "input_image"})


class MessageDocument(msgspec.Struct, frozen=True):
    """A message list as it was read."""

    records: tuple[Record, ...]
    """One for each message; `line` is its ordinal in the list, from 1."""
    bad_lines: tuple[BadLine, ...]
    """Messages that could not be read, or not in full; `line` is the ordinal here too."""
    messages: int
    """Items of the list, broken ones included."""
    model: str = ""
    """Model of a request body; untrusted text."""
    system: tuple[int, int] | None = None
    """Byte range of a request's `system`."""
    tools: tuple[int, int] | None = None
    """Byte range of a request's `tools`."""


class MessageReader:
    """Turns decoded messages into records, one conversation at a time."""

    def __init__(self, thread: str = "", bad_lines: list[BadLine] | None = None) -> None:
        """Args:
        thread: Thread that the records belong to.
        bad_lines: List to note faults in; a new one if absent.
        """
        self.bad_lines: list[BadLine] = [] if bad_lines is None else bad_lines
        self._thread = thread
        self._index = 0
        self._began = False
        self._calls = 0
        self._open: dict[str, list[str]] = {}

    def record(
        self, value: object, line: int, start: int, end: int, *, salvaged: bool = False
    ) -> Record | None:
        """The record of one message, or None where it is no message at all.

        Args:
            value: The message as decoded.
            line: Its ordinal, or the physical line.
            start: First byte.
            end: One past the last byte.
            salvaged: Whether it was rescued from damaged data.
        """
        if not isinstance(value, dict) or not isinstance(value.get("role"), str):
            self.note(line, start, end, "no message: it has no `role`")
            return None
        role, flags = self._role(value["role"], line, start, end)
        if salvaged:
            flags |= Flag.SALVAGED
        content = value.get("content")
        if isinstance(content, str):
            flags |= Flag.CONTENT_STRING
        elif content is not None and not isinstance(content, list):
            self.note(line, start, end, "`content` is neither a text nor a list")
        if role is Role.USER and is_interrupted(content):
            flags |= Flag.INTERRUPT
        blocks = tuple(block_of(part) for part in parts_of(value))
        if "function_call" in value or value["role"] == "function":
            blocks = self._with_ids(blocks)
        answer = role is Role.ASSISTANT
        record = Record(
            self._index,
            line,
            start,
            end,
            role,
            flags,
            thread=self._thread,
            # Without an id of its own each assistant message is a message of its own.
            message_id=(word(value.get("id")) or f"#{line}") if answer else "",
            model=word(value.get("model")) if answer else "",
            blocks=blocks,
            usage=usage_of(value.get("usage")) if answer else None,
        )
        self._index += 1
        return record

    def begin_anew(self) -> None:
        """Take system messages in front of the next history for its system prompt."""
        self._began = False

    def note(
        self, line: int, start: int, end: int, reason: str, *, kind: str = "bad_line", lost: bool = True
    ) -> None:
        """Remember what is wrong with a message."""
        self.bad_lines.append(BadLine(line, start, end, reason, 0 if lost else 1, kind, lost))

    def _role(self, role: str, line: int, start: int, end: int) -> tuple[Role, Flag]:
        if role == "assistant":
            self._began = True
            return Role.ASSISTANT, Flag(0)
        if role == "user" or role in _RESULT_ROLES:
            self._began = True
            return Role.USER, Flag(0)
        if role in SYSTEM_ROLES:
            # In front it is the system prompt; later on it is a message among the others.
            return (Role.USER, Flag.META) if self._began else (Role.BRIDGE, Flag(0))
        self.note(line, start, end, "a role that is not known", kind="unknown_record", lost=False)
        return Role.BRIDGE, Flag(0)

    def _with_ids(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        """Ids for calls of the old `function_call` form, which pairs by name and order."""
        out: list[Block] = []
        for block in blocks:
            if block.kind is BlockKind.TOOL_USE and not block.id:
                self._calls += 1
                identity = f"function_call:{self._calls}"
                self._open.setdefault(block.name, []).append(identity)
                out.append(msgspec.structs.replace(block, id=identity))
            elif (
                block.kind is BlockKind.TOOL_RESULT
                and not block.id
                and (open_ids := self._open.get(block.name))
            ):
                out.append(msgspec.structs.replace(block, id=open_ids.pop(0), name=""))
            else:
                out.append(block)
        return tuple(out)


def read_messages(data: bytes) -> MessageDocument:
    """Read a document: an array of messages, or an object with `messages`.

    Args:
        data: The whole file, unpacked.

    Raises:
        UnreadableError: There is no list of messages in it.
    """
    start, model, system, tools = _find_list(data)
    reader = MessageReader()
    records: list[Record] = []
    ordinal = 0
    for ordinal, span, value, salvaged in _messages(data, start, reader):
        record = reader.record(value, ordinal, span.start, span.end, salvaged=salvaged)
        if record is not None:
            records.append(record)
    messages = max([ordinal, *(bad.line for bad in reader.bad_lines)])
    return MessageDocument(tuple(records), tuple(reader.bad_lines), messages, model, system, tools)


def message_texts(data: bytes) -> list[str]:
    """The texts of a message's blocks, in the order of `Record.blocks`.

    Args:
        data: The bytes of the message, from `Record.start` to `Record.end`.
    """
    value = decode_json(data).value
    return [part.text for part in parts_of(value)] if isinstance(value, dict) else []


def parts_of(message: dict[str, Any]) -> list[Part]:
    """The parts of one message, Anthropic or OpenAI.

    Args:
        message: As decoded; nothing is taken for granted but that it is an object.
    """
    role, content = message.get("role"), message.get("content")
    if role == "tool":
        return [tool_result(message.get("tool_call_id"), content, message.get("is_error"))]
    if role == "function":
        answer = tool_result(None, content)
        return [msgspec.structs.replace(answer, name=word(message.get("name")))]
    parts = [Part(BlockKind.THINKING, thought) for thought in thoughts_of(message)]
    parts += _content_parts(content)
    if isinstance(refusal := message.get("refusal"), str) and refusal:
        parts.append(Part(BlockKind.TEXT, refusal))
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            parts.append(_call(call))
    if isinstance(call := message.get("function_call"), dict):
        parts.append(tool_use_of_text(None, call.get("name"), call.get("arguments")))
    return parts


def thoughts_of(message: dict[str, Any]) -> list[str]:
    """What a message says beside its content of how its answer came about; these parts come first."""
    stated = (message.get(key) for key in ("reasoning_content", "reasoning"))
    return [thought for thought in stated if isinstance(thought, str) and thought]


def usage_of(stated: object) -> Usage | None:
    """Tokens of an answer, where a message keeps them in Anthropic's or OpenAI's words.

    Args:
        stated: The value of `usage`.
    """
    if not isinstance(stated, dict):
        return None
    if "prompt_tokens" in stated:
        details = stated.get("prompt_tokens_details")
        cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else 0
        sent = _count(stated.get("prompt_tokens"))
        return Usage(max(sent - cached, 0), cached, 0, _count(stated.get("completion_tokens")))
    if "input_tokens" not in stated:
        return None
    return Usage(
        _count(stated.get("input_tokens")),
        _count(stated.get("cache_read_input_tokens")),
        _count(stated.get("cache_creation_input_tokens")),
        _count(stated.get("output_tokens")),
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _call(call: dict[str, Any]) -> Part:
    """One entry of `tool_calls`: OpenAI's with `function` or `custom`, or a flat one."""
    for key, arguments in (("function", "arguments"), ("custom", "input")):
        inner = call.get(key)
        if isinstance(inner, dict):
            return tool_use_of_text(call.get("id"), inner.get("name"), inner.get(arguments))
    return tool_use_of_text(call.get("id"), call.get("name"), call.get("arguments"))


def _content_parts(content: object) -> list[Part]:
    if isinstance(content, str):
        return [Part(BlockKind.TEXT, content)]
    if not isinstance(content, list):
        return []
    return [_content_part(block) for block in content]


def _content_part(block: object) -> Part:
    if isinstance(block, str):
        return Part(BlockKind.TEXT, block)
    if not isinstance(block, dict):
        return Part(BlockKind.OTHER)
    kind = word(block.get("type"))
    if kind == "tool_result":
        return tool_result(block.get("tool_use_id"), block.get("content"), block.get("is_error"))
    if kind == "tool_use":
        return tool_use(block.get("id"), block.get("name"), block.get("input"))
    if kind in TEXTS:
        return Part(BlockKind.TEXT, _text(block.get("text")))
    if kind == "refusal":
        return Part(BlockKind.TEXT, _text(block.get("refusal")))
    if kind in {"thinking", "redacted_thinking"}:
        return Part(BlockKind.THINKING, _text(block.get("thinking")))
    if kind in _PICTURES:
        return picture(block)
    return Part(
        BlockKind.OTHER, id=word(block.get("id") or block.get("tool_use_id")), name=word(block.get("name"))
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _find_list(data: bytes) -> tuple[int, str, tuple[int, int] | None, tuple[int, int] | None]:
    """Where the array of messages opens, and what stands beside it."""
    at = json_spans.skip_space(data, 3 if data.startswith(b"\xef\xbb\xbf") else 0)
    if data[at : at + 1] == b"[":
        return at, "", None, None
    if data[at : at + 1] != b"{":
        raise UnreadableError("no message list: the file is neither a JSON list nor an object")
    found = {value.key: value for value in json_spans.members(data, at)}
    listed = found.get(b"messages")
    if listed is None or data[listed.start : listed.start + 1] != b"[":
        raise UnreadableError("no message list: the object has no list `messages`")
    model = decode_json(data[found[b"model"].start : found[b"model"].end]).value if b"model" in found else ""
    spans = {key: (found[key].start, found[key].end) for key in (b"system", b"tools") if key in found}
    return listed.start, word(model), spans.get(b"system"), spans.get(b"tools")


def _messages(
    data: bytes, start: int, reader: MessageReader
) -> Iterator[tuple[int, json_spans.Value, Any, bool]]:
    """Ordinal, place and value of each message that can be read; the others are noted.

    After a broken message reading goes on at the next place where one seems to begin.
    """
    ordinal, resumes, salvaged = 0, 0, False
    position: int | None = start
    while position is not None:
        resume: int | None = None
        for span in json_spans.items(data, position):
            ordinal += 1
            decoded = decode_json(data[span.start : span.end]) if span.complete else None
            if decoded is not None and decoded.whole:
                if decoded.kind:
                    reader.note(ordinal, span.start, span.end, decoded.reason, kind=decoded.kind, lost=False)
                yield ordinal, span, decoded.value, salvaged or decoded.kind == "bad_line"
                continue
            inside = _MESSAGE_START.search(data, span.start + 1, span.end)
            end = inside.start() if inside else span.end
            reason = decoded.reason if decoded is not None else "the message breaks off"
            reader.note(ordinal, span.start, end, reason)
            resumes += 1
            if inside is not None and resumes <= _MAX_RESUMES:
                # `items` begins behind the byte that it is given: one in front of the brace.
                resume, salvaged = inside.start() - 1, True
                break
        position = resume
