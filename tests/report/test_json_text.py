"""JSON that may be printed: nothing in it acts, and nothing is lost."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from inspector.report.json_text import json_text


@given(st.text(st.characters(codec=None)))
def test_every_text_comes_back_and_none_acts(text: str) -> None:
    printed = json_text({"t": text}, indent=None)
    assert json.loads(printed)["t"] == text
    printed.encode("utf-8")
    assert not any(c < " " or "\x7f" <= c <= "\x9f" or "\u202a" <= c <= "\u202e" for c in printed)
