"""What is left of a result by a policy's arithmetic, told from the figures that the index holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inspector.model.ledger import Level, State
from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, BudgetMode
from inspector.replay.sentences import row_sentence
from inspector.session import Session
from tests.transcript import Transcript, call, result

LONG = "x" * 30_000
TEXT = {"type": "text", "text": LONG}
OTHER = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a document"}}
ON = CLAUDE_CODE.with_field("budget.mode", BudgetMode.ON)


def answered(tmp_path: Path, *contents: Any, answers: int = 1, **policy: Any) -> Session:
    """One turn with a result for each content, and so many answers behind it."""
    script = Transcript()
    script.prompt("go")
    ids = [f"toolu_{n}" for n in range(len(contents))]
    script.answer(*(call(i, "Read") for i in ids))
    script.results(*(result(i, c) for i, c in zip(ids, contents, strict=True)))
    for n in range(answers):
        script.answer(text=f"answer {n}")
    return script.open(tmp_path, **policy)


@pytest.mark.parametrize("content", [[TEXT, OTHER], [OTHER, TEXT]], ids=["behind", "in front"])
def test_what_holds_more_than_text_is_chosen_but_stays_in_full(tmp_path: Path, content: list[Any]) -> None:
    policy = ON.with_field("budget.turn_limit", 40_000).with_field("budget.skip_tools", frozenset())
    session = answered(tmp_path, content, "y" * 25_000, policy=policy)
    mixed, plain = session.timeline.tracked
    assert (mixed.state, mixed.level, mixed.chars) == (State.FROZEN, Level.FULL, 30_000)
    assert plain.state is State.FROZEN  # the choice was made before writing the file failed
    (group,) = (g for r in session.timeline.requests for g in r.groups)
    assert group.replaced == ()
    assert group.decision.accepted
    assert group.decision.remaining == 55_000
    assert "more than text" in row_sentence(session.timeline, mixed, mixed.request)


def test_where_previews_count_it_is_passed_over_for_the_next_one(tmp_path: Path) -> None:
    policy = DOCUMENTED.with_field("budget.result_limit", 50_000).with_field("budget.turn_limit", 40_000)
    session = answered(tmp_path, [TEXT, OTHER], "y" * 25_000, policy=policy)
    mixed, plain = session.timeline.tracked
    assert (mixed.state, plain.state) == (State.FROZEN, State.REPLACED)


@pytest.mark.parametrize("answers", [DOCUMENTED.microcompact.truncate_turns + 1, 20])
def test_what_holds_more_than_text_does_not_age(tmp_path: Path, answers: int) -> None:
    session = answered(tmp_path, [TEXT, OTHER], LONG, answers=answers, policy=DOCUMENTED)
    mixed, plain = session.timeline.tracked
    assert mixed.level is Level.FULL
    assert plain.level in (Level.TRUNCATED, Level.SUMMARIZED)
    level, reason = session.timeline.sizing.level(mixed.entry, answers, mixed.full)
    assert (level, reason) == (Level.EXEMPT, "more than text")
