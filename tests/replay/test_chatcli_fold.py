"""The settled prefix: what no stage can change any more is not looked at again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from inspector.model.chatcli import Message, Settings
from inspector.pipeline.chatcli.overflow import AssumedSink
from inspector.pipeline.chatcli.run import Carried
from inspector.replay.chatcli_fold import Fold, Ref
from tests.pipeline.chatcli.histories import answer, later, result, user


def folded(history: Sequence[Message]) -> Fold:
    fold = Fold(Settings(), AssumedSink("/scratch"), Carried())
    for at, message in enumerate(history):
        fold.append(message, Ref(at, -1))
    fold.accept(fold.run(0))
    return fold


def test_small_finished_turns_settle_and_the_newest_stays() -> None:
    fold = folded([user(), *later(3)])
    assert len(fold.settled) == 5
    assert len(fold.run(1).run.given) == 2


@pytest.mark.parametrize(
    "turn",
    [
        [answer("a"), result("a", 3_000)],
        [answer("a", "b"), result("b"), result("a")],
        [answer("a"), user(), result("a")],
    ],
    ids=["old enough to be aged later", "to be reordered when something is repaired", "to be moved"],
)
def test_turn_that_a_stage_may_still_change_does_not_settle(turn: list[Message]) -> None:
    fold = folded([user(), *turn, *later(2)])
    repaired = turn[1].role == "user"
    assert len(fold.settled) == (6 if repaired else 1)


def test_run_changes_nothing_until_it_is_accepted() -> None:
    fold = Fold(Settings(), AssumedSink("/scratch"), Carried())
    for at, message in enumerate([user(), answer("a"), result("a", 30_000)]):
        fold.append(message, Ref(at, -1))
    first, again = fold.run(0), fold.run(0)
    assert first == again
    fold.accept(first)
    assert fold.run(1).run.budget.cuts[0].number == 2


def test_compaction_forgets_the_history_and_keeps_what_was_sent() -> None:
    fold = folded([user(), *later(2)])
    sent = len(fold.settled)
    fold.clear()
    fold.append(user("summary"), Ref(99, -1))
    ran = fold.run(0)
    assert (ran.start, ran.settled, len(ran.run.outgoing)) == (sent, sent, 1)
