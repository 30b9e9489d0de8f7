"""A result of which only the placeholder of a clearing is left is told from one that speaks of it."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.reading.cleared import is_cleared
from inspector.reading.parts import block_of, tool_result
from tests.reading.samples import read, result, user

SUMMARY = "[Old tool result cleared — 12 lines, 9K chars, JSON]"


@pytest.mark.parametrize("text", ["[Old tool result content cleared]", SUMMARY, SUMMARY + "\n"])
def test_both_systems_placeholders_are_known(text: str) -> None:
    assert is_cleared(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ok",
        "[Old tool result content cleared] is what grep found",
        "see: " + SUMMARY,
        SUMMARY + " <<ccr:k1>>",
    ],
)
def test_text_that_says_more_or_names_an_archive_is_not_cleared(text: str) -> None:
    assert not is_cleared(text)


@pytest.mark.parametrize("content", [SUMMARY, [{"type": "text", "text": SUMMARY}]])
def test_result_is_marked_in_a_transcript_and_in_a_list_of_messages(content: Any) -> None:
    _, (record,) = read(user(1, [result("a", content), result("b", "whole")]))
    assert [block.is_cleared for block in record.blocks] == [True, False]
    assert block_of(tool_result("a", content)).is_cleared
    assert not block_of(tool_result("b", "whole")).is_cleared
