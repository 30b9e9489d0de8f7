"""The ledger as a value: what earlier requests decided, and the texts they put on the wire.

Stages take one and give the next one back; nothing in it is ever changed. A decision is for good,
which is what keeps a prompt's prefix, and with it the provider's cache, stable (seed 001 §2.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from inspector.model.ledger import Level, State
from inspector.pipeline.conversation import Normal, Result
from inspector.pipeline.pairing import Repaired

Key = tuple[str, int]
"""A result: its tool_use id, and how many results of that id stand before it (0 but for reuse)."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """What one request decided about a result."""

    state: State
    """REPLACED, FROZEN or SKIPPED."""
    text: str = ""
    """The replacement, byte for byte; empty for the others."""
    path: str = ""
    """Where its full text is; empty for the others."""
    size: int = 0
    """Size of the replacement in the policy's unit."""
    source: int = 0
    """`source_of` the result that was replaced; 0 for the others."""


class Aged(msgspec.Struct, frozen=True, gc=False):
    """What ageing made of a result, kept so that each text is made and measured once per level."""

    level: Level
    text: str
    """What stands on the wire; empty where ageing left the text alone."""
    size: int
    """Size on the wire, in the policy's unit."""
    standing: int
    """Size before ageing, in the policy's unit."""
    source: int = 0
    """`source_of` the result that it was made from."""


class Ledger(msgspec.Struct, frozen=True):
    """All decisions of one conversation so far."""

    entries: Mapping[Key, Entry] = {}
    """Results that a request has seen."""
    aged: Mapping[Key, Aged] = {}
    """Results that the last request found old enough."""
    repairs: tuple[Repaired, ...] = ()
    """What pairing did to the last request."""


EMPTY = Ledger()


class Placed(msgspec.Struct, frozen=True, gc=False):
    """A result in its place."""

    message: int
    """Index of its message."""
    index: int
    """Index among the results of that message."""
    key: Key
    tool: str
    """Name of the tool that was called; empty where the call is not known."""
    command: str
    """What a tool of several commands was told to do; empty for all others."""
    result: Result
    group: int
    """Number of its group, from 0."""
    answers: int
    """Distinct answers in front of it."""


def source_of(result: Result) -> int:
    """What tells a result's text from another that has come to stand under the same key.

    An id that is used again and a history that loses messages in front (a compaction, a rewind)
    can do that, and a preview of another text is worse than a broken prefix. Python keeps the hash
    of a string, so this costs nothing the second time; it means nothing in another process.
    """
    return hash(result.texts)


def placed(messages: Sequence[Normal]) -> Iterator[Placed]:
    """Every result of a history with what its stages ask for, in order.

    A group ends only at an assistant message whose id was not met before (seed 001 §2.3); a message
    without an id counts as new. An answer counts once, whatever the number of its messages.
    """
    tools: dict[str, tuple[str, str]] = {}
    counts: dict[str, int] = {}
    met: set[str] = set()
    group = answers = 0
    for m, message in enumerate(messages):
        if message.calls:
            tools.update((call.id, (call.tool, call.command)) for call in message.calls)
        if message.is_answer or message.answer_id:
            if message.answer_id not in met:
                group += 1
                answers += message.is_answer
            if message.answer_id:
                met.add(message.answer_id)
        for index, result in enumerate(message.results):
            nth = counts.get(result.id, 0)
            counts[result.id] = nth + 1
            tool, command = tools.get(result.id, ("", ""))
            yield Placed(m, index, (result.id, nth), tool, command, result, group, answers)


def answer_count(messages: Sequence[Normal]) -> int:
    """Distinct answers of a history: what a result's age is counted against."""
    named = {m.answer_id for m in messages if m.is_answer and m.answer_id}
    return len(named) + sum(1 for m in messages if m.is_answer and not m.answer_id)
