"""The managed run: a rerun gives the same bytes, and outputs are whole or not there."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import UsageError
from inspector.managed_run import Progress, history_json, records_jsonl, run
from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, BudgetMode
from tests.pipeline.test_stages import turn


def story() -> list[list[Any]]:
    history: list[Any] = [{"role": "user", "content": "go\ud83d"}]
    requests = [list(history)]
    for t in range(6):
        history = [*history, *turn(30_000, 4_000, at=t)]
        requests.append(history)
    return requests


def played(scratch: Path) -> list[Progress]:
    return list(run(story(), DOCUMENTED, scratch, session_id="s"))


def test_every_request_is_run_in_order_and_the_budget_is_on(tmp_path: Path) -> None:
    assert [progress.request for progress in played(tmp_path)] == [1, 2, 3, 4, 5, 6, 7]
    policy = CLAUDE_CODE.with_field("budget.mode", BudgetMode.OFF)
    (progress,) = run([turn(*[60_000] * 4)], policy, tmp_path / "client")
    assert len(progress.records) == 1


def test_the_rules_may_be_named_as_the_manager_takes_them(tmp_path: Path) -> None:
    named = [progress.messages for progress in run(story(), "documented", tmp_path)]
    assert named == [progress.messages for progress in played(tmp_path)]
    for name in ("chatcli", "nobody's"):
        with pytest.raises(UsageError, match=name):
            next(run(story(), name, tmp_path))


def test_a_rerun_gives_the_same_bytes(tmp_path: Path) -> None:
    first = played(tmp_path)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    again = played(tmp_path)
    assert history_json(first[-1].messages) == history_json(again[-1].messages)
    assert records_jsonl(r for p in first for r in p.records) == records_jsonl(
        r for p in again for r in p.records
    )
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    assert len(files) == 6


def test_outputs_are_json_even_with_half_characters(tmp_path: Path) -> None:
    last = played(tmp_path)[-1]
    assert json.loads(history_json(last.messages)) == last.messages
    assert json.loads(history_json([])) == []
    lines = records_jsonl(last.records).decode().splitlines()
    assert [json.loads(line) for line in lines] == list(last.records)
