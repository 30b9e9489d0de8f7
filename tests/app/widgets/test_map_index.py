"""Rows of the map: which results, in which order, and what an update costs."""

from __future__ import annotations

from inspector.app.widgets.map_index import SMALL_CHARS, MapIndex, Order
from tests.app.fakes import CrowdView, FakeView


def index(view: FakeView) -> MapIndex:
    out = MapIndex()
    out.take(view)
    out.show(small=False, order=Order.SESSION)
    return out


def test_small_results_are_hidden_and_counted() -> None:
    found = index(FakeView())
    assert found.small == len(found.all) - len(found.rows) > 0
    assert all((row.chars or 0) >= SMALL_CHARS for row in found.rows)
    found.show(small=True, order=Order.SESSION)
    assert found.rows == found.all


def test_a_small_result_that_is_selected_stays() -> None:
    found = index(FakeView())
    small = next(row for row in found.all if (row.chars or 0) < SMALL_CHARS)
    assert found.row_of(small.index) is None
    found.show(small=False, order=Order.SESSION, keep=small.index)
    assert found.row_of(small.index) is not None


def test_rows_come_in_order_or_largest_first() -> None:
    found = index(FakeView())
    assert [row.index for row in found.rows] == sorted(row.index for row in found.rows)
    found.show(small=False, order=Order.SIZE)
    sizes = [row.chars or 0 for row in found.rows]
    assert sizes == sorted(sizes, reverse=True)


def test_an_update_asks_only_for_the_newest_turns() -> None:
    found = index(CrowdView(500, 4))
    longer = CrowdView(502, 4)
    longer.policy = longer.policy
    found.take(longer)
    assert len(found.all) == 502 * 4
    assert longer.calls <= 5 * 4
    assert [row.index for row in found.all] == list(range(502 * 4))


def test_a_view_under_another_policy_is_asked_anew() -> None:
    found = index(CrowdView(50, 2))
    other = CrowdView(50, 2)
    other.policy = other.policy.with_field("budget.turn_limit", 1)
    found.take(other)
    assert other.calls == 100


def test_a_session_that_shrank_loses_its_rows() -> None:
    found = index(CrowdView(50, 2))
    found.take(CrowdView(3, 2))
    assert len(found.all) == 6


def test_the_row_nearest_to_a_turn_is_found() -> None:
    found = index(FakeView())
    assert found.rows[found.nearest(37)].turn == 37
    assert MapIndex().nearest(5) == 0
