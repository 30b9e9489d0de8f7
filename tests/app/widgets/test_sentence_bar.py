"""The bottom line grows with its sentence, up to a bound, and goes back for hints."""

from __future__ import annotations

from inspector.app.widgets.bar import Word
from inspector.app.widgets.sentence_bar import MOST_ROWS, SentenceBar
from tests.app.stage import HOSTILE, Stage

RIGHT = [Word("? keys", "muted")]


def shown(bar: SentenceBar) -> list[str]:
    return [bar.render_line(y).text.rstrip() for y in range(bar.size.height)]


async def test_a_long_sentence_is_wrapped_and_a_longer_one_ends_with_dots() -> None:
    bar = SentenceBar()
    app = Stage(bar)
    async with app.run_test(size=(40, 12)) as pilot:
        bar.say("word " * 12, 40, RIGHT)
        await pilot.pause()
        assert len(shown(bar)) == 3
        assert shown(bar)[-1].endswith("? keys")
        bar.say("word " * 200, 40, RIGHT)
        await pilot.pause()
        assert len(shown(bar)) == MOST_ROWS
        assert "…" in shown(bar)[-1]
        bar.show([Word("hint")], RIGHT)
        await pilot.pause()
        assert len(shown(bar)) == 1


async def test_a_hostile_sentence_is_drawn_as_plain_cells() -> None:
    bar = SentenceBar()
    app = Stage(bar)
    async with app.run_test(size=(20, 8)) as pilot:
        bar.say(HOSTILE * 3, 20)
        await pilot.pause()
        assert "\x1b" not in "".join(shown(bar))
