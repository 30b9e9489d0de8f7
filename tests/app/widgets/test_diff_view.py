"""The diff shows signs, folds what is equal, and shows where a long line differs."""

from __future__ import annotations

from inspector.app.theme import ink
from inspector.app.widgets.diff_lines import compare_texts
from inspector.app.widgets.diff_rows import DiffRows, Named
from inspector.app.widgets.diff_view import DiffView
from tests.app.covers import covers
from tests.app.stage import HOSTILE, Stage


def rows_of(left: str, right: str, width: int = 60) -> list[str]:
    rows = DiffRows(compare_texts(left, right), Named("transcript"), Named("wire"))
    return [
        "".join(s.text for s in rows.draw(n, width, False, ink("dark"))).rstrip() for n in range(len(rows))
    ]


def test_signs_numbers_and_folds() -> None:
    lines = [f"line {n}" for n in range(40)]
    drawn = rows_of("\n".join(lines), "\n".join([*lines[:20], "new", *lines[21:]]))
    assert drawn[:3] == [" − transcript   1 line only here", " + wire   1 line only here", ""]
    assert drawn[3] == " ╌╌╌ 17 equal lines ╌╌╌"
    assert drawn[7:9] == ["  21      − line 20", "       21 + new"]


def test_same_texts_are_said_to_be_the_same() -> None:
    assert rows_of("a\nb", "a\nb")[2] == " = Both texts are the same, line for line."


def test_a_long_line_is_shown_where_it_differs() -> None:
    left = "x" * 100_000 + "left" + "y" * 100_000
    drawn = rows_of(left, left.replace("left", "RIGHT"))
    assert "left" in drawn[3]
    assert "RIGHT" in drawn[4]


def test_hostile_text_is_printable_on_both_sides() -> None:
    for row in rows_of(HOSTILE + "\n" + HOSTILE, HOSTILE[::-1], width=200):
        assert all(ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0 for c in row)


@covers("diff.next", "diff.previous")
async def test_n_goes_from_change_to_change() -> None:
    view = DiffView()
    async with Stage(view).run_test(size=(60, 20)) as pilot:
        lines = [f"line {n}" for n in range(100)]
        other = [line if n not in {30, 70} else "new" for n, line in enumerate(lines)]
        view.show("\n".join(lines), "\n".join(other), left_name="a", right_name="b")
        view.focus()
        stops = []
        for key in ("n", "n", "n", "N"):
            await pilot.press(key)
            stops.append(view.cursor)
        assert stops[0] < stops[1] == stops[2]
        assert stops[3] == stops[0]
        assert "− line 30" in view.render_line(view.cursor - view.scroll_offset.y).text
