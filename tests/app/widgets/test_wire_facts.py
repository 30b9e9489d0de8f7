"""The facts line of the wire screen: the break is told before anything that is only in the request."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector.app.widgets.bar import Bar
from inspector.app.widgets.wire_facts import fact_words
from inspector.session.wire_view import Mark
from tests.app.stage import Stage
from tests.app.wires import left_out_view, wire_view


@pytest.mark.parametrize("width", [80, 100, 120, 200])
async def test_what_lies_behind_the_break_is_there_at_every_width(width: int) -> None:
    view = wire_view(46)
    rows = [replace(row, transcript=row.chars + 90_000) for row in view.rows]
    view = replace(view, rows=rows, other_chars=None)
    bar = Bar(*fact_words(view, width))
    async with Stage(bar).run_test(size=(width, 3)) as pilot:
        await pilot.pause()
        shown = bar.render_line(0).text.rstrip()
    assert ("╍ 2,148 after the break" if width >= 100 else "╍ 2,148  ━") in shown
    assert "…" not in shown, "no figure loses its word"
    assert ("in the transcript" in shown) == (width == 200)


def test_sums_that_hold_an_estimate_are_one() -> None:
    view = wire_view(46)
    rows = [replace(row, state="cleared") if row.mark is Mark.CHANGED else row for row in view.rows]
    left, _ = fact_words(replace(view, rows=rows, estimated=True), 120)
    texts = [word.text for word in left]
    assert "╍ ≈2,148 after the break" in texts
    assert any(text.startswith("━ ") and "≈" not in text for text in texts)


@pytest.mark.parametrize("width", [80, 100, 120, 200])
async def test_how_many_are_not_sent_is_said_at_every_width(width: int) -> None:
    bar = Bar(*fact_words(left_out_view(46), width))
    async with Stage(bar).run_test(size=(width, 3)) as pilot:
        await pilot.pause()
        shown = bar.render_line(0).text.rstrip()
    assert ("× 3 not sent" if width >= 120 else "× 3  ━ 23,199") in shown
    assert shown.endswith("≠ recorded 25,387" if width >= 120 else "≠ 25,387")
    assert "…" not in shown


def test_the_parts_add_up_to_the_blocks_and_nothing_is_said_of_what_is_not_there() -> None:
    view = left_out_view(46)
    texts = [word.text for word in fact_words(view, 200)[0]]
    parts = ("╍ 2,148 after the break", "━ 23,199 unchanged", "+ 63 new")
    assert [text for text in texts if text in parts] == list(parts)
    assert view.chars == 2_148 + 23_199 + 63
    assert not any(
        "not sent" in word.text or "gone" in word.text for word in fact_words(wire_view(46), 200)[0]
    )
    gone = fact_words(replace(view, gone=2), 200)[0]
    assert "· 2 blocks gone" in [word.text for word in gone]
