"""The report for people."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from inspector.report import text_report
from inspector.report.why import why_text
from inspector.session import Session, open_session
from inspector.why import why
from tests.builders import Transcript, call, text, tokens

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
SESSIONS = sorted(path for path in SAMPLES.glob("*/*.json*") if path.parent != SAMPLES)
NOUNS = "results|requests|records|times|files|lines|images|answers|findings|ones|tokens|blocks|messages|calls"
"""What is counted in more than one place."""


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


@pytest.mark.parametrize(("progress", "told"), [(4, True), (1, False)])
def test_report_tells_of_records_that_are_no_part_of_the_conversation_where_they_are_most(
    tmp_path: Path, progress: int, told: bool
) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    for _ in range(progress):
        script.record("progress", data={"type": "bash_progress", "output": "tick"})
    script.result("a", "x")
    with script.open(tmp_path) as session:
        (said,) = [line for line in lines_of(session) if line.startswith("  lines ")]
    assert (f"{progress} of them no part of the conversation" in said) is told


def test_report_of_a_session_with_nothing_in_it_is_one(tmp_path: Path) -> None:
    with Transcript().open(tmp_path) as session:
        assert lines_of(session)


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: f"{path.parent.name}-{path.stem[:8]}")
def test_one_thing_is_told_as_one(path: Path) -> None:
    with open_session(path) as session:
        answer = why(session, with_advice=False)
        told = [
            text_report(session),
            *(why_text(session, answer, limit=n) for n in range(len(answer.causes))),
        ]
        told += [finding.fact for finding in session.findings()]
        told += [cause.brief for cause in answer.causes]
    assert [
        m[0] for m in re.finditer(rf"(?<![\d,.–])1 (?:\w+ )?(?:{NOUNS})\b.{{0,30}}", "\n".join(told))
    ] == []
