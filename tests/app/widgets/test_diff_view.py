"""The diff goes from change to change, and takes the form for which there is room."""

from __future__ import annotations

from inspector.app.widgets.diff_rows import DiffRows, SideRows
from inspector.app.widgets.diff_view import DiffView
from tests.app.covers import covers
from tests.app.stage import Stage

LINES = [f"line {n}" for n in range(100)]
OTHER = [line if n not in {30, 70} else "new" for n, line in enumerate(LINES)]


def shown(view: DiffView) -> None:
    view.show("\n".join(LINES), "\n".join(OTHER), left_name="a", right_name="b")
    view.focus()


@covers("diff.next", "diff.previous")
async def test_n_goes_from_change_to_change() -> None:
    view = DiffView()
    async with Stage(view).run_test(size=(60, 20)) as pilot:
        shown(view)
        stops = []
        for key in ("n", "n", "n", "N"):
            await pilot.press(key)
            stops.append(view.cursor)
        assert stops[0] < stops[1] == stops[2]
        assert stops[3] == stops[0]
        assert "− line 30" in view.render_line(view.cursor - view.scroll_offset.y).text


async def test_a_difference_is_shown_with_what_follows_it() -> None:
    view = DiffView()
    async with Stage(view).run_test(size=(60, 12)) as pilot:
        shown(view)
        for _ in range(2):
            await pilot.press("n")
            drawn = [view.render_line(y).text for y in range(12)]
            assert sum("+ new" in line for line in drawn) == 1
            assert view.cursor - view.scroll_offset.y < 8


@covers("diff.form")
async def test_u_changes_the_form_and_keeps_the_difference() -> None:
    view = DiffView()
    async with Stage(view).run_test(size=(120, 20)) as pilot:
        shown(view)
        assert isinstance(view.rows, SideRows)
        await pilot.press("n", "n")
        for form in (DiffRows, SideRows):
            await pilot.press("u")
            assert isinstance(view.rows, form)
            assert "− line 70" in view.render_line(view.cursor - view.scroll_offset.y).text


async def test_below_120_columns_there_is_one_form_and_u_says_so() -> None:
    view = DiffView()
    async with Stage(view).run_test(size=(119, 20), notifications=True) as pilot:
        shown(view)
        await pilot.press("u")
        assert isinstance(view.rows, DiffRows)
        assert [n.message for n in pilot.app._notifications] == ["Side by side needs 120 columns."]


async def test_another_width_takes_the_form_that_fits() -> None:
    view = DiffView()
    async with Stage(view).run_test(size=(120, 20)) as pilot:
        shown(view)
        await pilot.press("n")
        for width, form in ((100, DiffRows), (140, SideRows)):
            await pilot.resize_terminal(width, 20)
            await pilot.pause()
            assert isinstance(view.rows, form)
            assert "− line 30" in view.render_line(view.cursor - view.scroll_offset.y).text


async def test_a_cleared_view_has_no_rows_and_takes_keys() -> None:
    view = DiffView()
    async with Stage(view).run_test(size=(120, 20)) as pilot:
        shown(view)
        view.clear()
        await pilot.press("n", "N", "u")
        assert view.compared is None
        assert len(view.rows) == 0
