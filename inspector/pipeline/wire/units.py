"""One message after the edge, with everything that has to be taken back when it is made anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from inspector.model.transcript import BlockKind, Size
from inspector.pipeline.wire.edge import Mended, Ref, as_is, mend_assistant, mend_user
from inspector.pipeline.wire.grouping import Message, is_call, is_result
from inspector.pipeline.wire.parts import (
    MADE_TEXTS,
    Part,
    RepairKind,
    Tally,
    WireMessage,
    WireRepair,
)


class Unit(msgspec.Struct, frozen=True):
    """What one message became: itself, and the user message that the edge put behind it."""

    at: int
    """Index of its first wire message."""
    wire: tuple[WireMessage, ...]
    calls: tuple[Ref, ...]
    """Calls that are left and that the next user message has to answer."""
    repairs: tuple[WireRepair, ...]
    results: tuple[tuple[int, int], ...]
    """Results of records that are on the wire: record index, block ordinal."""
    tally: Tally

    @property
    def introduced(self) -> tuple[str, ...]:
        """ids of calls that stand here first."""
        return tuple(c.content.id for c in self.calls)


def unit_of(
    message: Message,
    above: Unit | None,
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
    at = above.at + len(above.wire) if above else 0
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
    contents = {(r.record, r.block): r for r in message.refs}
    kind = RepairKind.PENDING if pending else RepairKind.DROPPED
    drops = tuple(WireRepair(kind, r.content.id, at, r.record, r.block) for r in message.dropped)
    return Unit(
        at=at,
        wire=tuple(m.message for m in mended),
        calls=calls,
        repairs=drops + _repairs(mended, at),
        results=tuple(
            (b.record, b.block)
            for m in mended
            for b in m.message.blocks
            if b.part is Part.RECORD and is_result(contents[b.record, b.block].content)
        ),
        tally=_tally((m.message for m in mended), contents),
    )


def _repairs(mended: Iterable[Mended], at: int) -> tuple[WireRepair, ...]:
    return tuple(
        WireRepair(kind, tool_use_id, at + offset, record, block)
        for offset, m in enumerate(mended)
        for kind, tool_use_id, record, block in m.repairs
    )


_MADE_KINDS = {Part.MISSING: "results", Part.INTERRUPTED: "assistant", Part.NO_CONTENT: "user"}
"""Which sum of a `Tally` a text made at the edge belongs to."""
_SUMS = ("user", "assistant", "calls", "results", "summaries", "thinking")


def _tally(wire: Iterable[WireMessage], refs: dict[tuple[int, int], Ref]) -> Tally:
    sums = {kind: [0, 0, 0] for kind in _SUMS}
    images = image_chars = 0
    for message in wire:
        for block in message.blocks:
            made = MADE_TEXTS.get(block.part)
            if made is not None:
                _add(sums[_MADE_KINDS[block.part]], Size(len(made), len(made), len(made)), 0)
                continue
            ref = refs[block.record, block.block]
            content = ref.content
            is_image = content.kind is BlockKind.IMAGE
            images += max(len(content.images), int(is_image))
            image_chars += content.image_chars
            if not is_image:
                _add(sums[_kind(ref, message.assistant)], content.size, int(block.joint))
    texts = [sums[kind] for kind in _SUMS if kind != "thinking"]
    return Tally(
        Size(*(sum(part) for part in zip(*texts, strict=True))),
        images=images,
        image_chars=image_chars,
        **{kind: Size(*parts) for kind, parts in sums.items()},
    )


def _kind(ref: Ref, assistant: bool) -> str:
    """Which sum of a `Tally` a block of a record belongs to."""
    if ref.content.kind is BlockKind.THINKING:
        return "thinking"
    if is_result(ref.content):
        return "results"
    if is_call(ref.content):
        return "calls"
    if assistant:
        return "assistant"
    return "summaries" if ref.summary else "user"


def _add(sums: list[int], size: Size, extra: int) -> None:
    sums[0] += size.chars + extra
    sums[1] += size.utf16 + extra
    sums[2] += size.bytes + extra
