from __future__ import annotations

from typing import Any

import pytest

from inspector.model.transcript import BlockKind
from inspector.reading.codex_items import parts_of_item
from inspector.reading.parts import Part


def part(kind: str, **fields: Any) -> Part:
    parts = parts_of_item({"type": kind, **fields})
    assert parts is not None
    return parts[0]


@pytest.mark.parametrize(
    ("output", "text", "failed"),
    [
        ("plain", "plain", None),
        ('{"output":"no","metadata":{"exit_code":1}}', '{"output":"no","metadata":{"exit_code":1}}', True),
        ('{"output":"ok","metadata":{"exit_code":0}}', '{"output":"ok","metadata":{"exit_code":0}}', False),
        ('{"output":"ok"}', '{"output":"ok"}', None),
        ('{"output', '{"output', None),
        ({"content": "text", "success": False}, "text", True),
        ({"content": "text", "success": True}, "text", False),
        ([{"type": "input_text", "text": "ab"}, {"type": "input_text", "text": "c"}], "abc", None),
        (None, "", None),
        (5, "5", None),
    ],
)
def test_output_is_the_text_that_the_model_gets(output: Any, text: str, failed: bool | None) -> None:
    found = part("function_call_output", call_id="a", output=output)
    assert (found.id, found.text, found.is_error) == ("a", text, failed)


@pytest.mark.parametrize("kind", ["web_search_call", "tool_search_call", "image_generation_call"])
def test_hosted_calls_have_no_output_and_are_no_tool_uses(kind: str) -> None:
    assert part(kind, id="ws_1").kind is BlockKind.OTHER


def test_reasoning_is_what_can_be_read_of_it() -> None:
    summary = [{"type": "summary_text", "text": "first"}, {"type": "summary_text", "text": "second"}]
    assert part("reasoning", summary=summary, encrypted_content="x").text == "first\nsecond"
    assert part("reasoning", summary=[], content=None).text == ""


def test_shell_commands_are_the_argument_in_every_form() -> None:
    for arguments in (
        '{"cmd": "ls\\n-l"}',
        '{"command": ["ls", "-l"]}',
        '{"command": "ls -l", "workdir": "/x"}',
    ):
        assert part("function_call", call_id="a", name="shell", arguments=arguments).argument == "ls -l"


def test_pictures_and_texts_of_a_message_are_parts_of_their_own() -> None:
    content = [{"type": "input_text", "text": "look"}, {"type": "input_image", "image_url": "data:x"}, 5]
    parts = parts_of_item({"type": "message", "role": "user", "content": content})
    assert parts is not None
    assert [entry.kind for entry in parts] == [BlockKind.TEXT, BlockKind.IMAGE, BlockKind.OTHER]


@pytest.mark.parametrize("kind", ["ghost_snapshot", "new_item", None, 5])
def test_other_items_are_no_part_of_a_request(kind: Any) -> None:
    assert parts_of_item({"type": kind}) is None
