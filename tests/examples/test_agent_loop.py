"""The example: it runs, writes a followable transcript, and shows every stage at work."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.examples.agent_loop import main


def test_the_example_writes_a_transcript_whose_records_lead_to_real_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 0
    (transcript,) = tmp_path.glob("*.jsonl")
    assert capsys.readouterr().out.startswith(f"{transcript}\n")
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
