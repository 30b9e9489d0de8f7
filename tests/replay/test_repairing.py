"""Repairs find their rows, also where one id is used again and again."""

from __future__ import annotations

from functools import partial

import pytest

from inspector.model.ledger import Level, State
from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, Policy
from inspector.pipeline.pairing import MISSING
from inspector.pipeline.wire.parts import MISSING_TEXT
from inspector.replay.conversation import Conversation
from inspector.replay.requests import Request
from inspector.replay.timeline import Timeline
from inspector.replay.view import Repair
from tests.builders import Transcript, call, result, text
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


@pytest.mark.parametrize("policy", [CLAUDE_CODE, DOCUMENTED], ids=lambda policy: policy.name)
def test_an_orphan_that_was_never_sent_is_not_frozen_although_its_group_counts_it(policy: Policy) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    script.results(result("a", "x" * 30), result("stray", "y" * 50))
    timeline = script.timeline(policy)
    orphan = Conversation(timeline).result(1, 2)
    assert (orphan.pairing, orphan.state, orphan.level) == (Repair.ORPHAN, State.PENDING, Level.GONE)
    assert (orphan.chars, orphan.wire_chars) == (50, None)
    assert [span.state for span in timeline.tracked[1].spans] == [State.PENDING]
    assert Conversation(timeline).turn(1, 2).wire_chars == 30
    counted = 80 if policy is CLAUDE_CODE else 30  # the client's budget comes before its pairing
    assert timeline.requests[1].groups[0].decision.total == counted


def test_the_row_of_an_unanswered_call_holds_what_is_sent_for_it_until_its_result_comes() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), call("b"))
    script.result("b", "done")
    script.answer("m2", text())
    script.result("a", "late")
    rows = Conversation(script.timeline(DOCUMENTED))
    before, after = rows.result(0, 2), rows.result(0, 3)
    assert (before.pairing, before.chars, before.wire_chars) == (Repair.SYNTHETIC, None, len(MISSING))
    assert rows.turn(1, 2).wire_chars == len(MISSING) + len("done")
    assert (after.pairing, after.wire_chars) == (Repair.OK, len("late"))
    assert sum(rows.turn(t, 3).wire_chars for t in (1, 2)) == len("late") + len("done")


def test_what_is_sent_for_a_displaced_result_stands_on_its_row() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    script.answer("m2", call("b"))
    script.results(result("a", "x" * 500), result("b", "done"))
    script.answer("m3", text())
    timeline = script.timeline(CLAUDE_CODE)
    row = Conversation(timeline).result(0, 3)
    assert row.wire_chars == len(MISSING_TEXT)
    assert timeline.requests[2].tally.results.chars == len(MISSING_TEXT) + len("done")


def test_what_was_made_for_a_call_leaves_with_it_at_a_compaction() -> None:
    script = Transcript()
    script.prompt("four")
    script.answer("m1", call("a"), call("b"))
    script.result("b", "done")
    script.answer("m2", text())
    script.compacted()
    script.prompt("more")
    timeline = script.timeline(DOCUMENTED)
    assert Conversation(timeline).result(0, 3).wire_chars is None
    assert timeline.requests[2].wire_chars == len("summary") + len("more")


@pytest.mark.parametrize("live", [False, True])
def test_what_was_taken_out_is_not_taken_off_again_behind_a_compaction(live: bool) -> None:
    script = Transcript()
    script.prompt("four")
    script.answer("m1", call("a", command="ls"))
    script.result("a")
    script.answer("m2", call("a", command="something longer"))
    script.results(result("a"), result("orphan"))
    script.answer("m3", text())
    script.compacted()
    timeline = script.timeline(DOCUMENTED, live=live)
    assert timeline.requests[2].estimated  # messages that were emptied may be filled
    assert timeline.requests[3].wire_chars == len("summary")
    assert not timeline.requests[3].estimated
    assert timeline.requests[3].calls_shift == 0


def test_an_id_that_comes_again_behind_a_compaction_is_new_there() -> None:
    script = Transcript()
    script.prompt("four")
    script.answer("m1", call("a", command="ls"))
    script.result("a", "first")
    script.answer("m2", text())
    script.compacted()
    script.answer("m3", text())
    script.answer("m4", call("a", command="ls"))
    script.result("a", "second")
    timeline = script.timeline(DOCUMENTED)
    assert Conversation(timeline).result(1, 5).wire_chars == len("second")
    assert Conversation(timeline).result(1, 5).pairing is Repair.OK


def test_results_that_come_back_together_are_all_decided() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m0", text())
    script.results(*(result(name, "x" * 100) for name in "abc"))
    script.answer("m1", text())
    script.prompt()
    script.answer("m2", *(call(name) for name in "abc"))
    script.answer("m3", text())
    timeline = script.timeline(DOCUMENTED)
    assert [(row.entry.id, row.state, row.removed) for row in timeline.tracked] == [
        (name, State.FROZEN, False) for name in "abc"
    ]
    (group,) = timeline.requests[-1].groups or timeline.requests[-2].groups
    assert (group.ids, group.visible_total) == (("a", "b", "c"), 300)


def test_answers_of_one_id_cost_what_they_bring() -> None:
    def cost(turns: int) -> int:
        script = Transcript()
        script.prompt()
        for n in range(turns):
            script.answer("same", call(f"toolu_{n}"), requestId=f"r{n}")
            script.results(result(f"toolu_{n}", "ok"))
        records = script.records
        return calls_of(partial(Timeline(CLAUDE_CODE).extend, records))

    assert cost(400) < 5 * cost(100)


def test_results_in_front_of_their_calls_cost_what_they_bring() -> None:
    def cost(turns: int) -> int:
        script = Transcript()
        script.prompt()
        for n in range(turns):
            script.result(f"toolu_{n}", "ok")
        for n in range(turns):
            script.answer(f"m{n}", call(f"toolu_{n}"))
            script.prompt()
        records = script.records
        return calls_of(partial(Timeline(DOCUMENTED).extend, records))

    assert cost(200) < 5 * cost(50)


def test_results_that_come_back_at_once_cost_what_each_costs() -> None:
    def cost(results: int) -> int:
        script = Transcript()
        script.prompt()
        for n in range(results):
            script.result(f"toolu_{n}", "ok")
        script.answer("m0", text("so far"))
        script.prompt()
        script.answer("m1", *(call(f"toolu_{n}") for n in range(results)))
        script.prompt()
        records = script.records
        return calls_of(partial(Timeline(DOCUMENTED).extend, records))

    assert cost(400) < 5 * cost(100)


def test_a_repair_more_does_not_copy_those_of_its_request_before_it() -> None:
    request = Request(1, "m", "r", line=1, first_record=0)
    request.note_repair(Repair.ORPHAN, "a")
    kept = request.repairs
    request.note_repair(Repair.ORPHAN, "b")
    assert request.repairs is kept
    assert kept == [(Repair.ORPHAN, "a"), (Repair.ORPHAN, "b")]
