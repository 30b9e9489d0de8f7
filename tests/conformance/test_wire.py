"""Every recorded request is predicted from its transcript, block by block, and rebuilt from its own lines."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.model.policy import CLAUDE_CODE
from inspector.model.transcript import BlockKind, Role
from inspector.pipeline.previews import persisted_preview, pretty_json
from inspector.pipeline.wire.boundaries import clearings
from inspector.pipeline.wire.facts import facts_of
from inspector.pipeline.wire.recorded import RecordedWire, statistics
from inspector.reading.persisted import parse_persisted
from inspector.replay.prefix import usage_before
from inspector.replay.timeline import Timeline
from tests.conformance.claude_wire import (
    Transcript,
    differences,
    glue_differences,
    is_new,
    main_thread,
    predict_history,
    predict_resumed,
    read_bytes,
)
from tests.pipeline.wire.test_history_incremental import check

NAMED = os.environ.get("INSPECTOR_SHARED")
SHARED = Path(NAMED or Path(__file__).parents[3] / "shared")
if NAMED is None and not SHARED.is_dir():
    pytest.skip("there is no folder of recordings", allow_module_level=True)

SCENARIOS = sorted(p.parent for p in SHARED.glob("wire/*/requests.json"))
REAL = sorted(SHARED.glob("real/cc-*.jsonl"))
EXCLUDED_KINDS = {"title", "count_tokens"}
"""X2 and X3: made of a prompt or of one tool's output; there is no history."""
KINDS = {"main", "agent", "compact"} | EXCLUDED_KINDS
REQUEST_KEYS = {
    "n", "step", "mode", "session", "at", "kind", "prompt", "answer_message_id", "status", "history",
    "resumed", "blocks",
}  # fmt: skip
SCORES: dict[str, Counter[str]] = {}


def scenario(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "requests.json").read_text(encoding="utf-8"))
    return value


def cases() -> Iterator[Any]:
    for folder in SCENARIOS:
        for request in scenario(folder)["requests"]:
            for way in ("history", "resumed"):
                if way in request and request["kind"] not in EXCLUDED_KINDS:
                    yield pytest.param(folder, request, way, id=f"{folder.name}:{request['n']}:{way}")


def files(*folders: str) -> Iterator[Any]:
    """Every transcript of the scenarios, without `.gz`."""
    for folder in SCENARIOS:
        for part in folders:
            for path in sorted((folder / part).rglob("*.jsonl*")):
                plain = path.with_name(path.name.removesuffix(".gz"))
                yield pytest.param(plain, id=f"{folder.name}/{plain.relative_to(folder)}")


def test_there_are_recordings() -> None:
    assert SCENARIOS
    assert REAL


@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda p: p.name)
def test_every_field_of_a_scenario_is_known(folder: Path) -> None:
    data = scenario(folder)
    assert set(data) == {"client", "settings", "edits", "requests"}
    assert set(data["settings"]) == {"message_budget", "clear_after_gap"}
    for request in data["requests"]:
        assert set(request) <= REQUEST_KEYS
        assert request["kind"] in KINDS


@pytest.mark.parametrize(("folder", "request_", "way"), cases())
def test_request_is_predicted(folder: Path, request_: dict[str, Any], way: str) -> None:
    data = scenario(folder)
    if way == "history":
        messages = predict_history(folder, request_, data["settings"])
    else:
        messages = predict_resumed(folder, request_, data["settings"], data["client"])
    found = differences(request_["blocks"], messages)
    score = SCORES.setdefault(f"{folder.name} ({way})", Counter())
    score.update(requests=1, blocks=len(request_["blocks"]), wrong=len(found))
    assert found == []


@pytest.mark.parametrize(("folder", "request_", "way"), cases())
def test_reminders_on_results_are_predicted(folder: Path, request_: dict[str, Any], way: str) -> None:
    data = scenario(folder)
    if way == "history" and is_new(folder, request_):
        messages = predict_history(folder, request_, data["settings"])
        assert glue_differences(request_["blocks"], messages) == []


@pytest.mark.parametrize("path", files("session"))
def test_recorded_requests_are_rebuilt(path: Path) -> None:
    wire = RecordedWire()
    expected = 0
    for line in read_bytes(path).split(b"\n"):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if not isinstance(value, dict):
            continue
        expected += value.get("type") == "api-request"
        wire.feed(value)
    score = statistics(wire)
    assert (score.requests, score.rebuilt) == (expected, expected)
    joined = [m for r in wire.requests.values() for m in r.messages if m.source in ("answer", "user", "run")]
    assert all(m.verified for m in joined)
    SCORES.setdefault("recorded bodies", Counter()).update(
        requests=score.requests, blocks=score.messages, wrong=score.messages - score.messages_verified
    )


@pytest.mark.parametrize("path", files("session", "edits"))
def test_replacement_lines_follow_from_sizes(path: Path) -> None:
    folder = next(p for p in SCENARIOS if p in path.parents)
    data = scenario(folder)
    transcript = Transcript(path)
    timeline = Timeline(CLAUDE_CODE)
    timeline.extend(main_thread(transcript.records))
    predicted: list[str] = []
    for request in timeline.requests:
        upto = None if request.pending else request.first_record
        if data["settings"]["message_budget"] and facts_of(transcript.records[:upto]).screen:
            predicted.extend(id for group in request.groups for id in group.replaced)
    recorded = [e for r in transcript.records if r.role is Role.REPLACEMENTS for e in r.replacements]
    # An edit may have taken the lines out; a session that is loaded without them gets none again.
    edited = path.parent.name == "edits" or path.stem in {e["session"] for e in data["edits"]}
    assert [e.tool_use_id for e in recorded] == predicted or (edited and not recorded)
    contents = {
        block.id: transcript.content(record)[place]["content"]
        for record in transcript.records
        for place, block in enumerate(record.blocks)
        if block.kind is BlockKind.TOOL_RESULT and "content" in transcript.content(record)[place]
    }
    for entry in recorded:
        content = contents[entry.tool_use_id]
        text = content if isinstance(content, str) else pretty_json(content)
        stated = parse_persisted(entry.text)
        assert stated is not None
        assert entry.text == persisted_preview(text, stated.path, split_pairs=True)


@pytest.mark.parametrize("path", [*files("session", "edits"), *(pytest.param(p, id=p.name) for p in REAL)])
def test_incremental_cuts_equal_cuts_from_scratch(path: Path) -> None:
    records = Transcript(path).records
    for thread in dict.fromkeys(r.thread for r in records):
        check([r for r in records if r.thread == thread], eager=False, every=97 if len(records) > 500 else 1)


@pytest.mark.parametrize("path", REAL, ids=lambda p: p.name)
def test_boundaries_are_explained_or_said_not_to_be(path: Path) -> None:
    records = main_thread(Transcript(path).records)
    for clearing in clearings(records):
        assert clearing.explained == (
            clearing.found == clearing.named and clearing.saved == clearing.stated_saved
        )
        assert clearing.explained or clearing.reason
        assert clearing.by_rule or clearing.found < clearing.named or clearing.persisted
        assert clearing.usage_before
        assert clearing.usage_after
        assert clearing.usage_after < clearing.usage_before
        print(path.name, clearing)
    timeline = Timeline(CLAUDE_CODE)
    timeline.extend(records)
    for request in timeline.requests:
        if request.compaction is not None and not request.pending:
            before = usage_before(timeline, request.n - 1)
            assert before is not None
            assert before.usage is not None
            assert request.usage is not None
            assert request.usage.context < before.usage.context


def test_table_of_what_was_right(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print()
        for name, score in SCORES.items():
            right = score["blocks"] - score["wrong"]
            print(f"{name:40} {score['requests']:5} requests {right:6} of {score['blocks']:6} blocks right")
    total = sum(score["blocks"] for name, score in SCORES.items() if name != "recorded bodies")
    assert total == sum(
        score["blocks"] - score["wrong"] for name, score in SCORES.items() if name != "recorded bodies"
    )
