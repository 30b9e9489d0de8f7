"""The wire screen: what is folded, what is marked, and the ways out of it."""

from __future__ import annotations

from dataclasses import replace

from textual.pilot import Pilot

from inspector.app.feed import Jump
from inspector.app.screens.wire import WireScreen
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.line_view import LineView
from inspector.errors import UnreadableError
from inspector.session.wire_view import Side
from tests.app.covers import covers
from tests.app.stage import HOSTILE, Stage
from tests.app.wires import Wires, wire_view


async def settle(pilot: Pilot[object]) -> None:
    for _ in range(2):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def lines(app: Stage) -> list[str]:
    view = app.screen.query_one("#rows", LineView)
    return [view.render_line(y).text for y in range(len(view.rows))]


def bar(app: Stage, name: str) -> str:
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
        assert "╎ 2,148 after the break" in bar(app, "facts-line")
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


@covers("wire.side")
async def test_p_shows_the_other_sides_of_a_block() -> None:
    source = Wires()
    app = Stage(lambda: WireScreen(source, 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert bar(app, "title").startswith("message 6, block 0, predicted")
        for side in ("recorded", "request before", "predicted"):
            await pilot.press("p")
            await settle(pilot)
            assert bar(app, "title").startswith(f"message 6, block 0, {side}")
        assert [s for _, _, _, s in source.read] == [
            Side.PREDICTED, Side.RECORDED, Side.BEFORE, Side.PREDICTED,
        ]  # fmt: skip


async def test_recorded_is_no_side_where_nothing_was_recorded() -> None:
    plain = replace(wire_view(40), is_recorded=False, recorded_chars=None)
    app = Stage(lambda: WireScreen(Wires(plain), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
        assert "request before" in bar(app, "title")
        assert "recorded" not in bar(app, "facts-line")


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


async def test_what_cannot_be_read_is_said() -> None:
    app = Stage(lambda: WireScreen(Wires(problem=UnreadableError("the file is gone")), 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "the file is gone" in bar(app, "facts-line")


async def test_hostile_texts_are_drawn_as_plain_cells() -> None:
    view = wire_view(40)
    rows = [replace(row, words=HOSTILE, role=HOSTILE, kind=HOSTILE, state=HOSTILE) for row in view.rows]
    app = Stage(lambda: WireScreen(Wires(replace(view, rows=rows, break_words=HOSTILE)), 40, requests=112))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("u")
        await settle(pilot)
        for line in lines(app):
            assert "\x1b" not in line
            assert "\u202e" not in line
