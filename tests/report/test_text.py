"""The report for people."""

from __future__ import annotations

from pathlib import Path

from inspector.report import text_report
from inspector.session import Session
from inspector.why import why
from tests.builders import Transcript, call, text, tokens


def lines_of(session: Session) -> list[str]:
    return text_report(session, why(session, with_advice=False)).split("\n")


def test_report_says_what_the_session_is_and_each_request(tmp_path: Path) -> None:
    script = Transcript(version="2.1.38")
    script.prompt()
    script.answer("m1", call("a"), call("b"), usage=tokens(5_000))
    script.result("a", "x" * 150_000)
    script.result("b", "x" * 100_000)
    script.answer("m2", text(), usage=tokens(60_000))
    with script.open(tmp_path) as session:
        lines = lines_of(session)
    assert any(line.endswith("5 read, 5 records") for line in lines)
    assert any("2.1.38" in line for line in lines)
    assert sum(line.strip().startswith(("1  ", "2  ", "3*  ")) for line in lines) == 3
    assert any("250,000 of 200,000" in line for line in lines)


def test_report_of_a_session_with_nothing_in_it_is_one(tmp_path: Path) -> None:
    with Transcript().open(tmp_path) as session:
        assert lines_of(session)
