"""`--filter` and `--agent` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.cli import main

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
SESSION = str(next((SAMPLES / "subagents").glob("*.jsonl")))
READERS = "a9eb304ed316e06d0"


def test_a_filtered_report_is_one_line_a_result(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", SESSION, "--filter", "tool:Bash size>29k"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "main conversation: 0 of 5 results that match “tool:Bash size:29001-”"
    assert lines[1].startswith("Explore · Find readers: 3 of 10 results")
    assert [line.split()[-1][:8] for line in lines[3:6]] == ["toolu_01"] * 3
    assert "must-reapply, preview" in lines[5]


def test_a_filtered_json_report_holds_only_what_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", SESSION, "--format", "json", "--filter", "level:preview"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["filter"] == "level:preview"
    assert data["results"] == []
    rows = {thread["thread"]: thread["result_rows"] for thread in data["threads"]}
    assert [row["tool"] for row in rows[READERS]] == ["Bash"]


def test_an_agent_stands_in_the_place_of_the_main_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", SESSION, "--format", "json", "--agent", READERS]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["agent"], data["threads"]) == (READERS, [])
    assert (len(data["requests"]), len(data["results"]), data["totals"]["requests"]) == (5, 10, 5)
    assert {finding["thread"] for finding in data["findings"]} == {READERS}
    assert any(row["overflow"] for row in data["results"])
    assert main(["report", SESSION, "--agent", READERS]) == 0
    text = capsys.readouterr().out
    assert f"sub-agent {READERS}" in text
    assert "started by toolu_" in text
    assert "over_turn_budget" in text
    assert "main conversation" not in text


def test_check_fails_only_by_findings_that_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", SESSION, "--fail-on", "warning", "--filter", "finding:over_turn"]) == 1
    assert main(["check", SESSION, "--fail-on", "warning", "--filter", "finding:orphan"]) == 0
    assert "0 failing, 0 findings in all" in capsys.readouterr().out


def test_overflow_lists_files_of_results_that_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["overflow", SESSION, "--filter", "tool:Bash"]) == 0
    assert "toolu_" in capsys.readouterr().out
    assert main(["overflow", SESSION, "--filter", "tool:Read"]) == 0
    assert "No overflow file of a result that matches." in capsys.readouterr().out
    assert main(["overflow", SESSION, "--json", "--filter=-tool:Bash"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["results"], data["unreferenced"]) == ([], [])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["report", SESSION, "--filter", "tool:Bash hue:red"],
            "filter, column 11: there is no field 'hue'",
        ),
        (["check", SESSION, "--filter", "size>x"], "filter, column 6: 'x' is no figure"),
        (["overflow", SESSION, "--filter", '"'], 'column 1: this " is not closed'),
        (["report", SESSION, "--agent", "nobody"], "there is no sub-agent 'nobody'"),
        (["report", SESSION, "--agent", "nobody", "--format", "json"], "there is no sub-agent 'nobody'"),
        (["report", SESSION, "--agent", "nobody", "--filter", "x"], "there is no sub-agent 'nobody'"),
        (["report", SESSION, "--filter", "x", "--format", "html"], "have no html form"),
    ],
)
def test_what_cannot_be_ends_with_2_and_the_place(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("topic", ["filter", "keys"])
def test_filters_and_keys_are_explained(capsys: pytest.CaptureFixture[str], topic: str) -> None:
    assert main(["help", topic]) == 0
    assert {"filter": "tool:Bash", "keys": "keys.toml"}[topic] in capsys.readouterr().out
