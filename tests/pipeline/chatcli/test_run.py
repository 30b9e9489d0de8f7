"""The two orders of the stages, and what follows from each."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model.chatcli import BudgetLimits, Message, Order, Settings
from inspector.pipeline.chatcli.archive import Archive
from inspector.pipeline.chatcli.overflow import AssumedSink
from inspector.pipeline.chatcli.pairing import is_paired
from inspector.pipeline.chatcli.run import Carried, run_loop, run_request
from tests.pipeline.chatcli.histories import HISTORIES, answer, later, result, user

SINK = AssumedSink("/scratch")
ANCHOR = Message("system", b"remember the task")


@settings(max_examples=60, deadline=None)
@given(HISTORIES, st.sampled_from(Order), st.integers(0, 5))
def test_same_input_gives_the_same_run_and_stays_untouched(
    history: Sequence[Message], order: Order, turn: int
) -> None:
    before = list(history)
    chosen = Settings(BudgetLimits(3_000, 9_000), order=order)
    carried = Carried(4, Archive())
    first = run_request(history, turn, chosen, SINK, carried)
    assert first == run_request(history, turn, chosen, SINK, carried)
    assert list(history) == before
    assert is_paired(first.outgoing)


def test_loop_order_keeps_the_full_text_stored_and_numbers_it_anew_each_turn() -> None:
    start = [user(), answer("a"), result("a", 30_000)]
    runs = run_loop(start, [later(1), [answer("z"), result("z")]], Settings(), SINK, anchor=ANCHOR)
    assert [run.budget.cuts[0].path for run in runs] == ["/scratch/budget_a_1.txt", "/scratch/budget_a_2.txt"]
    assert len(runs[1].stored[2].content) == 30_000
    assert runs[0].outgoing[2] != runs[1].outgoing[2]
    assert runs[1].outgoing[-1] == ANCHOR
    assert ANCHOR not in runs[1].stored


def test_seed_order_keeps_the_first_preview() -> None:
    start = [user(), answer("a"), result("a", 30_000)]
    runs = run_loop(start, [later(1), []], Settings(order=Order.SEED), SINK, anchor=ANCHOR)
    assert [len(run.budget.cuts) for run in runs] == [1, 0]
    assert runs[0].outgoing[2] == runs[1].outgoing[2]
    assert runs[1].stored == runs[1].outgoing


def test_result_of_the_first_turn_is_truncated_at_the_top_of_turn_three() -> None:
    appends = [[answer(f"c{n}"), result(f"c{n}", 9_000)] for n in range(4)]
    runs = run_loop([user()], appends, Settings(), SINK)
    assert [len(run.microcompact.aged) for run in runs] == [0, 0, 0, 1]
