from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.app.theme import ink
from inspector.app.widgets.tab_row import LEAST_CELLS, TabRow, TabWords, layout
from inspector.text import cells
from tests.app.stage import HOSTILE, Stage

TABS = st.lists(
    st.builds(
        TabWords,
        title=st.text(max_size=20),
        is_shown=st.just(False),
        is_live=st.booleans(),
        fresh_requests=st.integers(0, 2_000_000),
    ),
    min_size=1,
    max_size=8,
)


def drawn(tabs: list[TabWords], width: int) -> str:
    return "".join(segment.text for segment in TabRow(tabs).draw(width, ink("dark")).segments)


def test_each_tab_says_number_title_liveness_and_what_is_new() -> None:
    row = drawn([TabWords("one", is_shown=True, is_live=True), TabWords("two", fresh_requests=12_000)], 80)
    assert row.rstrip() == "▌1 one ●  2 two   +12.0 K"


@given(TABS, st.data(), st.integers(40, 250))
def test_the_tab_shown_always_has_room_and_no_cell_is_taken_twice(
    tabs: list[TabWords], data: st.DataObject, width: int
) -> None:
    shown = data.draw(st.integers(0, len(tabs) - 1))
    tabs[shown] = tabs[shown]._replace(is_shown=True)
    placed = layout(tabs, width)
    assert shown in [tab.number for tab in placed]
    assert [tab.number for tab in placed] == list(range(placed[0].number, placed[-1].number + 1))
    for tab, following in itertools.pairwise(placed):
        assert tab.end == following.start
    assert cells(drawn(tabs, width)) <= width


def test_tabs_without_room_are_told_by_an_ellipsis() -> None:
    tabs = [TabWords(f"session number {n}") for n in range(20)]
    tabs[10] = tabs[10]._replace(is_shown=True)
    row = drawn(tabs, 80)
    assert row.startswith("…")
    assert row.rstrip().endswith("…")
    assert f"▌11 {'session number 10'[: LEAST_CELLS - 1]}" in row
    assert not layout([], 80)


async def test_a_click_names_the_tab() -> None:
    row = TabRow([TabWords("one", is_shown=True), TabWords("two")])
    picked: list[int] = []

    class Listening(Stage):
        def on_tab_row_picked(self, event: TabRow.Picked) -> None:
            picked.append(event.place)

    async with Listening(row).run_test(size=(80, 5)) as pilot:
        await pilot.click(TabRow, offset=(layout(row._tabs, 80)[1].start + 2, 0))
        await pilot.click(TabRow, offset=(60, 0))
    assert picked == [1]


@pytest.mark.parametrize("width", [80, 200])
def test_a_hostile_title_passes_the_gate(width: int) -> None:
    row = drawn([TabWords(HOSTILE, is_shown=True), TabWords("two")], width)
    assert not any(ord(sign) < 0x20 or 0x7F <= ord(sign) < 0xA0 for sign in row)
