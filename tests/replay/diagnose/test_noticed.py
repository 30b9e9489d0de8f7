"""Rows are sorted once, when their results arrive, and stand in the order of the session."""

from __future__ import annotations

from functools import partial

from inspector.replay.diagnose.noticed import Noticed
from inspector.replay.timeline import Timeline
from inspector.replay.tracked import Tracked
from tests.builders import LEDGER
from tests.counting import calls_of
from tests.pipeline.wire.records import Script, call, result, text


def ids(rows: list[Tracked]) -> list[str]:
    return [row.entry.id for row in rows]


def grown(script: Script) -> tuple[Timeline, Noticed]:
    timeline = Timeline(LEDGER)
    timeline.extend(script.records)
    noticed = Noticed(timeline)
    noticed.update()
    return timeline, noticed


def begun(ordinary: int = 0) -> Script:
    script = Script()
    script.user(text())
    for n in range(ordinary):
        script.answer(f"m{n}", call(f"t{n}"))
        script.user(result(f"t{n}"))
    return script


def test_ordinary_rows_are_not_noticed() -> None:
    _, noticed = grown(begun(3))
    lists = [value for value in vars(noticed).values() if isinstance(value, list)]
    assert lists
    assert not any(lists)


def test_a_row_is_noticed_for_what_its_result_is() -> None:
    script = begun(1)
    script.answer("a", call("i"), call("c"), call("h"), call("open"))
    script.user(
        result("i", images=((10, 10),)), result("c", controls=True), result("h", lone_surrogates=True)
    )
    script.answer("b")
    script.user(result("none"))
    _, noticed = grown(script)
    found = (noticed.media, noticed.halved, noticed.unanswered, noticed.uncalled)
    assert [ids(rows) for rows in found] == [["i"], ["h"], ["open"], ["none"]]
    assert noticed.controlled_ids == ("c",)


def test_a_result_that_comes_late_stands_where_its_call_does() -> None:
    script = begun()
    script.answer("a", call("first"))
    script.answer("b", call("second"))
    script.user(result("second", lone_surrogates=True))
    timeline, noticed = grown(script)
    assert (ids(noticed.unanswered), ids(noticed.halved)) == (["first"], ["second"])
    before = len(script.records)
    script.user(result("first", lone_surrogates=True))
    timeline.extend(script.records[before:])
    noticed.update()
    assert (ids(noticed.unanswered), ids(noticed.halved)) == ([], ["first", "second"])
    assert ids(noticed.displaced) == ["first"]


def test_more_rows_cost_what_they_hold() -> None:
    def cost(ordinary: int) -> int:
        script = begun(ordinary)
        timeline, noticed = grown(script)
        before = len(script.records)
        script.answer("new", call("new"))
        script.user(result("new", lone_surrogates=True))
        timeline.extend(script.records[before:])
        return calls_of(partial(noticed.update))

    assert cost(400) == cost(20)


def test_a_late_result_costs_the_same_among_many_odd_ones() -> None:
    def cost(odd: int) -> int:
        script = begun()
        for n in range(odd):
            script.answer(f"m{n}", call(f"t{n}"))
            script.user(result(f"t{n}", controls=True))
        script.answer("late", call("late"))
        timeline, noticed = grown(script)
        before = len(script.records)
        script.user(result("late", controls=True))
        timeline.extend(script.records[before:])
        made = calls_of(partial(noticed.update))
        assert noticed.controlled_ids == (*(f"t{n}" for n in range(odd)), "late")
        return made

    assert cost(400) == cost(20)
