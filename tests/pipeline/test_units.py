"""Lengths and cuts: the three units, and no half character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.policy import Unit
from inspector.pipeline import units

TEXTS = st.text(st.sampled_from("ab\né€😀\ud83d\ude00"), max_size=40)
UNITS = st.sampled_from(list(Unit))


@given(TEXTS)
def test_utf16_length_counts_two_above_the_basic_plane(text: str) -> None:
    assert units.utf16_len(text) == sum(2 if ord(c) > 0xFFFF else 1 for c in text)


@given(TEXTS)
def test_sizes_agree_with_measuring_in_each_unit(text: str) -> None:
    size = units.size_of(text)
    for unit in Unit:
        assert units.in_unit(size, unit) == units.measure(text, unit)


@given(TEXTS, st.integers(-1, 50), UNITS)
def test_a_head_is_the_longest_start_that_fits(text: str, n: int, unit: Unit) -> None:
    head = units.first(text, n, unit)
    assert text.startswith(head)
    assert units.measure(head, unit) <= max(n, 0)
    longer = text[: len(head) + 1]
    assert longer == head or units.measure(longer, unit) > n


@given(TEXTS, st.integers(-1, 50), UNITS)
def test_a_tail_is_the_longest_end_that_fits(text: str, n: int, unit: Unit) -> None:
    tail = units.last(text, n, unit)
    assert text.endswith(tail)
    assert units.measure(tail, unit) <= max(n, 0)
    longer = text[-len(tail) - 1 :]
    assert longer == tail or units.measure(longer, unit) > n


@given(TEXTS, st.integers(0, 50))
def test_a_split_pair_leaves_its_first_half_when_the_source_does_so(text: str, n: int) -> None:
    split = units.first_utf16(text, n, split_pairs=True)
    assert units.utf16_len(split) == min(n, units.utf16_len(text))
    code_units = text.encode("utf-16-le", "surrogatepass")[: 2 * n]
    assert split.encode("utf-16-le", "surrogatepass") == code_units


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("aaaaaa\nbbb", "aaaaaa\n"),
        ("aaaaa\nbbbb", "aaaaa\nbbbb"),
        ("\naaaaaaaaa", "\naaaaaaaaa"),
    ],
)
def test_a_head_ends_at_a_newline_only_past_its_middle(text: str, kept: str) -> None:
    assert units.head_to_newline(text + "rest", 10, Unit.CODE_POINTS) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("aaaa\nbbbbb", "bbbbb"),
        ("aaaaa\nbbbb", "aaaaa\nbbbb"),
        ("\naaaa\nbbbb", "\naaaa\nbbbb"),
    ],
)
def test_a_tail_starts_after_a_newline_only_before_its_middle(text: str, kept: str) -> None:
    assert units.tail_from_newline("rest" + text, 10, Unit.CODE_POINTS) == kept
