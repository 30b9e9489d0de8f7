"""The typed and the lenient reading of a line say the same wherever both can read it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from inspector.model.transcript import Record
from inspector.reading import claude_code
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.claude_lines import decode_line
from inspector.reading.lines import RawLine
from tests.odd_records import records

SOUND: list[dict[str, Any]] = [
    {"type": "user", "uuid": "u", "message": {"role": "user", "content": "Hi."}},
    {
        "type": "assistant",
        "uuid": "a",
        "parentUuid": "u",
        "requestId": "r",
        "message": {
            "id": "m",
            "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}],
            "usage": {"input_tokens": 3, "output_tokens": 4},
        },
    },
    {
        "type": "user",
        "uuid": "b",
        "parentUuid": "a",
        "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": "out\n" * 2_000}]},
    },
]
"""Records as a client writes them: the typed reading takes all of them."""


def read(data: bytes, decode: Any, monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    with monkeypatch.context() as patch:
        patch.setattr(claude_code, "decode_line", decode)
        return list(ClaudeCodeAdapter().feed(RawLine(1, 0, len(data), data)))


def taken(data: bytes) -> list[Record]:
    adapter = ClaudeCodeAdapter()
    adapter.take(1, 0, data + b"\n")
    assert adapter.lines == adapter.parsed == 1
    return adapter.records


def refuse(_: bytes) -> None:
    raise msgspec.ValidationError("read leniently")


def compare(record: dict[str, Any]) -> bool:
    """Whether the typed reading took a record; then the lenient one has to say the same."""
    data = json.dumps(record).encode()
    try:
        decode_line(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    with pytest.MonkeyPatch.context() as monkeypatch:
        typed = read(data, decode_line, monkeypatch)
        lenient = read(data, refuse, monkeypatch)
    assert typed == lenient == taken(data)
    return True


@settings(max_examples=150, suppress_health_check=[*HealthCheck])
@given(record=records)
def test_both_readings_agree(record: dict[str, Any]) -> None:
    compare(record)


@pytest.mark.parametrize("record", SOUND, ids=["prompt", "call", "result"])
def test_typed_reading_takes_what_a_client_writes(record: dict[str, Any]) -> None:
    assert compare(record)
