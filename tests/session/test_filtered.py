"""A filter on a whole session: results as of its newest request, and the findings that are about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.replay.filters import parse_filter
from inspector.session import Session, open_session
from inspector.session.filtered import SessionFilter

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
READERS = "a9eb304ed316e06d0"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with open_session(next((SAMPLES / "subagents").glob("*.jsonl"))) as opened:
        yield opened


def rows(session: Session, words: str, thread: str = READERS) -> list[str]:
    return [row.argument for _, row in SessionFilter(session, parse_filter(words)).rows(thread)]


def test_rows_pass_by_what_they_are_at_the_newest_request(session: Session) -> None:
    assert rows(session, "state:replaced level:preview") == ["grep -rn session src/shop/api"]
    assert rows(session, "tool:Read turn:2") == ["/home/mara/shop/src/shop/auth/session.py"]
    assert len(rows(session, "")) == 10
    assert rows(session, "size>20k", thread="") == []


def test_rows_pass_by_their_findings_and_texts(session: Session) -> None:
    assert rows(session, "finding:elsewhere") == ["grep -rn session src/shop/api"]
    assert len(rows(session, "finding:over_turn")) >= 1
    with_text = rows(session, "text:def")
    assert set(with_text) < set(rows(session, ""))
    assert set(rows(session, "-text:def")) == set(rows(session, "")) - set(with_text)


def kinds(session: Session, words: str) -> set[str]:
    return {finding.kind for finding in SessionFilter(session, parse_filter(words)).findings()}


def test_findings_pass_by_their_own_kind_and_request(session: Session) -> None:
    assert kinds(session, "finding:over") == {"over_turn_budget", "overflow_elsewhere"}
    assert kinds(session, "finding:over request:3") >= {"over_turn_budget"}
    assert kinds(session, "finding:over request:4-") == set()
    assert "over_turn_budget" not in kinds(session, "-finding:over_turn")
    assert kinds(session, "") == {finding.kind for finding in session.findings()}


def test_findings_pass_by_the_results_that_they_name(session: Session) -> None:
    assert kinds(session, "level:preview") >= {"overflow_elsewhere"}
    assert kinds(session, "tool:Nope") == set()
    assert kinds(session, "finding:over tool:Read") <= {"over_turn_budget"}
