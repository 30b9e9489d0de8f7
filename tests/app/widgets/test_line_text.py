"""One line is drawn through the gate, cut to its cells, with marks at the right places."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from inspector.app.widgets.line_text import Mark, display, draw_line, window
from inspector.text import printable_line
from tests.counting import calls_of

PLAIN, BOLD = Style(), Style(bold=True)


def text_of(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def marked(segments: list[Segment]) -> list[str]:
    return [segment.text for segment in segments if segment.style is BOLD]


@given(st.text(st.characters(exclude_categories=()) | st.sampled_from("\t\x1b日\u0301")), st.integers(1, 40))
def test_a_drawn_line_is_printable_and_fits(raw: str, width: int) -> None:
    drawn = text_of(draw_line(raw, width, PLAIN))
    assert printable_line(drawn) == drawn
    assert cell_len(drawn) <= width


def test_marks_stand_where_their_text_is() -> None:
    raw = "a\tb\x1btoken"
    at = raw.index("token")
    assert marked(draw_line(raw, 80, PLAIN, marks=[Mark(at, at + 5, BOLD)])) == ["token"]
    escaped = draw_line(raw, 80, PLAIN, marks=[Mark(at, at + 5, BOLD)], escaped=True)
    assert marked(escaped) == ["token"]


def test_a_mark_past_the_cut_is_left_out() -> None:
    segments = draw_line("x" * 30 + "token", 20, PLAIN, marks=[Mark(30, 35, BOLD)])
    assert marked(segments) == []
    assert text_of(segments) == "x" * 19 + "…"


def test_drawing_from_the_middle_shows_that_text_stands_before() -> None:
    assert text_of(draw_line("abcdef", 10, PLAIN, first=3)) == "…def"


def test_an_ellipsis_of_the_text_itself_is_kept() -> None:
    assert text_of(draw_line("ab…", 3, PLAIN)) == "ab…"


def test_control_characters_are_spelled_out_on_request() -> None:
    assert display("a\x1b[0m\\\t\u202e\ud800日", escaped=True) == r"a\x1b[0m\\\t\u202e\ud800日"


def test_window_brings_the_end_of_a_stretch_into_view() -> None:
    assert window("short", 40) == 0
    assert 0 < 5000 - window("x" * 5000, 40) < 40


def test_a_line_of_a_megabyte_draws_like_a_short_one() -> None:
    long, short = "\x1b" * 1_000_000, "\x1b" * 1_000
    costs = [
        calls_of(partial(draw_line, raw, 120, PLAIN, first=first))
        for raw, first in ((long, 500_000), (short, 500))
    ]
    assert costs[0] < 2 * costs[1]
