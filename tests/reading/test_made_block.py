"""Blocks in Anthropic's form from what a record keeps: nothing that is not known is made up."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.model.transcript import NOTHING, Block, BlockKind
from inspector.reading.made_block import WrittenObject, WrittenText, block_made


@pytest.mark.parametrize(
    ("block", "made"),
    [
        (Block(BlockKind.TEXT, NOTHING), {"type": "text", "text": "x"}),
        (Block(BlockKind.THINKING, NOTHING), {"type": "thinking", "thinking": "x"}),
        (Block(BlockKind.IMAGE, NOTHING), {"type": "image"}),
        (
            Block(BlockKind.TOOL_RESULT, NOTHING, "t"),
            {"type": "tool_result", "tool_use_id": "t", "content": "x"},
        ),
        (
            Block(BlockKind.TOOL_RESULT, NOTHING, "t", is_error=False),
            {"type": "tool_result", "tool_use_id": "t", "content": "x", "is_error": False},
        ),
        (
            Block(BlockKind.TOOL_USE, NOTHING, "t", "Bash"),
            {"type": "tool_use", "id": "t", "name": "Bash", "input": "x"},
        ),
    ],
    ids=["text", "thinking", "image", "result", "error", "call"],
)
def test_each_kind_has_its_own_fields(block: Block, made: dict[str, Any]) -> None:
    assert block_made(block, "x") == made


@pytest.mark.parametrize(
    ("text", "kind"), [('{ "a": 1}', WrittenObject), ("no JSON", WrittenText), ("[" * 100_000, WrittenText)]
)
def test_an_input_remembers_how_it_was_written(text: str, kind: type) -> None:
    value = block_made(Block(BlockKind.TOOL_USE, NOTHING, "t", "Bash"), text)["input"]
    assert isinstance(value, kind)
    assert value.written == text
