"""Inputs that once ended a reading, a report or the app, each kept as a test of its own."""

from __future__ import annotations

import json
from typing import Any


def _lines(*records: Any) -> bytes:
    return b"".join((r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in records)


def _user(content: Any, **fields: Any) -> dict[str, Any]:
    return {
        "type": "user",
        "uuid": "u1",
        "sessionId": "s",
        "message": {"role": "user", "content": content},
        **fields,
    }


def _answer(content: Any, **fields: Any) -> dict[str, Any]:
    message = {"id": "m1", "role": "assistant", "content": content, **fields}
    return {"type": "assistant", "uuid": "u2", "parentUuid": "u1", "sessionId": "s", "message": message}


_META = {"type": "session_meta", "payload": {"id": "s-1", "cli_version": "0.139.0"}}
_CALL = {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}
_DEEP = b"[" * 100_000 + b"1" + b"]" * 100_000

_DEEPER = {levels: b"[" * levels + b"1" + b"]" * levels for levels in (300, 700, 1_015)}
"""Deeper than can be walked through, but not too deep for all decoders."""


def _chatcli(value: bytes) -> bytes:
    call = (
        b'{"role":"assistant","content":"x","tool_calls":[{"id":"a","name":"b","arguments":{"x":%b}}]}'
        % value
    )
    rest = b'{"role":"tool","content":"y","tool_call_id":"a"},{"role":"assistant","content":"z"}'
    return b'{"version":2,"agent_history":[{"role":"user","content":"x"},%b,%b]}' % (call, rest)


def _list(value: bytes) -> bytes:
    use = b'{"type":"tool_use","id":"t","name":"B","input":%b}' % value
    return (
        b'[{"role":"user","content":"go"},{"role":"assistant","content":[%b]},{"role":"user","content":"x"}]'
        % use
    )


FOUND: dict[str, tuple[bytes, str]] = {
    "codex-item-of-an-odd-type": (
        _lines(_META, *({"type": "response_item", "payload": {"type": t}} for t in ([], {}, 3, None, "x"))),
        ".jsonl",
    ),
    "nested-100,000-deep": (
        _lines(
            _user("go"), b'{"type":"user","message":{"role":"user","content":' + _DEEP + b"}}", _answer("x")
        ),
        ".jsonl",
    ),
    "nested-document": (b'[{"role":"user","content":' + _DEEP + b"}]", ".json"),
    **{f"list-nested-{n}-deep": (_list(value), ".json") for n, value in _DEEPER.items()},
    **{f"chatcli-nested-{n}-deep": (_chatcli(value), ".json") for n, value in _DEEPER.items()},
    **{f"messages-nested-{n}-deep": (_list(value)[1:-1].replace(b"},{", b"}\n{"), ".jsonl")
       for n, value in _DEEPER.items()},
    "figure-of-5,000-digits": (
        _lines(_user("go"), b'{"type":"assistant","message":{"role":"assistant","usage":{"input_tokens":'
               + b"9" * 5_000 + b'},"content":"x"}}'),
        ".jsonl",
    ),
    "infinite-figures": (
        b'[{"role":"user","content":[{"n":1e400,"m":NaN,"k":-Infinity}]},{"role":"assistant","content":"x"}]',
        ".json",
    ),
    "infinite-arguments": (
        b'[{"role":"assistant","content":"x","tool_calls":[{"id":"t","function":'
        b'{"name":"b","arguments":Infinity}}]}]',
        ".json",
    ),
    "call-on-a-record-that-is-no-message": (
        _lines({"role": "user", "content": "go"},
               {"role": "assistant", "content": "x", "tool_calls": [{"id": "t", "function": {"name": "b"}}]},
               {"role": "tool", "tool_call_id": "t", "content": "y"},
               {"role": "", "content": "", "tool_calls": [{"id": "u"}]},
               {"role": "user", "content": "on"}),
        ".jsonl",
    ),
    "types-that-are-no-words": (
        b'[{"role":"tool","content":[{"type":[]},{"type":{}}]},{"role":"user","content":[{"type":[]},'
        b'{"type":"tool_result","tool_use_id":"t","content":[{"type":[],"text":5}]}]}]',
        ".json",
    ),
    "lone-halves-in-ids": (
        _lines(_user("\ud800"), _answer([{**_CALL, "id": "\ud800", "name": "\udfff"}]),
               _user([{"type": "tool_result", "tool_use_id": "\ud800", "content": "\udc9b"}], uuid="\ud83d")),
        ".jsonl",
    ),
    "own-parent": (_lines(_user("a", parentUuid="u1"), _answer("b")), ".jsonl"),
    "times-at-the-ends": (
        _lines(_user("a", timestamp="0001-01-01T00:00:00+23:59"),
               {**_answer("b"), "timestamp": "9999-12-31T23:59:59.999999-23:59"}),
        ".jsonl",
    ),
}  # fmt: skip
"""What it was → the file's bytes and ending."""
