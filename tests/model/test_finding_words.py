"""Every kind of finding is explained, in words that fit beside its name."""

from __future__ import annotations

from inspector.model.finding_words import MEANINGS
from inspector.model.findings import KINDS
from inspector.text import cells


def test_every_kind_has_words_and_nothing_else_has() -> None:
    assert [*MEANINGS] == [*KINDS]
    assert len(set(MEANINGS.values())) == len(MEANINGS)


def test_words_are_the_end_of_a_line() -> None:
    for words in MEANINGS.values():
        assert 10 < cells(words) <= 70
        assert not words.endswith(".")
