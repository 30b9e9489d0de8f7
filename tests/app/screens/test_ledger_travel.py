"""Moving through requests: changes, playing, break conditions, marks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.app.app import InspectorApp
from inspector.app.catalog import opened
from inspector.app.feed import FeedState, Jump
from inspector.app.screens import ledger_travel
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.marks import MarksScreen
from inspector.app.screens.stops import StopsScreen
from inspector.app.state import StateStore
from inspector.app.stops import Hit
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.timeline import Timeline
from inspector.model.findings import Finding, Severity
from inspector.model.policy import Unit
from tests.app.covers import covers
from tests.app.fakes import FakeView
from tests.app.stages import (
    asked,
    bottom,
    feed_of,
    frame_of,
    ledger_screen,
    line,
    make_app,
    on_screen,
    settle,
    until,
)

SIZE = (120, 40)


@covers("step.changes_next", "step.changed")
async def test_number_sign_goes_on_to_where_the_selected_result_changes_and_star_back() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "down")
        seen = []
        for key in ("number_sign", "number_sign", "asterisk", "asterisk"):
            await pilot.press(key)
            seen.append(frame_of(app).request)
        assert seen == [40, 78, 40, 38]
        ledger_screen(app).go_to(112)
        await pilot.press("number_sign")
        assert frame_of(app).request == 112
        assert "stays as it is up to request 112" in bottom(app)


@covers("step.finding", "step.finding_before")
async def test_findings_begin_again_at_the_other_end() -> None:
    app = make_app(request=112)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("n")
        assert frame_of(app).request == 33
        assert bottom(app).startswith("finding 1 of 8"), "nobody has gone round yet"
        await pilot.press("N")
        assert "from the last request  finding 8 of 8" in bottom(app)
        assert frame_of(app).request == 103


@pytest.mark.parametrize("size", [(80, 24), SIZE])
async def test_the_heading_of_a_result_that_was_jumped_to_stays_in_sight(size: tuple[int, int]) -> None:
    app = make_app(request=112)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert ledger_screen(app).ledger.cursor == 0
        jumped = 0
        for _ in range(8):
            await pilot.press("n")
            await settle(pilot)
            ledger = ledger_screen(app).ledger
            place = ledger.place
            assert place is not None
            if place.result is None:
                continue
            jumped += 1
            above = [line(app, "#list", y) for y in range(ledger.cursor - ledger.scroll_offset.y)]
            assert any(f"turn {place.turn} " in row for row in above)
        assert jumped > 3


async def test_what_is_found_meanwhile_in_front_does_not_make_the_next_one_be_skipped() -> None:
    def told(*more: Finding) -> FakeView:
        view = FakeView(112)
        here = [Finding("missing_result", Severity.ERROR, f"Call {n} has no result.", 38) for n in range(3)]
        view.findings = [*more, *here]
        return view

    app = make_app(told(), request=1)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("n")
        assert "finding 1 of 3" in bottom(app)
        early = Finding("orphan_result", Severity.ERROR, "Line 3 answers nothing.", 2)
        feed_of(app).push(told(early))
        await settle(pilot)
        await pilot.press("n")
        assert "finding 3 of 4" in bottom(app)
        assert "Call 1 has" in bottom(app)


async def test_a_session_without_findings_says_so() -> None:
    app = make_app(FakeView(3, turns={}))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("n")
        assert "No findings: " in bottom(app)


# -- playing ----------------------------------------------------------------------------------


@covers("step.play")
async def test_space_plays_to_the_newest_request_and_ends_there() -> None:
    app = make_app(FakeView(6))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "space")
        assert frame_of(app).playing
        assert "► playing 4/s · Space stops" in line(app, "Header")
        await until(pilot, lambda: not frame_of(app).playing)
        assert (frame_of(app).request, frame_of(app).following) == (6, False)
        assert "nothing more to play" in bottom(app)
        await pilot.press("space")
        assert frame_of(app).playing, "at the newest request it begins anew"
        assert frame_of(app).request < 6


async def test_playing_ends_with_space_with_escape_and_with_every_step() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        for key in ("space", "escape", "left"):
            await pilot.press("space")
            assert frame_of(app).playing
            await pilot.press(key)
            request = frame_of(app).request
            assert not frame_of(app).playing
            await pilot.pause(2 * ledger_travel.PLAY_EVERY_S)
            assert frame_of(app).request == request


async def test_an_update_goes_on_playing() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("space")
        feed_of(app).push(FakeView(115))
        await until(pilot, lambda: frame_of(app).view.request_count == 115)
        assert frame_of(app).playing


# -- break conditions -------------------------------------------------------------------------


@covers("step.stops", "stops.choose", "stops.run", "step.run", "step.run_back")
async def test_runs_stop_where_a_condition_holds_in_both_directions() -> None:
    app = make_app(request=30)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("B")
        await on_screen(pilot, StopsScreen)
        await pilot.press("space", "r")
        await on_screen(pilot, LedgerScreen)
        await until(pilot, lambda: frame_of(app).request == 33)
        assert "stopped at request 33  turn 32 at 107 % of its budget" in bottom(app)
        for key, request in (("r", 38), ("r", 61), ("R", 38), ("R", 33)):
            await pilot.press(key)
            await until(pilot, lambda request=request: frame_of(app).request == request)
        await pilot.press("R")
        await until(pilot, lambda: "No break condition holds before request 33" in bottom(app))
        assert frame_of(app).request == 33


@covers("stops.run_back", "stops.done", "stops.figure")
async def test_the_menu_takes_figures_and_runs_back() -> None:
    app = make_app(request=100)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r")
        await on_screen(pilot, StopsScreen)
        await pilot.press("down", "equals_sign")
        asked(app).prompt.value = "150,000"
        await pilot.press("enter", "escape")
        await on_screen(pilot, LedgerScreen)
        assert "Break at: result over 150,000 chars." in bottom(app)
        await pilot.press("B")
        await on_screen(pilot, StopsScreen)
        await pilot.press("R")
        await on_screen(pilot, LedgerScreen)
        await until(pilot, lambda: frame_of(app).request == 92)
        assert "WebFetch returned 190,011 chars" in bottom(app)
        selected = ledger_screen(app).selected
        assert selected is not None
        assert selected.tool == "WebFetch"


async def test_a_tool_is_a_condition_and_dropping_it_leaves_none() -> None:
    app = make_app(request=30)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("B")
        await on_screen(pilot, StopsScreen)
        screen = app.screen
        assert isinstance(screen, StopsScreen)
        row = next(n for n, stop in enumerate(screen._offered) if stop.words(Unit.BYTES) == "tool Grep")
        screen.query_one(LineView).cursor = row
        await pilot.press("enter", "r")
        await on_screen(pilot, LedgerScreen)
        await until(pilot, lambda: frame_of(app).request != 30)
        assert "tool Grep" in bottom(app)
        await pilot.press("B")
        await on_screen(pilot, StopsScreen)
        app.screen.query_one(LineView).cursor = row
        await pilot.press("space", "escape")
        await on_screen(pilot, LedgerScreen)
        assert "No break conditions; B chooses some." in bottom(app)


async def test_a_run_that_ends_after_the_person_moved_moves_nobody() -> None:
    app = make_app(request=30)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        screen = ledger_screen(app)
        screen.post_message(LedgerScreen.RunEnded(29, 1, Hit(50, "late")))
        await pilot.pause()
        assert frame_of(app).request == 30


# -- marks ------------------------------------------------------------------------------------


@covers("step.mark", "step.marks", "rows.pick")
async def test_a_mark_with_its_note_is_found_again_in_another_run(tmp_path: Path) -> None:
    app = make_app(request=38, store=StateStore(tmp_path / "state"), path="/s/one.jsonl")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("down", "b", *"big", "enter")
        assert "Request 38 marked" in bottom(app)
    again = make_app(request=100, store=StateStore(tmp_path / "state"), path="/s/one.jsonl")
    async with again.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("apostrophe")
        await on_screen(pilot, MarksScreen)
        drawn = again.screen.query_one(LineView).render_line(0).text
        assert "38" in drawn
        assert "Bash pytest -x" in drawn
        assert "big" in drawn
        await pilot.press("enter")
        await on_screen(pilot, LedgerScreen)
        assert frame_of(again).request == 38
        assert "mark big" in bottom(again)
        selected = ledger_screen(again).selected
        assert selected is not None
        assert selected.argument == "pytest -x --tb=long billing"
        await pilot.press("left", "right")
        assert "mark big" in bottom(again), "coming by a mark says what it is"


@covers("marks.remove", "marks.back")
async def test_marks_are_removed_by_their_key_and_from_the_list() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("apostrophe")
        assert "No marks yet" in bottom(app)
        await pilot.press("b", "escape", "left", "b", "escape")
        marks = ledger_screen(app)._memory.marks
        assert [mark.request for mark in marks.all()] == [37, 38]
        await pilot.press("apostrophe")
        await on_screen(pilot, MarksScreen)
        await pilot.press("d")
        assert [mark.request for mark in marks.all()] == [38]
        await pilot.press("escape")
        await on_screen(pilot, LedgerScreen)
        await pilot.press("right", "b")
        assert "Mark removed from request 38." in bottom(app)
        assert not marks.all()


async def test_marks_that_cannot_be_kept_are_kept_for_this_run_and_that_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a directory should be")
    app = make_app(request=38, store=StateStore(tmp_path / "state"), path="/s/one.jsonl")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("b", "escape")
        assert "kept for this run only" in bottom(app)
        await pilot.press("left", "b", "escape")
        assert "kept for this run only" not in bottom(app)
        assert len(ledger_screen(app)._memory.marks.all()) == 2


async def test_a_session_that_is_not_remembered_leaves_nothing_on_disk(tmp_path: Path) -> None:
    app = make_app(request=38, store=StateStore(tmp_path), path="")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("b", "escape")
        assert [path.name for path in tmp_path.rglob("*.json")] == ["greeted.json"]


# -- first run --------------------------------------------------------------------------------


async def test_the_first_run_ever_is_greeted_once(tmp_path: Path) -> None:
    for expected in (True, False):
        app = make_app(request=38, store=StateStore(tmp_path))
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            assert ("? shows all keys" in bottom(app)) is expected
    assert json.loads((tmp_path / "greeted.json").read_text()) is True


async def test_what_is_no_request_number_is_said_and_moves_nobody() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *"4x", "enter")
        assert frame_of(app).request == 38
        assert "“4x” is no request number." in bottom(app)


async def test_a_jump_without_a_place_keeps_the_request() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ledger_screen(app).jump(Jump(id="toolu_nowhere"))
        assert frame_of(app).request == 38


@covers("step.mark")
async def test_a_mark_is_seen_on_the_timeline_and_in_both_head_lines() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("b", *"big", "enter")
        await pilot.pause()
        assert line(app, "Header").endswith("◆ request 38 of 112")
        assert "◆ big" in line(app, "Facts")
        timeline = app.screen.query_one(Timeline)
        assert any("◆" in timeline.render_line(y).text for y in range(timeline.size.height))
        await pilot.press("left")
        await pilot.pause()
        assert "◆" not in line(app, "Header")
        assert any("◆" in timeline.render_line(y).text for y in range(timeline.size.height))
        await pilot.press("right", "b")
        await pilot.pause()
        assert not any("◆" in timeline.render_line(y).text for y in range(timeline.size.height))


@pytest.mark.parametrize("key", ["v", "y", "n", "r", "B", "space"])
async def test_no_key_is_silent_where_there_is_no_request(key: str, tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(b"")
    app = InspectorApp(opened(path, follow=False, remembered=False), theme="dark")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.update is not None and app.update.state is FeedState.ENDED)
        await pilot.press(key)
        await pilot.pause()
        assert bottom(app).startswith("There is no request yet.")
