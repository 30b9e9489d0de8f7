from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.reading.detect import HEAD_BYTES, FileKind, detect, detect_bytes

CLAUDE = {"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "content": "hi"}}
CODEX = {"timestamp": "t", "type": "response_item", "payload": {"type": "message", "role": "user"}}
USER = {"role": "user", "content": "hi"}
ANTHROPIC = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "n", "input": {}}]}
OPENAI = {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "n"}}]}
CHATCLI = {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "name": "n", "arguments": {}}]}


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def document(value: Any, indent: int | None = None) -> bytes:
    return json.dumps(value, indent=indent).encode()


CASES: dict[str, tuple[bytes, FileKind]] = {
    "claude": (lines(CLAUDE, CLAUDE), FileKind.CLAUDE_CODE),
    "claude after a summary": (lines({"type": "summary", "summary": "s"}, CLAUDE), FileKind.CLAUDE_CODE),
    "claude after a comment": (b"// source: somewhere\n\n" + lines(CLAUDE), FileKind.CLAUDE_CODE),
    "claude after a broken line": (b'{"type":"user","mess\n' + lines(CLAUDE), FileKind.CLAUDE_CODE),
    "claude after text": (b"garbage\n" + lines(CLAUDE), FileKind.CLAUDE_CODE),
    "claude after NUL bytes": (b"\0" * 300 + lines(CLAUDE), FileKind.CLAUDE_CODE),
    "claude with a mark": (b"\xef\xbb\xbf" + lines(CLAUDE), FileKind.CLAUDE_CODE),
    "claude of an unknown type": (lines({**CLAUDE, "type": "new"}), FileKind.CLAUDE_CODE),
    "claude with a half last line": (lines(CLAUDE) + b'{"type":"us', FileKind.CLAUDE_CODE),
    "claude of one unended line": (document(CLAUDE), FileKind.CLAUDE_CODE),
    "codex": (lines({"timestamp": "t", "type": "event_msg", "payload": {}}, CODEX), FileKind.CODEX_ROLLOUT),
    "codex bare": (lines({"type": "message", "role": "user", "content": []}), FileKind.CODEX_ROLLOUT),
    "anthropic": (document([USER, ANTHROPIC]), FileKind.ANTHROPIC_MESSAGES),
    "anthropic pretty": (document([USER, ANTHROPIC], 1), FileKind.ANTHROPIC_MESSAGES),
    "anthropic cut off": (document([USER, ANTHROPIC, USER])[:-9], FileKind.ANTHROPIC_MESSAGES),
    "anthropic object": (document({"messages": [USER, ANTHROPIC]}), FileKind.ANTHROPIC_MESSAGES),
    "anthropic request": (
        document({"model": "m", "system": "s", "messages": [USER, ANTHROPIC]}, 2),
        FileKind.ANTHROPIC_REQUEST,
    ),
    "openai": (document([USER, OPENAI]), FileKind.OPENAI_MESSAGES),
    "openai result": (document([{"role": "tool", "tool_call_id": "a"}]), FileKind.OPENAI_MESSAGES),
    "openai request": (document({"model": "m", "messages": [USER, OPENAI]}), FileKind.OPENAI_MESSAGES),
    "texts only": (document([USER, {"role": "assistant", "content": "ho"}]), FileKind.ANTHROPIC_MESSAGES),
    "message lines": (lines(USER, OPENAI), FileKind.MESSAGES_JSONL),
    "request lines": (lines({"messages": [USER]}, {"messages": [USER, ANTHROPIC]}), FileKind.MESSAGES_JSONL),
    "answers of the API": (
        lines({"type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": "x"}),
        FileKind.MESSAGES_JSONL,
    ),
    "chatcli": (document({"version": 2, "chat_history": []}, 2), FileKind.CHATCLI_SESSION),
    "chatcli in any case": (document({"VERSION": 2, "Agent_History": [USER]}), FileKind.CHATCLI_SESSION),
    "chatcli without a version": (document({"chat_history": []}), FileKind.CHATCLI_SESSION),
    "chatcli legacy": (document([USER, CHATCLI]), FileKind.CHATCLI_SESSION),
    "chatcli cut off": (document({"version": 2, "chat_history": [USER]})[:-8], FileKind.CHATCLI_SESSION),
    "empty": (b"", FileKind.UNKNOWN),
    "blank": (b"\n \n\0\0", FileKind.UNKNOWN),
    "text": (b"hello world\nsecond line\n", FileKind.UNKNOWN),
    "no messages": (document([1, 2, 3]), FileKind.UNKNOWN),
    "no messages but objects": (document([{"traj": [USER]}]), FileKind.UNKNOWN),
    "empty list": (b"[]", FileKind.UNKNOWN),
    "other object": (document({"a": 1}), FileKind.UNKNOWN),
    "sqlite": (b"SQLite format 3\0" + bytes(100), FileKind.UNKNOWN),
    "utf-16": ("[]".encode("utf-16"), FileKind.UNKNOWN),
    "encrypted": (b"CHATCLI_ENC_v1\nabc", FileKind.UNKNOWN),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_kind_is_told_by_content(name: str, tmp_path: Path) -> None:
    data, kind = CASES[name]
    plain, packed = tmp_path / "misleading.txt", tmp_path / "misleading.bin"
    plain.write_bytes(data)
    packed.write_bytes(gzip.compress(data))
    found = detect(plain)
    assert found.kind is kind, found.reason
    assert found.reason
    assert (detect(packed).kind, detect(packed).compressed) == (kind, True)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"garbage\n", b'{"ty'])
def test_content_that_says_nothing_follows_the_name(tmp_path: Path, data: bytes) -> None:
    for name, kind in (
        ("s.jsonl", FileKind.CLAUDE_CODE),
        ("s.jsonl.gz", FileKind.CLAUDE_CODE),
        ("rollout-1.jsonl", FileKind.CODEX_ROLLOUT),
        ("s.json", FileKind.UNKNOWN),
    ):
        (tmp_path / name).write_bytes(data)
        assert detect(tmp_path / name).kind is kind


def test_one_document_under_the_name_of_lines_is_no_transcript(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(document({"sessions": [1]}, 2))
    assert detect(path).kind is FileKind.UNKNOWN


@pytest.mark.parametrize("name", [n for n in CASES if n.startswith(("claude", "codex", "answers"))])
def test_lines_that_break_off_are_told_by_the_same_keys(name: str) -> None:
    data, kind = CASES[name]
    assert detect_bytes(data.replace(b"}\n", b"\n")).kind is kind


def test_a_line_that_the_bound_cuts_off_votes_only_alone() -> None:
    long = json.dumps({**CODEX, "more": "x" * 500}).encode()[:-100]
    assert detect_bytes(lines(CLAUDE) + long, whole=False).kind is FileKind.CLAUDE_CODE
    assert detect_bytes(b"garbage\n" + long, whole=False).kind is FileKind.CODEX_ROLLOUT
    assert detect_bytes(long, whole=False).kind is FileKind.CODEX_ROLLOUT


def test_line_in_brackets_in_front_of_records_is_passed_over() -> None:
    assert detect_bytes(b"[REDACTED]\n" + lines(CLAUDE)).kind is FileKind.CLAUDE_CODE


def test_list_of_two_possible_kinds_follows_its_directory(tmp_path: Path) -> None:
    path = tmp_path / ".chatcli" / "sessions" / "a.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(document([USER, {"role": "assistant", "content": "ho"}]))
    assert detect(path).kind is FileKind.CHATCLI_SESSION


@pytest.mark.parametrize("size", [HEAD_BYTES - 60, HEAD_BYTES, 3 * HEAD_BYTES])
def test_first_value_longer_than_the_bound_is_told_by_the_keys_that_are_seen(
    tmp_path: Path, size: int
) -> None:
    path = tmp_path / "a"
    path.write_bytes(lines({**CLAUDE, "toolUseResult": "x" * size}))
    assert detect(path).kind is FileKind.CLAUDE_CODE
    path.write_bytes(document({"version": 2, "chat_history": [{**USER, "content": "x" * size}]}))
    assert detect(path).kind is FileKind.CHATCLI_SESSION
    path.write_bytes(document([{"role": "tool", "content": "x" * size, "tool_call_id": "a"}]))
    assert detect(path).kind in {FileKind.OPENAI_MESSAGES}


def test_directories(tmp_path: Path) -> None:
    session = tmp_path / "s1.jsonl"
    session.write_bytes(lines(CLAUDE))
    scratch = tmp_path / "s1" / "tool-results"
    scratch.mkdir(parents=True)
    assert detect(tmp_path / "s1").hint == session
    assert detect(tmp_path / "s1").kind is FileKind.UNKNOWN
    assert (detect(scratch).kind, detect(scratch).hint) == (FileKind.SCRATCH_DIR, session.resolve())
    session.unlink()
    assert (detect(scratch).kind, detect(scratch).hint) == (FileKind.SCRATCH_DIR, None)
    orphan = tmp_path / "orphan"
    orphan.mkdir()
    assert detect(orphan).kind is FileKind.UNKNOWN
    (orphan / "budget_call_1_1.txt").touch()
    assert detect(orphan).kind is FileKind.SCRATCH_DIR


def test_what_cannot_be_read_is_unknown_with_the_reason(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert "ordinary" in detect(tmp_path / "fifo").reason
    assert "No such file" in detect(tmp_path / "none").reason
    (tmp_path / "cut.gz").write_bytes(gzip.compress(bytes(1000))[:12])
    assert detect(tmp_path / "cut.gz").reason == "the gzip data is cut off"


@given(st.binary(max_size=300))
def test_any_bytes_have_an_answer(data: bytes) -> None:
    for opening in (b"", b"{", b"[", b'[{"role":', b'{"messages":['):
        assert detect_bytes(opening + data).reason


def test_reason_holds_no_text_of_the_file() -> None:
    secret = "\x1b]0;title\x07"
    for value in ({secret: 1}, [secret], {"messages": secret}, [{"role": secret, "content": secret}]):
        assert secret not in detect_bytes(json.dumps(value, ensure_ascii=False).encode()).reason


def test_paths_that_cannot_be_looked_at_are_unknown(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / ("x" * 5_000), tmp_path / "loop", Path("a\0b"), tmp_path / "loop" / "deeper"):
        found = detect(path)
        assert found.kind is FileKind.UNKNOWN
        assert found.reason
