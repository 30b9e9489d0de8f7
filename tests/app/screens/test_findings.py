"""The findings screen: what matters stays visible, and Enter leads to the place."""

from __future__ import annotations

from inspector.app.app import InspectorApp
from inspector.app.feed import FeedState, FeedUpdate, Jump, OpenSession, Sources
from inspector.app.screens.findings import FindingsScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.line_view import LineView
from inspector.model.findings import Finding, Severity
from tests.app.covers import covers
from tests.app.fakes import FakeDetails, FakeFeed, FakeView
from tests.app.stage import Stage, findings
from tests.app.stages import settle


def rows(app: Stage) -> list[str]:
    view = app.screen.query_one("#rows", LineView)
    return [view.render_line(y).text.rstrip() for y in range(min(len(view.rows), view.size.height))]


def bar(app: Stage, name: str) -> str:
    return app.screen.query_one(f"#{name}", Bar).plain


def stage() -> Stage:
    return Stage(lambda: FindingsScreen(findings(), requests=112))


async def test_many_that_only_inform_fold_into_one_counted_row() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert len(rows(app)) == 6
        assert "29 of them, such as: Request 3" in rows(app)[1]
        assert bar(app, "counts") == "Findings  3 errors  1 warning  30 info  34 of 34"
        await pilot.press("down", "enter")
        await pilot.pause()
        assert len(app.screen.query_one("#rows", LineView).rows) == 34
        assert app.results == []


async def test_rows_say_severity_kind_request_and_fact() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert rows(app)[0].split()[:5] == ["▌", "error", "!", "bad", "line"]
        assert rows(app)[2].split()[:6] == ["error", "+", "missing", "result", "36", "toolu_01Qq91"]


async def test_enter_leaves_with_request_and_result() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        (jump,) = app.results
        assert isinstance(jump, Jump)
        assert (jump.request, jump.id) == (36, "toolu_01Qq91")


async def test_a_finding_of_the_whole_file_has_no_place_to_go_to() -> None:
    app = stage()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == []
        assert "line 46" in next(iter(app._notifications)).message


async def test_detail_gives_fact_cause_and_place() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("down", "down")
        await pilot.pause()
        words = app.screen.query_one("#detail", FactLines).plain
        assert "cause The record after line 208 is cut off." in words
        assert "see line 208" in words


@covers("findings.kind", "findings.kind_back", "findings.back")
async def test_kinds_narrow_the_list_one_after_another() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("k")
        assert len(rows(app)) == 1
        assert "only missing result" in bar(app, "counts")
        await pilot.press("k", "k")
        assert "only prefix break  29 of 34" in bar(app, "counts")
        await pilot.press("K", "escape")
        await pilot.pause()
        assert len(rows(app)) == 6
        assert app.results == []
        await pilot.press("escape")
        await pilot.pause()
        assert app.results == [None]


@covers("findings.filter")
async def test_words_filter_kind_fact_and_id() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("slash", *"overflow", "space", *"ddsk", "enter")
        await pilot.pause()
        assert len(rows(app)) == 1
        await pilot.press("slash", *"zzz")
        await pilot.pause()
        assert bar(app, "empty").startswith("Nothing matches “zzz”.")


async def test_words_without_a_match_name_the_kind_that_holds_too_and_how_to_drop_it() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("k", "slash", *"overflow")
        await pilot.pause()
        empty = bar(app, "empty")
        assert "Nothing matches “overflow” among missing result alone." in empty
        assert "k goes on to the next kind, Esc drops both." in empty
        await pilot.press("escape")
        await pilot.pause()
        assert len(rows(app)) == 6


async def test_no_findings_says_what_was_checked() -> None:
    app = Stage(lambda: FindingsScreen((), requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("down", "enter", "k", "z")
        await pilot.pause()
        assert bar(app, "empty").startswith("No findings.  112 requests checked: pairing")


async def test_what_is_found_while_the_list_is_open_is_shown_and_the_cursor_stays() -> None:
    view = FakeView(112)
    view.findings = findings()
    feed = FakeFeed(FeedUpdate(view, FeedState.LIVE))
    app = InspectorApp(OpenSession(feed, Sources(FakeDetails(view))), theme="dark")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("i")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, FindingsScreen)
        await pilot.press("down", "down")
        chosen = screen.selected
        grown = FakeView(113)
        fresh = Finding("bad_line", Severity.ERROR, "Line 257: a whole record stands in it.", 113)
        grown.findings = [fresh, *findings()]
        feed.push(grown)
        await settle(pilot)
        assert "35 of 35" in screen.query_one("#counts", Bar).plain
        assert chosen is not None
        assert screen.selected == chosen


async def test_the_list_begins_at_the_finding_that_was_jumped_to() -> None:
    view = FakeView(112)
    view.findings = findings()
    feed = FakeFeed(FeedUpdate(view, FeedState.LIVE))
    app = InspectorApp(OpenSession(feed, Sources(FakeDetails(view))), theme="dark")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n", "n", "n")
        await settle(pilot)
        assert isinstance(app.screen, LedgerScreen)
        jumped = app.screen.finding_here
        assert jumped is not None
        await pilot.press("i")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, FindingsScreen)
        assert screen.selected == jumped
        assert screen.query_one("#rows", LineView).cursor > 0


async def test_a_folded_finding_is_found_in_its_fold() -> None:
    last = [finding for finding in findings() if finding.severity is Severity.INFO][-1]
    app = Stage(lambda: FindingsScreen(findings(), requests=112, select=last))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, FindingsScreen)
        assert screen.selected is not None
        assert screen.selected.kind == last.kind


async def test_nothing_is_called_checked_while_the_session_is_read() -> None:
    view = FakeView(112)
    view.findings = []
    feed = FakeFeed(FeedUpdate(view, FeedState.INDEXING))
    app = InspectorApp(OpenSession(feed, Sources(FakeDetails(view))), theme="dark")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        assert "once the whole session has been read" in app.screen.query_one("#hints", Bar).plain
        await pilot.press("i")
        await settle(pilot)
        empty = app.screen.query_one("#empty", Bar)
        assert empty.plain.startswith("No findings yet.  The session is being read")
        feed.push(view, FeedState.ENDED)
        await settle(pilot)
        assert empty.plain.startswith("No findings.  112 requests checked")


async def test_the_cursor_stays_on_a_finding_whose_figures_grow() -> None:
    def told(records: int) -> list[Finding]:
        gone = Finding("overflow_missing", Severity.ERROR, "The file is not there.", 15, ("toolu_a",))
        fact = f"{records} records carry usage for 41 answers."
        return [gone, *findings(), Finding("usage_repeated", Severity.INFO, fact)]

    view = FakeView(112)
    view.findings = told(132)
    feed = FakeFeed(FeedUpdate(view, FeedState.LIVE))
    app = InspectorApp(OpenSession(feed, Sources(FakeDetails(view))), theme="dark")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("i")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, FindingsScreen)
        await pilot.press("ctrl+end")
        for records in (138, 144):
            grown = FakeView(113)
            grown.findings = told(records)
            feed.push(grown)
            await settle(pilot)
            assert screen.selected is not None
            assert screen.selected.fact.startswith(f"{records} records")
        gone = FakeView(114)
        gone.findings = told(144)[:-1]
        feed.push(gone)
        await settle(pilot)
        assert screen.query_one("#rows", LineView).cursor == len(screen.query_one("#rows", LineView).rows) - 1
