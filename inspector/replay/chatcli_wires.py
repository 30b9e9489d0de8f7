"""What every request of a ChatCLI conversation sent, in the room of what was new in it.

The settled prefix only grows and never changes, so a request holds a stretch of it by its ends, and
only what follows that by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from inspector.model.chatcli import Message
from inspector.replay.chatcli_fold import Fold, Ref


@dataclass(frozen=True, slots=True)
class Sent:
    """The wire of one request: a stretch of the settled messages, and what follows it."""

    start: int
    settled: int
    """One past the last settled message."""
    messages: tuple[Message, ...]
    refs: tuple[Ref, ...]


class Change(NamedTuple):
    """Where a request stopped being the one before it, although it only had to append."""

    before: Ref
    """What stood there in the request before."""
    now: Ref
    """What stands there; where nothing does, the same as before."""
    message: int
    """Ordinal of the message on the wire of the request before, from 0."""


class Wires:
    """The wires of one conversation's requests, in order."""

    def __init__(self, fold: Fold) -> None:
        """Args:
        fold: Whose settled messages they share.
        """
        self._fold = fold
        self._sent: list[Sent] = []

    def add(self, sent: Sent) -> None:
        """Note what the next request sends."""
        self._sent.append(sent)

    def take_back(self) -> None:
        """Forget the newest request."""
        self._sent.pop()

    def messages(self, n: int) -> tuple[Message, ...]:
        """The exact messages of a request, as the stages left them.

        Args:
            n: The request, from 1.
        """
        sent = self._sent[n - 1]
        return (*self._fold.settled[sent.start : sent.settled], *sent.messages)

    def refs(self, n: int) -> tuple[Ref, ...]:
        """Where the messages of a request come from.

        Args:
            n: The request, from 1.
        """
        sent = self._sent[n - 1]
        return (*self._fold.settled_refs[sent.start : sent.settled], *sent.refs)

    def content_of(self, ref: Ref, n: int) -> bytes | None:
        """What of a message is in a request; None where nothing of it is sent.

        Args:
            ref: Where the message comes from.
            n: The request, from 1.
        """
        sent, fold = self._sent[n - 1], self._fold
        for known, message in zip(sent.refs, sent.messages, strict=True):
            if known == ref:
                return message.content
        for at in range(sent.start, sent.settled):
            if fold.settled_refs[at] == ref:
                return fold.settled[at].content
        return None

    def first_change(self) -> Change | None:
        """Where the newest request differs from the one before it; None where it only grew."""
        before, now = self._sent[-2], self._sent[-1]
        mine = self._from(now, before.settled)
        for at, (old, ref) in enumerate(zip(before.messages, before.refs, strict=True)):
            found = next(mine, None)
            # What stands there may come from elsewhere and be the same: then the cache holds.
            if found is None or (found[0] is not old and found[0] != old):
                place = before.settled - before.start + at
                return Change(ref, ref if found is None else found[1], place)
        return None

    def _from(self, sent: Sent, place: int) -> Iterator[tuple[Message, Ref]]:
        """The messages of a request from one of the settled ones on."""
        for at in range(place, sent.settled):
            yield self._fold.settled[at], self._fold.settled_refs[at]
        yield from zip(sent.messages, sent.refs, strict=True)
