"""The virtualised list draws what is visible and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual import on
from textual.app import App, ComposeResult
from textual.geometry import Region

from inspector.app.theme import DARK, LIGHT, THEMES, Ink
from inspector.app.widgets.line_view import LineView
from tests.app.covers import covers


class Numbers:
    """Rows that name their number and count how often they are drawn."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.revision = 0
        self.drawn: list[int] = []
        self.word = "row"

    def __len__(self) -> int:
        return self.count

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        self.drawn.append(row)
        on = "select" if selected else "bg"
        return [Segment(f"{self.word} {row}", ink.style("muted", on=on))]


class ListApp(App[None]):
    """One list on a screen."""

    def __init__(self, rows: Numbers, *, show_cursor: bool = True) -> None:
        super().__init__()
        self.picked: list[int] = []
        self.view = LineView(rows, show_cursor=show_cursor)
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = "dark"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(THEMES["dark"].variables)

    @on(LineView.Picked)
    def note(self, event: LineView.Picked) -> None:
        self.picked.append(event.row)

    def compose(self) -> ComposeResult:
        yield self.view


def line(app: ListApp, y: int) -> str:
    return app.view.render_line(y).text.rstrip()


@covers("rows.last")
async def test_only_visible_rows_are_drawn() -> None:
    rows = Numbers(100_000)
    async with ListApp(rows).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert set(rows.drawn) == set(range(10))
        rows.drawn.clear()
        await pilot.press("ctrl+end")
        await pilot.pause()
        assert set(rows.drawn) == set(range(99_990, 100_000))


@covers("rows.page_down", "rows.up", "rows.first")
async def test_cursor_row_stays_visible() -> None:
    app = ListApp(Numbers(100))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("pagedown", "pagedown")
        assert app.view.cursor == 18
        assert app.view.scroll_offset.y == 9
        await pilot.press("up")
        assert app.view.cursor == 17
        await pilot.press("ctrl+home")
        assert (app.view.cursor, app.view.scroll_offset.y) == (0, 0)


@covers("rows.down")
async def test_cursor_never_leaves_the_rows() -> None:
    rows = Numbers(3)
    app = ListApp(rows)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("pagedown", "down", "down")
        assert app.view.cursor == 2
        rows.count = 1
        app.view.rows_changed()
        await pilot.pause()
        assert app.view.cursor == 0


async def test_moving_the_cursor_draws_two_rows() -> None:
    rows = Numbers(100)
    app = ListApp(rows)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        rows.drawn.clear()
        await pilot.press("down")
        assert rows.drawn == [0, 1]


async def test_a_new_revision_is_drawn_again() -> None:
    rows = Numbers(100)
    app = ListApp(rows)
    async with app.run_test(size=(40, 10)) as pilot:
        rows.word, rows.revision = "other", 1
        app.view.rows_changed()
        await pilot.pause()
        assert line(app, 3) == "other 3"


async def test_every_line_is_filled_to_the_edge() -> None:
    app = ListApp(Numbers(2))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        for y in range(10):
            strip = app.view.render_line(y)
            assert strip.cell_length == 40
            last = list(strip)[-1].style
            assert last is not None
            assert last.bgcolor is not None
            assert last.bgcolor.name == DARK["select" if y == 0 else "bg"]


async def test_another_theme_draws_with_its_colours() -> None:
    app = ListApp(Numbers(2))
    async with app.run_test(size=(40, 10)) as pilot:
        app.theme = "light"
        await pilot.pause()
        style = next(iter(app.view.render_line(1))).style
        assert style is not None
        assert style.color is not None
        assert style.color.name == LIGHT["muted"]


async def test_click_moves_and_second_click_opens() -> None:
    app = ListApp(Numbers(100))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("pagedown", "down")
        await pilot.click(LineView, offset=(3, 4))
        row = 4 + app.view.scroll_offset.y
        assert app.view.cursor == row
        assert not app.picked
        await pilot.click(LineView, offset=(3, 4))
        assert app.picked == [row]


async def test_enter_opens_the_cursor_row_and_nothing_in_an_empty_list() -> None:
    rows = Numbers(2)
    app = ListApp(rows)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("down", "enter")
        rows.count = 0
        app.view.rows_changed()
        await pilot.press("enter")
        assert app.picked == [1]


async def test_without_a_cursor_the_keys_scroll() -> None:
    app = ListApp(Numbers(100), show_cursor=False)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("down", "down", "pagedown")
        assert app.view.scroll_offset.y == 11
        assert line(app, 0) == "row 11"


async def test_wide_rows_scroll_sideways() -> None:
    rows = Numbers(5)
    rows.word = "0123456789" * 8
    app = ListApp(rows)
    async with app.run_test(size=(40, 10)) as pilot:
        app.view.content_width = 90
        app.view.rows_changed()
        await pilot.pause()
        app.view.styles.overflow_x = "auto"
        app.view.scroll_to(x=45, animate=False)
        await pilot.pause()
        assert line(app, 1).startswith("567890")


async def test_only_lines_that_differ_are_shown_again() -> None:
    rows = Numbers(1_000)
    app = ListApp(rows)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        refreshed: list[Region] = []
        refresh = app.view.refresh

        def note(*regions: Region, **rest: bool) -> LineView:
            refreshed.extend(regions or [app.view.size.region])
            return refresh(*regions, **rest)

        app.view.refresh = note  # type: ignore[method-assign]  # what is shown again is counted
        rows.revision += 1
        app.view.rows_changed()
        assert refreshed == []
        app.view.cursor = 3
        assert {(region.y, region.height) for region in refreshed} == {(0, 1), (3, 1)}


async def test_a_list_that_grows_lays_nothing_out() -> None:
    rows = Numbers(1_000)
    app = ListApp(rows)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        laid_out: list[object] = []
        app.screen.screen_layout_refresh_signal.subscribe(app.screen, laid_out.append)
        rows.count += 5
        app.view.rows_changed()
        await pilot.pause()
        assert laid_out == []
        assert app.view.vertical_scrollbar.window_virtual_size == 1_005
