"""The text view: rows and lines, search, wrapping, selection, hex."""

from __future__ import annotations

from textual.geometry import Offset
from textual.selection import Selection

from inspector.app.widgets.document import Document
from inspector.app.widgets.text_rows import HexRows, TextRows
from inspector.app.widgets.text_view import TextView
from tests.app.covers import covers
from tests.app.stage import HOSTILE, Stage, pytest_log


def line(view: TextView, y: int) -> str:
    return view.render_line(y).text.rstrip()


def test_rows_and_lines_map_both_ways_when_lines_are_wrapped() -> None:
    rows = TextRows(Document("short\n" + "x" * 100 + "\nmiddle\n" + "y" * 55 + "\nlast"))
    rows.set_width(20 + rows.gutter + 1)
    rows.toggle_wrap(1)
    rows.toggle_wrap(3)
    assert len(rows) == 1 + 5 + 1 + 3 + 1
    places = [rows.place(row) for row in range(len(rows))]
    assert places == [(0, 0), *((1, n) for n in range(5)), (2, 0), *((3, n) for n in range(3)), (4, 0)]
    assert [rows.row_of(n) for n in range(5)] == [0, 1, 6, 7, 10]
    assert rows.row_of(1, 45) == 3
    rows.toggle_wrap(1)
    assert len(rows) == 7


async def test_numbers_text_and_control_sign_are_drawn() -> None:
    view = TextView()
    async with Stage(view).run_test(size=(60, 10)) as pilot:
        view.show_text("plain\n\x1b[31mred\r\n\ttab")
        await pilot.pause()
        assert line(view, 0) == "    1  plain"
        assert line(view, 1) == "    2! ␛[31mred"
        assert line(view, 2) == "    3          tab"
        assert line(view, 3) == ""


async def test_search_goes_to_the_next_match_and_round() -> None:
    view = TextView()
    async with Stage(view).run_test(size=(60, 10)) as pilot:
        view.show_text(pytest_log())
        matches = view.search("TokenReused")
        assert len(matches) == 3
        assert view.line == 1198
        view.step_match(1)
        assert view.line == 1199
        view.step_match(-2)
        assert view.line == 1201
        await pilot.pause()
        assert view.scroll_offset.y <= view.cursor < view.scroll_offset.y + 10


@covers("text.wrap")
async def test_current_match_in_a_long_line_is_brought_into_view() -> None:
    view = TextView()
    async with Stage(view).run_test(size=(60, 10)) as pilot:
        view.show_text("x" * 500_000 + "needle" + "x" * 500_000)
        view.search("needle")
        await pilot.pause()
        assert "needle" in line(view, 0)
        await pilot.press("w")
        assert view.line == 1
        view.step_match(1)
        await pilot.pause()
        shown = "".join(line(view, y) for y in range(10))
        assert "needle" in shown.replace("╰", "").replace(" ", "")


async def test_a_line_of_a_megabyte_wraps_and_scrolls() -> None:
    view = TextView()
    async with Stage(view).run_test(size=(120, 40)) as pilot:
        view.show_text("x" * 1_000_000)
        await pilot.pause()
        await pilot.press("w", "pagedown", "end", "home")
        assert len(view.rows) > 8_000


async def test_go_to_line_stops_at_the_last() -> None:
    view = TextView()
    async with Stage(view).run_test(size=(60, 10)):
        view.show_text(pytest_log())
        view.go_to_line(1204)
        assert view.line == 1204
        view.go_to_line(10**9)
        assert view.line == 2311


@covers("text.wrap_all")
async def test_another_width_wraps_anew_and_keeps_the_line() -> None:
    view = TextView()
    async with Stage(view).run_test(size=(60, 10)) as pilot:
        view.show_text("a\n" + "word " * 100 + "\nlast")
        view.go_to_line(3)
        await pilot.press("W")
        before = len(view.rows)
        assert before > 3
        await pilot.resize_terminal(100, 10)
        await pilot.pause()
        assert 3 < len(view.rows) < before
        assert view.line == 3


@covers("text.copy")
async def test_copy_takes_the_line_with_control_characters_shown() -> None:
    view = TextView()
    app = Stage(view)
    async with app.run_test(size=(60, 10)) as pilot:
        view.show_text("a\t\x1b]52;c;x\x07")
        view.focus()
        await pilot.press("c")
        assert app.clipboard == "a\t␛]52;c;x␇"


async def test_selection_leaves_numbers_out_and_joins_wrapped_rows() -> None:
    view = TextView()
    async with Stage(view).run_test(size=(27, 10)) as pilot:
        view.show_text("first\n" + "abcdefghij" * 4 + "\nthird")
        view.go_to_line(2)
        view.focus()
        await pilot.press("w")
        gutter = 7
        selection = Selection(Offset(gutter + 2, 0), Offset(gutter + 3, len(view.rows) - 1))
        assert view.get_selection(selection) == ("rst\n" + "abcdefghij" * 4 + "\nthi", "\n")
        view.screen.selections = {view: selection}
        await pilot.pause()
        styles = [segment.style for segment in view.render_line(0) if "rst" in segment.text]
        assert styles
        assert styles[0] is not None
        assert styles[0].bold


@covers("text.escape")
async def test_hostile_text_draws_as_pictures_in_every_form() -> None:
    view = TextView()
    async with Stage(view).run_test(size=(200, 10)) as pilot:
        view.show_text(HOSTILE)
        view.focus()
        for key in ("w", "R", "w"):
            await pilot.press(key)
            text = "".join(view.render_line(y).text for y in range(10))
            assert all(ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0 for c in text)
        assert r"\x1b[31m" in "".join(line(view, y) for y in range(10))


def test_hex_shows_offset_bytes_and_letters() -> None:
    rows = HexRows(bytes(range(0x41, 0x61)) + b"\x1b")
    assert len(rows) == 3
    assert rows.shown(0) == ("00000000  41 42 43 44 45 46 47 48  49 4a 4b 4c 4d 4e 4f 50  ABCDEFGHIJKLMNOP")
    assert rows.shown(2).split() == ["00000020", "1b", "·"]
