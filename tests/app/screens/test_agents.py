"""The tree of conversations holds every one of them once, whatever is said about who called whom."""

from __future__ import annotations

from inspector.app.feed import AgentCall
from inspector.app.screens.agents import branches
from inspector.replay.view import ThreadRow


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
