"""Rows are found by arithmetic, and the arithmetic agrees with a plain list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.app.widgets.turn_index import Folds, Place, TurnIndex, find_id, turn_of
from tests.app.fakes import CrowdView, FakeView, Made

VIEW = FakeView(30)


def plain_rows(request: int, folds: Folds) -> list[Place]:
    """The same rows, the long way."""
    newest = VIEW.turn_count(request)
    is_open = set(folds.open_turns(newest))
    rows = []
    for turn in range(newest, 0, -1):
        rows.append(Place(turn))
        if turn in is_open:
            rows += [Place(turn, index) for index in VIEW.turn_results(turn, request)]
    return rows


@given(st.integers(1, 30), st.sets(st.integers(1, 29)), st.sets(st.integers(1, 29)))
def test_rows_agree_with_a_plain_list(request_: int, opened: set[int], folded: set[int]) -> None:
    folds = Folds(opened, folded - opened)
    index = TurnIndex(VIEW, request_, folds)
    rows = plain_rows(request_, folds)
    assert len(index) == len(rows)
    assert [index.place(row) for row in range(len(index))] == rows
    assert [index.row_of(place) for place in rows] == list(range(len(rows)))


def test_there_is_no_row_outside() -> None:
    index = TurnIndex(VIEW, 30, Folds())
    for row in (-1, len(index)):
        with pytest.raises(IndexError):
            index.place(row)


def test_a_result_of_a_folded_turn_is_found_in_its_heading() -> None:
    folds = Folds(folded={20})
    index = TurnIndex(VIEW, 30, folds)
    result = VIEW.turn_results(20, 30)[0]
    assert index.place(index.row_of(Place(20, result))) == Place(20)


def test_a_turn_that_is_not_known_yet_leads_to_the_newest() -> None:
    assert TurnIndex(VIEW, 10, Folds()).row_of(Place(25, 3)) == 0


def test_an_empty_session_has_no_rows() -> None:
    assert len(TurnIndex(FakeView(0, turns={}), 0, Folds())) == 0


def test_toggling_twice_leaves_a_turn_as_it_was() -> None:
    folds = Folds()
    folds.toggle(29, is_open=True)
    assert 29 not in folds.open_turns(29)
    folds.toggle(29, is_open=False)
    assert 29 in folds.open_turns(29)


def test_the_index_asks_only_for_open_turns() -> None:
    asked: list[int] = []

    class Watched(CrowdView):
        def turn_results(self, t: int, n: int) -> range:
            asked.append(t)
            return range((t - 1) * self.each, t * self.each)

    index = TurnIndex(Watched(25_000, 4), 25_001, Folds())
    assert len(index) == 25_000 + 8 * 4
    assert len(asked) == 8


def test_the_turn_of_a_result_is_found_without_a_walk() -> None:
    view = CrowdView(25_000, 4)
    assert turn_of(view, 70_001, 25_001) == 17_501
    assert turn_of(view, 100_000, 25_001) is None


def test_a_displaced_result_is_found_near_its_place() -> None:
    class Displaced(CrowdView):
        def turn_results(self, t: int, n: int) -> list[int]:
            rows = list(range((t - 1) * self.each, t * self.each))
            return [*rows, 4] if t == 5 else [r for r in rows if r != 4]

    assert turn_of(Displaced(40, 2), 4, 41) == 5


def test_an_id_is_found_from_the_newest_turn_back() -> None:
    turns = {1: [Made("Bash", "a", 1)], 2: [Made("Bash", "b", 1)]}
    view = FakeView(3, turns=turns)
    assert find_id(view, view.result(0, 3).id, 3) == Place(1, 0)
    assert find_id(view, "toolu_nowhere", 3) is None
