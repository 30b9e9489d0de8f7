"""JSON that may be printed: nothing in it acts, and nothing is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.report.json_text import json_text


@given(st.text(st.characters(codec=None)))
def test_every_text_comes_back_and_none_acts(text: str) -> None:
    printed = json_text({"t": text}, indent=None)
    assert json.loads(printed)["t"] == text
    printed.encode("utf-8")
    assert not any(c < " " or "\x7f" <= c <= "\x9f" or "\u202a" <= c <= "\u202e" for c in printed)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("value", "again"),
    [
        ({"a": [1, 2.5, None, True, {}, []], "é": "≈ \u202e"}, None),
        ({"half": "a\ud800", "list": [1, {"b": "c"}]}, None),
        ({"large": 1 << 80}, None),
        ([float("nan"), float("inf"), 1], [None, None, 1]),
        ({"half": "\ud800", "none": float("nan")}, {"half": "\ud800", "none": None}),
    ],
)
def test_what_the_fast_way_refuses_is_said_in_the_same_form(
    value: Any, again: Any, indent: int | None
) -> None:
    printed = json_text(value, indent=indent)
    assert json.loads(printed) == (value if again is None else again)
    assert printed.startswith("[\n  " if isinstance(value, list) else "{\n  ") == (indent == 2)
