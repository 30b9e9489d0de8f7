"""One message after the edge, with everything that has to be taken back when it is made anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

import msgspec

from inspector.model.transcript import BlockKind, Size
from inspector.pipeline.wire.edge import Mended, Ref, as_is, mend_assistant, mend_user
from inspector.pipeline.wire.grouping import Message, is_call
from inspector.pipeline.wire.parts import (
    MADE_TEXTS,
    TALLY_FIGURES,
    Part,
    RepairKind,
    WireMessage,
    WireRepair,
)

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_IMAGE = BlockKind.IMAGE
_BLOCKKIND_THINKING = BlockKind.THINKING
_TOOL_RESULT = BlockKind.TOOL_RESULT
_TOOL_USE = BlockKind.TOOL_USE
_RECORD = Part.RECORD


class Unit(msgspec.Struct, frozen=True, gc=False):
    """What one message became: itself, and the user message that the edge put behind it."""

    at: int
    """Index of its first wire message."""
    wire: tuple[WireMessage, ...]
    calls: tuple[Ref, ...]
    """Calls that are left and that the next user message has to answer."""
    repairs: tuple[WireRepair, ...]
    results: tuple[tuple[int, int], ...]
    """Results of records that are on the wire: record index, block ordinal."""
    sums: tuple[int, ...]
    """The figures of `Tally`, one after another."""

    @property
    def width(self) -> int:
        """Wire messages that it takes up."""
        return len(self.wire)

    @property
    def introduced(self) -> tuple[str, ...]:
        """ids of calls that stand here first."""
        return tuple(c.content.id for c in self.calls)


class AnyUnit(Protocol):
    """What one message became, however it is kept."""

    @property
    def at(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def wire(self) -> tuple[WireMessage, ...]: ...
    @property
    def calls(self) -> tuple[Ref, ...]: ...
    @property
    def introduced(self) -> tuple[str, ...]: ...
    @property
    def repairs(self) -> tuple[WireRepair, ...]: ...
    @property
    def results(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def sums(self) -> Sequence[int]: ...


def unit_of(
    message: Message,
    above: AnyUnit | None,
    seen: Collection[str],
    *,
    followed_by_user: bool,
    pending: bool,
    edge: bool = True,
) -> Unit:
    """Takes a message over the edge (rules 24, 32-34).

    Args:
        message: The message.
        above: The unit before it.
        seen: ids of all calls in front of it.
        followed_by_user: Whether the next message is one of the user.
        pending: Whether it is the last message of the pending request: results may still come.
        edge: False: nothing is paired, the message stays as it is.
    """
    at = above.at + above.width if above else 0
    calls: tuple[Ref, ...] = ()
    if not edge:
        mended = [Mended(WireMessage(message.assistant, tuple(as_is(r) for r in message.refs)), ())]
    elif message.assistant:
        mended = [mend_assistant(message.refs, seen)]
        left = {(b.record, b.block) for b in mended[0].message.blocks}
        calls = tuple(r for r in message.refs if is_call(r.content) and (r.record, r.block) in left)
        if calls and not followed_by_user:
            mended.append(mend_user((), calls))
    else:
        mended = [mend_user(message.refs, above.calls if above else ())]
    repairs: tuple[WireRepair, ...] = ()
    if message.dropped or any(m.repairs for m in mended):
        kind = RepairKind.PENDING if pending else RepairKind.DROPPED
        drops = tuple(WireRepair(kind, r.content.id, at, r.record, r.block) for r in message.dropped)
        repairs = drops + _repairs(mended, at)
    wire = tuple([m.message for m in mended])
    results, sums = measured(wire, message.refs)
    return Unit(at, wire, calls, repairs, results, sums)


def _repairs(mended: Iterable[Mended], at: int) -> tuple[WireRepair, ...]:
    return tuple(
        WireRepair(kind, tool_use_id, at + offset, record, block)
        for offset, m in enumerate(mended)
        for kind, tool_use_id, record, block in m.repairs
    )


_NOTHING = Size(0, 0, 0)
_USER, _ASSISTANT, _CALLS, _RESULTS, _SUMMARIES, _THINKING = range(0, 18, 3)
_MADE_PLACES = {Part.MISSING: _RESULTS, Part.INTERRUPTED: _ASSISTANT, Part.NO_CONTENT: _USER}
"""Which sum of a `Tally` a text made at the edge belongs to."""


def measured(
    wire: Iterable[WireMessage], refs: Iterable[Ref]
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Results on the wire and the figures of its `Tally`, in one pass over the blocks.

    Args:
        wire: What a message became.
        refs: The blocks that it was made of.
    """
    content_at = {(r.record, r.block): r for r in refs}
    results: list[tuple[int, int]] = []
    sums = [0] * TALLY_FIGURES
    for message in wire:
        for block in message.blocks:
            if block.part is not _RECORD:
                made = len(MADE_TEXTS[block.part])
                _add(sums, _MADE_PLACES[block.part], Size(made, made, made), 0)
                continue
            place = (block.record, block.block)
            ref = content_at[place]
            content = ref.content
            if content.images or content.kind is _IMAGE:
                sums[18] += max(len(content.images), int(content.kind is _IMAGE))
                sums[19] += content.image_chars
            if content.kind is _TOOL_RESULT:
                results.append(place)
            if content.kind is not _IMAGE:
                _add(sums, _place(ref, message.assistant), content.size, int(block.joint))
    return tuple(results), tuple(sums)


def add_texts(sums: list[int], refs: Iterable[Ref], joints: Iterable[Ref]) -> None:
    """Adds texts of the user to the figures of a `Tally`.

    Args:
        sums: The figures; changed in place.
        refs: Texts that were appended.
        joints: Texts that got their final line feed, those that stood before included.
    """
    for ref in refs:
        _add(sums, _place(ref, assistant=False), ref.content.size, 0)
    for ref in joints:
        _add(sums, _place(ref, assistant=False), _NOTHING, 1)


def _place(ref: Ref, assistant: bool) -> int:
    """Which sum of a `Tally` a block of a record belongs to."""
    kind = ref.content.kind
    if kind is _BLOCKKIND_THINKING:
        return _THINKING
    if kind is _TOOL_RESULT:
        return _RESULTS
    if kind is _TOOL_USE:
        return _CALLS
    if assistant:
        return _ASSISTANT
    return _SUMMARIES if ref.summary else _USER


def _add(sums: list[int], place: int, size: Size, extra: int) -> None:
    sums[place] += size.chars + extra
    sums[place + 1] += size.utf16 + extra
    sums[place + 2] += size.bytes + extra
