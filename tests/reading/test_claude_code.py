from __future__ import annotations

import json
from typing import Any

import pytest

from inspector.model.transcript import BadLine, Flag, Role, Usage
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.lines import RawLine
from tests.reading.samples import (
    SESSION,
    as_line,
    assistant,
    call,
    lines_of,
    read,
    record,
    result,
    user,
    uuid,
)


def test_record_says_who_it_is_and_where_it_stands() -> None:
    value = assistant(2, [call("t")], 1, entrypoint="cli", requestRef="ref")
    (made,) = ClaudeCodeAdapter().feed(as_line(value, number=7, start=100))
    assert (made.index, made.line, made.start, made.end) == (0, 7, 100, 100 + len(json.dumps(value)))
    assert (made.uuid, made.parent, made.session_id) == (uuid(2), uuid(1), SESSION)
    assert (made.role, made.message_id, made.request_ref, made.model) == (
        Role.ASSISTANT, "msg_1", "ref", "demo-model",
    )  # fmt: skip
    assert (made.version, made.entrypoint, made.time) == ("2.1.0", "cli", 1_772_442_005.0)
    assert made.usage == Usage(3, 5, 0, 7)


def test_request_id_stands_in_where_there_is_no_reference() -> None:
    _, (made,) = read(assistant(1, []))
    assert made.request_ref == "req_1"


@pytest.mark.parametrize(
    ("timestamp", "seconds"),
    [
        ("2026-03-02T09:00:05.250Z", 1_772_442_005.25),
        ("2026-03-02T10:00:05+01:00", 1_772_442_005.0),
        ("2026-03-02T09:00:05", 1_772_442_005.0),
        ("yesterday", None),
        ("", None),
        (1_772_442_005, None),
        ("0001-01-01T00:00:00+23:00", -62_135_679_600.0),
        ("9999-12-31T23:59:59-23:00", 253_402_383_599.0),
    ],
)
def test_time_is_utc_seconds_or_unknown(timestamp: Any, seconds: float | None) -> None:
    _, (made,) = read(user(1, "x", timestamp=timestamp))
    assert made.time == seconds


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("user", Role.USER),
        ("assistant", Role.ASSISTANT),
        ("attachment", Role.BRIDGE),
        ("system", Role.BRIDGE),
        ("progress", Role.BRIDGE),
    ],
)
def test_types_on_the_chain_become_records(kind: str, role: Role) -> None:
    _, (made,) = read(record(kind, 1, data={"type": "hook_progress"}))
    assert made.role is role


def test_state_records_are_parsed_but_take_no_part() -> None:
    adapter, records = read(
        {"type": "summary", "summary": "x", "leafUuid": "l"},
        {"type": "file-history-snapshot", "snapshot": {}},
    )
    assert (adapter.parsed, records, dict(adapter.unknown_types)) == (2, [], {})


def test_unknown_types_pass_and_are_counted() -> None:
    adapter, records = read(
        {"type": "new-thing", "uuid": "u"}, {"type": "new-thing"}, {"no": "type"}, {"type": 5}
    )
    assert (adapter.parsed, records, adapter.bad_lines) == (4, [], [])
    assert adapter.unknown_types == {"new-thing": 2, "": 2}
    assert adapter.unique_uuids == 1


def test_step_without_uuid_is_no_step_but_a_message_without_uuid_is_kept() -> None:
    adapter, records = read({"type": "progress"}, {"type": "user", "message": {"content": "x"}})
    assert [made.role for made in records] == [Role.USER]
    assert (adapter.parsed, adapter.unique_uuids) == (2, 0)


def test_recorded_request_is_a_reference() -> None:
    line = {"type": "api-request", "id": "ref", "keep": 2, "tail": ["h"], "timestamp": "2026-03-02T09:00:05Z"}
    _, (made,) = read(line)
    assert (made.role, made.request_ref, made.thread) == (Role.REQUEST, "ref", "")
    (of_agent,) = ClaudeCodeAdapter(thread="a1").feed(as_line(line))
    assert of_agent.thread == "a1"


def test_copy_of_a_uuid_is_marked_and_counted() -> None:
    adapter, records = read(user(1, "a"), user(1, "a"), user(2, "b", 1), user(1, "c"))
    assert [bool(made.flags & Flag.DUPLICATE) for made in records] == [False, True, False, True]
    assert (adapter.unique_uuids, adapter.duplicate_records) == (2, 2)


def test_sessions_and_versions_stand_in_file_order() -> None:
    adapter, _ = read(
        {"type": "mode", "sessionId": "s2"},
        user(1, "a", sessionId="s1", version="2.1.9"),
        user(2, "a", sessionId="s2", version="2.1.10"),
    )
    assert (adapter.session_ids, adapter.versions) == (["s2", "s1"], ["2.1.9", "2.1.10"])


def test_inline_sidechain_is_named_by_its_root() -> None:
    _, records = read(
        user(1, "main"),
        user(2, "task one", isSidechain=True),
        user(3, "task two", isSidechain=True),
        assistant(4, [], 2, isSidechain=True),
        assistant(5, [], 3, isSidechain=True),
        user(6, [], 4, isSidechain=True),
        assistant(7, [], 1),
    )
    expected = ["", uuid(2), uuid(3), uuid(2), uuid(3), uuid(2), ""]
    assert [made.thread for made in records] == expected


def test_agent_names_the_thread_of_its_records() -> None:
    _, records = read(user(1, "x", isSidechain=True, agentId="a1"), user(2, "x", agentId="a1"))
    assert [made.thread for made in records] == ["a1", ""]


def test_bad_line_is_located_and_the_rest_is_read() -> None:
    data = b"\n".join(
        [json.dumps(user(1, "a")).encode(), b"", b'{"type":"us', json.dumps(user(2, "b")).encode()]
    )
    adapter = ClaudeCodeAdapter()
    records = [made for line in lines_of(data) for made in adapter.feed(line)]
    assert [(made.index, made.line) for made in records] == [(0, 1), (1, 4)]
    (bad,) = adapter.bad_lines
    assert (bad.line, data[bad.start : bad.end], bad.saved, bad.lost) == (3, b'{"type":"us', 0, True)
    assert (adapter.lines, adapter.parsed) == (3, 2)


def test_salvaged_records_have_their_own_places() -> None:
    whole = json.dumps(user(2, "b")).encode()
    adapter = ClaudeCodeAdapter()
    stub = b'{"type":"pr-link","prNu'
    records = adapter.feed(as_line(stub + whole + whole, number=3, start=50))
    assert [(made.start, made.end) for made in records] == [
        (50 + len(stub), 50 + len(stub) + len(whole)),
        (50 + len(stub) + len(whole), 50 + len(stub) + 2 * len(whole)),
    ]
    assert [made.flags & Flag.SALVAGED for made in records] == [Flag.SALVAGED] * 2
    (bad,) = adapter.bad_lines
    assert (bad.kind, bad.saved, bad.lost) == ("bad_line", 2, True)


def test_replaced_bytes_are_named_and_the_record_counts_as_sound() -> None:
    data = json.dumps(user(1, [result("t", "caf?")])).encode().replace(b"?", b"\xe9")
    adapter, (made,) = read(data)
    assert [(bad.kind, bad.saved, bad.lost) for bad in adapter.bad_lines] == [("invalid_utf8", 1, False)]
    assert (made.flags, made.blocks[0].size.chars) == (Flag(0), 4)


def test_half_characters_are_no_bad_line() -> None:
    adapter, (made,) = read(rb'{"type":"user","uuid":"u","message":{"content":"tail \ud83d"}}')
    assert (adapter.bad_lines, made.blocks[0].lone_surrogates) == ([], True)


def test_separators_of_unicode_inside_a_string_end_no_line() -> None:
    data = json.dumps(user(1, "a\u2028b\u2029c\x85d"), ensure_ascii=False).encode() + b"\n"
    (line,) = lines_of(data)
    adapter, (made,) = read(line.data)
    assert (adapter.bad_lines, made.blocks[0].size.chars) == ([], 7)


def test_line_too_long_is_named_and_not_read() -> None:
    adapter = ClaudeCodeAdapter()
    assert list(adapter.feed(RawLine(4, 10, 900, b"", oversized=True))) == []
    (bad,) = adapter.bad_lines
    assert bad == BadLine(4, 10, 900, bad.reason, 0, "huge_line", True)
    assert (adapter.lines, adapter.parsed) == (1, 0)


def test_equal_words_of_many_records_are_kept_once() -> None:
    _, (first, second) = read(assistant(1, [], entrypoint="cli"), assistant(2, [], 1, entrypoint="cli"))
    assert second.parent is first.uuid
    for field in ("session_id", "version", "message_id", "request_ref", "model", "entrypoint"):
        assert getattr(first, field) is getattr(second, field)


def test_progress_is_a_link_that_is_not_kept() -> None:
    _, records = read(
        user(1, "x"), record("progress", 2, 1), record("progress", 3, 2), user(4, "y", 3), user(5, "z", 2)
    )
    assert [(r.uuid, r.parent) for r in records] == [(uuid(1), ""), (uuid(4), uuid(1)), (uuid(5), uuid(1))]


def test_progress_is_counted_and_a_second_line_with_its_uuid_is_a_copy() -> None:
    adapter, records = read(user(1, "x"), record("progress", 2, 1), user(2, "y", 1))
    assert (adapter.parsed, adapter.unique_uuids, adapter.duplicate_records) == (3, 2, 1)
    assert [bool(r.flags & Flag.DUPLICATE) for r in records] == [False, True]


@pytest.mark.parametrize(
    "odd",
    [
        record("progress", 2),
        record("progress", 2, 9),
        record("progress", 2, 1, isSidechain=True),
        record("progress", 1, 1),
    ],
    ids=["a root", "parent unknown", "of a sidechain", "copy of a message"],
)
def test_progress_that_is_no_plain_link_stays_a_record(odd: dict[str, Any]) -> None:
    _, records = read(user(1, "x"), odd, user(4, "y", 2))
    assert [r.role for r in records] == [Role.USER, Role.BRIDGE, Role.USER]
    assert records[2].parent == uuid(2)


def test_progress_behind_what_hangs_on_it_stays_a_record() -> None:
    _, records = read(user(1, "x"), user(4, "y", 3), record("progress", 3, 1), user(5, "z", 3))
    assert [(r.uuid, r.parent) for r in records[1:]] == [
        (uuid(4), uuid(3)),
        (uuid(3), uuid(1)),
        (uuid(5), uuid(3)),
    ]


def test_boundary_names_no_progress_record() -> None:
    preserved = {"headUuid": uuid(2), "anchorUuid": uuid(2), "tailUuid": uuid(3)}
    boundary = record(
        "system", 4, subtype="compact_boundary", compactMetadata={"preservedSegment": preserved}
    )
    _, records = read(user(1, "x"), record("progress", 2, 1), user(3, "y", 2), boundary)
    made = records[-1].boundary
    assert made is not None
    assert (made.preserved_head, made.anchor, made.preserved_tail) == (uuid(1), uuid(1), uuid(3))
