"""Real public transcripts: each opens, replays and reports without a fault, and its figures agree."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from inspector.report import report
from inspector.session import open_session
from tests.conformance.shared import shared_folder

FILES = shared_folder("real", "*.jsonl*")
STATES = {"fresh", "replaced", "must-reapply", "frozen", "skipped", "not a candidate"}
LEVELS = {"full", "preview", "truncated", "summarized", "cleared", "gone", "exempt"}


def lines_of(path: Path) -> list[bytes]:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).split(b"\n")


def answers_of(path: Path) -> Iterator[dict[str, Any]]:
    """Records of the model's own answers; a copy of a record is no second one."""
    seen = set()
    beside = path.parent / path.name.split(".jsonl")[0]
    for file in (path, *sorted(beside.rglob("*.jsonl*"))):
        for line in lines_of(file):
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if (
                not isinstance(record, dict)
                or record.get("type") != "assistant"
                or record.get("uuid") in seen
            ):
                continue
            seen |= {record["uuid"]} if "uuid" in record else set()
            if not record.get("isApiErrorMessage") and record["message"].get("model") != "<synthetic>":
                yield record


def usage_by_answer(path: Path) -> dict[str, int]:
    """Sum of the last usage of each answer, counted without the project's own code."""
    last: dict[tuple[str, str], Any] = {}
    for record in answers_of(path):
        message = record["message"]
        if message.get("usage"):
            last[message["id"], record.get("requestRef") or record.get("requestId") or ""] = message["usage"]
    keys = {"input": "input_tokens", "output": "output_tokens"}
    keys |= {"cache_creation": "cache_creation_input_tokens", "cache_read": "cache_read_input_tokens"}
    return {word: sum(usage.get(key) or 0 for usage in last.values()) for word, key in keys.items()}


@pytest.fixture(scope="module")
def reports() -> dict[Path, Any]:
    return {}


@pytest.fixture
def found(reports: dict[Path, Any], path: Path) -> Any:
    """The report of a file, made once for all tests of this module."""
    if path not in reports:
        reports[path] = report(open_session(path))
    return reports[path]


every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)


@every_file
def test_report_is_plain_json_with_requests_in_order(path: Path, found: Any) -> None:
    assert json.loads(json.dumps(found))["schema"] == "inspector-report/1"
    numbers = [request["n"] for request in found["requests"]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) == found["totals"]["requests"]
    assert len(numbers) >= 1


@every_file
def test_lifelines_are_ordered_and_hold_known_words(path: Path, found: Any) -> None:
    last = len(found["requests"])
    for row in found["results"]:
        spans = row["lifeline"]
        assert row["state"] in STATES
        for before, after in pairwise(spans):
            assert after["from"] == before["to"] + 1, row["id"]
        for span in spans:
            assert 1 <= span["from"] <= span["to"] <= last, row["id"]
            assert span["state"] in STATES
            assert span["level"] in LEVELS
            assert span["chars"] >= 0


@every_file
def test_groups_add_up(path: Path, found: Any) -> None:
    for group in found["groups"]:
        assert group["over"] == (group["total"] > group["limit"])
        assert set(group["replace"]) <= set(group["ids"])
        assert group["remaining"] <= group["total"]


@every_file
def test_usage_counts_once_for_each_answer(path: Path, found: Any) -> None:
    usage = {key: value for key, value in found["totals"]["usage"].items() if key != "messages"}
    if "claude" in found["source"]["kind"].lower():
        assert usage == usage_by_answer(path)
    assert usage["output"] >= 0


@every_file
def test_findings_have_a_fact_and_a_place(path: Path, found: Any) -> None:
    for finding in found["findings"]:
        assert finding["fact"].strip(), finding["kind"]
        assert finding["severity"] in {"error", "warning", "info"}
        if finding["severity"] == "error":
            assert finding["see"] or finding["ids"], finding["kind"]
