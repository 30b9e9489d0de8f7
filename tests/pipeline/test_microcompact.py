"""Ageing: levels, texts and their sizes."""

import pytest
from hypothesis import given
from msgspec.structs import replace

from inspector.model.ledger import Level
from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, Unit
from inspector.pipeline import microcompact
from inspector.pipeline.units import size_of
from tests.pipeline.test_previews import LONG, shape_of

AGES = DOCUMENTED.microcompact


@pytest.mark.parametrize(
    ("age", "expected"),
    [(0, Level.FULL), (1, Level.FULL), (2, Level.TRUNCATED), (3, Level.TRUNCATED), (4, Level.SUMMARIZED)],
)
def test_level_follows_the_age(age: int, expected: Level) -> None:
    assert microcompact.level(age, 3_001, "Read", False, AGES) == (expected, "")


def test_a_summary_that_comes_before_truncating_comes_all_the_same() -> None:
    early = replace(AGES, summarize_turns=1, truncate_turns=3)
    assert [microcompact.level(age, 9_000, "Read", False, early)[0] for age in (0, 1, 3)] == [
        Level.FULL, Level.SUMMARIZED, Level.SUMMARIZED,
    ]  # fmt: skip


def test_exactly_the_minimum_is_kept_in_documented_and_taken_in_chatcli() -> None:
    assert microcompact.level(9, 3_000, "Read", False, AGES)[0] is Level.FULL
    assert microcompact.level(9, 3_000, "Read", False, CHATCLI.microcompact)[0] is Level.SUMMARIZED


@pytest.mark.parametrize("tool", ["shell", "local_shell", "apply_patch", "run_command", "NotebookEdit"])
def test_tools_of_other_agents_that_write_or_execute_are_exempt_too(tool: str) -> None:
    assert microcompact.level(9, 9_000, tool, False, AGES)[0] is Level.EXEMPT
    assert microcompact.level(9, 9_000, "search", False, AGES)[0] is Level.SUMMARIZED


def test_writing_tools_and_errors_are_exempt_and_it_is_said_why() -> None:
    assert microcompact.level(9, 9_000, "Bash", False, AGES) == (Level.EXEMPT, "writes or executes")
    assert microcompact.level(9, 9_000, "Read", True, AGES) == (Level.EXEMPT, "error result")
    assert microcompact.level(0, 9_000, "Bash", False, AGES) == (Level.FULL, "")


@pytest.mark.parametrize(
    ("command", "expected"),
    [("read", Level.SUMMARIZED), ("tree", Level.SUMMARIZED), ("exec", Level.EXEMPT), ("", Level.EXEMPT)],
)
def test_a_tool_that_reads_and_writes_is_exempt_only_where_it_does_not_read(
    command: str, expected: Level
) -> None:
    assert microcompact.level(9, 9_000, "@coder", False, AGES, command)[0] is expected


def test_a_policy_without_ages_leaves_everything() -> None:
    assert microcompact.level(99, 99_999, "Read", False, CLAUDE_CODE.microcompact) == (Level.FULL, "")


@pytest.mark.parametrize(("size", "kept"), [(2_599, True), (2_600, True), (2_601, False)])
def test_a_text_hardly_longer_than_its_two_ends_is_not_truncated(size: int, kept: bool) -> None:
    text = "x" * size
    shown = "x" * 2_000 + f"\n[... {size - 2_500} chars omitted from old tool result ...]\n" + "x" * 500
    assert microcompact.truncate(text, AGES) == (text if kept else shown)
    assert microcompact.truncated_size(size_of(text), None, AGES, Unit.CODE_POINTS)[0] == len(
        text if kept else shown
    )


def test_truncated_text_keeps_whole_lines_and_counts_the_rest() -> None:
    text = "h" * 1_500 + "\n" + "m" * 5_000 + "\n" + "t" * 400
    assert microcompact.truncate(text, AGES) == (
        "h" * 1_500 + "\n" + "\n[... 5001 chars omitted from old tool result ...]\n" + "t" * 400
    )


def test_summary_counts_lines_and_rounds_to_thousands() -> None:
    text = "package main\n" + "x" * 27_487
    assert microcompact.summarize(text) == "[Old tool result cleared — 2 lines, 28K chars, Go source]"
    assert "27K chars" in microcompact.summarize(text[:-1])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("  {}", "JSON"), ("[ERROR] no", "JSON"), ("// x\npackage main", "Go source"),
        ("import os", "source code"), ("undef x", "Python source"), ("a function b", "JavaScript source"),
        ("diff --git", "diff"), ("--- a/file", "diff"), ("commit 1234", "git log"), ("commits", "text"),
        ("package", "text"), ("package " + " " * 400, "text"), ("é" * 98 + "def x", "Python source"),
        ("é" * 99 + "def x", "text"), ("\x1c{", "text"),
    ],
)  # fmt: skip
def test_type_is_told_from_the_first_200_bytes(text: str, kind: str) -> None:
    assert microcompact.content_type(text) == kind


@given(LONG)
def test_sizes_of_both_levels_are_told_without_the_text(text: str) -> None:
    size, shape, unit = size_of(text), shape_of(text), Unit.CODE_POINTS
    assert microcompact.truncated_size(size, shape, AGES, unit) == (
        len(microcompact.truncate(text, AGES)),
        True,
    )
    assert microcompact.summary_size(size, shape, unit) == (len(microcompact.summarize(text)), True)


def test_other_cuts_than_the_shape_was_made_for_are_flagged_as_an_estimate() -> None:
    text = "line of text\n" * 900
    settings = replace(AGES, head=1_000)
    size, exact = microcompact.truncated_size(size_of(text), shape_of(text), settings, Unit.CODE_POINTS)
    assert not exact
    assert abs(size - len(microcompact.truncate(text, settings))) < 30
