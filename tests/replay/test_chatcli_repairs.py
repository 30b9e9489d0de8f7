"""Repairs told by message: an id may stand in several."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.model.chatcli import Message, Settings
from inspector.pipeline.chatcli.overflow import AssumedSink
from inspector.pipeline.chatcli.run import Carried
from inspector.replay.chatcli_fold import Fold, Ran, Ref
from inspector.replay.chatcli_repairs import held_back, repairs_of
from inspector.replay.view import Repair
from tests.pipeline.chatcli.histories import answer, result, user


def ran(history: Sequence[Message]) -> Ran:
    fold = Fold(Settings(), AssumedSink("/scratch"), Carried())
    for at, message in enumerate(history):
        fold.append(message, Ref(at, 0 if message.role == "tool" else -1))
    return fold.run(0)


def test_each_repair_names_the_message_that_it_concerns() -> None:
    history = [
        user(), result("lost"), answer("a", "a", "b", "c"), result("b"), result("a"), user(), result("c"),
        answer("x"),
    ]  # fmt: skip
    assert list(repairs_of(ran(history), ())) == [
        (Repair.SYNTHETIC, Ref(7, -1), "x"),
        (Repair.ORPHAN, Ref(1, 0), "lost"),
        (Repair.DUPLICATE, Ref(2, -1), "a"),
        (Repair.REORDERED, Ref(3, 0), "b"),
        (Repair.MOVED, Ref(6, 0), "c"),
    ]


def test_open_call_of_the_last_answer_waits_and_an_older_one_is_repaired() -> None:
    run = ran([user(), answer("old"), answer("new")])
    held = held_back(run, (), all_wait=True)
    assert [told[0] for told in repairs_of(run, held)] == [Repair.SYNTHETIC, Repair.PENDING]
    assert held_back(run, {"old"}, all_wait=False) == frozenset()
    assert held_back(run, {"new"}, all_wait=False) == held
