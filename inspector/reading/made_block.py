"""A block in Anthropic's form, made from what a record keeps of it and its text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from inspector.model.transcript import Block, BlockKind


class WrittenObject(dict[str, Any]):
    """An input that its API sends as a text of JSON, blanks and all; it weighs what the text does."""

    def __init__(self, value: Mapping[str, Any], written: str) -> None:
        super().__init__(value)
        self.written = written


class WrittenText(str):
    """The same where the text is no JSON object."""

    __slots__ = ()

    @property
    def written(self) -> str:
        """The text itself."""
        return str(self)


def block_made(block: Block, text: str) -> dict[str, Any]:
    """A block from what is kept of it.

    Args:
        block: The block.
        text: Its text.
    """
    if block.kind is BlockKind.TOOL_USE:
        return {"type": "tool_use", "id": block.id, "name": block.name, "input": _input(text)}
    if block.kind is BlockKind.TOOL_RESULT:
        error = {} if block.is_error is None else {"is_error": block.is_error}
        return {"type": "tool_result", "tool_use_id": block.id, "content": text, **error}
    if block.kind is BlockKind.THINKING:
        return {"type": "thinking", "thinking": text}
    if block.kind is BlockKind.IMAGE:
        return {"type": "image"}
    return {"type": "text", "text": text}


def _input(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return WrittenText(text)
    return WrittenObject(value, text) if isinstance(value, dict) else value
