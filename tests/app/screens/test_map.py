"""The map: it begins where the ledger is, moves both ways, and leads back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.map import LifelineLines, MapScreen
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.map_view import MapHead, MapView
from inspector.model.policy import Unit
from tests.app.covers import covers
from tests.app.fakes import CrowdView, FakeView, Made
from tests.app.stage import HOSTILE
from tests.app.stages import feed_of, frame_of, ledger_screen, line, make_app, settle

SIZE = (120, 40)


def map_of(app: InspectorApp) -> MapScreen:
    assert isinstance(app.screen, MapScreen)
    return app.screen


def lifeline(app: InspectorApp) -> str:
    return app.screen.query_one("#lifeline", LifelineLines).plain


def facts(app: InspectorApp) -> str:
    return app.screen.query_one("#facts", Bar).plain


async def opened(pilot: Pilot[Any], *keys: str) -> InspectorApp:
    await settle(pilot)
    await pilot.press("down", "m", *keys)
    await settle(pilot)
    app = pilot.app
    assert isinstance(app, InspectorApp)
    return app


@covers("screen.map")
async def test_it_begins_at_the_selected_result_and_request() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("down", "m")
        await settle(pilot)
        app = pilot.app
        assert isinstance(app, InspectorApp)
        assert map_of(app).request == 38
        assert map_of(app).result == 55
        assert lifeline(app).startswith("Bash pytest -x --tb=long billing")
        assert "request 38 of 112" in line(app, "Header")


async def test_enter_takes_result_and_request_into_the_ledger() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "down", "right", "right", "enter")
        assert frame_of(app).request == 40
        place = ledger_screen(app).ledger.place
        assert place is not None and (place.turn, place.result) == (37, 56)


async def test_a_result_is_opened_where_it_first_was_seen_if_the_request_does_not_know_it() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "home", "enter")
        assert frame_of(app).request == 38


@covers("map.back")
async def test_escape_leaves_the_ledger_as_it_was() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "right", "down")
        await pilot.press("escape")
        assert isinstance(app.screen, LedgerScreen)
        assert frame_of(app).request == 38


@covers("map.on_one", "map.back_one", "map.on_ten", "map.back_ten", "map.first", "map.newest")
async def test_arrows_move_the_cross_hair() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "right")
        assert map_of(app).request == 39
        await pilot.press("shift+left")
        assert map_of(app).request == 29
        await pilot.press("shift+right")
        assert map_of(app).request == 39
        await pilot.press("home", "left")
        assert map_of(app).request == 1
        await pilot.press("end")
        assert map_of(app).request == 112 and map_of(app).frame.following


async def test_the_cross_hair_never_covers_a_cell_that_is_filled() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        view = app.screen.query_one(MapView)
        rows = [view.render_line(y).text for y in range(view.size.height)]
        crossed = [row for row in rows if "┊" in row]
        assert crossed
        at = next(row.index("┊") for row in crossed)
        assert {row[at] for row in rows} - {"┊"} <= set("█▇▆░▄▁·?")


@covers("map.farther", "map.nearer")
async def test_zoom_goes_from_one_to_all() -> None:
    async with make_app(FakeView(400), request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        seen = [facts(app).rpartition("  ")[2]]
        for _ in range(4):
            await pilot.press("minus")
            seen.append(facts(app).rpartition("  ")[2])
        assert seen[:3] == ["1 cell = 1 request", "1 cell = 2 requests", "1 cell = 4 requests"]
        assert seen[3] == seen[4] and seen[3].startswith("all requests, 1 cell ≈ ")
        await pilot.press("plus")
        assert facts(app).endswith("1 cell = 4 requests")


@covers("map.small")
async def test_small_results_are_shown_on_demand_with_the_same_one_selected() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        assert "73 smaller hidden" in facts(app)
        await pilot.press("z")
        assert "171 results" in facts(app) and "hidden" not in facts(app)
        assert map_of(app).result == 55


@covers("map.sort")
async def test_sorting_puts_the_largest_first_and_keeps_the_selection() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        await pilot.press("s")
        assert "largest first" in facts(app)
        assert map_of(app).result == 55
        await pilot.press("ctrl+home")
        assert "WebFetch" in lifeline(app)


async def test_a_click_moves_both_lines_of_the_cross_hair() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        before = map_of(app).result
        view = app.screen.query_one(MapView)
        expected = view.request_at(60)
        await pilot.click(MapView, offset=(60, 3))
        await settle(pilot)
        assert map_of(app).request == expected
        assert map_of(app).result != before
        row = map_of(app).result
        await pilot.click(MapHead, offset=(80, 3))
        await settle(pilot)
        assert map_of(app).result == row
        assert map_of(app).request != expected


async def test_the_map_grows_with_the_session_and_stays_where_the_person_is() -> None:
    async with make_app(request=38).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        feed_of(app).push(FakeView(115))
        await settle(pilot)
        assert map_of(app).request == 38
        assert "3 new requests" in line(app, "Header")
        await pilot.press("end")
        feed_of(app).push(FakeView(116))
        await settle(pilot)
        assert map_of(app).request == 116


async def test_a_session_without_results_says_so() -> None:
    async with make_app(FakeView(3, turns={})).run_test(size=SIZE) as pilot:
        app = await opened(pilot, "right", "enter", "z", "minus")
        assert lifeline(app) == "No tool results yet. Rows appear with the first tool call."


async def test_a_session_without_requests_has_an_empty_map() -> None:
    async with make_app(FakeView(0)).run_test(size=(80, 24)) as pilot:
        app = await opened(pilot, "right", "end", "enter", "minus", "minus", "minus")
        assert map_of(app).request == 0


@pytest.mark.parametrize("width", [80, 120])
async def test_a_long_argument_gives_way_to_the_size_and_its_unit(width: int) -> None:
    made = {turn: [Made("Bash", "a long command " * 9, 45_000)] for turn in (1, 2)}
    async with make_app(FakeView(3, turns=made)).run_test(size=(width, 24)) as pilot:
        app = await opened(pilot)
        assert "45,000 chars" in line(app, "#lifeline")
        assert not line(app, "#lifeline").endswith("chars…")


@pytest.mark.parametrize("width", [80, 120])
async def test_how_many_are_hidden_is_said_at_every_width(width: int) -> None:
    view = FakeView()
    view.policy = view.policy.with_field("unit", Unit.UTF16)
    async with make_app(view, request=38).run_test(size=(width, 24)) as pilot:
        app = await opened(pilot)
        assert re.search(r"\d (smaller )?hidden  ", line(app, "#facts"))


async def test_hostile_texts_stay_texts() -> None:
    from tests.app.fakes import Made

    view = FakeView(5, turns={2: [Made(HOSTILE, HOSTILE, 50_000)]})
    async with make_app(view).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        for selector in ("#map", "#lifeline"):
            text = line(app, selector)
            assert text and not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in text)


async def test_a_step_asks_only_for_what_is_drawn() -> None:
    view = CrowdView(2_000, 3)
    view.lifelines = 0  # type: ignore[attr-defined]  # counted here only
    lifeline_of = view.lifeline

    def counted(index: int) -> Any:
        view.lifelines += 1  # type: ignore[attr-defined]
        return lifeline_of(index)

    view.lifeline = counted  # type: ignore[method-assign]
    async with make_app(view, request=1_000).run_test(size=SIZE) as pilot:
        await opened(pilot, "z")
        view.calls = view.lifelines = 0  # type: ignore[attr-defined]
        await pilot.press("right")
        await settle(pilot)
        assert view.calls <= 5
        assert view.lifelines <= 3 * SIZE[1]  # type: ignore[attr-defined]
