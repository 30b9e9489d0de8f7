"""Rows say who, how large, what was done and what is left, in cells that do not move."""

from __future__ import annotations

import pytest
from rich.segment import Segment

from inspector.app.theme import ink
from inspector.app.widgets.columns import columns_for
from inspector.app.widgets.ledger_rows import LedgerRows, drawn_rows
from inspector.app.widgets.stage_rows import StageRows, StageView
from inspector.app.widgets.turn_index import Folds, TurnIndex
from inspector.replay.view import Repair
from tests.app.fakes import FakeView, Made

INK = ink("dark")


def rows(view: FakeView, request: int, width: int, *, folds: Folds | None = None) -> list[str]:
    drawn = LedgerRows(TurnIndex(view, request, folds or Folds()), 1)
    return [text(drawn.draw(row, width, False, INK)) for row in range(len(drawn))]


def text(segments: object) -> str:
    return "".join(s.text for s in segments if isinstance(s, Segment))  # type: ignore[attr-defined]  # a list


@pytest.mark.parametrize("width", [60, 80, 96, 100, 110, 120, 150])
def test_no_row_is_wider_than_the_list(width: int) -> None:
    assert max(map(len, rows(FakeView(), 38, width))) <= width


@pytest.mark.parametrize("width", [80, 120])
def test_figures_end_in_their_columns(width: int) -> None:
    columns = columns_for(width)
    drawn = rows(FakeView(), 38, width)
    assert drawn[0][: columns.chars_edge + 1].endswith(" 232,000")
    assert drawn[1][: columns.chars_edge + 1].endswith(" 152,604")
    assert drawn[4][: columns.chars_edge + 2].endswith("(76,480)")
    assert drawn[1][: columns.wire_edge + 1].endswith("  2,164")
    assert drawn[1][columns.arrow] == "→"
    assert drawn[1][columns.state] == "R"
    assert drawn[1][columns.limit] == "┊"
    assert drawn[0][columns.limit] == "│"


def test_a_row_of_the_full_width_reads_like_a_sentence() -> None:
    drawn = rows(FakeView(), 38, 120)
    assert drawn[1].split() == [
        "Bash", "pytest", "-x", "--tb=lo…", "152,604", "│", "ok", "│", "╌" * 11, "┊", "→", "2,164", "│",
        "R", "replaced", "now│", "░", "preview", "=",
    ]  # fmt: skip


def test_a_narrow_turn_with_one_repair_shows_its_sign() -> None:
    columns = columns_for(80)
    assert rows(FakeView(), 38, 80)[0][columns.pairing] == "+"


def test_several_kinds_of_repair_show_the_sign_for_several() -> None:
    made = [Made("Bash", "a", 10, Repair.SYNTHETIC), Made("Bash", "b", 10, Repair.ORPHAN)]
    assert rows(FakeView(2, turns={1: made}), 2, 80)[0][columns_for(80).pairing] == "±"


def test_a_folded_turn_counts_its_states_and_names_the_strongest_ageing() -> None:
    drawn = rows(FakeView(), 38, 120, folds=Folds(folded={31}))
    heading = next(row for row in drawn if "turn 31" in row)
    assert "▸" in heading
    assert "f 1  s 1" in heading
    assert "▁ one line" in heading


def test_a_long_tool_name_takes_its_cells_from_the_argument() -> None:
    made = Made("mcp__warehouse__query_rows", "select 1", 10)
    row = rows(FakeView(2, turns={1: [made]}), 2, 120)[1]
    assert row[4:18] == "…e__query_rows"
    assert "select 1" in row
    assert row[: columns_for(120).chars_edge + 1].endswith(" 10")


def test_wide_characters_do_not_move_the_figures() -> None:
    made = Made("Bash", "文" * 40, 10)
    columns = columns_for(120)
    drawn = LedgerRows(TurnIndex(FakeView(2, turns={1: [made]}), 2, Folds()), 1).draw(1, 120, False, INK)
    cell = 0
    for segment in drawn:
        if "10" in segment.text:
            assert cell + segment.cell_length - 1 >= columns.chars_edge - 1
            break
        cell += segment.cell_length
    assert cell <= columns.chars_edge + 1


@pytest.mark.parametrize("stage", list(StageView))
@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_stage_tables_stay_within_the_list(stage: StageView, width: int) -> None:
    drawn = StageRows(TurnIndex(FakeView(), 38, Folds()), 1, stage)
    for row in range(len(drawn)):
        assert len(text(drawn.draw(row, width, row == 1, INK))) <= width


def test_life_of_a_result_is_told_up_to_now_and_beyond() -> None:
    drawn = StageRows(TurnIndex(FakeView(), 38, Folds()), 1, StageView.STATE)
    assert "38 replaced 2,164  39 must-reapply 2,164  78 gone" in text(drawn.draw(1, 120, False, INK))


def test_the_present_stretch_of_a_life_is_always_in_view() -> None:
    view = FakeView()
    index = TurnIndex(view, 90, Folds(opened={37}))
    drawn = StageRows(index, 1, StageView.STATE)
    lines = [text(drawn.draw(row, 80, False, INK)) for row in range(len(drawn))]
    assert any("…" in row and "78 gone" in row for row in lines)


def test_a_row_of_which_the_same_is_told_is_drawn_once() -> None:
    kept = drawn_rows()
    first = LedgerRows(TurnIndex(FakeView(), 37, Folds()), 1, kept)
    again = LedgerRows(TurnIndex(FakeView(), 38, Folds()), 2, kept)
    texts = {row: text(first.draw(row, 120, False, INK)) for row in range(len(first))}
    count = len(kept)
    same = 0
    for row in range(len(again)):
        drawn = again.draw(row, 120, False, INK)
        assert text(drawn) == rows(FakeView(), 38, 120)[row]
        same += text(drawn) in texts.values()
    assert same
    assert len(kept) == count + len(again) - same, "turns grow older, most results look as before"


def test_what_a_drawing_depends_on_makes_another_one() -> None:
    kept = drawn_rows()
    index = TurnIndex(FakeView(), 38, Folds())
    drawn = LedgerRows(index, 1, kept)
    plain = drawn.draw(1, 120, False, INK)
    assert drawn.draw(1, 120, False, INK) is plain
    for other in (
        drawn.draw(1, 120, True, INK),
        drawn.draw(1, 80, False, INK),
        drawn.draw(1, 120, False, ink("light")),
    ):
        assert other != plain
    assert len(kept) == 4


@pytest.mark.parametrize("request_shown", [38, 90])
def test_not_counted_is_said_of_what_is_sent_and_does_not_count_alone(request_shown: int) -> None:
    index = TurnIndex(FakeView(), request_shown, Folds(opened={37}))
    for width in (100, 120):
        alone, beside = StageRows(index, 1, StageView.BUDGET), LedgerRows(index, 1)
        said = ["not counted" in text(alone.draw(row, width, False, INK)) for row in range(len(index))]
        assert said == [
            "not counted" in text(beside.draw(row, width, False, INK)) for row in range(len(index))
        ]
        assert any(said) or request_shown == 90
