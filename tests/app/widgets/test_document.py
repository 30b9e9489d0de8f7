"""Lines and matches of a long text are found without a list of lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.app.widgets import document
from inspector.app.widgets.document import Document
from tests.counting import calls_of


@given(st.text(st.sampled_from("ab\n"), max_size=300))
def test_lines_are_those_between_line_feeds(text: str) -> None:
    lines = text.split("\n")
    expected = lines[:-1] if lines[-1] == "" else lines
    doc = Document(text)
    assert [text[slice(*doc.span(n))] for n in range(doc.line_count)] == expected


def test_lines_are_found_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "BLOCK_CHARS", 7)
    text = "\n".join(f"line {n}" for n in range(200))
    doc = Document(text)
    assert doc.line_count == 200
    for n in (0, 1, 99, 199):
        start, end = doc.span(n)
        assert text[start:end] == f"line {n}"
        assert doc.line_at(start) == doc.line_at(end) == n


def test_there_is_no_line_past_the_last() -> None:
    with pytest.raises(IndexError):
        Document("a\n").span(1)


def test_case_counts_only_with_a_capital_in_the_query() -> None:
    doc = Document("Token token TOKEN")
    assert len(doc.find_all("token")) == 3
    assert len(doc.find_all("Token")) == 1


def test_a_query_is_taken_literally() -> None:
    assert list(Document("a.b axb").find_all("a.b").starts) == [0]


def test_a_control_picture_finds_its_control_character() -> None:
    assert list(Document("x\x1b[0m ␛ \x7f").find_all("␛").starts) == [1, 6]
    assert len(Document("\x7f").find_all("␡")) == 1


def test_matches_are_capped_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MATCHES_MAX", 3)
    matches = Document("aaaa").find_all("a")
    assert (len(matches), matches.capped) == (3, True)


def test_matches_of_a_stretch_are_those_that_touch_it() -> None:
    matches = Document("ab ab ab").find_all("ab")
    assert [n for n, _, _ in matches.within(4, 6)] == [1]
    assert [n for n, _, _ in matches.within(0, 8)] == [0, 1, 2]


@pytest.mark.parametrize("text", ["x" * 80 + "\n", "\n"], ids=["lines", "line feeds only"])
def test_five_megabytes_are_indexed_in_far_fewer_steps_than_they_have_lines(text: str) -> None:
    whole = text * (5_000_000 // len(text))

    def index() -> None:
        doc = Document(whole)
        doc.span(doc.line_count - 1)

    assert calls_of(index) < whole.count("\n") / 10
