"""Repairs find their rows, also where one id is used again and again."""

from __future__ import annotations

from functools import partial

from inspector.model.policy import CLAUDE_CODE
from inspector.replay.timeline import Timeline
from inspector.replay.view import Repair
from tests.builders import Transcript, call, result
from tests.counting import calls_of


def with_one_id(turns: int) -> Transcript:
    script = Transcript()
    script.prompt()
    for n in range(turns):
        script.answer(f"m{n}", call("same", "Bash", command="ls"))
        script.results(result("same", "ok"))
    return script


def test_each_copy_of_an_id_is_repaired_where_it_stands() -> None:
    timeline = Timeline(CLAUDE_CODE)
    timeline.extend(with_one_id(3).records)
    said = [[what for _, what in row.repairs] for row in timeline.tracked]
    assert said[0] == []
    assert all(Repair.DUPLICATE in words for words in said[1:])


def test_a_session_that_uses_one_id_costs_a_call_what_a_call_costs() -> None:
    def cost(turns: int) -> int:
        records = with_one_id(turns).records
        return calls_of(partial(Timeline(CLAUDE_CODE).extend, records))

    few, many = cost(60), cost(240)
    assert many < 5 * few
