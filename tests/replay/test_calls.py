"""Pairing facts: which result answers which call, by both readings."""

from __future__ import annotations

from inspector.model.transcript import Record
from inspector.replay.calls import Calls, positional_repairs
from tests.builders import Transcript, call, result, text


def fed(records: list[Record]) -> Calls:
    calls = Calls()
    for record in records:
        calls.feed(record)
    return calls


def positional(calls: Calls) -> tuple[list[str], list[str], list[str]]:
    found = positional_repairs(calls)
    return list(found["missing"]), list(found["orphan"]), list(found["duplicate"])


def test_result_in_front_of_its_call_pairs_globally_and_never_positionally() -> None:
    script = Transcript()
    script.result("toolu_a")
    script.answer("m1", call("toolu_a"))
    script.prompt()
    calls = fed(script.records)
    assert (calls.global_missing, calls.global_orphan) == ([], [])
    assert positional(calls) == (["toolu_a"], ["toolu_a"], [])
    assert len(calls.entries) == 1


def test_second_result_does_not_take_the_next_call_of_a_reused_id() -> None:
    script = Transcript()
    script.answer("m1", call("toolu_a"))
    script.result("toolu_a", "one")
    script.result("toolu_a", "one again")
    script.answer("m2", call("toolu_a"))
    script.result("toolu_a", "two")
    calls = fed(script.records)
    paired = [(e.call_record is not None, e.result_record is not None) for e in calls.entries]
    assert paired == [(True, True), (False, True), (True, True)]
    assert [e.duplicate_result for e in calls.entries] == [False, True, False]
    assert calls.uses == {"toolu_a": 2}
    assert calls.answers == {"toolu_a": 3}


def test_a_result_answers_the_call_of_its_own_turn_and_only_then_the_oldest_open_one() -> None:
    script = Transcript()
    script.answer("m1", call("toolu_a"))
    script.answer("m2", call("toolu_a"))
    script.answer("m3", call("toolu_a"), call("toolu_a"))
    for words in ("third", "fourth", "first", "second"):
        script.result("toolu_a", words)
    calls = fed(script.records)
    third, fourth, first, second = script.records[-4:]
    answered = [e.result_record for e in calls.entries if e.call_record is not None]
    assert answered == [first, second, third, fourth]


def test_late_result_is_displaced_and_stands_in_both_turns() -> None:
    script = Transcript()
    script.answer("m1", call("toolu_a"))
    script.answer("m2", text())
    script.result("toolu_a")
    calls = fed(script.records)
    (entry,) = calls.entries
    assert entry.displaced
    assert (entry.call_turn, entry.turn) == (0, 1)
    assert positional(calls) == (["toolu_a"], ["toolu_a"], [])


def test_result_in_front_of_the_message_that_calls_is_displaced() -> None:
    script = Transcript()
    script.answer("m1", call("toolu_a"))
    script.result("toolu_a")
    script.result("toolu_b", "early")
    script.answer("m2", call("toolu_b"))
    assert [e.displaced for e in fed(script.records).entries] == [False, True]


def test_result_between_two_parts_of_the_message_that_calls_is_in_its_place() -> None:
    script = Transcript()
    script.answer("m1", text())
    script.result("toolu_a")
    script.answer("m1", call("toolu_a"))
    (entry,) = fed(script.records).entries
    assert not entry.displaced


def test_group_ends_only_at_an_answer_with_a_new_id() -> None:
    script = Transcript()
    script.answer("m1", call("a"))
    script.result("a")
    script.record("progress", data={})
    script.answer("m1", call("b"))
    script.result("b")
    script.answer("m2", call("c"))
    script.result("c")
    script.answer("m1", call("d"))
    script.result("d")
    assert [[e.id for e in turn.results] for turn in fed(script.records).turns] == [["a", "b"], ["c", "d"]]


def test_api_error_is_no_answer() -> None:
    script = Transcript()
    script.answer("m1", call("a"))
    script.answer("m2", text("overloaded"), isApiErrorMessage=True)
    script.result("a")
    calls = fed(script.records)
    assert positional(calls) == ([], [], [])
    assert len(calls.turns) == 1


def test_results_behind_another_block_are_order_violations() -> None:
    script = Transcript()
    script.answer("m1", call("a"), call("b"))
    script.results(result("a"), text("between"), result("b"))
    assert fed(script.records).order_violations == ["b"]


def test_empty_id_is_no_missing_result() -> None:
    script = Transcript()
    script.answer("m1", call(""))
    script.prompt()
    assert fed(script.records).global_missing == []
