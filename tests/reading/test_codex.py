from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector.model.transcript import BlockKind, Flag, Record, Role, Usage
from inspector.reading.codex import CodexAdapter, codex_texts
from inspector.reading.lines import RawLine


def feed(adapter: CodexAdapter, *lines: Any) -> tuple[list[Record], bytes]:
    records: list[Record] = []
    data = b""
    for number, line in enumerate(lines, 1):
        raw = line if isinstance(line, bytes) else json.dumps(line).encode()
        records += adapter.feed(RawLine(number, len(data), len(data) + len(raw), raw))
        data += raw + b"\n"
    return records, data


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {
        "timestamp": "2026-06-17T15:17:40.500Z",
        "type": "response_item",
        "payload": {"type": kind, **fields},
    }


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"timestamp": "2026-06-17T15:17:41Z", "type": "event_msg", "payload": {"type": kind, **fields}}


def said(role: str, text: str) -> dict[str, Any]:
    return item("message", role=role, content=[{"type": "input_text", "text": text}])


def call(identity: str, arguments: str = '{"cmd":"ls"}') -> dict[str, Any]:
    return item("function_call", call_id=identity, name="exec_command", arguments=arguments)


def output(identity: str, text: Any = "out") -> dict[str, Any]:
    return item("function_call_output", call_id=identity, output=text)


META = {"type": "session_meta", "payload": {"id": "s-1", "cli_version": "0.139.0"}}
COUNT = event(
    "token_count",
    info={
        "last_token_usage": {"input_tokens": 100, "cached_input_tokens": 60, "output_tokens": 7},
        "model_context_window": 258_400,
    },
)


def test_items_in_a_row_are_one_answer_and_outputs_end_it() -> None:
    records, _ = feed(
        CodexAdapter(), META, said("user", "go"), item("reasoning", summary=[]), said("assistant", "I look"),
        call("a"), call("b"), output("a"), output("b"), call("c"), output("c"), said("assistant", "done"),
    )  # fmt: skip
    answers = [record.message_id for record in records if record.role is Role.ASSISTANT]
    assert answers == [*["answer on line 3"] * 4, "answer on line 9", "answer on line 11"]
    assert [record.line for record in records] == list(range(2, 12))
    assert [record.index for record in records] == list(range(10))


def test_calls_and_outputs_pair_by_call_id() -> None:
    records, data = feed(
        CodexAdapter(),
        call("a", '{"cmd": "git\\ndiff", "workdir": "/x"}'),
        output("a"),
        item("custom_tool_call", call_id="b", name="apply_patch", input="*** Begin Patch"),
        item("custom_tool_call_output", call_id="b", output="ok"),
        item(
            "local_shell_call",
            call_id="c",
            status="completed",
            action={"type": "exec", "command": ["ls", "-l"]},
        ),
        output("c"),
        call("d", '{"command": ["bash", "-lc", "make"]}'),
    )
    blocks = [record.blocks[0] for record in records]
    assert [(block.kind, block.id) for block in blocks] == [
        (BlockKind.TOOL_USE, "a"), (BlockKind.TOOL_RESULT, "a"),
        (BlockKind.TOOL_USE, "b"), (BlockKind.TOOL_RESULT, "b"),
        (BlockKind.TOOL_USE, "c"), (BlockKind.TOOL_RESULT, "c"),
        (BlockKind.TOOL_USE, "d"),
    ]  # fmt: skip
    assert [(b.name, b.argument) for b in blocks if b.kind is BlockKind.TOOL_USE] == [
        ("exec_command", "git diff"), ("apply_patch", "*** Begin Patch"), ("local_shell", "ls -l"),
        ("exec_command", "bash -lc make"),
    ]  # fmt: skip
    for record in records:
        texts = codex_texts(data[record.start : record.end])
        assert [len(text) for text in texts] == [block.size.chars for block in record.blocks]


def test_token_count_is_the_usage_of_the_newest_answer() -> None:
    adapter = CodexAdapter()
    records, _ = feed(
        adapter, COUNT, said("user", "go"), call("a"), output("a"), COUNT, said("assistant", "x")
    )
    usages = {record.message_id: record.usage for record in records if record.usage}
    assert usages == {"answer on line 3": Usage(40, 60, 0, 7)}
    assert [record.line for record in records] == [2, 3, 4, 5, 6]
    assert adapter.window_tokens == 258_400


def test_compaction_is_a_boundary_and_then_the_new_history() -> None:
    history = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "first prompt"}]},
        {"type": "compaction", "encrypted_content": "x"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "summary"}]},
    ]
    compacted = {"type": "compacted", "payload": {"message": "", "replacement_history": history}}
    records, data = feed(CodexAdapter(), said("assistant", "old"), compacted, said("assistant", "new"))
    assert [record.role for record in records] == [
        Role.ASSISTANT, Role.BOUNDARY, Role.USER, Role.USER, Role.ASSISTANT,
    ]  # fmt: skip
    assert [codex_texts(data[r.start : r.end]) for r in records[2:4]] == [["first prompt"], ["summary"]]
    assert all(record.flags & Flag.SUMMARY and record.line == 2 for record in records[2:4])
    assert records[0].message_id != records[4].message_id
    assert records[1].boundary is not None


def test_compaction_of_older_versions_has_its_summary_as_a_message() -> None:
    records, data = feed(CodexAdapter(), {"type": "compacted", "payload": {"message": "what was done"}})
    boundary, summary = records
    assert (boundary.role, summary.role) == (Role.BOUNDARY, Role.USER)
    assert summary.blocks[0].size.chars == 13
    assert codex_texts(data[summary.start : summary.end]) == ["what was done"]


def test_instructions_in_front_are_no_history_and_later_ones_are() -> None:
    records, _ = feed(
        CodexAdapter(), said("developer", "rules"), said("user", "go"), said("developer", "more")
    )
    assert [record.role for record in records] == [Role.BRIDGE, Role.USER, Role.USER]
    assert records[2].flags & Flag.META


def test_session_model_and_time_are_kept() -> None:
    adapter = CodexAdapter()
    context = {"type": "turn_context", "payload": {"model": "gpt-x"}}
    records, _ = feed(adapter, META, context, said("assistant", "hi"), META | {"payload": {"id": "s-2"}})
    assert (records[0].model, records[0].session_id, records[0].version) == ("gpt-x", "s-1", "0.139.0")
    assert records[0].time == pytest.approx(1_781_709_460.5)
    assert (adapter.session_ids, adapter.versions) == (["s-1", "s-2"], ["0.139.0"])


def test_bare_items_of_the_oldest_versions_are_read() -> None:
    adapter = CodexAdapter()
    records, data = feed(
        adapter,
        {"id": "s-0", "timestamp": "2025-05-01T00:00:00Z", "instructions": "be brief", "git": {}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        {"record_type": "state"},
        {"type": "function_call", "call_id": "a", "name": "shell", "arguments": '{"command":["ls"]}'},
        {"type": "function_call_output", "call_id": "a", "output": "x"},
    )
    assert [record.role for record in records] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert codex_texts(data[records[2].start : records[2].end]) == ["x"]
    assert (adapter.session_ids, dict(adapter.unknown_types)) == (["s-0"], {})


def test_unknown_lines_and_items_are_counted() -> None:
    adapter = CodexAdapter()
    records, _ = feed(adapter, {"type": "new_line", "payload": {}}, item("new_item"), event("new_event"))
    assert records == []
    assert dict(adapter.unknown_types) == {"new_line": 1, "new_item": 1}


def test_bad_lines_are_named_and_the_rest_is_read() -> None:
    adapter = CodexAdapter()
    records, _ = feed(adapter, said("user", "a"), b'{"type":', b"[1]", json.dumps(said("user", "b")).encode())
    assert [record.line for record in records] == [1, 4]
    assert [(bad.line, bad.lost) for bad in adapter.bad_lines] == [(2, True), (3, True)]
    assert adapter.feed(RawLine(5, 0, 1 << 30, b"", oversized=True)) == ()
    assert adapter.bad_lines[-1].kind == "huge_line"


ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "message", "user", "x", "{"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["type", "role", "content", "text", "call_id", "name", "arguments", "input", "output", "action",
             "command", "metadata", "exit_code", "summary", "info", "last_token_usage", "input_tokens",
             "message", "replacement_history", "id", "model"]
        ),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@example("compacted", "message", {"replacement_history": [{"type": []}]}, None)
@example(["no", "word"], "message", {}, None)
@given(
    st.sampled_from(["response_item", "event_msg", "compacted", "session_meta", "turn_context", "x", None]),
    st.sampled_from(
        ["message", "reasoning", "function_call", "function_call_output", "custom_tool_call",
         "local_shell_call", "web_search_call", "token_count", "x"]
    ),
    st.dictionaries(
        st.sampled_from(
            ["role", "content", "summary", "arguments", "input", "action", "output", "info", "message",
             "replacement_history", "call_id", "name", "id"]
        ),
        ODD,
    ),
    ODD,
)  # fmt: skip
def test_odd_types_in_any_field_do_no_harm(line: Any, kind: str, fields: dict[str, Any], time: Any) -> None:
    adapter = CodexAdapter()
    records, data = feed(
        adapter, {"type": line, "timestamp": time, "payload": {"type": kind, **fields}}, fields
    )
    for record in records:
        texts = codex_texts(data[record.start : record.end])
        if record.role is not Role.BOUNDARY and record.usage is None:
            assert [len(text) for text in texts] == [block.size.chars for block in record.blocks]
