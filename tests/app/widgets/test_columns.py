"""Columns give up words, never figures, bar or letters."""

from __future__ import annotations

from dataclasses import fields

import pytest

from inspector.app.widgets.columns import columns_for


@pytest.mark.parametrize("width", range(60, 161))
def test_columns_never_overlap(width: int) -> None:
    c = columns_for(width)
    bar_end = c.limit + 4 if c.bar_cells else c.bar
    order = [
        c.tool, c.argument, c.argument_edge, c.chars_edge, c.pairing, c.bar, bar_end, c.arrow,
        c.wire_edge, c.state, c.age_edge, c.level, c.recorded,
    ]  # fmt: skip
    assert order == sorted(order)
    assert c.recorded < width
    assert c.wire_edge - c.arrow == (8 if c.words else 7)
    assert c.argument_edge - c.argument + 1 >= 4


@pytest.mark.parametrize(
    ("width", "argument"), [(80, 15), (99, 34), (100, 8), (109, 17), (110, 8), (120, 18)]
)
def test_the_argument_takes_and_gives_cells(width: int, argument: int) -> None:
    c = columns_for(width)
    assert c.argument_edge - c.argument + 1 == argument


@pytest.mark.parametrize(
    ("width", "words", "ageing_word"), [(99, False, False), (100, True, False), (110, True, True)]
)
def test_words_go_in_order(width: int, words: bool, ageing_word: bool) -> None:
    c = columns_for(width)
    assert (c.words, c.level_word is not None) == (words, ageing_word)


@pytest.mark.parametrize("width", [60, 79])
def test_below_80_every_column_still_fits(width: int) -> None:
    c = columns_for(width)
    for field in fields(c):
        value = getattr(c, field.name)
        if type(value) is int:
            assert value <= width
