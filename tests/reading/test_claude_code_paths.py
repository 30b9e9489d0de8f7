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
from tests.hostile import claude_code as claude_code_text
from tests.odd_records import records


def read(data: bytes, decode: Any, monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    with monkeypatch.context() as patch:
        patch.setattr(claude_code, "decode_line", decode)
        return list(ClaudeCodeAdapter().feed(RawLine(1, 0, len(data), data)))


def refuse(_: bytes) -> None:
    raise msgspec.ValidationError("read leniently")


def agree(data: bytes) -> bool:
    """Compare both readings of a line; False where the typed one cannot read it."""
    try:
        decode_line(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    with pytest.MonkeyPatch.context() as monkeypatch:
        typed = read(data, decode_line, monkeypatch)
        assert typed == read(data, refuse, monkeypatch)
    return True


@settings(max_examples=150, suppress_health_check=[*HealthCheck])
@given(record=records)
def test_both_readings_agree_on_odd_records(record: dict[str, Any]) -> None:
    agree(json.dumps(record).encode())


def test_both_readings_agree_on_hostile_records() -> None:
    lines = claude_code_text(flood=False).encode("utf-8", "surrogatepass").split(b"\n")
    assert sum(agree(line) for line in lines) > 300
