from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.transcript import BlockKind, Flag, Role
from inspector.reading.chatcli import ChatcliDocument, Layout, chatcli_texts, read_chatcli
from inspector.reading.chatcli_session import SessionKind

CALL = {"id": "call_1", "type": "function", "name": "read_file", "arguments": {"path": "a.txt"}}
TALK = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "go"},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "content": "out é", "tool_call_id": "call_1"},
    {"role": "assistant", "content": "done"},
]


def read(value: Any, layout: Layout = Layout.APART, history: str | None = None) -> ChatcliDocument:
    return read_chatcli(json.dumps(value, indent=2).encode(), layout, history)


def test_messages_become_records_at_their_places() -> None:
    data = json.dumps(
        {"version": 2, "title": "t", "chat_history": TALK}, indent=2, ensure_ascii=False
    ).encode()
    document = read_chatcli(data)
    assert (document.kind, document.title, document.problem) == (SessionKind.V2, "t", "")
    assert [record.role for record in document.records] == [
        Role.BRIDGE, Role.USER, Role.ASSISTANT, Role.USER, Role.ASSISTANT,
    ]  # fmt: skip
    for record, message in zip(document.records, TALK, strict=True):
        assert json.loads(data[record.start : record.end]) == message
        texts = chatcli_texts(data[record.start : record.end])
        assert [len(text) for text in texts] == [block.size.chars for block in record.blocks]
    call, result = document.records[2].blocks[0], document.records[3].blocks[0]
    assert (call.kind, call.id, call.name, call.argument) == (
        BlockKind.TOOL_USE,
        "call_1",
        "read_file",
        "a.txt",
    )
    assert (result.kind, result.id, result.size.bytes, result.is_error) == (
        BlockKind.TOOL_RESULT, "call_1", 6, None,
    )  # fmt: skip
    assert document.records[2].message_id != document.records[4].message_id


def test_error_result_says_so() -> None:
    message = {"role": "tool", "content": "x", "tool_call_id": "a", "is_error": True, "error_code": "timeout"}
    assert read([message]).records[0].blocks[0].is_error is True


def test_notes_of_a_message_become_flags() -> None:
    document = read(
        [
            {"role": "user", "content": "a", "meta": {"agent_feedback": True}},
            {"role": "user", "content": "b", "meta": {"is_summary": True}},
            {"role": "system", "content": "reminder"},
            {"role": "critic", "content": "x"},
        ]
    )
    first, second, third, fourth = document.records
    assert first.flags & Flag.FEEDBACK
    assert second.flags & Flag.SUMMARY
    assert (third.role, bool(third.flags & Flag.META)) == (Role.USER, True)
    assert fourth.role is Role.BRIDGE


HISTORIES = {
    "version": 2,
    "chat_history": [{"role": "user", "content": "c"}],
    "agent_history": [{"role": "system", "content": "s"}, {"role": "assistant", "content": "a"}],
    "coder_history": [{"role": "user", "content": "k"}],
    "shared_memory": [{"role": "user", "content": "m"}],
}


def texts(document: ChatcliDocument, value: Any) -> list[tuple[str, str]]:
    data = json.dumps(value, indent=2).encode()
    return [(r.thread, "".join(chatcli_texts(data[r.start : r.end]))) for r in document.records]


def test_each_history_is_a_thread_and_the_first_with_messages_is_the_main_one() -> None:
    assert texts(read(HISTORIES), HISTORIES) == [
        ("", "c"), ("agent_history", "s"), ("agent_history", "a"),
        ("coder_history", "k"), ("shared_memory", "m"),
    ]  # fmt: skip
    value = {**HISTORIES, "chat_history": []}
    document = read(value)
    assert texts(document, value)[0] == ("", "s")
    assert document.threads[0] == ("", "agent_history")
    assert [record.index for record in document.records] == [0, 1, 2, 3]


def test_joined_histories_are_what_the_loader_goes_on_with() -> None:
    document = read(HISTORIES, Layout.JOINED)
    assert texts(document, HISTORIES) == [("", "c"), ("", "a"), ("", "k"), ("shared_memory", "m")]
    assert document.threads == (
        ("", "chat_history"), ("", "agent_history"), ("", "coder_history"),
        ("shared_memory", "shared_memory"),
    )  # fmt: skip


def test_system_messages_of_the_chat_stay_when_joined_and_those_of_the_agent_go() -> None:
    value = {**HISTORIES, "chat_history": []}
    assert texts(read(value, Layout.JOINED), value)[0] == ("", "a")
    value = {"version": 2, "chat_history": [{"role": "system", "content": "s"}]}
    assert texts(read(value, Layout.JOINED), value) == [("", "s")]


def test_one_history_can_be_asked_for() -> None:
    document = read(HISTORIES, history="coder_history")
    assert texts(document, HISTORIES) == [("", "k")]


def test_keys_are_taken_in_any_case() -> None:
    value = {"VERSION": 2, "Chat_History": [{"Role": "tool", "CONTENT": "x", "Tool_Call_ID": "a"}]}
    document = read(value)
    assert document.kind is SessionKind.V2
    assert document.records[0].blocks[0].id == "a"


def test_legacy_list_is_the_chat() -> None:
    document = read(TALK)
    assert document.kind is SessionKind.LEGACY
    assert document.threads == (("", "chat_history"),)
    assert len(document.records) == 5


@pytest.mark.parametrize(
    ("value", "records"),
    [
        ({"version": 1, "chat_history": TALK}, 5),
        ({"chat_history": TALK}, 5),
        ({"version": "2", "chat_history": TALK}, 5),
        ({"version": 2, "chat_history": [{"role": "user", "content": 5}, *TALK]}, 6),
        ({"version": 2, "chat_history": [5, *TALK]}, 5),
        ([{"role": "assistant", "content": "", "tool_calls": [{**CALL, "arguments": '{"path": "b"}'}]}], 1),
    ],
)
def test_corrupt_file_is_named_with_the_reason_and_still_shown(value: Any, records: int) -> None:
    data = json.dumps(value).encode()
    document = read_chatcli(data)
    assert document.kind is SessionKind.CORRUPT
    assert document.problem
    first = document.bad_lines[0]
    assert (first.start, first.end, first.reason, first.saved) == (0, len(data), document.problem, records)
    assert len(document.records) == records
    assert all(record.flags & Flag.SALVAGED for record in document.records)


def test_arguments_that_are_a_text_are_read_as_json_where_the_file_is_corrupt() -> None:
    document = read(
        [{"role": "assistant", "content": "", "tool_calls": [{**CALL, "arguments": '{"path": "b"}'}]}]
    )
    assert document.records[0].blocks[0].argument == "b"


def test_file_that_breaks_off_gives_what_came_before() -> None:
    data = json.dumps({"version": 2, "chat_history": TALK}).encode()
    document = read_chatcli(data[:-12])
    assert document.kind is SessionKind.CORRUPT
    assert len(document.records) == 4
    assert [bad.line for bad in document.bad_lines] == [1, 5]
    assert document.bad_lines[0].lost


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b"{}", b"5", b"\xff", b'{"version":2}', b'{"version":3}']
)
def test_files_without_messages_have_no_records(data: bytes) -> None:
    document = read_chatcli(data)
    assert document.records == ()
    assert (document.kind is SessionKind.CORRUPT) == bool(document.bad_lines)


def test_broken_bytes_in_a_content_are_measured_as_chatcli_loads_them() -> None:
    document = read_chatcli(b'[{"role":"tool","content":"a\xe2\x82","tool_call_id":"x"}]')
    assert document.kind is SessionKind.LEGACY
    assert document.records[0].blocks[0].size.bytes == 7  # two bad bytes, each becomes U+FFFD


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from(["role", "content", "meta", "tool_calls", "tool_call_id", "images", "is_error"]), ODD
    ),
    st.sampled_from(["user", "assistant", "tool", "system", "odd"]),
)
def test_odd_types_in_any_field_do_no_harm(fields: dict[str, Any], role: str) -> None:
    data = json.dumps([{"role": role, **fields}, {"role": "user", "content": "after"}]).encode()
    document = read_chatcli(data)
    assert document.records[-1].line == 2
    for record in document.records:
        found = chatcli_texts(data[record.start : record.end])
        assert [len(text) for text in found] == [block.size.chars for block in record.blocks]


@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_named(data: bytes) -> None:
    for opening in (b"", b'{"version":2,"chat_history":[', b"["):
        read_chatcli(opening + data)
