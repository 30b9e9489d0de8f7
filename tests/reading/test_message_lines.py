from __future__ import annotations

import json
from typing import Any

import pytest

from inspector.model.transcript import Flag, Record, Role
from inspector.reading.lines import RawLine
from inspector.reading.message_lines import MessageLinesAdapter, Rewritten, fingerprint
from inspector.reading.messages import message_texts

USER = {"role": "user", "content": "go"}
ANSWER = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "n", "input": {}}]}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "out"}]}


def feed(adapter: MessageLinesAdapter, *lines: Any) -> tuple[list[Record], bytes]:
    records: list[Record] = []
    data = b""
    for number, line in enumerate(lines, 1):
        raw = line if isinstance(line, bytes) else json.dumps(line).encode()
        records += adapter.feed(RawLine(number, len(data), len(data) + len(raw), raw))
        data += raw + b"\n"
    return records, data


def test_one_message_per_line_becomes_one_record_each() -> None:
    adapter = MessageLinesAdapter()
    records, data = feed(adapter, USER, ANSWER, RESULT)
    assert [(r.index, r.line, r.role) for r in records] == [
        (0, 1, Role.USER), (1, 2, Role.ASSISTANT), (2, 3, Role.USER),
    ]  # fmt: skip
    assert message_texts(data[records[2].start : records[2].end]) == ["out"]
    assert (adapter.lines, adapter.parsed, adapter.bad_lines) == (3, 3, [])


def test_of_each_request_only_what_is_new_becomes_records() -> None:
    adapter = MessageLinesAdapter()
    marked = {"role": "user", "content": "go", "cache_control": {"type": "ephemeral"}}
    records, data = feed(
        adapter,
        {"messages": [marked]},
        {"model": "m", "messages": [USER, ANSWER, RESULT]},
        {"messages": [USER, ANSWER, RESULT, ANSWER, RESULT]},
    )
    assert [record.line for record in records] == [1, 2, 2, 3, 3]
    assert [record.index for record in records] == [0, 1, 2, 3, 4]
    assert len({record.message_id for record in records if record.role is Role.ASSISTANT}) == 2
    for record, message in zip(records, [marked, ANSWER, RESULT, ANSWER, RESULT], strict=True):
        assert json.loads(data[record.start : record.end]) == message
    assert adapter.rewritten == []


def test_several_answers_on_one_line_are_several_messages() -> None:
    records, _ = feed(MessageLinesAdapter(), {"messages": [USER, ANSWER, RESULT, ANSWER, RESULT]})
    assert len({record.message_id for record in records if record.role is Role.ASSISTANT}) == 2


def test_request_that_changes_an_earlier_message_is_told() -> None:
    adapter = MessageLinesAdapter()
    pruned = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "[pruned]"}]}
    records, _ = feed(
        adapter, {"messages": [USER, ANSWER, RESULT]}, {"messages": [USER, ANSWER, pruned, ANSWER]}
    )
    assert adapter.rewritten == [Rewritten(2, 3, "")]
    assert len(records) == 4


def turn(identity: str) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": identity, "name": "n", "input": {}}
    result = {"type": "tool_result", "tool_use_id": identity, "content": f"out of {identity}"}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def said(role: str, words: str) -> dict[str, Any]:
    return {"role": role, "content": words}


def texts_of(records: list[Record], data: bytes) -> list[list[str]]:
    return [message_texts(data[r.start : r.end]) for r in records if r.role is not Role.BOUNDARY]


def test_a_request_with_another_history_begins_it_anew() -> None:
    adapter = MessageLinesAdapter()
    prompt, summary = said("system", "prompt"), said("user", "what was done")
    records, data = feed(
        adapter,
        {"messages": [prompt, USER]},
        {"messages": [prompt, USER, *turn("a"), *turn("b")]},
        {"messages": [prompt, summary]},
        {"messages": [prompt, summary, *turn("c")]},
    )
    roles = [record.role for record in records]
    at = roles.index(Role.BOUNDARY)
    assert (at, records[at].line, [r.index for r in records]) == (6, 3, list(range(11)))
    assert roles[at + 1 :] == [Role.BRIDGE, Role.USER, Role.ASSISTANT, Role.USER]
    assert texts_of(records[at:], data) == [["prompt"], ["what was done"], ["{}"], ["out of c"]]
    assert adapter.bad_lines == []


def test_an_earlier_state_that_is_sent_once_more_changes_nothing() -> None:
    adapter = MessageLinesAdapter()
    whole = [USER, *turn("a"), *turn("b")]
    records, data = feed(
        adapter, *({"messages": whole[:count]} for count in (1, 3, 1, 3, 2, 5)), {"messages": whole}
    )
    assert texts_of(records, data) == [["go"], ["{}"], ["out of a"], ["{}"], ["out of b"]]
    assert adapter.rewritten == []


def test_where_old_messages_fall_away_what_is_new_is_read_and_it_is_said_once() -> None:
    adapter = MessageLinesAdapter()
    kept = [USER, *turn("a"), *turn("b"), *turn("c"), *turn("d")]
    records, data = feed(
        adapter,
        {"messages": kept[:5]},
        {"messages": [USER, *kept[3:7]]},
        {"messages": [USER, *kept[5:9]]},
    )
    assert texts_of(records, data)[-4:] == [["{}"], ["out of c"], ["{}"], ["out of d"]]
    assert len(records) == 9
    (told,) = adapter.bad_lines
    assert (told.line, told.kind, told.lost) == (2, "unknown_record", False)
    assert "message 2" in told.reason


def test_request_of_another_conversation_is_a_thread_of_its_own() -> None:
    other = {"role": "user", "content": "make a title"}
    records, _ = feed(
        MessageLinesAdapter(), {"messages": [USER]}, {"messages": [other]}, {"messages": [USER, ANSWER]}
    )
    assert [record.thread for record in records] == ["", "line 2", ""]


def test_bad_line_is_named_and_the_rest_is_read() -> None:
    adapter = MessageLinesAdapter()
    records, _ = feed(
        adapter, USER, b'{"role": "user", "cont', b'{"role":"user","content":"\x07"}', [1], ANSWER
    )
    assert [record.line for record in records] == [1, 3, 5]
    assert [(bad.line, bad.kind, bad.lost) for bad in adapter.bad_lines] == [
        (2, "bad_line", True), (3, "control_characters", False), (4, "bad_line", True),
    ]  # fmt: skip
    assert records[1].flags & Flag.SALVAGED


def test_line_that_was_too_long_is_named() -> None:
    adapter = MessageLinesAdapter()
    assert adapter.feed(RawLine(1, 0, 1 << 30, b"", oversized=True)) == ()
    assert adapter.bad_lines[0].kind == "huge_line"


@pytest.mark.parametrize("value", [{"messages": []}, {"messages": [5, None, {}]}, {"messages": 5}, {}, 5])
def test_odd_lines_do_no_harm(value: Any) -> None:
    adapter = MessageLinesAdapter()
    records, _ = feed(adapter, value, USER)
    assert records[-1].line == 2


def test_fingerprint_ignores_order_of_keys_and_cache_marks() -> None:
    first = {"role": "user", "content": [{"type": "text", "text": "é\ud83d", "cache_control": {"type": "x"}}]}
    second = {"content": [{"text": "é\ud83d", "type": "text"}], "role": "user"}
    assert fingerprint(first) == fingerprint(second)
    assert fingerprint(first) != fingerprint({**second, "role": "assistant"})
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert fingerprint(deep)
