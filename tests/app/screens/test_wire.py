"""The wire screen: what is folded, what is marked, and the ways out of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.strip import Strip

from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState, FeedUpdate, Jump, OpenSession, Sources
from inspector.app.screens.wire import WireScreen
from inspector.app.sources.wire import BlockPlace, UnsentPlace
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.text_view import TextView
from inspector.app.widgets.wire_rule import WireRule
from inspector.errors import UnreadableError
from inspector.session.wire_view import Mark, Side
from tests.app.covers import covers
from tests.app.fakes import FakeDetails, FakeFeed, FakeView
from tests.app.stage import HOSTILE, Stage
from tests.app.wires import Wires, left_out_view, wire_view


async def settle(pilot: Pilot[object]) -> None:
    for _ in range(2):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def lines(app: Stage) -> list[str]:
    view = app.screen.query_one("#rows", LineView)
    return [view.render_line(y).text for y in range(len(view.rows))]


def text_lines(app: Stage) -> list[Strip]:
    view = app.screen.query_one(TextView)
    return [view.render_line(y) for y in range(view.size.height)]


def bar(app: App[Any], name: str) -> str:
    return app.screen.query_one(f"#{name}", Bar).plain


async def test_unchanged_messages_fold_and_the_break_says_why() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        shown = lines(app)
        assert "▸ 0–4" in shown[0]
        assert "5 messages, unchanged" in shown[0]
        assert "prefix break" in shown[2]
        assert "an ageing step" in shown[2]
        assert shown[3].split()[:3] == ["▌~", "6", "user"]
        assert shown[3].split()[-2:] == ["96", "1,536"]
        assert shown[-1].rstrip().endswith("new")
        assert "╍ 2,148 after the break" in bar(app, "facts-line")
        assert "≠ recorded" in bar(app, "facts-line")


@covers("wire.unfold")
async def test_unfolding_shows_every_block_and_folds_again() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        folded = len(lines(app))
        await pilot.press("u")
        await settle(pilot)
        assert len(lines(app)) == folded + 4
        await pilot.press("u")
        await settle(pilot)
        assert len(lines(app)) == folded


async def test_a_pick_on_the_fold_unfolds_it() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+home", "enter")
        await settle(pilot)
        assert "unchanged" not in " ".join(lines(app))


async def test_what_changed_in_a_block_stands_below_the_list_without_a_key() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert bar(app, "title").startswith("message 6, block 0, request 39 → request 40")
        shown = [line.text for line in text_lines(app)]
        assert any("- request before" in line for line in shown)
        assert any("+ predicted" in line for line in shown)
        assert "−1 +1 lines" in bar(app, "foot")


@covers("wire.side")
async def test_p_goes_through_what_there_is_of_a_block() -> None:
    source = Wires()
    app = Stage(lambda: WireScreen(source, 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for words in ("request 40", "request 40 recorded", "request 39", "request 39 → request 40"):
            await pilot.press("p")
            await settle(pilot)
            title = app.screen.query_one("#title", Bar)
            assert title.plain.split("  ")[0] == f"message 6, block 0, {words}"


async def test_a_block_that_was_recorded_otherwise_shows_that_difference_first() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("u", "ctrl+home", "down", "down", "down", "down")
        await settle(pilot)
        assert "message 4, block 0, request 40: predicted → recorded" in bar(app, "title")


async def test_recorded_is_no_side_where_nothing_was_recorded() -> None:
    plain = replace(wire_view(40), is_recorded=False, other_chars=None)
    app = Stage(lambda: WireScreen(Wires(plain), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("p", "p")
        await settle(pilot)
        assert "request 39" in bar(app, "title")
        assert "recorded" not in bar(app, "facts-line")
        await pilot.press("f")
        await settle(pilot)
        assert "recorded" not in bar(app, "facts-line"), "a form that is not there is not shown"


@covers("wire.form", "wire.against")
async def test_recorded_requests_are_compared_with_each_other() -> None:
    source = Wires()
    app = Stage(lambda: WireScreen(source, 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f")
        await settle(pilot)
        assert source.asked[-1] == (40, None, Side.RECORDED)
        assert "recorded request 40 against 39" in bar(app, "facts-line")
        await pilot.press("t", "7", "enter")
        await settle(pilot)
        assert source.asked[-1] == (40, 7, Side.RECORDED)
        assert "recorded request 40 against 7" in bar(app, "facts-line")
        await pilot.press("t", "9", "9", "9", "enter")
        await settle(pilot)
        assert source.asked[-1] == (40, 7, Side.RECORDED), "there is no request 999"
        await pilot.press("t", "escape")
        await settle(pilot)
        await pilot.press("t", "enter")
        await settle(pilot)
        assert source.asked[-1] == (40, None, Side.RECORDED)


async def test_the_size_in_the_transcript_stands_beside_that_on_the_wire() -> None:
    view = wire_view(40)
    rows = [
        replace(row, transcript=max(1_536, row.chars) if row.kind == "result" else None) for row in view.rows
    ]
    app = Stage(lambda: WireScreen(Wires(replace(view, rows=rows)), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "1,536 →       96" in lines(app)[3]
        assert "in the transcript" in bar(app, "facts-line")


@covers("wire.before", "wire.next", "wire.back")
async def test_left_and_right_show_other_requests_and_escape_leaves_with_the_last() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=41))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("right", "left", "right")
        await settle(pilot)
        assert "request 41 against 40" in bar(app, "facts-line")
        await pilot.press("escape")
        await pilot.pause()
        found = app.results[0]
        assert isinstance(found, Jump)
        assert found.request == 41


async def test_a_session_that_grows_is_gone_on_with_and_the_cursor_stays() -> None:
    source = Wires()
    view = FakeView(112)
    feed = FakeFeed(FeedUpdate(view, FeedState.LIVE))
    app = InspectorApp(OpenSession(feed, Sources(FakeDetails(view), wire=source)), theme="dark")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("v")
        await settle(pilot)
        rows = app.screen.query_one("#rows", LineView)
        cursor = rows.cursor = rows.cursor - 1
        asked = len(source.asked)
        grown_view = FakeView(113)
        grown_view.revision = 2
        feed.push(grown_view)
        await settle(pilot)
        assert source.asked[asked:] == [(112, None, Side.PREDICTED)], "what waited is read again"
        assert rows.cursor == cursor
        await pilot.press("right")
        await settle(pilot)
        assert "request 113 against 112" in bar(app, "facts-line")
        await pilot.press("left", "left")
        await settle(pilot)
        asked = len(source.asked)
        more = FakeView(114)
        more.revision = 3
        feed.push(more)
        await settle(pilot)
        assert len(source.asked) == asked, "a request that was answered stays as it is"


async def test_escape_without_a_step_leaves_with_nothing() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert app.results == [None]


async def test_enter_on_a_result_goes_to_it() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == [Jump(request=40, id="toolu_a")]


@covers("wire.break")
async def test_b_returns_to_the_break() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        view = app.screen.query_one("#rows", LineView)
        at = view.cursor
        await pilot.press("ctrl+end")
        assert view.cursor != at
        await pilot.press("b")
        assert view.cursor == at


@pytest.mark.parametrize(
    ("keys", "words"), [("b", "As far as the records show"), ("fb", "The prefix is unbroken")]
)
async def test_only_a_recorded_request_proves_that_its_prefix_is_unbroken(keys: str, words: str) -> None:
    """An old client cleared results on the wire only: usage tells it, and no record does."""
    grown = [replace(row, mark=Mark.SAME) for row in wire_view(40).rows]
    view = replace(wire_view(40), rows=grown, break_at=None, break_words="")
    app = Stage(lambda: WireScreen(Wires(view), 40, requests=112))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
        (said,) = app._notifications
        assert said.message.startswith(words)
        assert said.message.endswith("this request only grew.")


async def test_what_cannot_be_read_is_said() -> None:
    app = Stage(lambda: WireScreen(Wires(problem=UnreadableError("the file is gone")), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "the file is gone" in bar(app, "facts-line")


async def test_hostile_texts_are_drawn_as_plain_cells() -> None:
    view = wire_view(40)
    rows = [replace(row, words=HOSTILE, role=HOSTILE, kind=HOSTILE, state=HOSTILE) for row in view.rows]
    unsent = [
        replace(u, words=HOSTILE, role=HOSTILE, kind=HOSTILE, sentence=HOSTILE)
        for u in left_out_view(40).unsent
    ]
    hostile = replace(view, rows=rows, break_words=HOSTILE, unsent=unsent)
    app = Stage(lambda: WireScreen(Wires(hostile), 40, requests=112))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("u")
        await settle(pilot)
        for line in lines(app):
            assert "\x1b" not in line
            assert "\u202e" not in line


@covers("wire.copy_place")
async def test_the_place_of_a_blocks_record_is_copied_and_shown_with_its_bytes() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("L")
        await settle(pilot)
        assert app.clipboard == "/s/one.jsonl:12"
        await pilot.press("u", "ctrl+home", "L")
        await settle(pilot)
        said = [note.message for note in app._notifications]
        assert "line 12, bytes 1,024–2,048" in said[0]
        assert "No record has this text" in said[1]


async def test_a_size_that_is_an_estimate_elsewhere_is_marked_here_too_and_both_are_told() -> None:
    view = replace(wire_view(40), estimated=True, ledger_chars=19_000, resume_chars=55)
    app = Stage(lambda: WireScreen(Wires(view), 40, requests=112))
    async with app.run_test(size=(160, 40)) as pilot:
        await settle(pilot)
        facts = bar(app, "facts-line")
        assert f"≈{view.chars:,}  UTF-16 units" in facts
        assert "≈19,000 in the ledger, an estimate" in facts
        assert "+ 55 of what a resume adds" in facts


async def test_an_exact_size_has_no_mark() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(160, 40)) as pilot:
        await settle(pilot)
        assert "≈" not in bar(app, "facts-line")


async def test_what_is_not_sent_stands_at_its_place_and_is_explained_under_the_cursor() -> None:
    source = Wires(left_out_view(40))
    app = Stage(lambda: WireScreen(source, 40, requests=112))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        shown = lines(app)
        assert "5 messages, unchanged, × 1 not sent" in shown[0]
        at = next(n for n, line in enumerate(shown) if "(no call) toolu_x, not sent" in line)
        assert "Bash git status" in shown[at - 1]
        assert shown[at].split()[0] == "×"
        assert "× orphan" in shown[at]
        assert "» duplicate" in shown[at + 1]
        assert "Both settings" in shown[at + 2]
        assert "× 3 not sent" in bar(app, "facts-line")
        await pilot.press("down", "down")
        await settle(pilot)
        assert bar(app, "title").startswith("result (no call) toolu_x, not sent in request 40")
        assert "× orphan: no call with this id precedes the result; it is not sent." in bar(app, "foot")
        assert "block 1 of record 7" in text_lines(app)[0].text
        await pilot.press("d", "p", "L")
        await settle(pilot)
        assert "block 1 of record 7" in text_lines(app)[0].text
        said = [note.message for note in app._notifications]
        assert "nothing to compare" in said[0]
        assert app.clipboard == "/s/one.jsonl:8"
        await pilot.press("up")
        await settle(pilot)
        assert "message 6, block 1" in bar(app, "title"), "what was chosen for other blocks is kept"


async def test_enter_on_what_is_not_sent_goes_to_its_row() -> None:
    app = Stage(lambda: WireScreen(Wires(left_out_view(40)), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert app.results == [Jump(request=40, result=9)]


async def test_the_rule_goes_with_the_request() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        rule = app.screen.query_one(WireRule).render_line(0).text
        assert rule.strip() == "━" * 107 + "╍" * 11
        assert rule[0] == rule[-1] == " "
    app = Stage(lambda: WireScreen(Wires(problem=UnreadableError("gone")), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert not app.screen.query_one(WireRule).render_line(0).text.strip()


async def test_thinking_without_a_text_says_that_the_file_holds_none() -> None:
    class Hidden(Wires):
        def text(self, block: BlockPlace | UnsentPlace, side: Side) -> str | None:
            return ""

    view = wire_view(40)
    rows = [replace(row, kind="thinking", words="") for row in view.rows]
    app = Stage(lambda: WireScreen(Hidden(replace(view, rows=rows)), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert bar(app, "foot").endswith("its text is not in the file")
