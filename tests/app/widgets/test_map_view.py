"""The map's rows: what a cell stands for, and labels that leave the map its room."""

from __future__ import annotations

import pytest

from inspector.app.widgets.map_index import MapIndex, Order
from inspector.app.widgets.map_view import MapRows, MapView, layout_for
from tests.app.fakes import FakeView
from tests.app.stage import Stage


def rows(request: int) -> MapRows:
    view = FakeView()
    index = MapIndex()
    index.take(view)
    index.show(small=False, order=Order.SESSION)
    return MapRows(view, index.rows, 1, 1, request)


@pytest.mark.parametrize("width", [80, 100, 120, 200])
@pytest.mark.parametrize("turns", [9, 112, 12_345])
def test_labels_and_map_share_the_width(width: int, turns: int) -> None:
    layout = layout_for(width, turns)
    assert layout.turn_edge < layout.tool < layout.chars_edge < layout.left
    assert layout.left + layout.cells == width - 1
    assert layout.turn_edge >= len(str(turns))


async def test_a_cell_stands_for_the_request_that_is_drawn_there() -> None:
    view = MapView()
    shown = rows(38)
    async with Stage(view).run_test(size=(120, 24)) as pilot:
        view.set_rows(shown, cursor=0)
        await pilot.pause()
        layout, columns = layout_for(120, shown.turns), shown.columns(120)
        cell = columns.cell_of(37)
        assert cell is not None
        assert view.request_at(layout.left + cell) == 38
        assert view.request_at(layout.left - 1) is None
        assert view.request_at(0) is None


async def test_a_row_is_empty_before_its_result_came() -> None:
    view = MapView()
    shown = rows(38)
    async with Stage(view).run_test(size=(120, 60)) as pilot:
        view.set_rows(shown, cursor=0)
        await pilot.pause()
        layout, columns = layout_for(120, shown.turns), shown.columns(120)
        for y in range(min(40, len(shown))):
            first = shown.view.lifeline(shown.rows[y].index)[0].start
            text = view.render_line(y).text
            for cell in range(layout.cells):
                start, end = columns.span(cell)
                if start < end <= first - 1 and cell != columns.cell_of(37):
                    assert text[layout.left + cell] == " "
