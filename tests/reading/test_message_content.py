"""Contents of listed messages: Anthropic's stand as they are, others are put into that form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector.reading.codex import CodexAdapter, codex_texts
from inspector.reading.lines import RawLine
from inspector.reading.made_block import WrittenObject, WrittenText
from inspector.reading.message_content import codex_content_of, content_of
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


def codex_content(payload: dict[str, Any], kind: str = "response_item") -> list[Any]:
    """Of the last record of a line."""
    data = json.dumps({"timestamp": "2026-06-17T15:17:40Z", "type": kind, "payload": payload}).encode()
    record = CodexAdapter().feed(RawLine(1, 0, len(data), data))[-1]
    span = data[record.start : record.end]
    found = codex_content_of(span, record.blocks)
    assert len(found) == len(record.blocks) == len(codex_texts(span))
    return found


PICTURE = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}


def test_pictures_in_a_codex_message_keep_what_they_hold() -> None:
    words = {"type": "input_text", "text": "a"}
    said = {"type": "message", "role": "user", "content": [words, PICTURE, {"type": "input_file", "id": "f"}]}
    expected = [{"type": "text", "text": "a"}, IMAGE, {"type": "input_file", "id": "f"}]
    assert codex_content(said) == expected
    history = {"message": "", "replacement_history": [said]}
    assert codex_content(history, "compacted") == expected
    assert codex_content({"message": "short"}, "compacted") == [{"type": "text", "text": "short"}]


def test_what_a_codex_output_lists_stands_in_its_result() -> None:
    output = [PICTURE, {"type": "input_text", "text": "a"}]
    expected = [
        {"type": "tool_result", "tool_use_id": "c", "content": [IMAGE, {"type": "text", "text": "a"}]}
    ]
    for stated in (output, {"content": output}):
        item = {"type": "function_call_output", "call_id": "c", "output": stated}
        assert codex_content(item) == expected


def test_a_codex_output_of_text_and_a_call_are_made_from_their_parts() -> None:
    output = {"type": "function_call_output", "call_id": "c", "output": "out"}
    assert codex_content(output) == [{"type": "tool_result", "tool_use_id": "c", "content": "out"}]
    made = codex_content({"type": "function_call", "call_id": "c", "name": "sh", "arguments": '{"a":  1}'})
    assert made == [{"type": "tool_use", "id": "c", "name": "sh", "input": {"a": 1}}]
    assert made[0]["input"].written == '{"a":  1}'
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}
    assert codex_content(thought) == [{"type": "thinking", "thinking": "hm"}]


def test_a_search_that_the_provider_ran_for_codex_is_no_empty_text() -> None:
    search = {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "q"}}
    assert codex_content(search) == [search]
