"""What the messages of a ChatCLI request hold on the wire, by kind, in UTF-8 bytes.

Settled messages never change, so their sums are kept up to each one: a request costs only what it
holds beyond them.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub

from inspector.model.chatcli import Message, ToolCall
from inspector.model.policy import Policy
from inspector.model.transcript import BlockKind, Record, Size
from inspector.pipeline.units import in_unit
from inspector.pipeline.wire.parts import TALLY_FIGURES
from inspector.replay.chatcli_fold import Ref
from inspector.replay.chatcli_wires import Sent

_KINDS = {"assistant": "assistant", "tool": "results"}
"""Role → sum of a `Tally` that the content belongs to; the others are written by the user's side."""
_SUMS = ("user", "assistant", "calls", "results", "summaries")
"""Fields of a `Tally` that its text is made of, in the order of its figures."""


class Scale:
    """The sizes of one conversation's messages."""

    def __init__(self, policy: Policy) -> None:
        """Args:
        policy: Its unit is what inputs of calls are measured in.
        """
        self._unit = policy.unit
        self._inputs: dict[int, tuple[ToolCall, int]] = {}
        """`id()` of a call → the call, and the size of its input: several calls may have one id."""
        self._left_out: set[int] = set()
        self._settled: list[list[int]] = [[0] * len(_SUMS)]
        """What the settled messages up to each one hold on the wire, by `_SUMS`."""

    def leave_out(self, record: Record) -> None:
        """Count nothing of a record."""
        self._left_out.add(record.index)

    def note_calls(self, record: Record, calls: Sequence[ToolCall], written: Sequence[Size]) -> None:
        """Note how large the inputs of an answer's calls are.

        Args:
            record: The answer's record.
            calls: All of its calls, in order.
            written: Sizes that hold instead of the record's own, one for each of the calls.
        """
        sizes = written or [block.size for block in record.blocks if block.kind is BlockKind.TOOL_USE]
        for call, size in zip(calls, sizes, strict=True):
            self._inputs[id(call)] = call, in_unit(size, self._unit)

    def settle(self, messages: Sequence[Message], refs: Sequence[Ref]) -> None:
        """Sum up what has settled since.

        Args:
            messages: All settled messages.
            refs: Where each of them comes from.
        """
        for at in range(len(self._settled) - 1, len(messages)):
            self._settled.append(list(map(add, self._settled[-1], self._weigh(messages[at], refs[at]))))

    def figures(self, sent: Sent) -> list[int]:
        """What a request holds, by kind, as the figures of a `Tally`. O(messages that are not settled)."""
        sums = list(map(sub, self._settled[sent.settled], self._settled[sent.start]))
        for message, ref in zip(sent.messages, sent.refs, strict=True):
            sums = list(map(add, sums, self._weigh(message, ref)))
        in_bytes = [size for size in sums for _ in range(3)]
        return in_bytes + [0] * (TALLY_FIGURES - len(in_bytes))

    def _weigh(self, message: Message, ref: Ref) -> list[int]:
        """A message on the wire, by `_SUMS`: its content and the inputs of its calls."""
        sums = [0] * len(_SUMS)
        if ref.record in self._left_out:
            return sums
        is_summary = message.meta is not None and message.meta.is_summary
        kind = "summaries" if is_summary else _KINDS.get(message.role, "user")
        sums[_SUMS.index(kind)] = len(message.content)
        sums[_SUMS.index("calls")] = sum(self._inputs[id(call)][1] for call in message.tool_calls)
        return sums
