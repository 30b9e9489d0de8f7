from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import UnreadableError
from inspector.model.transcript import BlockKind, Record
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.follow import Follower
from inspector.reading.source import ByteSource, open_source
from inspector.reading.texts import block_text, message_content, record_bytes, result_text
from tests.reading.samples import assistant, call, image, record, result, user

CONTENTS: list[Any] = [
    "plain",
    [{"type": "text", "text": "é"}, result("t", "text of t"), result("u", [{"type": "text", "text": "a"}])],
    [
        result("t", [image(b"x"), {"type": "text", "text": "one "}, {"type": "text", "text": "two"}]),
        image(b"y"),
    ],
    [
        {"type": "thinking", "thinking": "hm"},
        call("t", command="ls"),
        {"type": "redacted_thinking", "data": "z"},
    ],
    [result("t", "tail \ud83d"), result("u", None), result("v", "")],
    [result("t", ["loose", 5, {"type": "tool_reference", "text": "no text"}]), "loose too", 7],
    {"type": "text", "text": "alone"},
    None,
    5,
]


def indexed(path: Path, lines: list[bytes]) -> tuple[ByteSource, list[Record]]:
    path.write_bytes(b"\n".join(lines) + b"\n")
    adapter = ClaudeCodeAdapter()
    records = [made for line in Follower(path).poll().lines for made in adapter.feed(line)]
    return open_source(path), records


@pytest.mark.parametrize("content", CONTENTS, ids=range(len(CONTENTS)))
def test_text_read_again_has_the_sizes_that_were_measured(tmp_path: Path, content: Any) -> None:
    source, (made,) = indexed(tmp_path / "s", [json.dumps(user(1, content)).encode()])
    for index, block in enumerate(made.blocks):
        if block.kind is not BlockKind.TOOL_USE:
            text = result_text(source, made, index)
            assert len(text) == block.size.chars
            assert len(text.encode("utf-8", "surrogatepass")) == block.size.bytes
    source.close()


@pytest.mark.parametrize(
    ("content", "again"), [("a", "a"), ([5], [5]), ({"type": "x"}, [{"type": "x"}]), (None, []), (5, [])]
)
def test_content_is_a_text_or_a_list(tmp_path: Path, content: Any, again: Any) -> None:
    source, (made,) = indexed(tmp_path / "s", [json.dumps(user(1, content)).encode()])
    assert message_content(source, made) == again
    source.close()


def test_record_is_read_again_as_it_stands(tmp_path: Path) -> None:
    values = [user(1, "a"), assistant(2, [call("t", command="ls")], 1), record("progress", 3, data={"x": 1})]
    lines = [json.dumps(value).encode() for value in values]
    source, records = indexed(tmp_path / "s", lines)
    assert [record_bytes(source, made) for made in records] == lines
    source.close()


def test_salvaged_record_is_read_from_its_own_part_of_the_line(tmp_path: Path) -> None:
    whole, other = json.dumps(user(1, "bell \x07")).encode(), json.dumps(user(2, "b")).encode()
    line = b'{"type":"pr-li' + whole.replace(rb"\u0007", b"\x07") + b"\0\0\0\0" + other
    source, records = indexed(tmp_path / "s", [line])
    assert [result_text(source, made, 0) for made in records] == ["bell \x07", "b"]
    source.close()


def test_replaced_bytes_are_replaced_again(tmp_path: Path) -> None:
    line = json.dumps(user(1, "caf?")).encode().replace(b"?", b"\xe9")
    source, (made,) = indexed(tmp_path / "s", [line])
    assert result_text(source, made, 0) == "caf\ufffd"
    source.close()


def test_each_text_costs_one_positioned_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.dumps(user(n, [result("t", "x" * n)])).encode() for n in range(1, 50)]
    source, records = indexed(tmp_path / "s", lines)
    reads: list[tuple[int, int]] = []
    read = source.read
    monkeypatch.setattr(source, "read", lambda start, end: reads.append((start, end)) or read(start, end))
    assert result_text(source, records[20], 0) == "x" * 21
    assert reads == [(records[20].start, records[20].end)]
    source.close()


def test_text_of_a_file_that_was_cut_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "s"
    source, records = indexed(path, [json.dumps(user(n, "x")).encode() for n in (1, 2)])
    path.write_bytes(path.read_bytes()[: records[1].start + 5])
    with pytest.raises(UnreadableError, match="line 2"):
        result_text(source, records[1], 0)
    source.close()


def test_text_of_a_file_that_was_written_anew_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    source, (made,) = indexed(path, [json.dumps(user(1, "x")).encode()])
    path.write_bytes(b"y" * 900)
    with pytest.raises(UnreadableError, match="line 1"):
        message_content(source, made)
    source.close()


@pytest.mark.parametrize("index", [-1, 1, 9])
def test_block_that_is_not_there_is_refused(tmp_path: Path, index: int) -> None:
    source, (made,) = indexed(tmp_path / "s", [json.dumps(user(1, "x")).encode()])
    with pytest.raises(UnreadableError, match="no block"):
        result_text(source, made, index)
    source.close()


def test_call_has_no_text() -> None:
    assert block_text(call("t", command="ls")) == ""
    assert block_text({"type": "text", "text": 5}) == ""
