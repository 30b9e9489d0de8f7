"""Reading against shared transcripts: every file without a fault, every input field of the cases."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from inspector.model.transcript import COMMENT, BlockKind, Record
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.follow import Follower
from inspector.reading.texts import block_text, message_content, record_bytes
from tests.conformance.case import Case

STATED = os.environ.get("INSPECTOR_SHARED")
SHARED = Path(STATED or Path(__file__).parents[2] / "../shared").resolve()


def found(pattern: str, *folders: str) -> list[Any]:
    """Files of the shared data as parameters; one that skips where there is no such data."""
    paths = sorted(path for folder in folders for path in (SHARED / folder).rglob(pattern))
    if paths:
        return [pytest.param(path, id=str(path.relative_to(SHARED))) for path in paths]
    if STATED:
        return [pytest.param(SHARED / folders[0], id=f"nothing in {folders[0]}")]
    return [pytest.param(SHARED, marks=pytest.mark.skip(reason="no shared data beside the repository"))]


def read(path: Path) -> tuple[ClaudeCodeAdapter, list[Record], Follower]:
    adapter, follower, records = ClaudeCodeAdapter(), Follower(path), []
    while True:
        batch = follower.poll()
        for line in batch.lines:
            records += adapter.feed(line)
        if batch.at_end:
            break
    rest = follower.partial_line()
    if rest is not None:
        records += adapter.feed(rest)
    return adapter, records, follower


@pytest.mark.parametrize("path", found("*.jsonl*", "real", "wire"))
def test_transcript_is_read_without_a_fault_and_texts_have_the_sizes_indexed(path: Path) -> None:
    adapter, records, follower = read(path)
    assert follower.source is not None
    nothing = [bad for bad in adapter.bad_lines if not bad.saved and (bad.lost or bad.kind == COMMENT)]
    assert adapter.parsed + len(nothing) == adapter.lines
    for record in records:
        assert record_bytes(follower.source, record).strip()[:1] == b"{"
        if not record.blocks:
            continue
        content = message_content(follower.source, record)
        texts = [content] if isinstance(content, str) else [block_text(block) for block in content]
        for block, text in zip(record.blocks, texts, strict=True):
            if block.kind is not BlockKind.TOOL_USE:
                utf16 = len(text.encode("utf-16-le", "surrogatepass")) // 2
                assert (block.size.chars, block.size.utf16) == (len(text), utf16)
    follower.close()


@pytest.mark.parametrize("path", found("expect.json", "cases"))
def test_input_fields_of_a_case_come_out_as_stated(path: Path, tmp_path: Path) -> None:
    case = Case(path.parent, tmp_path)
    for file in dict.fromkeys([case.path, *case.files]):
        if file.suffix == ".jsonl":
            adapter, records, follower = read(file)
            follower.close()
            if file == case.path and not case.parts:
                check(case.expect, adapter, records)


def check(expect: dict[str, Any], adapter: ClaudeCodeAdapter, records: list[Record]) -> None:
    """Compare every field of the case that reading alone decides."""
    bad = [line.line for line in adapter.bad_lines]
    counts = {"lines": adapter.lines, "parsed": adapter.parsed, "bad_lines": bad}
    counts["unique_uuids"] = adapter.unique_uuids
    stated = {key: value for key, value in expect.get("records", {}).items() if key in counts}
    assert {key: counts[key] for key in stated} == stated
    outcomes = [
        outcome["parsed"]
        for outcome in expect.get("either", {}).values()
        if isinstance(outcome, dict) and "parsed" in outcome
    ]
    assert not outcomes or adapter.parsed in outcomes
    blocks = [block for record in records for block in record.blocks if block.kind is BlockKind.TOOL_RESULT]
    surrogates = {block.id for block in blocks if block.lone_surrogates}
    surrogates |= {
        entry.tool_use_id
        for record in records
        for entry in record.replacements
        if any("\ud800" <= char <= "\udfff" for char in entry.text)
    }
    assert surrogates == set(expect.get("lone_surrogates", surrogates))
    base64 = {block.id: block.base64_chars for block in blocks if block.base64_chars}
    assert base64 == expect.get("base64_text", base64)
    assert adapter.session_ids == expect.get("session_ids", adapter.session_ids)
