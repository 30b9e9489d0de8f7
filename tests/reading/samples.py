"""Small transcript lines of our own, for the tests of reading."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.lines import RawLine, raw_line

SESSION = "0a0a0a0a-0000-4000-8000-000000000001"


def uuid(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-00000000aaaa"


def record(kind: str, number: int, parent: int | None = None, **more: Any) -> dict[str, Any]:
    return {
        "parentUuid": None if parent is None else uuid(parent),
        "isSidechain": False,
        "sessionId": SESSION,
        "version": "2.1.0",
        "type": kind,
        "uuid": uuid(number),
        "timestamp": "2026-03-02T09:00:05.000Z",
        **more,
    }


def user(number: int, content: Any, parent: int | None = None, **more: Any) -> dict[str, Any]:
    return record("user", number, parent, message={"role": "user", "content": content}, **more)


def assistant(
    number: int, content: Any, parent: int | None = None, model: str = "demo-model", **more: Any
) -> dict[str, Any]:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 5, "output_tokens": 7}
    message = {"id": "msg_1", "role": "assistant", "model": model, "content": content, "usage": usage}
    return record("assistant", number, parent, message=message, requestId="req_1", **more)


def call(identity: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identity, "name": "Bash", "input": arguments}


def result(identity: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identity, "content": content, **more}


def image(data: bytes) -> dict[str, Any]:
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(data).decode()}
    return {"type": "image", "source": source}


def png_head(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + bytes(40)


def as_line(value: Any, number: int = 1, start: int = 0) -> RawLine:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return RawLine(number, start, start + len(data), data)


def lines_of(data: bytes) -> list[RawLine]:
    """All lines of a file's bytes, the last one with or without its line feed."""
    found, start = [], 0
    for number, piece in enumerate(data.split(b"\n"), 1):
        line = raw_line(number, start, piece)
        start += len(piece) + 1
        if line is not None:
            found.append(line)
    return found


def read(*values: Any) -> tuple[ClaudeCodeAdapter, list[Any]]:
    """Feed lines, given as objects or bytes, to a new adapter."""
    adapter = ClaudeCodeAdapter()
    records = []
    for number, value in enumerate(values, 1):
        records.extend(adapter.feed(as_line(value, number)))
    return adapter, records
