"""The blocks of a request's body, their texts and their sizes, in whichever form an API takes them.

Sizes are measured on the very bodies that `inspector wire` prints, reminders included, so that what
screens and comparisons say of a request can be checked against the output of that command.
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
    content = message.get("content")
    if message.get("role") == "tool" and message.get("tool_call_id"):
        head = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": content}
        return [{**head, "is_error": True} if message.get("is_error") else head]
    calls = _calls_beside(message.get("tool_calls"))
    if isinstance(content, str):
        text = {"type": "text", "text": content}
        return [text, *calls] if content or not calls else calls
    return [*(b for b in content if isinstance(b, dict)), *calls] if isinstance(content, list) else calls


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
    """OpenAI has them as a text of JSON."""
    if not isinstance(value, str):
        return value
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
        return "\n".join(str(i.get("text") or "") for i in items if isinstance(i, dict))
    return str(block.get("text") or block.get("thinking") or "")


def block_chars(block: Mapping[str, Any], unit: Unit) -> int:
    """Size of a block: its text, a call's input as it is written, all texts of a result.

    An input is compact JSON, but where its API sends it as a text of its own.

    Args:
        block: As the API takes it.
        unit: What to count in.
    """
    if block.get("type") == "tool_use":
        value = block.get("input")
        if isinstance(value, WrittenObject | WrittenText):
            return measure(value.written, unit)
        return in_unit(json_size(value), unit)
    content = block.get("content")
    if block.get("type") == "tool_result" and isinstance(content, list):
        return sum(measure(str(i.get("text") or ""), unit) for i in content if isinstance(i, dict))
    return measure(block_text(block), unit)


def body_chars(body: Body, unit: Unit) -> int:
    """Size of all blocks of a request.

    Args:
        body: Its messages.
        unit: What to count in.
    """
    return sum(block_chars(block, unit) for message in body for block in blocks_of(message))
