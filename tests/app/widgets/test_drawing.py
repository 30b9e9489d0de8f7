"""Texts land in their cells, and nothing passes the gate by."""

from __future__ import annotations

from inspector.app.theme import ink
from inspector.app.widgets.drawing import Line

INK = ink("dark")


def text(line: Line) -> str:
    return "".join(segment.text for segment in line.segments)


def test_texts_stand_where_they_are_put() -> None:
    assert text(Line(INK).at(2, "ab").right(9, "123").at(11, "x")) == "  ab   123 x"


def test_a_text_in_an_occupied_cell_stands_behind() -> None:
    assert text(Line(INK).put("abcdef").at(2, "x").right(4, "y")) == "abcdefxy"


def test_control_characters_never_pass() -> None:
    line = Line(INK).put("a\x1b[31m\u202eb\n")
    assert text(line) == "a␛[31m\ufffdb␊"


def test_cells_of_one_style_are_one_segment() -> None:
    line = Line(INK)
    for _ in range(50):
        line.put("█", "bar")
    line.put("x", "fg")
    assert [segment.text for segment in line.segments] == ["█" * 50, "x"]


def test_wide_characters_count_two() -> None:
    assert Line(INK).put("文").cell == 2
