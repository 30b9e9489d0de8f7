"""What the messages of a ChatCLI request hold on the wire, by kind, in UTF-8 bytes.

Settled messages never change, so their sums are kept up to each one: a request costs only what it
holds beyond them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add, sub

from inspector.model.chatcli import Message
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
        self._inputs: dict[int, dict[str, int]] = {}
        """Record of an answer → size of each call's input."""
        self._left_out: set[int] = set()
        self._settled: list[list[int]] = [[0] * len(_SUMS)]
        """What the settled messages up to each one hold on the wire, by `_SUMS`."""

    def leave_out(self, record: Record) -> None:
        """Count nothing of a record."""
        self._left_out.add(record.index)

    def note_calls(self, record: Record, written: Mapping[str, Size]) -> None:
        """Note how large the inputs of an answer's calls are.

        Args:
            record: The answer's record.
            written: Sizes that hold instead of the record's own, by the id of the call.
        """
        sizes = self._inputs.setdefault(record.index, {})
        for block in record.blocks:
            if block.kind is BlockKind.TOOL_USE:
                sizes.setdefault(block.id, in_unit(written.get(block.id, block.size), self._unit))

    def join(self, known: int, record: Record) -> None:
        """Count the calls of a record with those of the answer that it goes on.

        Args:
            known: `Record.index` of the answer's first record.
            record: One more of its records, whose calls were noted.
        """
        self._inputs[known] |= self._inputs.pop(record.index)

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
        known = self._inputs.get(ref.record, {}) if message.tool_calls else {}
        sums[_SUMS.index("calls")] = sum(known.get(call.id, 0) for call in message.tool_calls)
        return sums
