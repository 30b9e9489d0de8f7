"""Steps from request to request, following, and what stays selected through them."""

from __future__ import annotations

from inspector.app.app import InspectorApp
from inspector.app.feed import Jump
from inspector.app.widgets.ledger import Ledger
from inspector.app.widgets.turn_index import Place
from tests.app.covers import covers
from tests.app.fakes import FakeView
from tests.app.stages import (
    bottom,
    feed_of,
    frame_of,
    ledger_screen,
    line,
    make_app,
)

SIZE = (120, 40)


def place_of(app: InspectorApp) -> Place | None:
    return ledger_screen(app).ledger.place


async def test_the_newest_request_is_shown_and_followed_at_first() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert (frame_of(app).request, frame_of(app).following) == (112, True)
        assert "● live" in line(app, "Header")
        assert line(app, "Header").endswith("request 112 of 112")


@covers("step.back", "step.on")
async def test_arrows_step_and_stop_following() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", "left", "right")
        assert (frame_of(app).request, frame_of(app).following) == (111, False)
        await pilot.press("right", "right", "right")
        assert (frame_of(app).request, frame_of(app).following) == (112, False)


@covers("step.first", "step.newest")
async def test_home_and_end_go_to_the_first_request_and_back_to_following() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home")
        assert (frame_of(app).request, frame_of(app).following) == (1, False)
        await pilot.press("left")
        assert frame_of(app).request == 1
        await pilot.press("end")
        assert (frame_of(app).request, frame_of(app).following) == (112, True)


async def test_new_requests_are_followed_while_nobody_moved() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        feed_of(app).push(FakeView(115))
        await pilot.pause()
        assert frame_of(app).request == 115


async def test_a_person_who_moved_stays_and_is_told_loudly() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left")
        feed_of(app).push(FakeView(115))
        await pilot.pause()
        assert (frame_of(app).request, frame_of(app).fresh_requests) == (111, 3)
        assert "║ paused · 3 new requests · End follows" in line(app, "Header")
        await pilot.press("left")
        assert frame_of(app).fresh_requests == 3
        await pilot.press("end")
        assert (frame_of(app).request, frame_of(app).fresh_requests) == (115, 0)
        assert "● live" in line(app, "Header")


@covers("step.follow")
async def test_f_stops_following_and_follows_again() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f")
        assert (frame_of(app).request, frame_of(app).following) == (112, False)
        await pilot.press("f")
        assert frame_of(app).following


@covers("step.turn_back", "step.turn_on")
async def test_brackets_step_by_turns() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left_square_bracket")
        assert frame_of(app).request == 37
        await pilot.press("right_square_bracket", "right_square_bracket")
        assert frame_of(app).request == 39


@covers("step.go_to")
async def test_colon_goes_to_a_request_and_escape_leaves_it() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *"53", "enter")
        assert frame_of(app).request == 53
        assert isinstance(app.focused, Ledger)
        await pilot.press("colon", "7", "escape")
        assert frame_of(app).request == 53
        assert isinstance(app.focused, Ledger)
        await pilot.press("colon", *"9999", "enter")
        assert frame_of(app).request == 112
        assert "no request 9999" in bottom(app)


async def test_n_stops_at_findings_but_not_at_planned_steps() -> None:
    app = make_app(request=2)
    async with app.run_test(size=SIZE) as pilot:
        seen = []
        for _ in range(6):
            await pilot.press("n")
            seen.append(frame_of(app).request)
        assert seen == [33, 36, 38, 38, 53, 61]
        assert "finding 6 of" in bottom(app)
        await pilot.press("N", "N")
        assert frame_of(app).request == 38


async def test_n_selects_the_result_that_the_finding_is_about() -> None:
    app = make_app(request=2)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("n")
        await pilot.pause()
        place = place_of(app)
        assert place is not None
        assert place.turn == 32
        assert place.result is not None


async def test_star_goes_back_to_where_the_selected_result_changed() -> None:
    app = make_app(request=60)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ledger_screen(app).jump(Jump(request=60, id=f"toolu_01{55:05}Wqk5"))
        await pilot.pause()
        wanted = place_of(app)
        await pilot.press("asterisk")
        await pilot.pause()
        assert frame_of(app).request == 39
        await pilot.press("asterisk")
        await pilot.pause()
        assert frame_of(app).request == 38
        assert place_of(app) == wanted


async def test_star_on_a_turn_says_what_to_do() -> None:
    app = make_app(request=60)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("asterisk")
        assert frame_of(app).request == 60
        assert "Select a result first" in bottom(app)


async def test_selection_keeps_its_result_and_its_place_on_the_screen() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "down")
        place = place_of(app)
        ledger = app.screen.query_one(Ledger)
        above = ledger.cursor - ledger.scroll_offset.y
        await pilot.press("right", "right", "right")
        await pilot.pause()
        assert place_of(app) == place
        assert ledger.cursor - ledger.scroll_offset.y == above


async def test_selection_keeps_its_result_open_far_beyond_the_newest_turns() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "down")
        place = place_of(app)
        ledger_screen(app).go_to(70)
        await pilot.pause()
        assert place_of(app) == place


async def test_a_finding_about_no_result_selects_what_its_request_decided() -> None:
    app = make_app(request=52)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "down", "n")
        await pilot.pause()
        assert frame_of(app).request == 53
        assert place_of(app) == Place(52)


async def test_selection_goes_to_the_nearest_turn_where_its_result_is_not_known_yet() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "left")
        await pilot.pause()
        assert place_of(app) == Place(36)


async def test_a_cursor_on_top_stays_on_top() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        feed_of(app).push(FakeView(115))
        await pilot.pause()
        assert place_of(app) == Place(114)
