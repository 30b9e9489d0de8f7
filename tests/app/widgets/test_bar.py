"""A bar gives up whole words, keeps its right edge, and passes the gate."""

from __future__ import annotations

from inspector.app.widgets.bar import HELP, Bar, Word, hints
from tests.app.stage import HOSTILE, Stage


async def drawn(bar: Bar, width: int) -> str:
    async with Stage(bar).run_test(size=(width, 3)) as pilot:
        await pilot.pause()
        strip = bar.render_line(0)
        assert strip.cell_length == width
        return strip.text


KEYS = hints([("←→", "step"), ("Enter", "open"), ("Esc", "back")])


async def test_keys_are_dropped_with_their_words_and_help_stays() -> None:
    assert await drawn(Bar(KEYS, HELP), 50) == " ←→ step  Enter open  Esc back             ? keys "
    assert await drawn(Bar(KEYS, HELP), 34) == " ←→ step  Enter open       ? keys "
    assert await drawn(Bar(KEYS, HELP), 22) == " ←→ step       ? keys "


async def test_a_word_that_must_be_whole_is_dropped_rather_than_cut() -> None:
    sizes = Word("A 198,992   B 121,939", whole=True)
    assert (await drawn(Bar([Word("sizes"), sizes]), 40)).rstrip() == " sizes  A 198,992   B 121,939"
    assert (await drawn(Bar([Word("sizes"), sizes]), 29)).rstrip() == " sizes"


async def test_a_long_word_is_cut_and_hostile_words_are_printable() -> None:
    text = await drawn(Bar([Word(HOSTILE), Word("short")]), 40)
    assert text.rstrip().endswith("…")
    assert "\x1b" not in text
