"""The session picker: rows, filter, figures that come later, and what it says when there are none."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from inspector.app.screens.sessions import SessionsScreen
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.line_view import LineView
from tests.app.covers import covers
from tests.app.stage import NOW, Catalog, Stage, catalog


class Picker(Stage):
    """Notes what the picker posts."""

    def __init__(self, sessions: Catalog, *, home: bool = True) -> None:
        super().__init__(lambda: SessionsScreen(sessions, clock=lambda: NOW, home=home))
        self.helped = 0

    BINDINGS = [("question_mark", "keys", "keys")]  # noqa: RUF012 (Textual declares it so)

    def action_keys(self) -> None:
        self.helped += 1

    def on_sessions_screen_picked(self, event: SessionsScreen.Picked) -> None:
        self.posted.append(event.path)

    def on_sessions_screen_demo_asked(self) -> None:
        self.posted.append("demo")


async def settle(pilot: Pilot[object]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def rows(app: Stage) -> list[list[str]]:
    view = app.screen.query_one("#rows", LineView)
    return [view.render_line(y).text.split() for y in range(len(view.rows))]


def bar(app: Stage, name: str) -> str:
    return app.screen.query_one(f"#{name}", Bar).plain


async def test_rows_show_figures_findings_size_and_age() -> None:
    app = Picker(catalog())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        first = rows(app)[0]
        assert first[:5] == ["▌", "●", "refactor-auth", "~/code/shop", "112"]
        assert first[6:] == ["711,977", "▲4", "±3", "╎1", "≠1", "▼1", "6.1", "MB", "now"]
        assert rows(app)[4][-6:] == ["≈590,046", "▲6", "≠1", "5.2", "MB", "1", "day"][-6:]
        assert "!" in rows(app)[6]
        assert "Claude Code 6 · ChatCLI 1" in bar(app, "sources")
        assert bar(app, "count") == "7 sessions, 2 live"


async def test_typing_filters_by_all_words_and_escape_clears() -> None:
    app = Picker(catalog())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press(*"shop", "space", *"E2E")
        assert [row[1] if row[0] == "▌" else row[0] for row in rows(app)] == ["fix-flaky-e2e"]
        assert bar(app, "count") == "1 of 7 sessions"
        await pilot.press("enter")
        await pilot.pause()
        assert app.posted == ["/home/u/fix-flaky-e2e.jsonl"]
        await pilot.press("escape")
        await pilot.pause()
        assert len(rows(app)) == 7


async def test_arrows_choose_while_the_filter_has_the_focus() -> None:
    app = Picker(catalog())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("down", "down", "up", "enter")
        await pilot.pause()
        assert app.posted == ["/home/u/migrate-billing.jsonl"]
        assert bar(app, "selected").startswith("migrate-billing")
        assert bar(app, "selected-findings") == "± 1 repair  peak 338,004 chars"


async def test_nothing_matching_says_how_to_go_on() -> None:
    app = Picker(catalog())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press(*"jwt")
        await pilot.pause()
        assert (
            app.screen.query_one("#empty", FactLines).plain == "Nothing matches “jwt”. Esc clears the filter."
        )
        await pilot.press("enter")
        await pilot.pause()
        assert app.posted == []


@covers("sessions.demo")
async def test_no_sessions_says_what_was_looked_for_and_where() -> None:
    app = Picker(Catalog((), {}))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        words = app.screen.query_one("#empty", FactLines).plain
        assert "No sessions found." in words
        assert "Claude Code looked in ~/.claude/projects" in words
        await pilot.press("f2")
        await pilot.pause()
        assert app.posted == ["demo"]


async def test_a_slash_begins_a_filter_as_on_every_other_screen() -> None:
    app = Picker(catalog())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("slash")
        assert len(rows(app)) == 7
        await pilot.press(*"E2E")
        assert bar(app, "count") == "1 of 7 sessions"
        await pilot.press("enter")
        await pilot.pause()
        assert app.posted == ["/home/u/fix-flaky-e2e.jsonl"]


@pytest.mark.parametrize("path", ["~/x.jsonl", "/x.jsonl", "/x/y", "./x", "/x.json.gz"])
async def test_a_typed_path_is_opened_as_it_is(path: str) -> None:
    app = Picker(catalog())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press(*path)
        assert bar(app, "count") == "Enter opens this path"
        assert len(rows(app)) == 7
        await pilot.press("enter")
        await pilot.pause()
        assert app.posted == [path]


async def test_a_question_mark_asks_for_keys_only_while_nothing_is_typed() -> None:
    app = Picker(catalog())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        assert app.helped == 1
        await pilot.press("a", "question_mark")
        assert app.helped == 1


@covers("sessions.back")
async def test_escape_leaves_only_where_there_is_a_way_back() -> None:
    for home, results in ((True, []), (False, [None])):
        app = Picker(catalog(), home=home)
        async with app.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            await pilot.press("escape")
            await pilot.pause()
            assert app.results == results


async def test_narrow_rows_keep_figures_findings_and_age() -> None:
    app = Picker(catalog())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        figures = ["112", "711,977", "▲4", "±3", "╎1", "≠1"]
        assert rows(app)[0][2:] == ["refactor-auth", "~/code/shop", *figures, "now"]
