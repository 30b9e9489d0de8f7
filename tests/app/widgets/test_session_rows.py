"""Rows of the session picker."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector.app.sources.sessions import SessionRow, SessionSummary
from inspector.app.theme import Ink, ink
from inspector.app.widgets.session_rows import SessionRows, finding_signs, finding_words, megabytes
from inspector.text import cells

INK = ink("dark")
ROW = SessionRow("/p/s.jsonl", "a name", "shop", "Claude Code", 12_000_000, 900.0, live=True)
SUMMARY = SessionSummary(12, 250_000, over=2, repairs=1, breaks=3, curve=[1, 5, 250_000])


def drawn(row: SessionRow, summary: SessionSummary | None, width: int, ink: Ink) -> str:
    rows = SessionRows([row], {} if summary is None else {row.path: summary}, 1_000.0, 1)
    return "".join(segment.text for segment in rows.draw(0, width, False, ink))


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_row_fits_its_width_and_shows_its_figures(width: int) -> None:
    line = drawn(ROW, SUMMARY, width, INK)
    assert cells(line) <= width
    for word in ("a name", "shop", "12", "250,000", "▲2", "±1"):
        assert word in line


def test_row_that_was_not_read_yet_and_one_that_cannot_be() -> None:
    assert "…" in drawn(ROW, None, 120, INK)
    assert "! too large" in drawn(ROW, SessionSummary(0, 0, problem="too large"), 120, INK)


def test_hostile_name_does_not_act() -> None:
    line = drawn(replace(ROW, name="\x1b[31m\nname", project="\x9b2J"), SUMMARY, 120, INK)
    assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in line)


def test_findings_are_signs_in_a_row_and_words_below() -> None:
    assert [sign for sign, _ in finding_signs(SUMMARY)] == ["▲2", "±1", "╎3"]
    assert finding_words(SUMMARY)[1][0] == "± 1 repair"
    assert finding_words(SessionSummary(3, 5))[0][0] == "No findings in 3 requests."


def test_sizes_can_be_compared_down_the_rows() -> None:
    assert [megabytes(n) for n in (0, 49_999, 50_000, 12_000_000)] == [
        "<0.1 MB",
        "<0.1 MB",
        "0.1 MB",
        "12.0 MB",
    ]
