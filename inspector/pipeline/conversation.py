"""The normal form of a message list: what the stages see, whichever API the list is for.

A normal message points at the message it was made from and lists only its calls and results, so
making it is one shallow pass, and writing it back touches only what a stage changed: everything
else, unknown fields and blocks included, is the caller's own object again. Anthropic, OpenAI and
ChatCLI lists are told apart message by message, never as a whole, so a mixed list is no problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any

import msgspec

from inspector.model.transcript import Candidate
from inspector.pipeline.microcompact import COMMANDED
from inspector.pipeline.previews import OPENING

Messages = Sequence[Any]
"""A message list as a program holds it. Messages and blocks are dicts, or objects that can say what
they would be as one (`fields_of`), as those of the APIs' client libraries; all else is passed through."""

_IMAGES = frozenset({"image", "image_url", "input_image"})
_TEXTS = frozenset({"text", "input_text", "output_text"})
_LISTS = (list, tuple)
"""What holds blocks and calls: the client libraries take either."""


class Style(IntEnum):
    """Where a call or result lives in its API's form."""

    BLOCK = 0
    """Anthropic: a block of the content list."""
    OPENAI = 1
    """An item of `tool_calls` with a `function`; results are messages of role `tool`."""
    CHATCLI = 2
    """An item of `tool_calls` with a `name` of its own; results are messages of role `tool`."""


class Speaker(IntEnum):
    """Who speaks in a message, as far as the stages care."""

    ASSISTANT = 0
    USER = 1
    TOOL = 2
    """A message that is one result."""
    OTHER = 3
    """System messages, unknown roles, and what is no message at all."""


class Call(msgspec.Struct, frozen=True, gc=False):
    """A tool call of an assistant message."""

    id: str
    """Empty where the id is missing or no text; such a call can never be answered."""
    tool: str
    style: Style
    at: int
    """Index in the content list (`BLOCK`) or in `tool_calls`."""
    command: str = ""
    """What a tool of several commands was told to do; empty for all others."""


class Result(msgspec.Struct, frozen=True, gc=False):
    """A tool result: a block of a user message, or a message of its own."""

    id: str
    style: Style
    at: int
    """Index in the content list; -1 for a message of its own and for a result put in by a stage."""
    texts: tuple[str, ...]
    """Its text blocks as given; a string content is one."""
    raw: Any
    """The block or message it was made from; None for one made here."""
    is_error: bool = False
    candidate: Candidate = Candidate.YES
    listed: bool = False
    """Whether its content is a list of blocks."""
    only_text: bool = True
    """Whether it holds nothing but text: anything else cannot go to disk or be shortened."""
    synthetic: bool = False
    """Whether pairing made it."""
    edited: str | None = None
    """The text that a stage put in place of its content."""

    @property
    def text(self) -> str:
        """Its own text, as the tool gave it: what ageing and the overflow file are made from."""
        return self.texts[0] if len(self.texts) == 1 else "".join(self.texts)

    @property
    def blocks(self) -> list[Any]:
        """The blocks of a listed content, as mappings where they have fields."""
        content = (fields_of(self.raw) or {}).get("content", ())
        return [block if (fields := fields_of(block)) is None else fields for block in content]


class Normal(msgspec.Struct, frozen=True, gc=False):
    """One message in normal form."""

    speaker: Speaker
    raw: Any
    """The message it was made from, never changed; None for one made here."""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    answer_id: str = ""
    """Assistant: the API's own message id where the list keeps it."""
    is_answer: bool = False
    """Assistant: the model said it (no API error, not written by a client)."""
    others: int = 0
    """Content blocks that are neither call nor result; a non-empty string content is one."""
    filler: str = ""
    """The text that stands in a message that a repair left empty."""
    changed: bool = False
    """Whether writing back must rebuild it."""


def normalise(messages: Messages) -> tuple[Normal, ...]:
    """The normal form of a message list.

    Args:
        messages: Messages in Anthropic, OpenAI or ChatCLI form; not changed, and referred to by the
            outcome. Odd types in any field are taken as absent.
    """
    return tuple(map(_normal, messages))


def write_back(normal: Iterable[Normal]) -> list[Any]:
    """The message list in the form it came in.

    Messages that no stage changed are the very objects that `normalise` was given.
    """
    return [message.raw if not message.changed else _rebuilt(message) for message in normal]


def fields_of(value: Any) -> Mapping[str, Any] | None:
    """A message or block as a mapping; None for what is none.

    Args:
        value: A dict is its own answer. The client libraries of the APIs hand out pydantic models,
            which belong into the next request as they are: their `model_dump` is asked, and fields
            that are None are left out, as on the wire.
    """
    if isinstance(value, dict):
        return value
    if isinstance(value, str) or value is None:
        return None
    if isinstance(value, Mapping):
        return value
    dump = getattr(value, "model_dump", None)
    if isinstance(value, type) or not callable(dump):
        return None
    fields = dump(by_alias=True, exclude_none=True)
    return fields if isinstance(fields, dict) else None


def _normal(message: Any) -> Normal:
    fields = fields_of(message)
    if fields is None:
        return Normal(Speaker.OTHER, message)
    role, content = fields.get("role"), fields.get("content")
    if role == "assistant":
        return _assistant(message, fields, content)
    if role == "tool":
        result = _result(message, fields, -1, "tool_call_id", Style.OPENAI)
        return Normal(Speaker.TOOL, message, results=(result,))
    if role != "user":
        return Normal(Speaker.OTHER, message)
    if not isinstance(content, _LISTS):
        return Normal(Speaker.USER, message, others=1 if content else 0)
    results = tuple(
        _result(content[at], block, at, "tool_use_id", Style.BLOCK)
        for at, block in enumerate(map(fields_of, content))
        if block is not None and block.get("type") == "tool_result"
    )
    return Normal(Speaker.USER, message, results=results, others=len(content) - len(results))


def _assistant(message: Any, fields: Mapping[str, Any], content: Any) -> Normal:
    calls: list[Call] = []
    others = 1 if content else 0
    if isinstance(content, _LISTS):
        calls = [
            _call(block, block.get("name"), block.get("input"), Style.BLOCK, at)
            for at, block in enumerate(map(fields_of, content))
            if block is not None and block.get("type") == "tool_use"
        ]
        others = len(content) - len(calls)
    listed = fields.get("tool_calls")
    if isinstance(listed, _LISTS):
        calls += [_listed_call(fields_of(item), at) for at, item in enumerate(listed)]
    return Normal(
        Speaker.ASSISTANT,
        message,
        calls=tuple(calls),
        answer_id=_word(fields.get("id")),
        is_answer=fields.get("model") != "<synthetic>" and not fields.get("isApiErrorMessage"),
        others=others,
    )


def _listed_call(item: Mapping[str, Any] | None, at: int) -> Call:
    if item is None:
        return Call("", "", Style.OPENAI, at)
    function = fields_of(item.get("function"))
    if function is not None:
        return _call(item, function.get("name"), function.get("arguments"), Style.OPENAI, at)
    style = Style.CHATCLI if "name" in item else Style.OPENAI
    return _call(item, item.get("name"), item.get("arguments"), style, at)


def _call(item: Mapping[str, Any], name: Any, given: Any, style: Style, at: int) -> Call:
    tool = _word(name)
    return Call(_word(item.get("id")), tool, style, at, _command(given) if tool in COMMANDED else "")


def _command(given: Any) -> str:
    """The command in what a tool of several was given: fields, or a text that holds them."""
    if isinstance(given, str):
        try:
            given = msgspec.json.decode(given.encode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):  # a model may write anything there
            return ""
    return _word((fields_of(given) or {}).get("cmd"))


def _result(raw: Any, fields: Mapping[str, Any], at: int, id_key: str, style: Style) -> Result:
    content = fields.get("content")
    id, is_error = _word(fields.get(id_key)), fields.get("is_error") is True
    if isinstance(content, str):
        return Result(id, style, at, (content,), raw, is_error, _candidate(content))
    if not isinstance(content, _LISTS) or not content:
        return Result(id, style, at, (), raw, is_error, Candidate.NO_CONTENT)
    blocks = [{"type": "text", "text": b} if isinstance(b, str) else fields_of(b) or {} for b in content]
    kinds = [_word(block.get("type")) for block in blocks]
    texts = tuple(
        block["text"]
        for block, kind in zip(blocks, kinds, strict=True)
        if kind in _TEXTS and isinstance(block.get("text"), str)
    )
    # As one text: an empty block in front says nothing about the ones behind it.
    start = "".join(text[: len(OPENING)] for text in texts)
    candidate = _candidate(start) if texts else Candidate.YES
    if not _IMAGES.isdisjoint(kinds):
        candidate = Candidate.IMAGE
    only_text = len(texts) == len(content)
    return Result(id, style, at, texts, raw, is_error, candidate, listed=True, only_text=only_text)


def _candidate(text: str) -> Candidate:
    if not text:
        return Candidate.NO_CONTENT
    return Candidate.PERSISTED if text.startswith(OPENING) else Candidate.YES


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _rebuilt(message: Normal) -> Any:
    if message.speaker is Speaker.TOOL:
        return _written(message.results[0])
    if message.speaker is Speaker.ASSISTANT:
        return _rebuilt_assistant(message)
    raw = fields_of(message.raw) or {"role": "user"}
    content = raw.get("content", "")
    put_in = [_written(result) for result in message.results if result.at < 0]
    filler = [{"type": "text", "text": message.filler}] if message.filler else []
    if isinstance(content, _LISTS):
        kept = {result.at: result for result in message.results if result.at >= 0}
        blocks = [
            _written(kept[at]) if at in kept else block
            for at, block in enumerate(content)
            if at in kept or not _is_block(block, "tool_result")
        ]
    elif not put_in and not filler:
        return message.raw
    else:
        blocks = [{"type": "text", "text": content}] if content else []
    return {**raw, "content": put_in + blocks + filler}


def _rebuilt_assistant(message: Normal) -> Any:
    out = dict(fields_of(message.raw) or {})
    content, listed = out.get("content"), out.get("tool_calls")
    if isinstance(content, _LISTS):
        kept = {call.at for call in message.calls if call.style is Style.BLOCK}
        out["content"] = [
            block for at, block in enumerate(content) if at in kept or not _is_block(block, "tool_use")
        ]
    if isinstance(listed, _LISTS):
        kept = {call.at for call in message.calls if call.style is not Style.BLOCK}
        out["tool_calls"] = [item for at, item in enumerate(listed) if at in kept]
        if not kept:
            del out["tool_calls"]
    if message.filler:
        filler = {"type": "text", "text": message.filler}
        out["content"] = [filler] if isinstance(content, _LISTS) else message.filler
    return out


def _written(result: Result) -> Any:
    """A result as its API wants it."""
    if result.raw is not None:
        if result.edited is None:
            return result.raw
        return {**(fields_of(result.raw) or {}), "content": result.edited}
    text = result.text if result.edited is None else result.edited
    if result.style is Style.BLOCK:
        return {"type": "tool_result", "tool_use_id": result.id, "content": text, "is_error": True}
    if result.style is Style.OPENAI:
        return {"role": "tool", "tool_call_id": result.id, "content": text}
    return {
        "role": "tool",
        "content": text,
        "tool_call_id": result.id,
        "is_error": True,
        "error_code": "missing_result",
    }


def _is_block(block: Any, kind: str) -> bool:
    fields = fields_of(block)
    return fields is not None and fields.get("type") == kind
