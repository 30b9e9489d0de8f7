"""A filter asked of a whole session."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.replay.filters import parse_filter
from inspector.session.filtered import SessionFilter
from tests.builders import LEDGER, Transcript, call, text


def asked(folder: Path, words: str) -> tuple[list[str], list[str]]:
    """Ids of rows and kinds of findings that pass."""
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), call("b", "Grep"), call("open"))
    script.result("a", "needle " + "x" * 150_000)
    script.result("b", "x" * 100_000)
    script.prompt("go on")
    script.answer("m2", text())
    with script.open(folder, LEDGER) as session:
        found = SessionFilter(session, parse_filter(words))
        return [row.id for _, row in found.rows()], [f.kind for f in found.findings()]


@pytest.mark.parametrize(
    ("words", "ids"),
    [("tool:Grep", ["b"]), ("text:needle", ["a"]), ("finding:missing", ["open"]), ("tool:nobody", [])],
)
def test_rows_pass_by_what_they_are_and_hold(tmp_path: Path, words: str, ids: list[str]) -> None:
    assert asked(tmp_path, words)[0] == ids


def test_findings_pass_by_their_kind_and_by_the_results_that_they_name(tmp_path: Path) -> None:
    assert asked(tmp_path, "finding:missing")[1] == ["missing_result"]
    assert "missing_result" not in asked(tmp_path, "tool:Grep")[1]
    assert "over_turn_budget" in asked(tmp_path, "tool:Grep")[1]
