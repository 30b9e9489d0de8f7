"""Rows of a comparison: what breaks is said in words, figures keep their places at every width."""

from __future__ import annotations

import pytest

from inspector.app.widgets.compare_rows import RequestDifferences, ResultDifferences
from inspector.app.widgets.line_view import LineView
from inspector.replay.differences import RequestDifference, ResultDifference
from inspector.text import cells
from tests.app.stage import Stage


async def drawn(rows: RequestDifferences | ResultDifferences, width: int) -> list[str]:
    view = LineView()
    async with Stage(view).run_test(size=(width, 24)) as pilot:
        view.set_rows(rows, cursor=0)
        await pilot.pause()
        return [view.render_line(y).text.rstrip() for y in range(len(rows))]


@pytest.mark.parametrize("width", [80, 120])
async def test_a_request_says_whose_prefix_breaks(width: int) -> None:
    rows = [
        RequestDifference(1, 1_000, 900, a_broken=True, b_broken=False),
        RequestDifference(2, 1_000, 1_100, a_broken=False, b_broken=True),
        RequestDifference(3, 1_000, 1_000, a_broken=True, b_broken=True),
        RequestDifference(4, 1_000, 1_000, a_broken=False, b_broken=False),
    ]
    lines = await drawn(RequestDifferences(rows, 1), width)
    for line, words, difference in zip(
        lines, ("A breaks", "B breaks", "both break", "request 4"), ("−100", "+100", "0", "0"), strict=True
    ):
        assert words in line
        assert line.endswith(difference)
    assert len({cells(line) for line in lines}) == 1
    assert "breaks" not in lines[3]


@pytest.mark.parametrize("width", [80, 120])
async def test_a_long_argument_gives_way_to_the_figures(width: int) -> None:
    rows = [
        ResultDifference(0, "a", "Bash", "x" * 500, 7, 8, 3_073_140, 18_894),
        ResultDifference(1, "b", "", "", 8, 9, 10, 12),
    ]
    lines = await drawn(ResultDifferences(rows, 1), width)
    assert "turn 7" in lines[0]
    assert "3,073,140" in lines[0]
    assert lines[0].endswith("−3,054,246")
    assert "(no call)" in lines[1]
    assert all(cells(line) <= width for line in lines)
