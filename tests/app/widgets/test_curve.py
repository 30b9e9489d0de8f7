"""Curves show the maximum of what shares a cell, on the scale given."""

from __future__ import annotations

from inspector.app.widgets.curve import Curve, bar_row, columns
from inspector.model.policy import Unit
from tests.app.stage import Stage


def test_cells_show_the_maximum_and_stretch_few_values() -> None:
    assert columns([1, 9, 2, 3], 2) == [9, 3]
    assert columns([1, 2], 4) == [1, 1, 2, 2]
    assert columns([], 4) == []


def test_bars_rise_in_eighths_and_small_ones_still_show() -> None:
    assert bar_row([0, 1, 400, 800], 800, 0, 1) == " ▁▄█"
    assert bar_row([800, 400], 800, 0, 2) == "█ "
    assert bar_row([800, 400], 800, 1, 2) == "██"
    assert bar_row([0], 0, 0, 1) == " "


async def test_the_window_is_the_top_of_the_scale() -> None:
    curve = Curve()
    async with Stage(curve).run_test(size=(60, 8)) as pilot:
        curve.show([100_000, 300_000], 720_000, Unit.BYTES)
        await pilot.pause()
        assert "720 K" in curve.render_line(0).text
        assert "context window ≈ 720,000 bytes" in curve.render_line(0).text
        assert curve.render_line(7).text.split() == ["1", "2"]
