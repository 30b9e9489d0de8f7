"""A managed history: previews of either form lead to their files, and look-alikes do not."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.cli import main
from inspector.manager import ToolResultManager
from inspector.model.policy import DOCUMENTED
from inspector.session import open_session
from tests.pipeline.test_stages import turn


def history(*, answers: int = 0) -> list[Any]:
    return [*turn(30_000, 100), *({"role": "assistant", "content": str(n)} for n in range(answers))]


@pytest.mark.parametrize("answers", [0, 2, 4])
def test_previews_and_stubs_lead_to_their_files(tmp_path: Path, answers: int) -> None:
    scratch, out = tmp_path / "scratch", tmp_path / "out.json"
    manager = ToolResultManager(DOCUMENTED, scratch, keep_files=True)
    manager.prepare(history())
    out.write_text(json.dumps(manager.prepare(history(answers=answers)).messages))
    with open_session(out, scratch=scratch) as session:
        ((row, overflow),) = session.overflows()
        assert row.entry.id == "t0_0"
        assert overflow.status.value == "found"
        assert "overflow_unreferenced" not in {finding.kind for finding in session.findings()}


def test_a_file_of_a_result_that_does_not_name_it_stays_unreferenced(tmp_path: Path) -> None:
    scratch, out = tmp_path / "scratch", tmp_path / "out.json"
    scratch.mkdir()
    (scratch / "budget_t0_0_1.txt").write_text("text")
    messages = history()
    messages[1]["content"][0]["content"] = "x\n[full output saved to /etc/passwd]"
    out.write_text(json.dumps(messages))
    with open_session(out, scratch=scratch) as session:
        assert list(session.overflows()) == []
        assert "overflow_unreferenced" in {finding.kind for finding in session.findings()}


def test_the_wire_of_a_message_list_holds_its_messages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "messages.json"
    session.write_text(json.dumps([{"role": "user", "content": "go"}, *history(), *turn(10, at=1)]))
    assert main(["wire", str(session), "--request", "2"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
