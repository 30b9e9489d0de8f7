"""The wires of ChatCLI's requests: exact, though they share what has settled."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.model.chatcli import Message, Settings
from inspector.pipeline.chatcli.overflow import AssumedSink
from inspector.pipeline.chatcli.run import Carried
from inspector.replay.chatcli_fold import Fold, Ref
from inspector.replay.chatcli_wires import Change, Sent, Wires
from tests.pipeline.chatcli.histories import answer, later, result, user


def begun(history: Sequence[Message]) -> tuple[Fold, Wires]:
    """A fold that was given a history, and no request so far."""
    fold = Fold(Settings(), AssumedSink("/scratch"), Carried())
    take(fold, 0, history)
    return fold, Wires(fold)


def take(fold: Fold, first: int, messages: Sequence[Message]) -> None:
    for at, message in enumerate(messages, first):
        fold.append(message, Ref(at, -1))


def send(fold: Fold, wires: Wires) -> None:
    """One more request, whose answer has come."""
    ran = fold.run(0)
    wires.add(Sent(ran.start, ran.settled, ran.run.outgoing, ran.refs))
    fold.accept(ran)


def test_a_request_stays_as_it_was_sent_while_its_messages_settle() -> None:
    history = [user(), answer("a"), result("a", 3_000)]
    fold, wires = begun(history)
    send(fold, wires)
    take(fold, 3, later(3))
    send(fold, wires)
    send(fold, wires)
    assert len(fold.settled) > 0
    assert wires.messages(1) == tuple(history)
    assert wires.refs(1) == (Ref(0, -1), Ref(1, -1), Ref(2, -1))
    assert wires.messages(2) == wires.messages(3) == (*history, *later(3))
    assert wires.refs(3) == tuple(Ref(n, -1) for n in range(9))


def test_a_result_is_found_among_the_settled_messages_and_behind_them() -> None:
    fold, wires = begun([user(), *later(3), answer("a"), result("a", 70)])
    send(fold, wires)
    send(fold, wires)
    assert 2 < len(fold.settled) < 8
    assert wires.content_of(Ref(2, -1), 2) == b"ok"
    assert len(wires.content_of(Ref(8, -1), 2) or b"") == 70
    assert wires.content_of(Ref(9, -1), 2) is None


def test_a_request_that_only_grew_has_no_change() -> None:
    fold, wires = begun([user(), *later(2)])
    send(fold, wires)
    take(fold, 5, [answer("a"), result("a")])
    send(fold, wires)
    assert wires.first_change() is None


def test_the_first_message_that_is_another_one_is_the_change() -> None:
    fold, wires = begun([user(), *later(2), answer("a"), result("a")])
    send(fold, wires)
    send(fold, wires)
    start, settled, messages = 0, len(fold.settled), wires.messages(2)
    refs, first = wires.refs(2), len(fold.settled)
    shorter = Sent(start, settled, (*messages[first:-1], result("a", 9)), refs[first:])
    wires.add(shorter)
    assert wires.first_change() == Change(Ref(6, -1), Ref(6, -1), 6)
    wires.take_back()
    wires.add(Sent(start, settled, messages[first:-1], refs[first:-1]))
    assert wires.first_change() == Change(Ref(6, -1), Ref(6, -1), 6)
    wires.take_back()
    other = (*refs[first:-1], Ref(99, -1))
    wires.add(Sent(start, settled, (*messages[first:-1], result("a", 9)), other))
    assert wires.first_change() == Change(Ref(6, -1), Ref(99, -1), 6)
    wires.take_back()
    wires.add(Sent(start, settled, messages[first:], other))
    assert wires.first_change() is None  # it comes from elsewhere, and is the same
