from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.claude_lines import Line, decode_line, line_from_object
from tests.reading.samples import as_line, assistant, call, image, png_head, record, result, user

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
MAYBE = st.none() | TEXT
BLOCKS = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": TEXT}),
    st.fixed_dictionaries({"type": st.just("thinking"), "thinking": TEXT, "signature": TEXT}),
    st.builds(call, TEXT, command=TEXT, other=st.integers() | st.booleans() | st.none()),
    st.builds(result, TEXT, MAYBE, is_error=st.none() | st.booleans()),
    st.builds(
        result, TEXT, st.lists(st.just(image(png_head(3, 4))) | st.just({"type": "text", "text": "é"}))
    ),
    st.just(image(png_head(5, 6))),
    st.fixed_dictionaries({"type": TEXT, "id": TEXT}),
)
CONTENT = MAYBE | st.lists(BLOCKS, max_size=3)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "parentUuid": MAYBE,
        "logicalParentUuid": MAYBE,
        "subtype": st.sampled_from(["compact_boundary", "microcompact_boundary", "turn_duration"]),
        "isSidechain": st.booleans(),
        "agentId": TEXT,
        "timestamp": st.datetimes().map(lambda moment: moment.isoformat() + "Z"),
        "version": MAYBE,
        "entrypoint": TEXT,
        "requestId": TEXT,
        "requestRef": TEXT,
        "isMeta": st.booleans(),
        "isCompactSummary": st.booleans(),
        "isVisibleInTranscriptOnly": st.booleans(),
        "isApiErrorMessage": st.booleans(),
        "origin": st.sampled_from([{"kind": "task-notification"}, {"kind": "human"}, None, "x"]),
        "rendered": st.sampled_from([[], [{"content": "a"}], None]),
        "compactMetadata": st.sampled_from([{"trigger": "auto", "preTokens": 5}, {}, []]),
        "microcompactMetadata": st.sampled_from([{"compactedToolIds": ["a", 1], "tokensSaved": 7}, None]),
        "replacements": st.sampled_from([[{"toolUseId": "a", "replacement": "b"}], [], {"toolUseId": "c"}]),
        "toolUseResult": st.sampled_from(["text", {"stdout": "x", "persistedOutputSize": 5}, []]),
        "session_id": TEXT,
    },
)
KINDS = st.sampled_from(
    ["user", "assistant", "attachment", "system", "content-replacement", "api-request", "?"]
)
RECORDS = st.builds(
    lambda kind, content, fields: assistant(1, content) | {"type": kind} | fields, KINDS, CONTENT, FIELDS
)


def by_object(value: dict[str, Any], length: int) -> Any:
    adapter = ClaudeCodeAdapter()
    made = adapter._record(line_from_object(value), 1, 0, length, 0)
    return made, adapter.unknown_types, adapter.versions, adapter.session_ids, adapter.unique_uuids


@given(RECORDS)
def test_typed_and_lenient_paths_agree_on_every_field(value: dict[str, Any]) -> None:
    line = as_line(json.dumps(value, ensure_ascii=False).encode())
    adapter = ClaudeCodeAdapter()
    typed = adapter._record(decode_line(line.data), 1, 0, line.end, 0)
    counters = adapter.unknown_types, adapter.versions, adapter.session_ids, adapter.unique_uuids
    assert (typed, *counters) == by_object(value, line.end)
    fed = ClaudeCodeAdapter().feed(line)
    assert list(fed) == ([] if typed is None else [typed])


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
NAMES = sorted({msgspec.structs.fields(Line)[i].encode_name for i in range(len(Line.__struct_fields__))})


@given(st.sampled_from(NAMES), JSON, KINDS)
def test_any_type_in_any_field_still_gives_a_record(name: str, value: Any, kind: str) -> None:
    changed = assistant(1, [call("a", command="ls")]) | {"type": kind, name: value}
    adapter = ClaudeCodeAdapter()
    records = adapter.feed(as_line(changed))
    assert (adapter.parsed, adapter.bad_lines) == (1, [])
    if kind in {"user", "assistant"} and name not in {"type", "message"}:
        assert [block.id for block in records[0].blocks] == ["a"]


@given(st.sampled_from(["id", "model", "content", "usage"]), JSON)
def test_any_type_in_any_field_of_a_message_still_gives_a_record(name: str, value: Any) -> None:
    changed = assistant(1, "text")
    changed["message"][name] = value
    assert len(ClaudeCodeAdapter().feed(as_line(changed))) == 1


@given(
    st.sampled_from(["type", "text", "id", "name", "input", "tool_use_id", "content", "is_error", "source"]),
    JSON,
)
def test_any_type_in_any_field_of_a_block_still_gives_a_block(name: str, value: Any) -> None:
    block = result("a", "text") | {"name": "n", "id": "b"} | {name: value}
    (made,) = ClaudeCodeAdapter().feed(as_line(user(1, [block])))
    assert len(made.blocks) == 1


def test_usable_fields_are_kept_beside_unusable_ones() -> None:
    value = assistant(2, ["plain", 5, call("a", command="ls"), {"type": 7}], 1, isMeta="yes", version=3)
    value["message"]["usage"] = {"input_tokens": "NaN", "output_tokens": 7.0, "cache_read_input_tokens": -1}
    (made,) = ClaudeCodeAdapter().feed(as_line(value))
    assert [block.kind.name for block in made.blocks] == ["TEXT", "OTHER", "TOOL_USE", "OTHER"]
    assert (made.usage.input, made.usage.output, made.usage.cache_read) == (0, 7, 0)
    assert (made.version, int(made.flags), made.message_id) == ("", 0, "msg_1")


@pytest.mark.parametrize("content", [[{"type": "text", "text": "a"}], {"type": "text", "text": "a"}])
def test_single_block_without_its_list_counts_as_a_list_of_one(content: Any) -> None:
    value = record("user", 1, message={"content": content})
    (made,) = ClaudeCodeAdapter().feed(as_line(value))
    assert made.blocks[0].size.chars == 1
