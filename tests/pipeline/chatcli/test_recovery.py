"""The three attempts after a "context too long" answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model.chatcli import Message, RecoveryLimits, Settings
from inspector.pipeline.chatcli.overflow import AssumedSink
from inspector.pipeline.chatcli.pairing import is_paired
from inspector.pipeline.chatcli.recovery import NOTICE, recover_context
from tests.pipeline.chatcli.histories import HISTORIES, answer, result, user

SINK = AssumedSink("/scratch")


@settings(max_examples=60, deadline=None)
@given(HISTORIES, st.integers(1, 3))
def test_every_attempt_leaves_a_paired_history_with_all_system_messages(
    history: Sequence[Message], attempt: int
) -> None:
    run = recover_context(history, attempt, Settings(), SINK)
    assert is_paired(run.messages)
    systems = [m for m in history if m.role == "system"]
    assert [m for m in run.messages if m.role == "system"] == systems
    if attempt > 1:
        assert next(m for m in run.messages if m.role != "system").role == "user"


def test_first_attempt_halves_the_limits_and_cuts_long_answers() -> None:
    history = [answer("a", text="x" * 5_001), result("a", 10_001)]
    run = recover_context(history, 1, Settings(), SINK, counter=3)
    assert run.counter == 4
    assert run.messages[0].content == b"x" * 3_750 + b"\n... [truncated] ...\n" + b"x" * 1_200


def test_notice_stands_in_where_no_user_message_is_left() -> None:
    chosen = Settings(recovery=RecoveryLimits(keep_messages=2))
    run = recover_context([user(), answer("a"), result("a")], 2, chosen, SINK)
    assert [m.content for m in run.messages] == [NOTICE]


def test_third_attempt_keeps_four_and_cuts_them() -> None:
    history = [*(user(str(n)) for n in range(6)), user("x" * 9_000)]
    run = recover_context(history, 3, Settings(), SINK)
    assert [len(m.content) for m in run.messages] == [1, 1, 1, 3_000 + 21 + 950]


@pytest.mark.parametrize("attempt", [4, 5])
def test_no_attempt_is_left_after_the_last(attempt: int) -> None:
    run = recover_context([user()], attempt, Settings(), SINK)
    assert not run.recovered
    assert run.messages == (user(),)
