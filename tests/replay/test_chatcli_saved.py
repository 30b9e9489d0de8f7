"""What saved messages say of themselves."""

from __future__ import annotations

import pytest

from inspector.model.chatcli import AgeingLimits, Message, Meta
from inspector.model.transcript import Flag, Record, Role
from inspector.pipeline.chatcli.microcompact import preview, summary
from inspector.pipeline.chatcli.pairing import synthetic_result
from inspector.replay.chatcli_saved import Saved, is_aged_text
from tests.pipeline.chatcli.histories import answer, result, user

RECORD = Record(0, 1, 0, 0, Role.USER, Flag(0))
FULL = result("a", 9_000).content


@pytest.mark.parametrize(
    ("content", "aged"),
    [
        (preview(FULL, AgeingLimits()), True),
        (summary(FULL), True),
        (FULL, False),
        (b"x [Old tool result cleared", False),
    ],
)
def test_aged_text_is_known_by_the_words_that_ageing_leaves(content: bytes, aged: bool) -> None:
    assert is_aged_text(content) is aged


@pytest.mark.parametrize(
    ("messages", "turn"),
    [
        ([user()], 0),
        ([user(), answer("a"), result("a")], 1),
        ([user(), answer(text="done"), user()], 0),
        ([user(), answer(text="x"), user("<tool_output>1</tool_output>")], 1),
        ([user(), answer(text="x"), Message("user", b"squad", Meta(agent_feedback=True))], 1),
        ([user(), answer("a"), result("a"), answer("b"), result("b"), answer(text="done"), user()], 0),
    ],
)
def test_turn_starts_at_zero_after_an_answer_that_ends_the_run(messages: list[Message], turn: int) -> None:
    saved = Saved()
    for message in messages:
        if message.role == "assistant":
            saved.begin_turn()
        saved.note(RECORD, message)
    assert saved.next_turn == turn


@pytest.mark.parametrize("flagged", [True, False])
def test_result_that_chatcli_made_up_is_known_with_and_without_its_code(flagged: bool) -> None:
    saved = Saved()
    saved.note(RECORD, synthetic_result("a", flagged=flagged))
    assert saved.closed == [(RECORD, "a", "missing_result")]
