"""ChatCLI's stored history, run through its own stages request by request, on bytes.

The stages look at the whole history each time, which would make a long session quadratic. But a
prefix of whole turns that are paired in call order and too small for any limit passes every stage
unchanged, whatever comes later; such a *settled* prefix is split off, and the stages run on the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import msgspec

from inspector.model.chatcli import Message, Order, Settings, ToolCall
from inspector.model.policy import Pairing
from inspector.model.transcript import Record, Size
from inspector.pipeline.chatcli.budget import turn_places
from inspector.pipeline.chatcli.microcompact import is_candidate
from inspector.pipeline.chatcli.overflow import OverflowSink
from inspector.pipeline.chatcli.run import Carried, RequestRun, run_request


class Ref(NamedTuple):
    """Where a message comes from."""

    record: int
    """`Record.index`; -1: the pipeline made it."""
    block: int
    """Place of a tool result among its record's blocks; -1: the message is the record itself."""


MADE = Ref(-1, -1)
"""A synthetic result."""


class Piece(NamedTuple):
    """One ChatCLI message of a record."""

    message: Message
    block: int = -1
    """Place of a tool result among the record's blocks; -1 for any other message."""
    counted: bool = True
    """Whether it counts on the wire; the system prompt does not."""
    inputs: Sequence[Size] = ()
    """Size of each call's input as ChatCLI writes it, where the record has it in another form."""


class MessageSource(Protocol):
    """Gives the messages of records, with their bytes; whoever holds the files implements it."""

    def messages(self, record: Record) -> Sequence[Piece]:
        """The ChatCLI messages that a record stands for, in order; none for one that is not sent."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of the stages over what is not settled."""

    run: RequestRun
    given: tuple[Ref, ...]
    """Origins of `run.given`."""
    refs: tuple[Ref, ...]
    """Origins of `run.outgoing`."""
    stored: tuple[Ref, ...]
    """Origins of `run.stored`."""
    start: int
    settled: int
    """The settled messages `start:settled` stand in front of the run's first one."""


class Fold:
    """The stored history between requests. A run changes nothing until it is accepted."""

    def __init__(self, settings: Settings, sink: OverflowSink, carried: Carried) -> None:
        """Args:
        settings: Limits and order.
        sink: Where full texts go.
        carried: Counter and archive at the start.
        """
        self.settings = settings
        self._sink = sink
        self._carried = carried
        self._stored: list[Message] = []
        self._refs: list[Ref] = []
        self.settled: list[Message] = []
        self.settled_refs: list[Ref] = []
        self.settled_results: tuple[int, int] = (0, 0)
        """Number and bytes of the results in the settled prefix that belong to a turn."""
        self._start = 0
        """First settled message that is still sent."""

    @property
    def repairs_copy(self) -> bool:
        """Whether pairing works on the outgoing copy, so that its repairs come back each time."""
        return self.settings.order is Order.LOOP and self.settings.pairing is Pairing.GLOBAL

    def append(self, message: Message, ref: Ref) -> None:
        """Take the next message of the conversation."""
        self._stored.append(message)
        self._refs.append(ref)

    def extend_answer(self, ref: Ref, text: bytes, calls: tuple[ToolCall, ...]) -> bool:
        """Add to an answer that was taken before: some clients write one answer as several records.

        Returns:
            Whether that answer is still there to be added to.
        """
        if ref not in self._refs:
            return False
        at = self._refs.index(ref)
        old = self._stored[at]
        joined = b"\n".join(part for part in (old.content, text) if part)
        self._stored[at] = msgspec.structs.replace(old, content=joined, tool_calls=(*old.tool_calls, *calls))
        return True

    def clear(self) -> None:
        """Forget the history: a compaction replaced it. What is settled stays for old requests."""
        self._start = len(self.settled)
        self.settled_results = (0, 0)
        self._stored.clear()
        self._refs.clear()

    def run(self, turn: int) -> Ran:
        """Run the stages for the next request.

        Args:
            turn: Turn of the agent loop, from 0.
        """
        given = tuple(self._refs)
        run = run_request(self._stored, turn, self.settings, self._sink, self._carried)
        refs = tuple(MADE if origin is None else given[origin] for origin in run.pairing.origins)
        return Ran(run, given, refs, given if self.repairs_copy else refs, self._start, len(self.settled))

    def accept(self, ran: Ran) -> None:
        """Go on from a run: its stored history is the one that the next answer is appended to."""
        self._stored, self._refs = list(ran.run.stored), list(ran.stored)
        self._carried = ran.run.carried
        if self.settings.pairing is not Pairing.GLOBAL:
            self._settle()

    def _settle(self) -> None:
        """Move turns that no stage can change any more into the prefix."""
        start = 0
        while True:
            end = next((at for at in range(start + 1, len(self._stored)) if self._opens(at)), None)
            if end is None or not self._is_quiet(self._stored[start:end], first=start == 0):
                break
            start = end
        moved = self._stored[:start]
        sizes = [len(moved[at].content) for turn in turn_places(moved) for at in turn]
        self.settled_results = (self.settled_results[0] + len(sizes), self.settled_results[1] + sum(sizes))
        self.settled += moved
        self.settled_refs += self._refs[:start]
        del self._stored[:start], self._refs[:start]

    def _opens(self, at: int) -> bool:
        return self._stored[at].role == "assistant"

    def _is_quiet(self, turn: Sequence[Message], *, first: bool) -> bool:
        """Whether every stage leaves these messages alone, now and later.

        Args:
            turn: An answer and what follows it up to the next one.
            first: It may begin without an answer.
        """
        limits = self.settings
        head = turn[0]
        if head.role != "assistant" and not first:
            return False
        calls = [call.id for call in head.tool_calls] if head.role == "assistant" else []
        answers = [m.tool_call_id for m in turn if m.role == "tool"]
        leading = [m.role for m in turn[1 : 1 + len(calls)]]
        if calls != answers or any(role != "tool" for role in leading) or "" in calls:
            return False
        if len(set(calls)) != len(calls):
            return False
        sizes = [len(m.content) for m in turn if m.role == "tool"]
        if sum(sizes) > limits.budget.turn_bytes or max(sizes, default=0) > limits.budget.result_bytes:
            return False
        return all(len(m.content) < limits.ageing.min_bytes for m in turn if is_candidate(m))
