"""Transcripts with odd shapes in every field, for fuzzing: mostly right, so that the odd parts get far."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from tests.hostile import STRINGS

IDS = [
    "toolu_1",
    "toolu_2",
    "toolu_3",
    "call_1",
    "",
    " ",
    "toolu_1\n",
    "../x",
    "\ud800",
    "é" * 3,
    "0",
    "x" * 300,
]
HUGE = [2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**40, -1, 0, 1e308, -0.0, 5e-324]

texts = st.one_of(
    st.sampled_from(["", "go", "x" * 600, "line\n" * 40, "<persisted-output>\nOutput too large (1KB)."]),
    st.sampled_from(sorted(STRINGS.values(), key=len)[:30]),
    st.text(st.characters(codec=None), max_size=12),
)
plain = st.one_of(
    st.none(), st.booleans(), st.sampled_from(HUGE), st.integers(), st.floats(), texts, st.sampled_from(IDS)
)
anything = st.recursive(
    plain,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
ids = st.sampled_from(IDS)
mostly_ids = st.one_of(
    st.sampled_from(IDS[:4]), st.sampled_from(IDS[:4]), st.sampled_from(IDS[:4]), ids, anything
)


def mostly(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Right values, and now and then anything."""
    return st.one_of(*([strategy] * 9), anything)


blocks = st.one_of(
    st.fixed_dictionaries(
        {
            "type": st.just("tool_use"),
            "id": mostly_ids,
            "name": mostly(st.sampled_from(["Bash", "Read", "Task"])),
        },
        optional={"input": mostly(st.dictionaries(texts, anything, max_size=2)), "caller": anything},
    ),
    st.fixed_dictionaries(
        {"type": st.just("tool_result"), "tool_use_id": mostly_ids},
        optional={"content": mostly(texts), "is_error": anything, "cache_control": anything},
    ),
    st.fixed_dictionaries({"type": st.just("text"), "text": mostly(texts)}),
    st.fixed_dictionaries(
        {"type": mostly(st.sampled_from(["thinking", "image", "document", "server_tool_use"]))}
    ),
    anything,
)
usage = st.dictionaries(
    st.sampled_from(
        ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
    ),
    mostly(st.integers(0, 300_000)),
)
messages = st.fixed_dictionaries(
    {
        "role": mostly(st.sampled_from(["user", "assistant", "system", "tool"])),
        "content": mostly(st.one_of(texts, st.lists(blocks, max_size=4))),
    },
    optional={
        "id": mostly(st.sampled_from(["msg_1", "msg_2", "msg_3"])),
        "model": mostly(st.just("claude-opus-4-5")),
        "usage": mostly(usage),
        "stop_reason": anything,
        "tool_calls": mostly(
            st.lists(
                st.fixed_dictionaries(
                    {"id": mostly_ids},
                    optional={
                        "function": mostly(st.fixed_dictionaries({"name": texts, "arguments": anything})),
                        "name": anything,
                        "arguments": anything,
                        "type": anything,
                    },
                ),
                max_size=3,
            )
        ),
        "tool_call_id": mostly_ids,
    },
)
uuids = st.sampled_from([f"u{n}" for n in range(8)])
records = st.fixed_dictionaries(
    {
        "type": mostly(
            st.sampled_from(["user", "assistant", "assistant", "user", "system", "attachment", "summary"])
        ),
        "uuid": mostly(uuids),
        "parentUuid": mostly(st.one_of(st.none(), uuids)),
        "message": mostly(messages),
    },
    optional={
        "sessionId": mostly(st.just("5e550000")),
        "timestamp": mostly(
            st.sampled_from(
                [
                    "2026-01-05T09:00:00.000Z",
                    "2026-01-05T10:30:00Z",
                    "9999-99-99",
                    "0001-01-01T00:00:00+99:00",
                    "0001-01-01T00:00:00+23:59",
                    "9999-12-31T23:59:59.999999-23:59",
                ]
            )
        ),
        "isSidechain": anything,
        "agentId": mostly(ids),
        "isMeta": anything,
        "isCompactSummary": anything,
        "subtype": mostly(st.sampled_from(["compact_boundary", "microcompact_boundary", "init"])),
        "compactMetadata": mostly(st.dictionaries(texts, anything, max_size=2)),
        "microcompactMetadata": anything,
        "replacements": mostly(
            st.lists(
                st.fixed_dictionaries(
                    {"kind": st.just("tool-result"), "toolUseId": mostly_ids, "replacement": mostly(texts)}
                ),
                max_size=3,
            )
        ),
        "attachment": anything,
        "toolUseResult": anything,
        "requestId": mostly(ids),
        "version": mostly(st.sampled_from(["2.1.38", "1.0.0", "x"])),
        "logicalParentUuid": anything,
        "snapshot": anything,
        "content": anything,
    },
)


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


items = st.fixed_dictionaries(
    {
        "type": mostly(
            st.sampled_from(
                ["message", "message", "reasoning", "function_call", "function_call", "function_call_output",
                 "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call",
                 "web_search_call", "ghost_snapshot", "token_count", "item_reference"]
            )
        )
    },
    optional={
        "role": mostly(st.sampled_from(["user", "assistant", "developer"])),
        "content": mostly(
            st.lists(
                st.fixed_dictionaries(
                    {"type": mostly(st.sampled_from(["input_text", "output_text", "input_image"]))},
                    optional={"text": mostly(texts)},
                ),
                max_size=3,
            )
        ),
        "summary": anything,
        "call_id": mostly_ids,
        "id": mostly_ids,
        "name": mostly(st.sampled_from(["shell", "exec_command"])),
        "arguments": mostly(texts),
        "input": anything,
        "action": anything,
        "output": mostly(st.one_of(texts, st.fixed_dictionaries({"content": texts, "success": anything}))),
        "info": mostly(
            st.fixed_dictionaries(
                {"last_token_usage": mostly(usage)}, optional={"model_context_window": mostly(st.integers())}
            )
        ),
    },
)  # fmt: skip
rollout_records = st.fixed_dictionaries(
    {
        "type": mostly(
            st.sampled_from(
                ["response_item", "response_item", "response_item", "event_msg", "turn_context", "compacted",
                 "session_meta"]
            )
        ),
        "payload": mostly(items),
    },
    optional={"timestamp": anything},
)  # fmt: skip


def _line(draw: st.DrawFn, of: st.SearchStrategy[Any]) -> bytes:
    """One line: mostly a record, sometimes twice-named keys, a torn one, or bytes."""
    data = _dumped(draw(of))
    kind = draw(st.integers(0, 19))
    if kind == 0:
        return data[: draw(st.integers(0, len(data)))]
    if kind == 1:
        return draw(st.binary(max_size=40)).replace(b"\n", b"")
    if kind == 2:
        return data[:-1] + b"," + _dumped(draw(of))[1:]
    if kind == 3:
        return _dumped(draw(anything))
    if kind == 4:
        return data + data
    if kind == 5:
        return json.dumps(draw(of), ensure_ascii=False).encode("utf-8", "surrogatepass")
    return data


# No strategy is an argument of these: a message about one would spell out all of it.
@st.composite
def line(draw: st.DrawFn) -> bytes:
    """A line of a Claude Code transcript."""
    return _line(draw, records)


@st.composite
def rollout_line(draw: st.DrawFn) -> bytes:
    """A line of a Codex rollout."""
    return _line(draw, rollout_records)


@st.composite
def message_line(draw: st.DrawFn) -> bytes:
    """A line of a file that has one message on each."""
    return _line(draw, messages)


SIZES = [0, 9, 3_000, 60_000]
"""Characters of a sound result: nothing, little, enough for a preview, enough for a budget."""


def _sound_claude(n: int, chars: int) -> list[bytes]:
    """A call and its result as the client writes them; records between may hang on them."""
    call = {"type": "tool_use", "id": f"sound_{n}", "name": "Bash", "input": {"command": f"step {n}"}}
    answer = {"id": f"m{n}", "role": "assistant", "model": "m", "content": [call]}
    result = {"type": "tool_result", "tool_use_id": f"sound_{n}", "content": "x" * chars}
    common = {"sessionId": "5e550000", "isSidechain": False, "version": "2.1.38"}
    return [
        _dumped(
            {"type": "assistant", "uuid": f"a{n}", "parentUuid": f"b{n - 1}", **common, "message": answer}
        ),
        _dumped({"type": "user", "uuid": f"b{n}", "parentUuid": f"a{n}", **common,
                 "message": {"role": "user", "content": [result]}}),
    ]  # fmt: skip


def _sound_codex(n: int, chars: int) -> list[bytes]:
    call = {"type": "function_call", "call_id": f"sound_{n}", "name": "shell", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": f"sound_{n}", "output": "x" * chars}
    return [_dumped({"type": "response_item", "payload": item}) for item in (call, output)]


def _sound_messages(n: int, chars: int) -> list[dict[str, Any]]:
    call = {"id": f"sound_{n}", "type": "function", "function": {"name": "Bash", "arguments": "{}"}}
    return [
        {"role": "assistant", "content": f"step {n}", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"sound_{n}", "content": "x" * chars},
    ]


def _sound_lines(n: int, chars: int) -> list[bytes]:
    return [_dumped(message) for message in _sound_messages(n, chars)]


@st.composite
def _mixed(draw: st.DrawFn, kind: str) -> bytes:
    """Odd lines between sound calls and results: what is odd has something to act on."""
    odd, sound = {
        "claude": (line, _sound_claude),
        "codex": (rollout_line, _sound_codex),
        "lines": (message_line, _sound_lines),
    }[kind]
    out: list[bytes] = []
    for n in range(draw(st.integers(1, 12))):
        out += sound(n, draw(st.sampled_from(SIZES))) if draw(st.booleans()) else [draw(odd())]
    return b"\n".join(out)


@st.composite
def _mixed_messages(draw: st.DrawFn) -> list[Any]:
    out: list[Any] = []
    for n in range(draw(st.integers(0, 10))):
        out += _sound_messages(n, draw(st.sampled_from(SIZES))) if draw(st.booleans()) else [draw(messages)]
    return out


transcripts = _mixed("claude")
rollouts = _mixed("codex").map(
    lambda lines: b'{"type":"session_meta","payload":{"id":"s-1","cli_version":"0.139.0"}}\n' + lines
)
message_lines = _mixed("lines")
lists = _mixed_messages()
chatcli = st.fixed_dictionaries(
    {"version": mostly(st.just(2)), "agent_history": mostly(lists)},
    optional={"title": anything, "chat_history": mostly(lists), "coder_history": mostly(lists)},
)
parked = st.fixed_dictionaries(
    {
        "version": mostly(st.just(1)),
        "history": mostly(lists),
        "pending_tool_call_id": mostly_ids,
    }
)
documents = st.one_of(
    lists, chatcli, parked, st.fixed_dictionaries({"messages": mostly(lists)}, optional={"tools": anything})
).map(_dumped)
