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

compared = {"both": 0}


def read(data: bytes, decode: Any, monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    with monkeypatch.context() as patch:
        patch.setattr(claude_code, "decode_line", decode)
        return list(ClaudeCodeAdapter().feed(RawLine(1, 0, len(data), data)))


def refuse(_: bytes) -> None:
    raise msgspec.ValidationError("read leniently")


@settings(max_examples=150, suppress_health_check=[*HealthCheck])
@given(record=records)
def test_both_readings_agree(record: dict[str, Any]) -> None:
    data = json.dumps(record).encode()
    try:
        decode_line(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    with pytest.MonkeyPatch.context() as monkeypatch:
        typed = read(data, decode_line, monkeypatch)
        lenient = read(data, refuse, monkeypatch)
    assert typed == lenient
    compared["both"] += 1


def test_enough_lines_were_read_in_both_ways() -> None:
    assert compared["both"] > 10
