"""Bars: one scale for all rows, solid for what is sent, hatch for what was replaced."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inspector.app.widgets.bars import group_bar, result_bar

LIMIT = 200_000


def text(kept: int, replaced: int, *, now: bool = True) -> str:
    return "".join(cell.text for cell in group_bar(kept, replaced, LIMIT, now=now, width=14))


def test_one_cell_is_a_fourteenth_of_the_limit() -> None:
    assert text(100_000, 0) == "███████       ┊   "


def test_the_smallest_group_still_shows() -> None:
    assert text(1, 0)[0] == "▏"


def test_replaced_part_is_hatched_behind_the_kept_part() -> None:
    assert text(82_163, 100_000) == "█████▊░░░░░░░ ┊   "


def test_a_half_filled_cell_under_the_hatch_has_its_background() -> None:
    bar = group_bar(82_163, 100_000, LIMIT, now=True, width=14)
    assert (bar[5].text, bar[5].on) == ("▊", "saved")
    assert bar[4].on == ""


def test_what_is_over_is_red_only_in_the_request_that_decides() -> None:
    now = group_bar(82_163, 158_837, LIMIT, now=True, width=14)
    later = group_bar(82_163, 158_837, LIMIT, now=False, width=14)
    assert ("".join(c.text for c in now[14:]), now[14].name) == ("│▒▒▒", "over-budget")
    assert ("".join(c.text for c in later[14:]), later[14].name) == ("│░░░", "muted")


def test_far_over_ends_in_an_arrow() -> None:
    assert text(82_163, 900_000)[-1] == "►"


def test_exactly_the_limit_is_not_over() -> None:
    assert text(LIMIT, 0) == "█" * 14 + "┊   "
    assert text(LIMIT + 1, 0) == "█" * 14 + "│▒  "


def test_result_bars_have_the_scale_of_groups() -> None:
    assert result_bar(100_000, LIMIT, replaced=False, width=14) == "━" * 7
    assert result_bar(107_000, LIMIT, replaced=False, width=14) == "━" * 7 + "╸"
    assert result_bar(100_000, LIMIT, replaced=True, width=14) == "╌" * 7
    assert result_bar(1, LIMIT, replaced=False, width=14) == "╸"
    assert result_bar(0, LIMIT, replaced=False, width=14) == ""


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**6), st.booleans(), st.integers(1, 80))
def test_a_bar_always_has_its_width(kept: int, replaced: int, limit: int, now: bool, width: int) -> None:
    bar = group_bar(kept, replaced, limit, now=now, width=width)
    assert [len(cell.text) for cell in bar] == [1] * (width + 4)
    assert len(result_bar(kept, limit, replaced=now, width=width)) <= width
