"""What is counted in a sentence agrees with its figure, and a figure is written like every other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from inspector.report.text import text_report
from inspector.report.why import why_text
from inspector.session import open_session
from inspector.why import why

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
SESSIONS = sorted(path for path in SAMPLES.glob("*/*.json*") if path.parent != SAMPLES)
NOUNS = "results|requests|records|times|files|lines|images|answers|findings|ones|tokens|blocks|messages|calls"
"""What is counted in more than one place."""


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
