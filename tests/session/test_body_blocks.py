"""Blocks, their texts and their sizes, in every form in which an API takes them."""

from __future__ import annotations

from inspector.model.policy import Unit
from inspector.session.body_blocks import block_chars, blocks_of


def test_calls_beside_a_text_are_read_as_the_blocks_that_they_would_be() -> None:
    function = {"name": "ls", "arguments": '{"path": "/"}'}
    call = {"id": "c1", "type": "function", "function": function}
    (made,) = blocks_of({"role": "assistant", "content": None, "tool_calls": [call, 7]})
    assert made == {"type": "tool_use", "id": "c1", "name": "ls", "input": {"path": "/"}}
    assert block_chars(made, Unit.UTF16) == len('{"path":"/"}')
    (broken,) = blocks_of({"content": "", "tool_calls": [{"id": "c2", "name": "ls", "arguments": "{"}]})
    assert broken["input"] == "{"
    assert [b["type"] for b in blocks_of({"content": "So.", "tool_calls": [call]})] == ["text", "tool_use"]
    answer = {"role": "tool", "content": "no", "tool_call_id": "c1", "is_error": True}
    assert blocks_of(answer) == [
        {"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True}
    ]
