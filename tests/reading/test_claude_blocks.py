from __future__ import annotations

from typing import Any

import pytest

from inspector.model.transcript import NOTHING, Block, BlockKind, Candidate, Persisted, Size
from inspector.reading.claude_blocks import ARGUMENT_CHARS, argument_of, json_size, overflow_name_of
from tests.reading.samples import assistant, call, image, png_head, read, result, user
from tests.reading.test_persisted import persisted_text


def blocks(content: Any, **more: Any) -> tuple[Block, ...]:
    _, (made,) = read(user(1, content, **more))
    return tuple(made.blocks)


def test_string_content_is_one_text_block() -> None:
    (block,) = blocks("héllo 😀")
    assert (block.kind, block.size) == (BlockKind.TEXT, Size(7, 8, 11))


@pytest.mark.parametrize("content", [None, []])
def test_absent_content_has_no_blocks(content: Any) -> None:
    assert blocks(content) == ()


def test_each_kind_of_block_is_told() -> None:
    kinds = [{"type": "text", "text": "a"}, call("t"), result("t", "x"), image(b""), {"type": "document"}]
    kinds += [{"type": "thinking", "thinking": "hm"}, {"type": "redacted_thinking", "data": "zz"}]
    _, (made,) = read(assistant(1, kinds))
    expected = ["TEXT", "TOOL_USE", "TOOL_RESULT", "IMAGE", "OTHER", "THINKING", "THINKING"]
    assert [block.kind.name for block in made.blocks] == expected
    assert [block.size.chars for block in made.blocks] == [1, 2, 1, 0, 0, 2, 0]


@pytest.mark.parametrize("content", ["", None, [], [{"type": "tool_reference", "tool_name": "x"}]])
def test_result_without_text_is_no_candidate(content: Any) -> None:
    (block,) = blocks([result("t", content)])
    assert (block.id, block.size, block.candidate) == ("t", NOTHING, Candidate.NO_CONTENT)


def test_error_key_is_kept_as_it_stands() -> None:
    found = blocks([result("a", "x"), result("b", "x", is_error=True), result("c", "", is_error=False)])
    assert [block.is_error for block in found] == [None, True, False]


def test_listed_result_is_measured_as_the_sum_of_its_texts() -> None:
    (block,) = blocks([result("t", [{"type": "text", "text": "é"}, {"type": "text", "text": "ab"}])])
    assert (block.size, block.candidate) == (Size(3, 3, 4), Candidate.YES)


def test_result_with_an_image_is_no_candidate_and_states_its_size() -> None:
    picture = image(png_head(1_200, 34))
    (block,) = blocks([result("t", [picture, {"type": "text", "text": "ab"}])])
    assert (block.candidate, block.images, block.size.chars) == (Candidate.IMAGE, ((1_200, 34),), 2)
    assert block.image_chars == len(picture["source"]["data"])


@pytest.mark.parametrize(
    "source", [None, {}, {"type": "url", "url": "x"}, {"data": "/9j/4AAQ"}, "x", {"data": 5}]
)
def test_unreadable_image_is_an_image_of_unknown_size(source: Any) -> None:
    (block,) = blocks([result("t", [{"type": "image", "source": source}])])
    assert (block.candidate, block.images) == (Candidate.IMAGE, ((0, 0),))


def test_list_that_begins_as_a_persisted_output_is_one() -> None:
    text = {"type": "text", "text": persisted_text("/a/t.txt", "30.3KB")}
    (block,) = blocks([result("t", [text])])
    assert (block.candidate, block.persisted) == (Candidate.PERSISTED, Persisted("/a/t.txt", "30.3KB"))
    (block,) = blocks([result("t", [text, image(png_head(3, 4))])])
    assert (block.candidate, block.persisted) == (Candidate.IMAGE, None)


def test_persisted_result_names_path_label_and_exact_size() -> None:
    content = [result("t", persisted_text("/a/t.txt", "30.3KB"))]
    stated = {"persistedOutputPath": "/a/t.txt", "persistedOutputSize": 31_031, "stdout": "x"}
    (block,) = blocks(content, toolUseResult=stated)
    assert (block.candidate, block.persisted) == (
        Candidate.PERSISTED,
        Persisted("/a/t.txt", "30.3KB", 31_031),
    )


@pytest.mark.parametrize(
    "stated",
    [
        "text",
        [],
        {"persistedOutputPath": "/other.txt", "persistedOutputSize": 5},
        {"persistedOutputSize": True},
        {"persistedOutputSize": "5"},
    ],
)
def test_size_that_is_not_stated_for_this_path_is_not_taken(stated: Any) -> None:
    (block,) = blocks([result("t", persisted_text("/a/t.txt"))], toolUseResult=stated)
    assert block.persisted == Persisted("/a/t.txt", "42.8KB", None)


def test_oddities_of_a_text_stand_on_its_block() -> None:
    found = blocks([result("a", "tail \ud83d"), result("b", "\x1b[31m"), result("c", "Zm9vYmFy0" * 200)])
    assert [block.lone_surrogates for block in found] == [True, False, False]
    assert [block.controls for block in found] == [False, True, False]
    assert [block.base64_chars for block in found] == [0, 0, 1_800]


def test_long_text_carries_its_shape() -> None:
    found = blocks(
        [result("a", "x" * 2_000), result("b", "x\n" * 1_001), {"type": "text", "text": "[" * 2_001}]
    )
    assert found[0].shape is None
    assert (found[1].shape.lines, found[2].shape.content_type) == (1_002, "JSON")


def test_call_is_measured_as_compact_json() -> None:
    _, (made,) = read(assistant(1, [call("t", command="ls", text='é"')]))
    (block,) = made.blocks
    assert block.size == json_size({"command": "ls", "text": 'é"'}) == Size(29, 29, 30)
    assert (block.id, block.name, block.argument) == ("t", "Bash", "ls")


def test_odd_inputs_are_measured_too() -> None:
    assert json_size({"a": "\ud83d"}).chars == 9
    assert json_size([2**70]).chars == len(str(2**70)) + 2
    assert json_size(None) == Size(4, 4, 4)
    nested: Any = "x"
    for _ in range(600):
        nested = [nested]
    assert json_size(nested).chars == 1_203


@pytest.mark.parametrize(
    ("value", "argument"),
    [
        ({"description": "d", "command": "c"}, "c"),
        ({"prompt": "p", "url": "u"}, "u"),
        ({"path": "src", "pattern": "x"}, "x"),
        ({"file_path": "a.py", "content": "zz"}, "a.py"),
        ({"n": 5, "sql": "select", "more": "x"}, "select"),
        ({"command": ""}, ""),
        ({"command": 5, "x": "y"}, "y"),
        ({"command": "one\n\ttwo  three"}, "one two three"),
        ({"cmd": "read", "args": {"file": "a.go", "start": 1}}, "read a.go"),
        ({"args": {"dir": "src"}, "cmd": "tree"}, "tree src"),
        ({"cmd": "exec", "args": "make test"}, "exec make test"),
        ({"cmd": "ls -l"}, "ls -l"),
        ({"cmd": "git-status", "args": {"n": 5}}, "git-status"),
        ({"cmd": "read", "args": {"args": {"file": "x"}}}, "read"),
        ({"cmd": 5, "args": {"file": "x"}}, ""),
        ([], ""),
        ("text", ""),
        (None, ""),
    ],
)
def test_argument_is_the_one_value_that_tells_calls_apart(value: Any, argument: str) -> None:
    assert argument_of(value) == argument


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"file_path": "/s/tool-results/b1.txt"}, "b1.txt"),
        (
            {"cmd": "read", "args": {"file": "/t/chatcli-agent-7/tool-results/budget_c_1.txt", "end": 9}},
            "budget_c_1.txt",
        ),
        ({"cmd": "exec", "args": '{"cmd":"head /t/tool-results/b2.txt"}'}, "b2.txt"),
        ({"args": {"args": {"file": "/s/tool-results/b1.txt"}}}, ""),
        ({"args": ["/s/tool-results/b1.txt"]}, ""),
    ],
)
def test_overflow_file_is_found_where_a_command_and_its_arguments_stand_apart(value: Any, name: str) -> None:
    assert overflow_name_of(value) == name


def test_argument_is_cut_to_one_short_line() -> None:
    cut = argument_of({"command": "word " * 500})
    assert len(cut) == ARGUMENT_CHARS
    assert cut.endswith("…")
    assert len(argument_of({"command": "x" * ARGUMENT_CHARS})) == ARGUMENT_CHARS
    assert argument_of({"command": "x" * ARGUMENT_CHARS})[-1] == "x"
