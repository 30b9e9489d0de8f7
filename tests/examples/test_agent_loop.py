"""The example: it runs, writes a followable transcript, and shows every stage at work."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.cli import main as inspector
from inspector.examples.agent_loop import Agent, Transcript, main
from inspector.manager import ToolResultManager
from inspector.model.policy import DOCUMENTED
from inspector.session import open_session


def test_the_example_writes_a_transcript_whose_records_lead_to_real_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 0
    (transcript,) = tmp_path.glob("*.jsonl")
    told = capsys.readouterr().out
    assert told.startswith(f"{transcript}\n")
    assert "request 1: 1 message, " in told
    records: list[dict[str, Any]] = [json.loads(line) for line in transcript.read_text().splitlines()]
    messages = [record for record in records if record["type"] in ("user", "assistant")]
    parents = [record["parentUuid"] for record in messages]
    assert parents == [None, *(record["uuid"] for record in messages[:-1])]
    (replaced,) = [record for record in records if record["type"] == "content-replacement"]
    assert len(replaced["replacements"]) == 4
    results = {
        block["tool_use_id"]: block["content"]
        for record in messages
        if isinstance(record["message"]["content"], list)
        for block in record["message"]["content"]
        if block["type"] == "tool_result"
    }
    for item in replaced["replacements"]:
        path = item["replacement"].partition("full output saved to ")[2].partition("]")[0]
        assert Path(path).read_text(encoding="utf-8") == results[item["toolUseId"]]
    assert any(text.startswith("FileNotFoundError") for text in results.values())


def test_the_transcript_can_be_read_at_every_step_while_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    scratch = tmp_path / "session" / "tool-results"
    manager = ToolResultManager(DOCUMENTED, scratch, session_id="session", keep_files=True)
    agent = Agent(manager, Transcript(path, "session"))
    recorded: dict[str, str] = {}
    for number, prepared in enumerate(agent.run("go"), start=1):
        for record in prepared.records:
            recorded |= {item["toolUseId"]: item["replacement"] for item in record["replacements"]}
        with open_session(path, policy="documented", live=True) as session:
            assert len(session.timeline.requests) == number
            assert {row.entry.id: row.stored for row in session.all_rows() if row.stored} == recorded
            assert all(overflow.status.value == "found" for _, overflow in session.overflows())
            assert session.counts.bad_lines == []
        assert inspector(["report", str(path), "--policy", "documented", "--live"]) == 0
    assert recorded


def test_the_finished_transcript_has_no_failing_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 0
    (transcript,) = tmp_path.glob("*.jsonl")
    assert inspector(["check", str(transcript), "--policy", "documented"]) == 0
    assert inspector(["report", str(transcript), "--policy", "documented"]) == 0
    assert "4 replaced" in capsys.readouterr().out
