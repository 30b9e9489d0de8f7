from __future__ import annotations

from typing import Any

import pytest

from inspector.model.transcript import Boundary, Record, Replacement, Role
from inspector.reading.claude_code import ClaudeCodeAdapter
from tests.reading.samples import SESSION, as_line, read, record


def only(value: dict[str, Any]) -> Record:
    _, (made,) = read(value)
    return made


def boundary(**metadata: Any) -> Record:
    return only(
        record("system", 1, subtype="compact_boundary", logicalParentUuid="l", compactMetadata=metadata)
    )


def test_compaction_tells_what_it_kept() -> None:
    made = boundary(
        trigger="manual",
        preTokens=900,
        postTokens=20,
        preservedSegment={"headUuid": "h", "anchorUuid": "a1", "tailUuid": "t"},
        preservedMessages={"anchorUuid": "a2", "uuids": ["u", "v", 5]},
    )
    assert made.role is Role.BOUNDARY
    assert made.boundary == Boundary("manual", 900, 20, None, (), ("u", "v"), "h", "t", "a2", "l")


def test_segment_without_messages_names_its_own_anchor() -> None:
    made = boundary(preservedSegment={"head": "h", "anchor": "a", "tail": "t"})
    assert made.boundary == Boundary(preserved_head="h", preserved_tail="t", anchor="a", logical_parent="l")


@pytest.mark.parametrize("metadata", [None, [], "x", {"preTokens": "many", "preservedMessages": 5}])
def test_compaction_with_odd_metadata_is_a_compaction(metadata: Any) -> None:
    made = only(record("system", 1, subtype="compact_boundary", compactMetadata=metadata))
    assert (made.role, made.boundary) == (Role.BOUNDARY, Boundary())


def test_clearing_names_the_results_that_count_as_cleared() -> None:
    metadata = {"trigger": "auto", "preTokens": 9, "tokensSaved": 4, "compactedToolIds": ["a", "b", None]}
    made = only(record("system", 1, subtype="microcompact_boundary", microcompactMetadata=metadata))
    assert made.role is Role.CLEARING
    assert made.boundary == Boundary("auto", 9, tokens_saved=4, cleared_ids=("a", "b"))


def replacement_line(replacements: Any, **more: Any) -> dict[str, Any]:
    return {"type": "content-replacement", "sessionId": SESSION, "replacements": replacements, **more}


def test_replacement_line_keeps_ids_and_texts_in_order() -> None:
    entries = [
        {"kind": "tool-result", "toolUseId": key, "replacement": f"<persisted-output>{key}"} for key in "ba"
    ]
    made = only(replacement_line(entries))
    assert (made.role, made.uuid, made.thread, made.session_id) == (Role.REPLACEMENTS, "", "", SESSION)
    assert made.replacements == (
        Replacement("b", "<persisted-output>b"),
        Replacement("a", "<persisted-output>a"),
    )


def test_replacement_line_of_an_agent_belongs_to_its_thread() -> None:
    assert only(replacement_line([], agentId="a1")).thread == "a1"


def test_replacement_variant_without_a_text_names_the_result() -> None:
    entry = {"messageUuid": "m", "toolUseId": "t", "blockIndex": 0, "kind": "persisted"}
    assert only(replacement_line([entry])).replacements == (Replacement("t", ""),)
    assert only(replacement_line(entry)).replacements == (Replacement("t", ""),)


@pytest.mark.parametrize("replacements", [None, 5, "x", [None, 5, {}, {"toolUseId": 5}, {"toolUseId": ""}]])
def test_entries_without_an_id_are_passed_over(replacements: Any) -> None:
    assert only(replacement_line(replacements)).replacements == ()


def test_half_character_in_a_replacement_survives() -> None:
    made = only(replacement_line([{"toolUseId": "t", "replacement": "tail \ud83d"}]))
    assert made.replacements == (Replacement("t", "tail \ud83d"),)


def test_an_agent_heeds_only_replacement_lines_that_name_it() -> None:
    entry = {"kind": "tool-result", "toolUseId": "t", "replacement": "short"}
    adapter = ClaudeCodeAdapter(thread="a1")
    lines = (replacement_line([entry], **more) for more in ({}, {"agentId": "a2"}, {"agentId": "a1"}))
    records = [adapter.feed(as_line(line)) for line in lines]
    assert [len(found) for found in records] == [0, 0, 1]
    assert adapter.parsed == 3
