from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import UnreadableError
from inspector.model.transcript import BlockKind, Candidate, Flag, Role, Usage
from inspector.reading.messages import MessageDocument, message_texts, read_messages

CALL = {"id": "call_1", "type": "function", "function": {"name": "shell", "arguments": '{"cmd": "ls -l"}'}}


def read(value: Any, **how: Any) -> MessageDocument:
    return read_messages(json.dumps(value, **how).encode("utf-8", "surrogatepass"))


def kinds(document: MessageDocument) -> list[list[BlockKind]]:
    return [[block.kind for block in record.blocks] for record in document.records]


def test_anthropic_blocks_become_blocks() -> None:
    document = read(
        [
            {"role": "user", "content": "look"},
            {"role": "assistant", "id": "msg_1", "model": "m", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "I look"},
                {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls\n-l"}},
                {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}},
            ], "usage": {"input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": 3}},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "is_error": False, "content": [
                    {"type": "text", "text": "a"}, {"type": "text", "text": "bc"}]},
                {"type": "text", "text": "more"},
            ]},
        ]
    )  # fmt: skip
    assert kinds(document) == [
        [BlockKind.TEXT],
        [BlockKind.THINKING, BlockKind.TEXT, BlockKind.TOOL_USE, BlockKind.OTHER],
        [BlockKind.TOOL_RESULT, BlockKind.TEXT],
    ]
    prompt, answer, results = document.records
    assert [r.role for r in document.records] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert prompt.flags & Flag.CONTENT_STRING
    assert (answer.message_id, answer.model, answer.usage) == ("msg_1", "m", Usage(5, 3, 0, 7))
    call = answer.blocks[2]
    assert (call.id, call.name, call.argument, call.size.chars) == ("toolu_1", "Bash", "ls -l", 20)
    result = results.blocks[0]
    assert (result.id, result.size.chars, result.is_error) == ("toolu_1", 3, False)
    assert [record.line for record in document.records] == [1, 2, 3]
    assert document.bad_lines == ()


def test_openai_calls_and_results_become_blocks() -> None:
    document = read(
        [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": None, "reasoning_content": "hm", "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "call_1", "content": "out"},
            {"role": "assistant", "content": "done", "usage": {
                "prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}},
        ]
    )  # fmt: skip
    _, call, result, end = document.records
    assert kinds(document)[1:] == [
        [BlockKind.THINKING, BlockKind.TOOL_USE], [BlockKind.TOOL_RESULT], [BlockKind.TEXT],
    ]  # fmt: skip
    use = call.blocks[1]
    assert (use.id, use.name, use.argument) == ("call_1", "shell", "ls -l")
    assert use.size.chars == len('{"cmd": "ls -l"}')
    assert (result.role, result.blocks[0].id, result.blocks[0].is_error) == (Role.USER, "call_1", None)
    assert end.usage == Usage(5, 4, 0, 2)


def test_each_openai_answer_is_a_message_of_its_own() -> None:
    document = read([{"role": "assistant", "tool_calls": [CALL]} for _ in range(3)])
    assert len({record.message_id for record in document.records}) == 3
    assert all(record.message_id for record in document.records)


def test_old_function_calls_pair_by_name_and_order() -> None:
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    document = read([call, {"role": "function", "name": "f", "content": "1"}, call,
                     {"role": "function", "name": "f", "content": "2"},
                     {"role": "function", "name": "g", "content": "3"}])  # fmt: skip
    ids = [record.blocks[-1].id for record in document.records]
    assert ids[0] == ids[1] != ids[2] == ids[3]
    assert ids[4] == ""


def test_system_messages_in_front_are_no_history_and_later_ones_are() -> None:
    document = read(
        [
            {"role": "system", "content": "s"},
            {"role": "developer", "content": "d"},
            {"role": "user", "content": "u"},
            {"role": "system", "content": "reminder"},
        ]
    )
    assert [record.role for record in document.records] == [Role.BRIDGE, Role.BRIDGE, Role.USER, Role.USER]
    assert document.records[3].flags & Flag.META


def test_request_body_keeps_where_system_and_tools_stand() -> None:
    value = {"model": "m-1", "tools": [{"name": "t"}], "system": "be brief", "messages": [{"role": "user"}]}
    data = json.dumps(value, indent=1).encode()
    document = read_messages(data)
    assert document.model == "m-1"
    assert document.system is not None
    assert document.tools is not None
    assert json.loads(data[slice(*document.system)]) == "be brief"
    assert json.loads(data[slice(*document.tools)]) == [{"name": "t"}]


def test_pictures_are_measured_in_both_forms() -> None:
    png = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEUlEQVR4nGP8z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg=="
    source = {"type": "base64", "media_type": "image/png", "data": png}
    url = {"url": f"data:image/png;base64,{png}"}
    document = read(
        [
            {"role": "user", "content": [{"type": "image", "source": source}]},
            {"role": "user", "content": [{"type": "image_url", "image_url": url}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [
                {"type": "text", "text": "x"}, {"type": "image", "source": source}]}]},
        ]
    )  # fmt: skip
    for record in document.records:
        assert record.blocks[0].images == ((3, 2),)
        assert record.blocks[0].image_chars == len(png)
    assert document.records[2].blocks[0].candidate is Candidate.IMAGE
    assert document.records[2].blocks[0].size.chars == 1


def test_result_without_content_and_persisted_result_are_no_candidates() -> None:
    persisted = "<persisted-output>\nOutput too large (42.8KB). Full output saved to: /x/a.txt\n\nPreview"
    results = [
        {"type": "tool_result", "tool_use_id": "a"},
        {"type": "tool_result", "tool_use_id": "b", "content": []},
        {"type": "tool_result", "tool_use_id": "c", "content": persisted},
    ]
    first, second, third = read([{"role": "user", "content": results}]).records[0].blocks
    assert first.candidate is second.candidate is Candidate.NO_CONTENT
    assert third.candidate is Candidate.PERSISTED
    assert third.persisted is not None
    assert (third.persisted.path, third.persisted.label) == ("/x/a.txt", "42.8KB")


TEXT = st.text(max_size=20)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system", "odd"])},
    optional={
        "content": TEXT
        | st.none()
        | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": TEXT})),
        "tool_call_id": TEXT | st.integers(),
        "tool_calls": st.lists(st.just(CALL)) | st.none() | st.integers(),
    },
)


@given(st.lists(MESSAGE, max_size=8), st.booleans(), st.sampled_from([None, 0, 2]), st.booleans())
def test_text_is_read_again_at_the_records_place(
    messages: list[Any], ascii_only: bool, indent: int | None, wrapped: bool
) -> None:
    value = {"model": "é", "messages": messages} if wrapped else messages
    data = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    document = read_messages(data)
    assert len(document.records) == len(messages) == document.messages
    for record, message in zip(document.records, messages, strict=True):
        slice_ = data[record.start : record.end]
        if "\ud800" not in str(message):
            assert json.loads(slice_.decode("utf-8", "replace")).keys() == message.keys()
        assert [len(text) for text in message_texts(slice_)] == [b.size.chars for b in record.blocks]


@pytest.mark.parametrize(
    "odd",
    [
        5, None, "text", [], {}, {"role": 5}, {"role": None, "content": "x"}, {"content": "no role"},
    ],
)  # fmt: skip
def test_what_is_no_message_is_named_with_its_place_and_the_rest_is_read(odd: Any) -> None:
    value = [{"role": "user", "content": "a"}, odd, {"role": "user", "content": "b"}]
    data = json.dumps(value).encode()
    document = read_messages(data)
    assert [record.line for record in document.records] == [1, 3]
    (bad,) = document.bad_lines
    assert (bad.line, bad.kind, bad.lost) == (2, "bad_line", True)
    assert json.loads(data[bad.start : bad.end]) == odd


@pytest.mark.parametrize(
    "fields",
    [
        {"content": 5},
        {"content": {"a": 1}},
        {"content": [5, None, "text", [], {"type": 7}]},
        {
            "content": [
                {"type": "text", "text": 5},
                {"type": "tool_use"},
                {"type": "tool_result", "content": 5},
            ]
        },
        {"content": [{"type": "tool_use", "id": 7, "name": [], "input": "text"}]},
        {
            "content": [
                {"type": "image"},
                {"type": "image", "source": 5},
                {"type": "image_url", "image_url": 5},
            ]
        },
        {"tool_calls": {"a": 1}},
        {"tool_calls": [5, None, {}, {"function": 5}, {"function": {"name": 5, "arguments": 5}}]},
        {"function_call": 5},
        {"function_call": {"name": None}},
        {"usage": 5, "id": [], "model": {}},
        {"usage": {"input_tokens": "x", "output_tokens": -5}},
    ],
)
@pytest.mark.parametrize("role", ["user", "assistant", "tool", "function", "critic", ""])
def test_odd_types_in_any_field_do_no_harm(role: str, fields: dict[str, Any]) -> None:
    document = read([{"role": role, **fields}, {"role": "user", "content": "after"}])
    assert len(document.records) == 2
    assert document.records[1].blocks[0].size.chars == 5


def test_unknown_role_is_kept_and_named() -> None:
    document = read([{"role": "critic", "content": "x"}])
    assert document.records[0].role is Role.BRIDGE
    assert (document.bad_lines[0].kind, document.bad_lines[0].lost) == ("unknown_record", False)


def test_broken_message_costs_only_itself() -> None:
    good = b'{"role":"user","content":"ok"}'
    broken = b'{"role":"assistant","content":"lost quote}'
    data = b"[" + good + b"," + broken + b"," + good + b"," + good + b"]"
    document = read_messages(data)
    assert [(r.start, r.end - r.start) for r in document.records if not r.flags & Flag.SALVAGED] == [
        (1, len(good))
    ]
    saved = [record for record in document.records if record.flags & Flag.SALVAGED]
    assert [data[record.start : record.end] for record in saved] == [good, good]
    (bad,) = document.bad_lines
    assert bad.lost
    assert data[bad.start : bad.end].startswith(broken)


def test_document_that_breaks_off_gives_what_came_before() -> None:
    data = json.dumps([{"role": "user", "content": "a"}, {"role": "user", "content": "bbbb"}]).encode()
    document = read_messages(data[:-5])
    assert [record.line for record in document.records] == [1]
    (bad,) = document.bad_lines
    assert (bad.line, bad.end) == (2, len(data) - 5)
    assert "breaks off" in bad.reason


def test_lone_surrogates_control_characters_and_bad_bytes_are_read_and_marked() -> None:
    data = (
        b'[{"role":"user","content":"half \\ud83d"},'
        b'{"role":"user","content":"bell \x07"},'
        b'{"role":"user","content":"bytes \xff\xfe"}]'
    )
    document = read_messages(data)
    first, second, third = document.records
    assert first.blocks[0].lone_surrogates
    assert second.blocks[0].controls
    assert third.blocks[0].size.chars == 8
    assert [bad.kind for bad in document.bad_lines] == ["control_characters", "invalid_utf8"]
    assert not any(bad.lost for bad in document.bad_lines)


def test_mark_nul_bytes_and_white_space_around_the_document_are_passed_over() -> None:
    assert len(read_messages(b'\xef\xbb\xbf \0\n [{"role":"user","content":"a"}] \n').records) == 1


@pytest.mark.parametrize("data", [b"", b"5", b"text", b"{}", b'{"messages": 5}', b'{"messages"', b"\0"])
def test_file_without_a_list_is_unreadable(data: bytes) -> None:
    with pytest.raises(UnreadableError, match="no message list"):
        read_messages(data)


@given(st.binary(max_size=120))
def test_any_bytes_behind_a_list_are_read_or_named(data: bytes) -> None:
    document = read_messages(b'[{"role":"user","content":"a"},' + data)
    assert document.records[0].line == 1
    assert all(0 <= bad.start <= bad.end <= len(data) + 31 for bad in document.bad_lines)


def test_long_list_of_broken_messages_ends_soon() -> None:
    data = b"[" + b'{"role":"user","content":"x},' * 20_000
    document = read_messages(data)
    assert document.bad_lines


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[Request interrupted by user]", True),
        ([CALL, "odd", {"type": "text", "text": "[Request interrupted by user for tool use]"}], True),
        (
            [{"type": "text", "text": 7}, {"type": "text", "text": "I saw [Request interrupted by user]"}],
            False,
        ),
        (None, False),
    ],
)
def test_message_in_which_the_user_interrupted_is_marked(content: Any, said: bool) -> None:
    document = read([{"role": "user", "content": content}, {"role": "assistant", "content": content}])
    assert [bool(record.flags & Flag.INTERRUPT) for record in document.records] == [said, False]
