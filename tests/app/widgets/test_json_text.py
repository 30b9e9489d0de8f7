"""JSON is laid out without changing a token."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.app.widgets.json_text import json_problem, lay_out_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.lists(JSON), st.booleans())
def test_layout_parses_to_the_same_value(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert json_problem(text) == ""
    assert json.loads(lay_out_json(text)) == value


def test_empty_objects_and_digits_stay_as_they_are() -> None:
    assert lay_out_json('[{}, [], 1.50e+1, "{,}"]') == '[\n  {},\n  [],\n  1.50e+1,\n  "{,}"\n]'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain", "does not begin"),
        ("", "does not begin"),
        ('{"a"', "line 1, column 5"),
        ("[" * 100_000, "recursion"),
        ("[" + "9" * 5000 + "]", "limit"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(text: str, words: str) -> None:
    assert words in json_problem(text)
