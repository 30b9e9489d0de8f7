from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from inspector.reading.title import HEAD_BYTES, MAX_TITLE_CHARS, TAIL_BYTES, read_title


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "uuid": "u", "message": {"role": "user", "content": content}, **more}


def write(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_first_prompt_is_the_title_where_there_is_no_better_one(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.jsonl",
        {"type": "mode", "mode": "normal"},
        user("Caveat: the messages below", isMeta=True),
        user("<command-name>/clear</command-name>"),
        user([{"type": "tool_result", "tool_use_id": "t", "content": "no prompt"}]),
        user([{"type": "text", "text": "fix\n  the   build"}]),
        user("a later prompt"),
    )
    assert read_title(path) == "fix the build"


def test_newest_title_record_wins_over_the_prompt_and_the_users_over_the_clients(tmp_path: Path) -> None:
    records = [
        user("prompt"),
        {"type": "summary", "summary": "a summary"},
        {"type": "ai-title", "aiTitle": "old title"},
        {"type": "ai-title", "aiTitle": "new title"},
    ]
    assert read_title(write(tmp_path / "a.jsonl", *records)) == "new title"
    records.append({"type": "custom-title", "customTitle": "mine"})
    assert read_title(write(tmp_path / "b.jsonl", *records)) == "mine"
    assert read_title(write(tmp_path / "c.jsonl", *records[:2])) == "a summary"


def test_title_near_the_end_of_a_large_file_is_seen_and_the_middle_is_not_read(tmp_path: Path) -> None:
    filling = [user("x" * 10_000) for _ in range(40)]
    middle = [*filling, {"type": "ai-title", "aiTitle": "in the middle"}, *filling]
    path = write(tmp_path / "s.jsonl", user("prompt"), *middle)
    assert path.stat().st_size > HEAD_BYTES + TAIL_BYTES
    assert read_title(path) == "prompt"
    with path.open("a") as file:
        file.write(json.dumps({"type": "ai-title", "aiTitle": "at the end"}) + "\n")
    assert read_title(path) == "at the end"


def test_title_of_other_sources(tmp_path: Path) -> None:
    codex = [
        {"type": "session_meta", "payload": {"id": "x"}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "<environment_context>"}]}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "review this"}]}},
    ]  # fmt: skip
    assert read_title(write(tmp_path / "r.jsonl", *codex)) == "review this"
    document = tmp_path / "d.json"
    document.write_text(json.dumps({"version": 2, "title": "trip", "chat_history": []}, indent=2))
    assert read_title(document) == "trip"
    document.write_text(json.dumps({"version": 2, "chat_history": [{"role": "user", "content": "hello"}]}))
    assert read_title(document) == "hello"
    document.write_text(json.dumps([{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]))
    assert read_title(document) == "q"
    document.write_text(
        json.dumps([{"role": "user", "content": "q"}, {"role": "user", "content": "x" * 99_999}])
    )
    assert read_title(document) == "q"


def test_gzip_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(user("packed")).encode()))
    assert read_title(path) == "packed"


def test_long_title_is_cut(tmp_path: Path) -> None:
    title = read_title(write(tmp_path / "s.jsonl", user("word " * 500)))
    assert len(title) == MAX_TITLE_CHARS
    assert title.endswith("…")


@pytest.mark.parametrize(
    "data",
    [b"", b"\0\0\0", b"{", b"[", b"[1,2", b'{"type":', b"\xff\xfe\n{}\n", b'{"type":"user","message":5}\n',
     b'{"type":"ai-title","aiTitle":5}\n', b'[{"role":"user"}]', b"[" * 100_000, b'{"title": {}}'],
)  # fmt: skip
def test_odd_files_have_no_title(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    assert read_title(path) == ""


def test_fifo_and_absent_file_have_no_title(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert read_title(tmp_path / "fifo") == ""
    assert read_title(tmp_path / "none") == ""
