"""The older repair: what it sees over the whole history, and what it leaves."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings

from inspector.model.chatcli import Message
from inspector.pipeline.chatcli.pairing_global import repair_pairing_globally
from tests.pipeline.chatcli.histories import HISTORIES, answer, result


@settings(max_examples=100, deadline=None)
@given(HISTORIES)
def test_every_call_id_has_a_result_somewhere_afterwards(history: Sequence[Message]) -> None:
    run = repair_pairing_globally(history)
    answered = {m.tool_call_id for m in run.messages if m.role == "tool"}
    called = {c.id for m in run.messages if m.role == "assistant" for c in m.tool_calls}
    assert called - {""} <= answered
    assert not repair_pairing_globally(run.messages).report.missing_tool_use_ids


@settings(max_examples=100, deadline=None)
@given(HISTORIES)
def test_messages_that_stay_keep_their_order(history: Sequence[Message]) -> None:
    run = repair_pairing_globally(history)
    origins = [o for o in run.origins if o is not None]
    assert origins == sorted(origins)
    assert len(history) - len(origins) == run.report.orphan_results_removed


def test_id_reused_in_two_messages_is_counted_every_time_and_never_removed() -> None:
    history = [answer("a"), result("a"), answer("a"), result("a")]
    run = repair_pairing_globally(history)
    assert run.report.duplicate_tool_use_pruned == 1
    assert list(run.messages) == history
    assert repair_pairing_globally(run.messages).report == run.report


def test_only_the_last_copy_of_an_orphan_goes() -> None:
    run = repair_pairing_globally([result("x", b"one"), answer(), result("x", b"two")])
    assert [m.content for m in run.messages] == [b"one", b""]


def test_synthetic_result_carries_no_error_flag() -> None:
    synthetic = repair_pairing_globally([answer("a")]).messages[1]
    assert not synthetic.is_error
    assert synthetic.error_code == ""
