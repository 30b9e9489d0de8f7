"""One cell of the two curves: what is solid, what is hatched, and where the window's line shows."""

from __future__ import annotations

import pytest

from inspector.app.theme import ink
from inspector.app.widgets.compare_curve import _draw_cell, _Scale
from inspector.app.widgets.drawing import Line

DARK = ink("dark")


def cell(a: int, b: int, below: int, window: int | None = None) -> tuple[str, object]:
    """Text and style of a cell in a picture of four rows that hold 400."""
    line = Line(DARK)
    _draw_cell(line, a, b, _Scale(below, 4, 400, window), "bar")
    (segment,) = line.segments
    return segment.text, segment.style


@pytest.mark.parametrize(
    ("a", "b", "column"),
    [
        (400, 200, "██░░"), (200, 400, "██▒▒"), (200, 200, "██  "), (400, 0, "░░░░"), (0, 0, "    "),
        (200, 280, "██▒ "),
    ],
)  # fmt: skip
def test_what_b_saves_and_adds_is_hatched(a: int, b: int, column: str) -> None:
    assert "".join(cell(a, b, below)[0] for below in range(4)) == column


def test_a_half_solid_cell_says_by_its_ground_that_b_saves() -> None:
    text, style = cell(400, 250, 2)
    assert text == "▄"
    assert style is DARK.style("bar", on="saved")


def test_no_gap_is_left_below_what_b_adds() -> None:
    assert [cell(250, 400, below)[0] for below in range(4)] == ["█", "█", "█", "▒"]
    assert [cell(230, 400, below)[0] for below in range(4)] == ["█", "█", "▒", "▒"]


def test_the_line_of_the_window_is_red_where_only_a_crosses_it() -> None:
    assert cell(320, 100, 3, window=310) == ("┈", DARK.style("over-budget"))
    assert cell(100, 100, 3, window=310) == ("┈", DARK.style("ghost"))
    assert cell(400, 400, 3, window=310)[0] == "█"
