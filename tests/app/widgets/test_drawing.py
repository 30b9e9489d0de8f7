"""Texts land in their cells, and nothing passes the gate by."""

from __future__ import annotations

from textual.strip import Strip

from inspector.app.theme import Ink, ink
from inspector.app.widgets.drawing import FixedLines, Line
from tests.app.stage import Stage

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


class Word(FixedLines):
    """Shows one word, and notes what was painted."""

    def __init__(self) -> None:
        super().__init__()
        self.word = "first"
        self.painted: list[str] = []

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:
        return Line(ink).put(self.word)

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        self.painted.append(strip.text.rstrip())
        return strip

    def say(self, word: str) -> None:
        self.word = word
        self.redraw()


async def test_what_is_said_and_taken_back_before_it_was_shown_is_never_shown() -> None:
    shown = Word()
    async with Stage(shown).run_test(size=(20, 3)) as pilot:
        await pilot.pause()
        shown.say("second")
        shown.say("first")
        await pilot.pause()
        assert set(shown.painted) == {"first"}
