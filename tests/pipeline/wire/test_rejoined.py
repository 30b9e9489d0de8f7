"""Answers that all have one id: two messages that grow, at the cost of what is new."""

from __future__ import annotations

import pytest

from inspector.model.transcript import Record, Role
from inspector.pipeline.wire.history import Cut, History
from inspector.pipeline.wire.parts import RepairKind
from tests.counting import calls_of
from tests.pipeline.wire.records import Script, call, result, text


def turn(script: Script, n: int, *, prompt: bool = False) -> None:
    script.answer("same", call(f"toolu-{n}"), request_ref=f"r{n}")
    script.user(result(f"toolu-{n}", 10 + n))
    if prompt:
        script.user(text(n))


def session(turns: int, *, prompts: bool = False) -> list[Record]:
    script = Script()
    script.user(text())
    for n in range(turns):
        turn(script, n, prompt=prompts)
    return script.records


def cuts(records: list[Record], *, edge: bool = True) -> tuple[History, list[Cut]]:
    history, out = History(edge=edge), []
    for record in records:
        if record.role is Role.ASSISTANT:
            out.append(history.cut(record.parent, upto=record.index))
        history.add(record)
    out.append(history.cut(records[-1].uuid, upto=len(records)))
    return history, out


@pytest.mark.parametrize("edge", [True, False])
@pytest.mark.parametrize("prompts", [True, False])
def test_a_turn_goes_into_the_two_messages_that_stand(prompts: bool, edge: bool) -> None:
    records = session(6, prompts=prompts)
    history, made = cuts(records, edge=edge)
    anew = History(edge=edge)
    for record in records:
        anew.add(record)
    expected = anew.cut(records[-1].uuid, upto=len(records))
    assert len(history.wire()) == 3
    assert (history.wire(), history.repairs()) == (anew.wire(), anew.repairs())
    assert made[-1].tally == expected.tally
    assert made[-1].added == ((records[-2 if prompts else -1].index, 0),)


def test_the_answer_that_grows_is_the_first_change() -> None:
    _, made = cuts(session(5))
    assert [(cut.first_changed, cut.cause) for cut in made[2:]] == [(1, "load")] * 4


def test_a_result_in_front_of_a_text_that_stood_before_it_is_moved() -> None:
    _, made = cuts(session(4, prompts=True))
    assert [[(r.kind, r.id) for r in cut.repairs] for cut in made[2:]] == [
        [(RepairKind.MOVED, f"toolu-{n}")] for n in (1, 2, 3)
    ]


def test_a_lost_call_in_between_is_told_as_from_the_start() -> None:
    script = Script()
    script.user(text())
    for n in range(3):
        turn(script, n)
    script.answer("same", call("lost"), request_ref="l")
    for n in range(3, 6):
        turn(script, n)
    history, _ = cuts(script.records)
    anew = History()
    for record in script.records:
        anew.add(record)
    anew.cut(script.records[-1].uuid, upto=len(script.records))
    assert (history.wire(), history.repairs()) == (anew.wire(), anew.repairs())


@pytest.mark.parametrize("prompts", [True, False])
def test_a_turn_costs_what_it_holds_and_not_what_the_answer_holds(prompts: bool) -> None:
    def cost(turns: int) -> int:
        records = session(turns, prompts=prompts)
        return calls_of(lambda: cuts(records))

    assert cost(400) < 5 * cost(100)
