from __future__ import annotations

from typing import Any

import pytest

from inspector.model.transcript import BlockKind, Candidate
from inspector.reading.parts import (
    Part,
    block_of,
    picture,
    picture_of,
    tool_result,
    tool_use,
    tool_use_of_text,
    word,
)


def test_block_has_the_sizes_of_the_text_and_not_the_text() -> None:
    block = block_of(Part(BlockKind.TEXT, "é😀"))
    assert (block.size.chars, block.size.utf16, block.size.bytes) == (2, 3, 6)


def test_long_text_and_long_result_have_a_shape_and_a_long_input_has_none() -> None:
    text = "x" * 5_000
    assert block_of(Part(BlockKind.TEXT, text)).shape is not None
    assert block_of(tool_result("a", text)).shape is not None
    assert block_of(tool_use("a", "n", {"command": text})).shape is None


@pytest.mark.parametrize(
    ("content", "candidate"),
    [
        ("text", Candidate.YES),
        ("", Candidate.NO_CONTENT),
        (None, Candidate.NO_CONTENT),
        ([], Candidate.NO_CONTENT),
        ([{"type": "tool_reference"}], Candidate.NO_CONTENT),
        ([{"type": "text", "text": "a"}, {"type": "image"}], Candidate.IMAGE),
        ("<persisted-output>\nfake\n</persisted-output>", Candidate.PERSISTED),
    ],
)
def test_result_is_a_candidate_by_its_content(content: Any, candidate: Candidate) -> None:
    assert block_of(tool_result("a", content)).candidate is candidate


def test_arguments_that_are_json_are_measured_as_they_stand() -> None:
    part = tool_use_of_text("a", "shell", '{ "command" :  "ls" }')
    assert (part.text, part.argument) == ('{ "command" :  "ls" }', "ls")
    assert tool_use_of_text("a", "patch", "*** Begin").argument == "*** Begin"
    assert tool_use_of_text("a", "shell", '{"command": "l').text == '{"command": "l'
    assert tool_use_of_text("a", "shell", {"command": "ls"}).text == '{"command":"ls"}'
    assert tool_use_of_text("a", "shell", None).text == "null"


@pytest.mark.parametrize("odd", [None, 5, [], {}, {"type": "text"}, {"type": "image", "source": []}])
def test_what_is_no_readable_picture_does_no_harm(odd: Any) -> None:
    assert picture_of(odd) in {None, ((0, 0), 0)}
    assert picture(odd).images == ((0, 0),)


@pytest.mark.parametrize(
    ("value", "text"), [("a", "a"), (7, "7"), (True, ""), (None, ""), ([], ""), ({}, ""), (1.5, "")]
)
def test_word_is_a_text_or_the_digits_of_a_number(value: Any, text: str) -> None:
    assert word(value) == text
