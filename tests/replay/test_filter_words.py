"""A line falls into the words that were typed, whatever stands in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.replay.filter_words import FilterError, quoted, words_of


def test_a_word_has_its_place_its_sign_its_field_and_its_values() -> None:
    first, second = words_of(' -tool:Bash,"a b"  x')
    assert (first.column, first.negated, first.field, first.operator) == (2, True, "tool", ":")
    assert [(v.text, v.column) for v in first.values] == [("Bash", 8), ("a b", 13)]
    assert (second.column, second.field, second.values[0].text) == (20, "", "x")


@pytest.mark.parametrize("operator", [":", "=", ">", ">=", "<", "<="])
def test_operators_are_read_longest_first(operator: str) -> None:
    (word,) = words_of(f"size{operator}5")
    assert (word.operator, word.values[0].text) == (operator, "5")


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ('tool:"Ba', 6, "not closed"),
        ('"a\\', 1, "not closed"),
        ("tool:", 6, "missing"),
        ("tool:a,", 8, "missing"),
        ("a:b:c", 4, "blank is missing"),
        ('"a""b"', 4, "blank is missing"),
        ("-", 2, "missing"),
        (",", 1, "missing before ','"),
    ],
)
def test_an_error_points_at_its_column(text: str, column: int, part: str) -> None:
    with pytest.raises(FilterError, match=part) as caught:
        words_of(text)
    assert caught.value.column == column
    assert f"column {column}" in str(caught.value)


@given(st.text(alphabet=st.sampled_from('aZ 0-_,:<>="\\\n\t\u00a0é語\ud800\x1b')))
def test_every_value_survives_its_quotes(value: str) -> None:
    (word,) = words_of(quoted(value))
    assert [v.text for v in word.values] == [value]
    assert not word.negated and not word.field
