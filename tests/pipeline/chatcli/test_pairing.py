"""What must hold for the positional repair, whatever it is given."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings

from inspector.model.chatcli import Message
from inspector.pipeline.chatcli.pairing import is_paired, pending_calls, repair_pairing
from tests.pipeline.chatcli.histories import HISTORIES, answer, result, user


@settings(max_examples=150, deadline=None)
@given(HISTORIES)
def test_repaired_history_is_paired_and_stays_as_it_is(history: Sequence[Message]) -> None:
    run = repair_pairing(history)
    assert is_paired(run.messages)
    again = repair_pairing(run.messages)
    assert again.messages == run.messages
    assert not again.report.has_repairs


@settings(max_examples=150, deadline=None)
@given(HISTORIES)
def test_nothing_but_results_and_calls_changes(history: Sequence[Message]) -> None:
    run = repair_pairing(history)
    kept = [m for m in run.messages if m.role not in ("tool", "assistant")]
    assert kept == [m for m in history if m.role not in ("tool", "assistant")]
    assert [m.content for m in run.messages if m.role == "assistant"] == [
        m.content for m in history if m.role == "assistant"
    ]
    for message, origin in zip(run.messages, run.origins, strict=True):
        if origin is None:
            assert message.error_code == "missing_result"
        elif message.role == "tool":
            assert message == history[origin]


@settings(max_examples=150, deadline=None)
@given(HISTORIES)
def test_counters_account_for_every_message(history: Sequence[Message]) -> None:
    run = repair_pairing(history)
    report = run.report
    added, removed = report.synthetic_results_injected, report.orphan_results_removed
    assert len(run.messages) == len(history) + added - removed
    calls = sum(len(m.tool_calls) for m in history if m.role == "assistant")
    assert sum(len(m.tool_calls) for m in run.messages) == calls - report.duplicate_tool_use_pruned
    assert len(run.relocated_ids) == report.results_relocated
    assert run.origins.count(None) == added


def test_intact_history_keeps_results_out_of_call_order() -> None:
    history = [answer("a", "b"), result("b"), result("a")]
    assert list(repair_pairing(history).messages) == history


def test_one_repair_reorders_every_other_turn_and_counts_nothing_for_it() -> None:
    intact = [answer("a", "b"), result("b"), result("a")]
    run = repair_pairing([*intact, answer("lost")])
    assert [m.tool_call_id for m in run.messages] == ["", "a", "b", "", "lost"]
    assert run.report.results_relocated == 0
    assert run.reordered_ids == ("b",)


def test_interposed_message_moves_behind_the_results() -> None:
    run = repair_pairing([answer("a"), user("wait"), result("a")])
    assert [m.role for m in run.messages] == ["assistant", "tool", "user"]
    assert run.relocated_ids == ("a",)


def test_result_after_the_next_answer_is_an_orphan() -> None:
    run = repair_pairing([answer("a"), answer(), result("a")])
    assert run.report.missing_tool_use_ids == ("a",)
    assert run.report.orphan_tool_result_ids == ("a",)


def test_empty_id_is_never_answered() -> None:
    assert pending_calls([answer(""), result("")]) == 1
