"""`inspector compare` of two requests: what may be said together, and both forms of the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.cli import main
from tests.session.test_replacement_findings import FULL, session_with


def body(path: Path, text: str) -> str:
    path.write_text(json.dumps([{"role": "user", "content": text}]), encoding="utf-8")
    return str(path)


def test_two_files_are_two_requests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = body(tmp_path / "1.json", "a"), body(tmp_path / "2.json", "b")
    assert main(["compare", one, two]) == 0
    assert "prefix break at message 0" in capsys.readouterr().out
    assert main(["compare", one, two, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "inspector-requests/1"


def test_recorded_requests_of_a_session_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = session_with(line=False, later=FULL).open(tmp_path)
    path = str(session.path)
    session.close()
    assert main(["compare", path, "--request", "3", "--recorded"]) == 0
    assert "recorded request 2 → recorded request 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--recorded"], "add --request N"),
        (["{two}", "--request", "2"], "name one file"),
        (["--request", "2", "--policy", "documented"], "leave --policy out"),
        ([], "--policy A --policy B"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_does_not_go_together_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    one, two = body(tmp_path / "1.json", "a"), body(tmp_path / "2.json", "b")
    assert main(["compare", one, *(word.format(two=two) for word in words)]) == 2
    assert said in capsys.readouterr().err
