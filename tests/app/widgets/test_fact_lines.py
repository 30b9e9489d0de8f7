"""Facts wrap between words and lose nothing but blanks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inspector.app.widgets.fact_lines import FactLines, wrapped
from inspector.text import cells, printable_line
from tests.app.stage import Stage


@given(st.text(max_size=200), st.integers(4, 40))
def test_rows_fit_and_lose_nothing_but_blanks(sentence: str, width: int) -> None:
    rows = wrapped(sentence, width)
    assert all(cells(row) <= width for row in rows)
    assert "".join("".join(rows).split()) == "".join(printable_line(sentence).split())


def test_rows_break_between_words() -> None:
    assert wrapped("The group held 241,000 of 200,000 chars", 16) == [
        "The group held",
        "241,000 of",
        "200,000 chars",
    ]


async def test_labels_share_a_column_and_bare_sentences_take_the_width() -> None:
    facts = FactLines()
    async with Stage(facts).run_test(size=(40, 6)) as pilot:
        facts.show([("", "No sessions found."), ("kind", "one"), ("longer", "two")])
        await pilot.pause()
        rows = [facts.render_line(y).text.rstrip() for y in range(4)]
        assert rows == [" No sessions found.", " kind    one", " longer  two", ""]


async def test_what_has_no_room_is_told_to_be_missing() -> None:
    facts = FactLines()
    async with Stage(facts).run_test(size=(20, 2)) as pilot:
        facts.show([("path", "/tmp/s/tool-results/a-long-name-of-a-file.txt")])
        await pilot.pause()
        cut = facts.render_line(1).text
        facts.show([("path", "one two three four")])
        await pilot.pause()
        whole = facts.render_line(1).text
    assert cut.rstrip().endswith("…")
    assert cells(cut) <= 20
    assert "…" not in whole
