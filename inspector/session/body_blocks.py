"""The blocks of a request's body, their texts and their sizes, in whichever form an API takes them.

Sizes are measured on the very bodies that `inspector wire` prints, reminders included, so that what
screens and comparisons say of a request can be checked against the output of that command. What is
measured as a text is what the readers measure, so that the ledger comes to the same figures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from inspector.model.policy import Unit
from inspector.pipeline.units import in_unit, measure
from inspector.reading.claude_blocks import json_size
from inspector.reading.made_block import WrittenObject, WrittenText

Body = Sequence[Mapping[str, Any]]
"""The messages of one request."""


def blocks_of(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The blocks of a message; a bare text counts as one.

    A message that carries its calls beside its text, and its result as its text (ChatCLI, OpenAI), is
    read as the same blocks, so that calls and results are found by their ids in every form.
    """
    content = _exact(message)
    if message.get("role") == "tool" and message.get("tool_call_id"):
        head = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": content}
        return [{**head, "is_error": True} if message.get("is_error") else head]
    calls = _calls_beside(message.get("tool_calls"))
    if isinstance(content, str):
        text = {"type": "text", "text": content}
        return [text, *calls] if content or not calls else calls
    if not isinstance(content, list):
        return calls
    blocks = ({"type": "text", "text": b} if isinstance(b, str) else b for b in content)
    return [*(b for b in blocks if isinstance(b, dict)), *calls]


class _CutText(str):
    """A text that was cut inside a character: it shows U+FFFD there, and weighs what its bytes do."""

    __slots__ = ("size_bytes",)
    size_bytes: int


def _exact(message: Mapping[str, Any]) -> object:
    """The content of a message; with its size where ChatCLI's bytes are no text (`content_base64`)."""
    content, exact = message.get("content"), message.get("content_base64")
    if not isinstance(content, str) or not isinstance(exact, str):
        return content
    text = _CutText(content)
    text.size_bytes = len(exact) // 4 * 3 - exact[-2:].count("=")
    return text


def _size(text: str, unit: Unit) -> int:
    return text.size_bytes if unit is Unit.BYTES and isinstance(text, _CutText) else measure(text, unit)


def in_blocks(body: Body) -> list[Mapping[str, Any]]:
    """A request whose messages all hold blocks: what ChatCLI would send beside what a client has sent."""
    return [
        {**message, "content": blocks_of(message)}
        if message.get("role") == "tool" or message.get("tool_calls")
        else message
        for message in body
    ]


def _calls_beside(calls: object) -> list[Mapping[str, Any]]:
    """Calls that stand beside the text of a message, as blocks; ChatCLI leaves out OpenAI's `function`."""
    blocks: list[Mapping[str, Any]] = []
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            inner = call.get("function")
            told = inner if isinstance(inner, dict) else call
            input_ = _arguments(told.get("arguments"))
            head = {"type": "tool_use", "id": call.get("id"), "name": told.get("name")}
            blocks.append({**head, "input": input_})
    return blocks


def _arguments(value: object) -> object:
    """OpenAI has them as a text of JSON; ChatCLI writes `null` where there are none, and sends none."""
    if not isinstance(value, str):
        return {} if value is None else value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def block_text(block: Mapping[str, Any]) -> str:
    """The text that a block carries; a call's input as JSON; empty for a picture."""
    kind = block.get("type")
    if kind == "tool_use":
        return json.dumps(block.get("input"), ensure_ascii=False, indent=2, default=str)
    if kind == "tool_result":
        content = block.get("content")
        if isinstance(content, str):
            return content
        items = content if isinstance(content, list) else []
        return "\n".join(_item_text(item) for item in items if isinstance(item, dict | str))
    return str(block.get("text") or block.get("thinking") or "")


def _item_text(item: Mapping[str, Any] | str) -> str:
    return item if isinstance(item, str) else str(item.get("text") or "")


def block_chars(block: Mapping[str, Any], unit: Unit) -> int:
    """Size of a block: its text, a call's input as it is written, all texts of a result.

    An input is compact JSON, but where its API sends it as a text of its own. Only what is said to be a
    text is measured as one, as the readers do it: a block of an unknown kind counts nothing.

    Args:
        block: As the API takes it.
        unit: What to count in.
    """
    if block.get("type") == "tool_use":
        value = block.get("input")
        if isinstance(value, WrittenObject | WrittenText):
            return measure(value.written, unit)
        return in_unit(json_size(value), unit)
    if block.get("type") == "tool_result":
        content = block.get("content")
        items = content if isinstance(content, list) else [content]
        return sum(_size(item if isinstance(item, str) else _told_text(item), unit) for item in items)
    return _size(_told_text(block), unit)


_TEXT_KEYS = {
    **dict.fromkeys(("text", "input_text", "output_text"), "text"),
    **dict.fromkeys(("thinking", "redacted_thinking"), "thinking"),
}
"""Kind of a block → its key that holds text."""


def _told_text(block: object) -> str:
    """The text of a block that is one by its kind."""
    text = block.get(_TEXT_KEYS.get(str(block.get("type")), "")) if isinstance(block, Mapping) else None
    return text if isinstance(text, str) else ""


def body_chars(body: Body, unit: Unit) -> int:
    """Size of all blocks of a request.

    Args:
        body: Its messages.
        unit: What to count in.
    """
    return sum(block_chars(block, unit) for message in body for block in blocks_of(message))
