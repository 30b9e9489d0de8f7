"""The tree of conversations holds every one of them once, whatever is said about who called whom."""

from __future__ import annotations

import pytest

from inspector.app.feed import AgentCall
from inspector.app.screens.agents import AgentsScreen, branches
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.line_view import LineView
from inspector.replay.view import ThreadRow
from tests.app.covers import covers
from tests.app.stage import Stage


def row(id: str) -> ThreadRow:
    return ThreadRow(id, id, 1, 1, 1)


def tree(ids: str, calls: dict[str, str]) -> list[tuple[str, int]]:
    known = {id: AgentCall(parent, "toolu") for id, parent in calls.items()}
    return [(b.row.id, b.depth) for b in branches([row(""), *map(row, ids)], known)]


def test_agents_stand_below_those_who_called_them() -> None:
    assert tree("abc", {"a": "", "b": "a", "c": ""}) == [("", 0), ("a", 1), ("b", 2), ("c", 1)]


def test_agents_of_unknown_callers_stand_below_the_main_conversation() -> None:
    assert tree("ab", {"a": "gone"}) == [("", 0), ("a", 1), ("b", 1)]


def test_agents_that_call_themselves_or_each_other_are_listed_once() -> None:
    assert sorted(tree("abc", {"a": "a", "b": "c", "c": "b"})) == [("", 0), ("a", 1), ("b", 1), ("c", 1)]


ALIKE = [
    ThreadRow("", "the session", 5, 4, 40_000),
    *(ThreadRow(f"a{n:016x}", "Explore · look around", 4, 3, 1_000 * n) for n in range(1, 50)),
    ThreadRow("b", "Plan · the only one", 4, 3, 500),
]


def stage() -> Stage:
    return Stage(lambda: AgentsScreen(ALIKE, {}, "", findings={}, unit="chars"))


def drawn(app: Stage) -> list[str]:
    view = app.screen.query_one(LineView)
    return [view.render_line(y).text for y in range(view.size.height)]


@pytest.mark.parametrize("width", [80, 120])
async def test_agents_that_are_called_alike_are_told_apart_by_their_ids(width: int) -> None:
    app = stage()
    async with app.run_test(size=(width, 60)) as pilot:
        await pilot.pause()
        rows = drawn(app)
        assert "Explore · look around  …00001a" in rows[26]
        assert len({row[: width // 2] for row in rows[:51]}) == 51
        assert "Plan · the only one   " in rows[50], "nothing has to be told apart"


@covers("agents.sort")
async def test_the_largest_of_many_agents_can_be_had_first() -> None:
    app = stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down", "s")
        await pilot.pause()
        rows = drawn(app)
        assert "…000031" in rows[0]
        assert "49,000" in rows[0]
        assert "the session" in rows[9], "by its size like all others"
        assert "largest first" in app.screen.query_one("#title", Bar).plain
        await pilot.press("down", "s")
        await pilot.pause()
        assert "largest first" not in app.screen.query_one("#title", Bar).plain
        assert drawn(app)[app.screen.query_one(LineView).size.height - 1].strip()
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == [f"a{48:016x}"]


async def test_a_peak_that_is_an_estimate_is_marked() -> None:
    rows = [
        ThreadRow("", "the session", 40, 4, 40),
        ThreadRow("a", "one", 2, 1, 900, 31, peak_estimated=True),
    ]
    app = Stage(lambda: AgentsScreen(rows, {}, "", findings={}, unit="chars"))
    async with app.run_test(size=(120, 20)) as pilot:
        await pilot.pause()
        main, agent = drawn(app)[:2]
    assert "≈" not in main
    assert agent.split()[-4:] == ["1", "≈900", "31", "0"]
