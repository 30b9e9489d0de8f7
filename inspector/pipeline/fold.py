"""The stages folded over the requests of one conversation, at the cost of what can still change.

A result that is past the last ageing step, with its call and its whole group, looks the same on
every later wire. Such a front is settled: it is written once, and the stages run on the messages
behind it. This gives what running them on everything gives as long as nothing behind the front
names a call, a result or an answer in it; as soon as something does (a late result, a reused id),
or the caller's list no longer starts with the very same message objects, everything is run again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import is_
from typing import Any

import msgspec

from inspector.model.policy import Ageing, Policy
from inspector.pipeline.conversation import Messages, Normal, Speaker, normalise, write_back
from inspector.pipeline.ledger import EMPTY, Aged, Entry, Key, Ledger
from inspector.pipeline.pairing import Repaired
from inspector.pipeline.stages import Overflow, Report, run


class Folded(msgspec.Struct, frozen=True):
    """One request."""

    messages: list[Any]
    """What to send; untouched messages are the caller's own objects."""
    report: Report
    replaced: tuple[tuple[Key, str], ...]
    """As in `stages.Outcome`."""


class _Front:
    """The settled messages in front, and what was decided about them."""

    def __init__(self) -> None:
        self.given: list[Any] = []
        """The caller's objects."""
        self.wire: list[Any] = []
        self.names: set[str] = set()
        """`_names` of all its messages."""
        self.entries: dict[Key, Entry] = {}
        self.aged: dict[Key, Aged] = {}
        self.repairs: tuple[Repaired, ...] = ()

    def starts(self, messages: Messages) -> bool:
        """Whether a list begins with these very messages and goes on behind them."""
        return len(messages) > len(self.given) and all(map(is_, self.given, messages))

    def is_named_in(self, messages: Iterable[Normal]) -> bool:
        return any(not self.names.isdisjoint(_names(message)) for message in messages)


class Fold:
    """Runs request after request of one conversation."""

    def __init__(self, policy: Policy, overflow: Overflow, ledger: Ledger = EMPTY) -> None:
        """Args:
        policy: The rules.
        overflow: Where full texts go.
        ledger: What earlier requests decided.
        """
        self._policy = policy
        self._overflow = overflow
        self._front = _Front()
        self._behind = ledger
        """What was decided behind the front; places are counted from there."""
        ageing = policy.microcompact
        ages = ageing.variant in (Ageing.AGES, Ageing.CHATCLI)
        self._last_step = max(1, ageing.truncate_turns, ageing.summarize_turns) if ages else 1
        """Age, in answers, from which nothing changes any more."""

    @property
    def ledger(self) -> Ledger:
        """Everything that was decided so far: a value that later requests do not change."""
        front, behind = self._front, self._behind
        return Ledger(
            {**front.entries, **behind.entries},
            {**front.aged, **behind.aged},
            front.repairs + _moved(behind.repairs, len(front.given)),
        )

    def request(self, messages: Messages) -> Folded:
        """Run the next request.

        Args:
            messages: The whole history; not changed.
        """
        front = self._front
        normal = normalise(messages[len(front.given) :]) if front.starts(messages) else None
        # A history that was rewound may have fewer answers behind the front than its ageing needs.
        is_settled = normal is not None and (not front.given or self._past_ageing(normal) >= 0)
        if normal is None or not is_settled or front.is_named_in(normal):
            self._behind, self._front = self.ledger, _Front()
            front = self._front
            normal = normalise(messages)
        outcome = run(normal, self._behind, self._policy, self._overflow)
        wire = write_back(outcome.messages)
        base = len(front.given)
        report = msgspec.structs.replace(
            outcome.report,
            repairs=front.repairs + _moved(outcome.report.repairs, base),
            new_repairs=_moved(outcome.report.new_repairs, base),
        )
        folded = Folded([*front.wire, *wire], report, outcome.replaced)
        self._behind = outcome.ledger
        settled = self._settled(normal)
        if settled:
            try:
                self._settle(messages[base : base + settled], normal, outcome.messages, wire)
            except BaseException:  # an interrupt: what is half settled is not settled
                self._behind = Ledger(
                    {**front.entries, **outcome.ledger.entries},
                    {**front.aged, **outcome.ledger.aged},
                    report.repairs,
                )
                self._front = _Front()
                raise
        return folded

    def _settled(self, normal: Sequence[Normal]) -> int:
        """How many messages behind the front can join it: up to an answer that all ageing is past."""
        limit = self._past_ageing(normal)
        last: dict[str, int] = {}
        for at, message in enumerate(normal):
            last.update((name, at) for name in _names(message))
        found, reach = 0, -1
        for at, message in enumerate(normal[: limit + 1]):
            if at and reach < at and _opens_group(message):
                found = at
            reach = max([reach, *(last[name] for name in _names(message))])
        return found

    def _past_ageing(self, normal: Sequence[Normal]) -> int:
        """Index of the last answer that enough answers follow, itself counted; -1: there is none."""
        answers: set[str | int] = set()
        for at in reversed(range(len(normal))):
            if normal[at].is_answer:
                answers.add(normal[at].answer_id or at)
                if len(answers) >= self._last_step:
                    return at
        return -1

    def _settle(
        self,
        given: Sequence[Any],
        normal: Sequence[Normal],
        sent: Sequence[Normal],
        wire: Sequence[Any],
    ) -> None:
        front, behind = self._front, self._behind
        ended = normal[: len(given)]
        # Pairing keeps every answer and adds none, so answers tell which message went where.
        answers = sum(message.speaker is Speaker.ASSISTANT for message in ended)
        places = (at for at, message in enumerate(sent) if message.speaker is Speaker.ASSISTANT)
        end = next(at for n, at in enumerate(places) if n == answers)
        front.given += given
        front.wire += wire[:end]
        for message in ended:
            front.names.update(_names(message))
        ids = {result.id for message in sent[:end] for result in message.results}
        front.entries.update((key, entry) for key, entry in behind.entries.items() if key[0] in ids)
        front.aged.update((key, aged) for key, aged in behind.aged.items() if key[0] in ids)
        base = len(front.given) - len(given)
        front.repairs += _moved((r for r in behind.repairs if r.at < len(given)), base)
        self._behind = Ledger(
            {key: entry for key, entry in behind.entries.items() if key[0] not in ids},
            {key: aged for key, aged in behind.aged.items() if key[0] not in ids},
            _moved((r for r in behind.repairs if r.at >= len(given)), -len(given)),
        )


def _names(message: Normal) -> list[str]:
    """What ties a message to others: ids of its calls and results, and of its answer."""
    names = [f"call {call.id}" for call in message.calls if call.id]
    names += [f"call {result.id}" for result in message.results]
    if message.answer_id:
        names.append(f"answer {message.answer_id}")
    return names


def _opens_group(message: Normal) -> bool:
    answers = message.is_answer or bool(message.answer_id)
    return message.speaker is Speaker.ASSISTANT and answers


def _moved(repairs: Iterable[Repaired], by: int) -> tuple[Repaired, ...]:
    """Repairs of a part of a list as repairs of the list, or the other way round."""
    if not by:
        return tuple(repairs)
    return tuple(Repaired(r.kind, r.id, r.at + by, r.block) for r in repairs)
