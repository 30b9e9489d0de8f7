"""Lines of the wire: what folds, where the list begins, and columns that hold at every width."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector.app.theme import ink
from inspector.app.widgets.wire_rows import WireRows, first_change, other_side, shown_lines
from inspector.replay.view import Repair
from inspector.session.wire_view import Mark, Side, WireView
from tests.app.wires import left_out_view, unsent_row, wire_view

INK = ink("dark")


def drawn(view: WireView, width: int) -> list[str]:
    rows = WireRows(shown_lines(view, unfolded=True), 1, other=view.other_chars is not None)
    return ["".join(s.text for s in rows.draw(row, width, False, INK)) for row in range(len(rows))]


def test_the_list_begins_at_a_change_else_at_what_was_recorded_otherwise_else_at_what_is_new() -> None:
    view = wire_view(40)
    lines = shown_lines(view, unfolded=True)
    assert lines[first_change(lines)].row == view.rows[6]
    grown = [replace(row, mark=Mark.SAME) for row in view.rows[:-1]]
    lines = shown_lines(replace(view, rows=[*grown, view.rows[-1]], break_at=None), unfolded=True)
    assert lines[first_change(lines)].row == grown[4]
    alike = [replace(row, differs=False) for row in grown]
    lines = shown_lines(replace(view, rows=[*alike, view.rows[-1]], break_at=None), unfolded=True)
    assert lines[first_change(lines)].row == view.rows[-1]


def test_a_break_against_a_request_that_is_not_the_one_before_names_it() -> None:
    far = replace(wire_view(40), against=7, break_words="")
    assert any("first difference to request 7" in line for line in drawn(far, 120))
    near = replace(wire_view(40), break_words="")
    assert any("the cause is not known" in line for line in drawn(near, 120))


@pytest.mark.parametrize("width", [80, 100, 116, 200])
def test_every_size_keeps_all_its_digits(width: int) -> None:
    view = wire_view(40)
    rows = [replace(row, transcript=123_456) for row in view.rows]
    for line, row in zip(drawn(replace(view, rows=rows, break_at=None), width), rows, strict=True):
        assert f"{row.chars:,}" in line
        assert ("123,456" in line) == (width >= 116)
        assert len(line) <= width


def test_the_other_side_of_the_other_side_is_the_same() -> None:
    assert other_side(Side.PREDICTED) is Side.RECORDED
    assert other_side(other_side(Side.PREDICTED)) is Side.PREDICTED


def test_what_stands_in_place_of_a_cleared_result_is_an_estimate_here_as_in_the_ledger() -> None:
    view = replace(wire_view(40), other_chars=None)
    rows = [replace(row, state="cleared") if row.kind == "result" else row for row in view.rows]
    cleared = replace(view, rows=rows, estimated=True, break_at=None)
    for line, row in zip(drawn(cleared, 120), rows, strict=True):
        assert (f"≈{row.chars:,}" in line) == (row.kind == "result")
    same = [replace(row, mark=Mark.SAME) for row in rows]
    (fold, *_) = shown_lines(replace(cleared, rows=same), unfolded=False)
    assert fold.estimated
    assert not any("≈" in line for line in drawn(replace(cleared, estimated=False), 120))


@pytest.mark.parametrize("width", [80, 100, 116, 200])
def test_what_is_not_sent_has_its_reason_and_its_size_and_no_share_in_the_columns(width: int) -> None:
    found = [line for line in drawn(replace(left_out_view(40), other_chars=None), width) if line[1] == "×"]
    assert [line[18:24] for line in found] == ["call  ", "result", "call  "]
    for line, word, size in zip(
        found, ("dropped", "orphan", "duplicate"), ("29", "1,310", "31"), strict=True
    ):
        assert word in line
        assert (f"({size})" in line) == (width < 116), (
            "without a column of the transcript it is in parentheses"
        )
        assert f" {size}" in line or f"({size})" in line
        assert line.rstrip().endswith("—"), "the request before has no part of it here"
        assert len(line) <= width


def test_who_would_have_sent_it_is_said_where_the_block_above_is_somebody_elses() -> None:
    lines = shown_lines(left_out_view(40), unfolded=True)
    assert [line.first for line in lines if line.unsent is not None] == [False, False, True]
    assert "assistant call" in next(line for line in drawn(left_out_view(40), 120) if "duplicate" in line)


def test_what_is_not_sent_is_nowhere_to_begin_and_in_no_fold_but_counted_by_it() -> None:
    view = left_out_view(40)
    (fold, *rest) = shown_lines(view, unfolded=False)
    assert (fold.hidden, fold.chars) == (1, shown_lines(wire_view(40), unfolded=False)[0].chars)
    assert [line.unsent for line in rest if line.unsent] == list(view.unsent[1:])
    lines = [fold, *rest]
    assert lines[first_change(lines)].row == view.rows[6]


def test_what_would_come_last_stands_last() -> None:
    view = wire_view(40)
    behind = unsent_row(len(view.rows), "call", "Bash make", 16, Repair.PENDING)
    lines = shown_lines(replace(view, unsent=[behind]), unfolded=True)
    assert lines[-1].unsent is behind
    only = shown_lines(replace(view, rows=[], break_at=None, unsent=[replace(behind, row=0)]), unfolded=False)
    assert [line.unsent is not None for line in only] == [True]


def test_a_call_on_a_long_path_keeps_the_name_of_the_file() -> None:
    view = wire_view(40)
    words = "Edit /home/mara/shop/packages/shared/src/gateway/ledger.py"
    rows = [replace(row, kind="call", words=words) for row in view.rows]
    for width in (80, 120):
        lines = drawn(replace(view, rows=rows, break_at=None), width)
        assert all("Edit …" in line and "ledger.py " in line for line in lines)
