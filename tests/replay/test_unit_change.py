"""Two policies that count in different units are compared in one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.model.ledger import Level
from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED, Ageing, BudgetMode, Policy, Unit
from inspector.replay.differences import Comparison, compare
from inspector.replay.trade import trade_sentence
from inspector.replay.unit_change import converted_requests, converted_spans, units_for
from inspector.report.compare import compare_policies, total_rows
from inspector.session import Session
from tests.builders import Transcript, call, result, text

WIDE = "読" * 4_000
"""Text of three bytes to a character."""
PLAIN = DOCUMENTED.with_field("budget.mode", BudgetMode.OFF).with_field("microcompact.variant", Ageing.OFF)
IDLE = PLAIN.with_field("unit", Unit.BYTES)


def script(*texts: str) -> Transcript:
    out = Transcript()
    out.prompt("go on")
    for n, words in enumerate(texts):
        out.answer(f"m{n}", call(f"t{n}", "Bash", command="ls"))
        out.results(result(f"t{n}", words))
    out.answer("last", text())
    return out


def compared(session: Session, a: Policy, b: Policy) -> Comparison:
    return compare(session.replayed(a), session.replayed(b))


def test_what_stands_for_a_unit_is_measured_on_the_results(tmp_path: Path) -> None:
    rows = script(WIDE).open(tmp_path).timeline.tracked
    assert units_for(rows, Unit.UTF16, Unit.BYTES) == 3
    assert units_for(rows, Unit.BYTES, Unit.CODE_POINTS) == pytest.approx(1 / 3)
    assert units_for([], Unit.UTF16, Unit.BYTES) == units_for(rows, Unit.BYTES, Unit.BYTES) == 1


def test_policies_that_send_the_same_texts_send_the_same_in_any_unit(tmp_path: Path) -> None:
    with script(WIDE, "plain " * 900, WIDE).open(tmp_path) as session:
        for a, b in ((PLAIN, IDLE), (IDLE, PLAIN)):
            found = compared(session, a, b)
            assert (found.changed_requests, len(found.results)) == (0, 0)
            assert found.a_totals.sent_chars == found.b_totals.sent_chars
            assert found.a_totals.peak_chars == found.b_totals.peak_chars
            assert "the same in every request" in trade_sentence(found)


def test_sizes_of_the_second_policy_are_in_the_unit_of_the_first(tmp_path: Path) -> None:
    with script(WIDE * 10, WIDE, "x").open(tmp_path) as session:
        found = compared(session, CLAUDE_CODE, CHATCLI)
        row = next(row for row in found.results if row.index == 0)
        assert row.a_sent == 4 * 40_000
        assert 0 < row.b_sent < 4 * 8_000  # what is left of 120,000 bytes, in UTF-16 units
        sent = [r.b_chars for r in found.requests]
        assert sent == converted_requests(session.replayed(CLAUDE_CODE), session.replayed(CHATCLI))
        assert (found.b_totals.sent_chars, found.b_totals.peak_chars) == (sum(sent), max(sent))
        assert found.b_totals.estimated and found.is_converted
        assert not compared(session, CLAUDE_CODE, CLAUDE_CODE).is_converted


def test_a_lifeline_keeps_its_levels_and_changes_its_sizes(tmp_path: Path) -> None:
    with script(WIDE * 10, "x", "y").open(tmp_path, CHATCLI) as session:
        row = session.timeline.tracked[0]
        made = converted_spans(row, Unit.BYTES, Unit.UTF16)
        assert [s.level for s in made] == [s.level for s in row.spans]
        assert [s.chars for s in made] == [round(s.chars / 3) for s in row.spans]
        assert made[0].level is Level.PREVIEW


def test_window_and_tokens_are_converted_with_the_policy_that_they_are_told_for(tmp_path: Path) -> None:
    with script(WIDE, WIDE).open(tmp_path) as session:
        timeline = session.replayed(IDLE)
        found = compare(timeline, timeline, window_chars=9_000, chars_per_token=1.5, measured_in=Unit.UTF16)
        assert (found.window_chars, found.chars_per_token) == (27_000, 4.5)


def test_no_difference_is_told_between_units_alone(tmp_path: Path) -> None:
    with script(WIDE, WIDE).open(tmp_path) as session:
        rows = total_rows(compare_policies(session, PLAIN, IDLE))
    assert rows[0][0] == "≈ sent in all, chars"
    assert {words for _, _, _, words, _ in rows} <= {"0", "—", ""}
