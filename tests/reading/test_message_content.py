"""Contents of listed messages: Anthropic's stand as they are, others are put into that form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector.reading.message_content import WrittenObject, WrittenText, content_of
from inspector.reading.messages import MessageReader

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
INLINE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
LINKED = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}


def content(message: dict[str, Any]) -> list[Any]:
    data = json.dumps(message).encode("utf-8", "surrogatepass")
    record = MessageReader().record(message, 1, 0, len(data))
    assert record is not None
    found = content_of(data, record.blocks)
    assert len(found) == len(record.blocks)
    return found


@pytest.mark.parametrize(
    "blocks",
    [
        [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}],
        [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "text", "text": "a"}],
        [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls", "n": 1.50}}],
        [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "a"}, IMAGE]}],
        [{"type": "tool_result", "tool_use_id": "t", "content": "a", "is_error": True}],
        [{"type": "tool_result", "tool_use_id": "t"}],
        [IMAGE, {"type": "document", "source": {"type": "text", "data": "d"}}],
    ],
    ids=["text", "thinking", "call", "list", "error", "nothing", "others"],
)
def test_blocks_in_the_form_of_the_api_stand_as_they_are(blocks: list[Any]) -> None:
    assert content({"role": "user", "content": blocks}) == blocks


def test_a_text_and_texts_in_a_list_become_blocks() -> None:
    assert content({"role": "user", "content": "a"}) == [{"type": "text", "text": "a"}]
    assert content({"role": "user", "content": ["a", {"type": "input_text", "text": "b"}]}) == [
        {"type": "text", "text": "a"},
        {"type": "text", "text": "b"},
    ]


def test_pictures_by_address_keep_what_they_hold() -> None:
    link = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
    assert content({"role": "user", "content": [INLINE, LINKED, {"type": "image_url"}]}) == [
        IMAGE,
        link,
        {"type": "image"},
    ]


def test_a_message_that_is_a_result_keeps_its_list() -> None:
    parts = [{"type": "text", "text": "a"}, INLINE, {"type": "output_text", "text": "b"}]
    assert content({"role": "tool", "tool_call_id": "c", "content": parts}) == [
        {
            "type": "tool_result",
            "tool_use_id": "c",
            "content": [parts[0], IMAGE, {"type": "text", "text": "b"}],
        }
    ]
    assert content({"role": "tool", "tool_call_id": "c", "content": "a"})[0]["content"] == "a"


def test_thoughts_and_calls_stand_around_the_content() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{ "a": 1}'}}
    odd = {"id": "d", "type": "function", "function": {"name": "g", "arguments": "no JSON"}}
    message = {
        "role": "assistant", "reasoning": "why", "content": [{"type": "text", "text": "a"}],
        "tool_calls": [call, odd],
    }  # fmt: skip
    thought, text, first, second = content(message)
    assert thought == {"type": "thinking", "thinking": "why"}
    assert text == {"type": "text", "text": "a"}
    assert first == {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}
    assert isinstance(first["input"], WrittenObject)
    assert first["input"].written == '{ "a": 1}'
    assert isinstance(second["input"], WrittenText)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": {"type": "text"}},
        {"role": "user", "content": [None, 1, {"type": 5}, {"type": "tool_result", "content": {"a": 1}}]},
        {"role": "tool", "content": [1, None]},
        {"role": "assistant", "content": None, "reasoning": 5, "tool_calls": [5]},
    ],
    ids=["no list", "odd items", "odd result", "odd answer"],
)
def test_odd_content_gives_a_block_for_each_of_the_record(message: dict[str, Any]) -> None:
    assert all(isinstance(block, dict) for block in content(message))


def test_what_is_no_message_has_no_content() -> None:
    assert content_of(b"[1]", ()) == []
