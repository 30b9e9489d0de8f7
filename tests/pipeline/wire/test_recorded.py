"""Requests that the client recorded itself, rebuilt and compared (rules 37-40)."""

from __future__ import annotations

from typing import Any

from inspector.pipeline.wire.recorded import RecordedWire, compare, message_hash, statistics

PROMPT = {"role": "user", "content": "go"}
CALL = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"b": "é", "a": 1}}
ANSWER = {"role": "assistant", "content": [{"type": "text", "text": "so"}, CALL]}
RESULT = {"type": "tool_result", "tool_use_id": "1", "content": "ok"}


def request(request_id: str, tail: list[str], base: str = "", keep: int = 0) -> dict[str, Any]:
    return {"type": "api-request", "id": request_id, "base": base, "keep": keep, "tail": tail}


def lines() -> list[dict[str, Any]]:
    user = {"role": "user", "content": [RESULT, {"type": "text", "text": "more"}]}
    return [
        {"type": "api-request-blob", "hash": message_hash(PROMPT), "message": PROMPT},
        request("one", [message_hash(PROMPT)]),
        {"type": "assistant", "uuid": "a", "message": {"id": "m", "content": ANSWER["content"][:1]}},
        {"type": "assistant", "uuid": "b", "message": {"id": "m", "content": [CALL]}},
        {"type": "assistant", "uuid": "b", "message": {"id": "m", "content": [CALL]}},
        {"type": "user", "uuid": "c", "message": {"content": [RESULT]}},
        {"type": "user", "uuid": "d", "message": {"content": "more"}},
        request("two", [message_hash(ANSWER), message_hash(user)], "one", 1),
    ]


def wire(*more: dict[str, Any]) -> RecordedWire:
    read = RecordedWire()
    for line in (*lines(), *more):
        read.feed(line)
    return read


def test_messages_come_from_blobs_answers_and_runs_of_user_records() -> None:
    two = wire().requests["two"]
    assert [m.source for m in two.messages] == ["blob", "answer", "run"]
    assert two.rebuilt
    assert two.verified
    assert statistics(wire()).sources == {"blob": 1, "answer": 1, "run": 1}


def test_a_later_record_of_the_answer_does_not_change_a_request_before_it() -> None:
    read = wire({"type": "assistant", "uuid": "e", "message": {"id": "m", "content": [CALL]}})
    answer = read.requests["two"].messages[1].message
    assert answer is not None
    assert len(answer["content"]) == 2


def test_the_hash_sees_neither_key_order_nor_cache_control_nor_the_form_of_a_text() -> None:
    marked = {"content": [{"text": "go", "cache_control": {"type": "x"}, "type": "text"}], "role": "user"}
    assert message_hash(marked) == message_hash(PROMPT)
    assert message_hash({"role": "user", "content": "Go"}) != message_hash(PROMPT)


def test_a_text_with_half_a_character_can_be_hashed() -> None:
    assert len(message_hash({"role": "user", "content": "\ud800"})) == 64


def test_what_cannot_be_found_is_said_and_a_blob_that_was_changed_is_not_verified() -> None:
    changed = {"type": "api-request-blob", "hash": "f" * 64, "message": PROMPT}
    read = wire(changed, request("three", ["f" * 64, "0" * 64], "nowhere", 1))
    assert [(m.source, m.verified) for m in read.requests["three"].messages] == [
        ("", False),
        ("blob", False),
        ("", False),
    ]
    assert (statistics(read).requests, statistics(read).rebuilt) == (3, 2)


def test_lines_of_odd_shape_are_passed_over() -> None:
    read = wire({"type": "api-request", "id": 3}, {"type": "user", "message": "x"}, {"type": ["x"]}, {})
    assert len(read.requests) == 2


def test_differences_are_named_by_message_block_and_key() -> None:
    other = {"role": "assistant", "content": [{"type": "text", "text": "So"}]}
    found = compare([PROMPT, ANSWER], [PROMPT, other, PROMPT])
    assert [(d.message, d.block, d.what) for d in found] == [
        (1, 0, "text"),
        (1, 1, "added"),
        (2, None, "missing"),
    ]
    assert compare([PROMPT], [{"role": "user", "content": [{"type": "text", "text": "go"}]}]) == []
    assert [d.what for d in compare([PROMPT], [{**PROMPT, "role": "system"}])] == ["role"]


def test_a_block_that_is_missing_does_not_shift_the_others() -> None:
    def results(*ids: str) -> dict[str, object]:
        blocks = [{"type": "tool_result", "tool_use_id": i, "content": i} for i in ids]
        return {"role": "user", "content": blocks}

    found = compare([results("b", "c")], [results("a", "b", "c")])
    assert [(d.block, d.what) for d in found] == [(0, "missing")]
    found = compare([results("a", "b", "c")], [results("a", "c")])
    assert [(d.block, d.what) for d in found] == [(1, "added")]
    found = compare([results("a")], [results("b")])
    assert [(d.block, d.what) for d in found] == [(0, "added"), (0, "missing")]
