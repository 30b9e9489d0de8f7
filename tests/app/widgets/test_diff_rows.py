"""A comparison as rows: signs, numbers, folds, and both halves in their cells."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from inspector.app.theme import ink
from inspector.app.widgets.diff_rows import ComparedRows, DiffRows, Named, SideRows
from inspector.line_diff import compare_texts
from inspector.text import cells
from tests.app.stage import HOSTILE


class Drawn(NamedTuple):
    rows: ComparedRows
    lines: list[str]


def drawn(
    left: str, right: str, width: int = 60, form: type[DiffRows] | type[SideRows] = DiffRows, note: str = ""
) -> Drawn:
    rows = form(compare_texts(left, right), Named("transcript", note), Named("wire"))
    lines = [
        "".join(s.text for s in rows.draw(n, width, n == 2, ink("dark"))).rstrip() for n in range(len(rows))
    ]
    return Drawn(rows, lines)


FORTY = [f"line {n}" for n in range(40)]


def test_signs_numbers_and_folds() -> None:
    lines = drawn("\n".join(FORTY), "\n".join([*FORTY[:20], "new", *FORTY[21:]])).lines
    assert lines[:3] == [" − transcript   1 line only here", " + wire   1 line only here", ""]
    assert lines[3] == " ╌╌╌ 17 equal lines ╌╌╌"
    assert lines[7:9] == ["  21      − line 20", "       21 + new"]


def test_halves_stand_beside_each_other() -> None:
    lines = drawn("\n".join(FORTY), "\n".join([*FORTY[:20], "new", *FORTY[21:]]), 81, SideRows).lines
    assert lines[0] == f"{' − transcript   1 line only here':<40}│ + wire   1 line only here"
    assert lines[2] == " ╌╌╌ 17 equal lines ╌╌╌"
    assert lines[3] == f"{'  18   line 17':<40}│  18   line 17"
    assert lines[6] == f"{'  21 − line 20':<40}│  21 + new"


def test_a_side_without_a_line_stays_empty() -> None:
    lines = drawn("a\nb\nz", "a\nz", 41, SideRows).lines
    assert lines[3] == f"{'   2 − b':<20}│"
    lines = drawn("a\nz", "a\nb\nc\nz\ny", 41, SideRows).lines
    assert lines[3:5] == [f"{'':<20}│   2 + b", f"{'':<20}│   3 + c"]
    assert lines[-1] == f"{'':<20}│   5 + y"


@pytest.mark.parametrize("form", [DiffRows, SideRows])
def test_changes_begin_where_their_first_line_is_drawn(form: type[DiffRows] | type[SideRows]) -> None:
    other = [line if n not in {0, 10, 39} else "new" for n, line in enumerate(FORTY)]
    rows, lines = drawn("\n".join(FORTY), "\n".join(other), 80, form)
    assert [lines[row].split()[2] for row in rows.changes] == ["line"] * 3
    assert ["− line 0" in lines[rows.changes[0]], "− line 39" in lines[rows.changes[2]]] == [True, True]
    assert [rows.change_at(row) for row in (0, *rows.changes, len(rows) - 1)] == [-1, 0, 1, 2, 2]


@pytest.mark.parametrize(("form", "at"), [(DiffRows, 2), (SideRows, 1)])
def test_what_does_not_differ_is_said(form: type[DiffRows] | type[SideRows], at: int) -> None:
    assert drawn("a\nb", "a\nb", 99, form).lines[at] == " = Both texts are the same, line for line."
    words = " ≠ The lines are the same; only the newline at the end differs."
    assert drawn("a\nb\n", "a\nb", 99, form).lines[at] == words


def test_the_note_of_a_text_stands_behind_its_name() -> None:
    assert drawn("a", "b", note="9 chars").lines[0] == " − transcript   1 line only here   9 chars"


def test_side_by_side_the_notes_have_a_row_of_their_own() -> None:
    lines = drawn("a", "b", 81, SideRows, note="9 chars, the first 4 shown").lines
    assert lines[:2] == [
        f"{' − transcript   1 line only here':<40}│ + wire   1 line only here",
        f"{'   9 chars, the first 4 shown':<40}│",
    ]
    assert "− a" in lines[3]


@pytest.mark.parametrize("form", [DiffRows, SideRows])
def test_a_long_line_is_shown_where_it_differs(form: type[DiffRows] | type[SideRows]) -> None:
    left = "x" * 100_000 + "left" + "y" * 100_000
    shown = "\n".join(drawn(left, left.replace("left", "RIGHT"), 130, form).lines[2:])
    assert "left" in shown
    assert "RIGHT" in shown


@pytest.mark.parametrize("form", [DiffRows, SideRows])
@pytest.mark.parametrize("width", [30, 121, 200])
def test_hostile_text_is_printable_and_moves_no_column(
    form: type[DiffRows] | type[SideRows], width: int
) -> None:
    left = "\n".join([HOSTILE, "same", "wide 漢字" * 40, HOSTILE])
    lines = drawn(left, "\n".join([HOSTILE[::-1], "same", HOSTILE.replace("e", "é")]), width, form).lines
    for line in lines:
        assert all(ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0 for c in line)
        assert cells(line) <= width
    if form is SideRows:
        assert {cells(line.split("│")[0]) for line in lines if "│" in line} == {(width - 1) // 2}
