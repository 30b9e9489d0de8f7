"""Pairing at the API edge, for one message at a time (rules 24, 32-34). Only a view: nothing is stored."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from inspector.model.transcript import Block, BlockKind
from inspector.pipeline.wire.parts import Part, RepairKind, WireBlock, WireMessage

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_TEXT = BlockKind.TEXT
_TOOL_RESULT = BlockKind.TOOL_RESULT
_TOOL_USE = BlockKind.TOOL_USE
_INTERRUPTED = Part.INTERRUPTED
_MISSING = Part.MISSING
_NO_CONTENT = Part.NO_CONTENT
_RECORD = Part.RECORD


class Ref(msgspec.Struct, frozen=True):
    """One block of a record, on its way to the wire."""

    record: int
    """`Record.index`."""
    block: int
    """Ordinal among the record's blocks."""
    content: Block
    summary: bool = False
    """Whether the record is a compaction's summary."""


class Mended(msgspec.Struct, frozen=True):
    """A message after the edge, and what the edge did to it: kind, id, record, block."""

    message: WireMessage
    repairs: tuple[tuple[RepairKind, str, int, int], ...]


def mend_assistant(refs: Sequence[Ref], seen: Collection[str]) -> Mended:
    """Rule 32: of two calls with one id the later goes; what is left empty says so.

    Args:
        refs: The message's blocks.
        seen: ids of the calls in front of this message.
    """
    known: set[str] = set()
    repairs: list[tuple[RepairKind, str, int, int]] = []
    kept: list[Ref] = []
    for ref in refs:
        if ref.content.kind is _TOOL_USE:
            if ref.content.id in known or ref.content.id in seen:
                repairs.append((RepairKind.DUPLICATE, ref.content.id, ref.record, ref.block))
                continue
            known.add(ref.content.id)
        kept.append(ref)
    if kept or not refs:
        return Mended(WireMessage(True, tuple(as_is(r) for r in kept)), tuple(repairs))
    repairs.append((RepairKind.EMPTIED, "", refs[0].record, 0))
    return Mended(WireMessage(True, (WireBlock(_INTERRUPTED),)), tuple(repairs))


def mend_user(refs: Sequence[Ref], calls: Sequence[Ref]) -> Mended:
    """Rules 24, 33 and the second half of 34: results first, none without its call, none missing.

    Args:
        refs: The message's blocks; empty for a message that has to be made.
        calls: The calls that are left of the message directly before.
    """
    repairs: list[tuple[RepairKind, str, int, int]] = []
    results, rest = _split(refs, {c.content.id for c in calls}, repairs)
    answered = {r.content.id for r in results}
    blocks = [WireBlock(_MISSING, id=c.content.id) for c in calls if c.content.id not in answered]
    repairs.extend(
        (RepairKind.SYNTHETIC, c.content.id, c.record, c.block) for c in calls if c.content.id not in answered
    )
    blocks.extend(as_is(r) for r in results)
    blocks.extend(jointed(rest))
    if not blocks:
        blocks.append(WireBlock(_NO_CONTENT))
        repairs.append((RepairKind.EMPTIED, "", refs[0].record if refs else -1, 0))
    return Mended(WireMessage(False, tuple(blocks)), tuple(repairs))


def _split(
    refs: Sequence[Ref], calls: set[str], repairs: list[tuple[RepairKind, str, int, int]]
) -> tuple[list[Ref], list[Ref]]:
    """Results that stay, and everything else; what goes is noted."""
    results: dict[str, Ref] = {}
    rest: list[Ref] = []
    for ref in refs:
        tool_use_id = ref.content.id
        if ref.content.kind is not _TOOL_RESULT:
            rest.append(ref)
        elif tool_use_id not in calls:
            repairs.append((RepairKind.ORPHAN, tool_use_id, ref.record, ref.block))
        elif tool_use_id in results:
            repairs.append((RepairKind.DUPLICATE, tool_use_id, ref.record, ref.block))
        else:
            results[tool_use_id] = ref
            if rest:
                repairs.append((RepairKind.MOVED, tool_use_id, ref.record, ref.block))
    return list(results.values()), rest


def jointed(refs: Sequence[Ref]) -> list[WireBlock]:
    """Rule 23: where the texts of two records meet, the first gets a final line feed."""
    out: list[WireBlock] = []
    for place, ref in enumerate(refs):
        following = refs[place + 1] if place + 1 < len(refs) else None
        joint = (
            following is not None
            and ref.record != following.record
            and ref.content.kind is _TEXT
            and following.content.kind is _TEXT
        )
        out.append(WireBlock(_RECORD, ref.record, ref.block, joint=joint))
    return out


def as_is(ref: Ref) -> WireBlock:
    return WireBlock(_RECORD, ref.record, ref.block)
