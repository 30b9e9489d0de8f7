"""The port of Go's sort: always an order by size, stable where Go's is."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.pipeline.chatcli.largest_first import INSERTION_MAX, _Sorter, largest_first


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 20), max_size=400))
def test_result_is_a_permutation_by_falling_size(sizes: list[int]) -> None:
    order = largest_first(sizes)
    assert sorted(order) == list(range(len(sizes)))
    assert [sizes[i] for i in order] == sorted(sizes, reverse=True)


@given(st.lists(st.integers(0, 3), max_size=INSERTION_MAX))
def test_short_lists_keep_message_order_among_equals(sizes: list[int]) -> None:
    assert largest_first(sizes) == sorted(range(len(sizes)), key=lambda i: -sizes[i])


@given(st.integers(0, 300))
def test_equal_sizes_keep_message_order(count: int) -> None:
    assert largest_first([7] * count) == list(range(count))


@given(st.integers(0, 300))
def test_rising_sizes_are_reversed(count: int) -> None:
    assert largest_first(range(count)) == list(range(count))[::-1]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=13, max_size=60))
def test_heap_sort_takes_over_when_no_bad_splits_are_left(sizes: list[int]) -> None:
    sorter = _Sorter(sizes)
    sorter.sort(0, len(sizes), 0)
    assert [sizes[i] for i in sorter.at] == sorted(sizes, reverse=True)
