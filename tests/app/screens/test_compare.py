"""The compare screen: any two policies, what changes between them, and the way there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.screens.compare import CompareScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.compare_curve import CompareCurve
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.policy_rows import FieldRows
from inspector.app.widgets.totals import TotalsTable
from inspector.model.policy import DOCUMENTED
from inspector.replay.trade import CAVEAT
from tests.app.covers import covers
from tests.app.policy_stage import BASE, policy_app, rested
from tests.app.stages import bottom, frame_of, ledger_screen, line

SIZE = (120, 40)


def compare(app: InspectorApp) -> CompareScreen:
    assert isinstance(app.screen, CompareScreen)
    return app.screen


def names(app: InspectorApp) -> tuple[str, str]:
    return compare(app).a.name, compare(app).b.name


def bar(app: InspectorApp, name: str) -> str:
    return app.screen.query_one(f"#{name}", Bar).plain


async def opened(pilot: Pilot[Any], *keys: str) -> InspectorApp:
    await rested(pilot)
    await pilot.press("x")
    await rested(pilot)
    await pilot.press(*keys)
    await rested(pilot)
    app = pilot.app
    assert isinstance(app, InspectorApp)
    return app


@covers("screen.compare")
async def test_it_begins_with_recorded_against_predicted(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        await rested(pilot)
        await pilot.press("x")
        await rested(pilot)
        app = pilot.app
        assert isinstance(app, InspectorApp)
        assert names(app) == ("recorded", "documented")
        assert CAVEAT in bar(app, "policies")
        found = compare(app).comparison
        assert found is not None and found.b_totals.replaced == 3
        assert compare(app).query_one(TotalsTable).trade.startswith("B sends ")


async def test_after_a_what_if_it_begins_with_base_against_it(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        await rested(pilot)
        await pilot.press("w")
        await rested(pilot)
        await pilot.press("down", "down", "right")
        await rested(pilot)
        await pilot.press("escape")
        app = await opened(pilot)
        assert compare(app).a == BASE
        assert names(app)[1] == "documented*"


async def test_changed_fields_are_marked_and_the_first_is_selected(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        view = app.screen.query_one("#field-rows", LineView)
        rows = view.rows
        assert isinstance(rows, FieldRows) and rows.changes[view.cursor].differs
        drawn = [view.render_line(y).text for y in range(view.size.height)]
        marked = [row for row in drawn if "◄" in row]
        assert marked and any("pairing" in row for row in marked)
        assert all("cap at the tool" not in row for row in marked)


@covers("compare.a", "compare.a_before", "compare.b", "compare.b_before")
async def test_either_side_takes_another_policy(tmp_path: Path) -> None:
    async with policy_app(tmp_path, policy=DOCUMENTED).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        await pilot.press("b")
        await rested(pilot)
        assert names(app) == ("recorded", "claude-code")
        await pilot.press("B", "a")
        await rested(pilot)
        assert names(app) == ("documented", "documented")
        assert "send the same" in compare(app).query_one(TotalsTable).trade
        await pilot.press("A")
        await rested(pilot)
        assert names(app) == ("recorded", "documented")


async def test_units_that_differ_are_said(tmp_path: Path) -> None:
    async with policy_app(tmp_path, policy=DOCUMENTED).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        assert "UTF-16 units on the wire; B counts in chars" in line(app, "#curve-head")
        await pilot.press("a")
        await rested(pilot)
        assert "counts in" not in line(app, "#curve-head")


@covers("compare.turn")
async def test_turning_round_turns_the_differences(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        before = compare(app).comparison
        await pilot.press("t")
        await rested(pilot)
        after = compare(app).comparison
        assert before is not None and after is not None
        turned = [found._replace(estimated=False) for found in (after.b_totals, after.a_totals)]
        told = [found._replace(estimated=False) for found in (before.a_totals, before.b_totals)]
        assert turned == told  # they count in other units, and the texts of this session are ASCII


async def test_enter_on_a_result_goes_where_the_two_part(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        found = compare(app).comparison
        assert found is not None
        await pilot.press("down", "enter")
        await rested(pilot)
        wanted = found.results[1]
        assert frame_of(app).request == wanted.request
        place = ledger_screen(app).ledger.place
        assert place is not None and place.result == wanted.index
        assert "part here" in bottom(app)


@covers("compare.list")
async def test_enter_on_a_request_goes_there(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        await pilot.press("l")
        assert compare(app).lists_requests
        assert "of 61 requests change" in line(app, "#list-head")
        await pilot.press("ctrl+end", "enter")
        await rested(pilot)
        assert frame_of(app).request == 61


@covers("compare.on_one", "compare.back_one")
async def test_arrows_and_clicks_move_through_the_requests_of_the_curve(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        await pilot.press("right", "right", "left")
        assert compare(app).request == 25
        assert "request 25" in bar(app, "curve-head")
        await pilot.press("left")
        assert compare(app).request == 24
        await pilot.click(CompareCurve, offset=(8 + 39, 2))
        assert compare(app).request == 40


async def test_the_curve_hatches_what_is_saved_and_what_is_added(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        curve = app.screen.query_one(CompareCurve)
        drawn = "".join(curve.render_line(y).text for y in range(curve.size.height))
        assert "░" in drawn and "▒" not in drawn
        assert "┈┈ window ┈" in drawn
        await pilot.press("t")
        await rested(pilot)
        drawn = "".join(curve.render_line(y).text for y in range(curve.size.height))
        assert "▒" in drawn and "░" not in drawn


@covers("compare.pane", "compare.back")
async def test_tab_goes_between_fields_and_list(tmp_path: Path) -> None:
    async with policy_app(tmp_path).run_test(size=SIZE) as pilot:
        app = await opened(pilot)
        assert app.focused is app.screen.query_one("#list-rows")
        await pilot.press("tab", "down")
        assert app.focused is app.screen.query_one("#field-rows")
        await pilot.press("tab", "escape")
        assert isinstance(app.screen, LedgerScreen)


async def test_a_session_of_one_request_compares_to_nothing(tmp_path: Path) -> None:
    async with policy_app(tmp_path, turns=0, request=None).run_test(size=(80, 24)) as pilot:
        app = await opened(pilot, "l", "enter", "left", "right", "t")
        assert compare(app).comparison is not None
