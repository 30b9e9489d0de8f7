"""What can follow the last message and open no other: lost calls, and texts behind them.

An answer whose calls nothing answers leaves no message (rule 17), so a prompt behind it joins the
prompt before (rule 23). Thousands of such turns can follow one another where nobody ran what was
called; making the one growing message anew for each request would take hours.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from inspector.model.transcript import BlockKind, Flag, Record, Role
from inspector.pipeline.wire.chain import Chain, Move
from inspector.pipeline.wire.edge import Ref, jointed
from inspector.pipeline.wire.grouping import Grouping, Message, is_call, is_result, is_sent
from inspector.pipeline.wire.parts import Part, RepairKind, WireRepair
from inspector.pipeline.wire.units import AnyUnit, Unit, add_texts


class Lost(msgspec.Struct, frozen=True, gc=False):
    """What a move appended, where it opens no message."""

    calls: list[Ref]
    """Calls that nothing answers, in order."""
    texts: list[Ref]
    """Texts of the user, in order."""
    end: int
    """Position of the last record with such a text."""


class Grown(msgspec.Struct, frozen=True, gc=False):
    """The last message with what was lost behind it."""

    unit: Unit
    repairs: tuple[WireRepair, ...]
    """The new ones."""
    is_jointed: bool
    """Whether the text that was last has got its final line feed."""


def lost_behind(grouping: Grouping, chain: Chain, move: Move, messages: Sequence[Message]) -> Lost | None:
    """What a move appended behind the last message; None where any of it opens or answers something.

    Args:
        grouping: As far as the messages go.
        chain: After the move.
        move: The move.
        messages: The messages; there is one.
    """
    lost = Lost([], [], -1)
    for position in range(move.start, len(chain.entries)):
        record = chain.records[chain.entries[position]]
        if not is_sent(record):
            if any(map(is_result, record.blocks)):  # it answers all the same
                return None
        elif record.role is Role.ASSISTANT:
            if grouping.joins(record.message_id, messages):
                return None
            if not all(is_call(b) and not grouping.is_answered(b.id) for b in record.blocks):
                return None
            lost.calls.extend(Ref(record.index, n, block) for n, block in enumerate(record.blocks))
        elif messages[-1].assistant or not _is_text(record):
            return None
        else:
            summary = bool(record.flags & Flag.SUMMARY)
            lost.texts.extend(Ref(record.index, n, block, summary) for n, block in enumerate(record.blocks))
            lost = replace(lost, end=position)
    return lost if lost.calls or lost.texts else None


def _is_text(record: Record) -> bool:
    return all(block.kind is BlockKind.TEXT and not block.images for block in record.blocks)


def grown(message: Message, unit: AnyUnit, lost: Lost) -> Grown | None:
    """The unit of the last message once it has taken what was lost; None where it has to be made anew.

    Args:
        message: The last message; it is left as it is.
        unit: What the edge made of it.
        lost: What stands behind it.
    """
    wire, sums, is_jointed = unit.wire, list(unit.sums), False
    if lost.texts:
        if type(message) is not Message or not isinstance(unit, Unit) or unit.width != 1:
            return None
        last, blocks = message.refs[-1], wire[0].blocks
        if (blocks[-1].part, blocks[-1].record, blocks[-1].block) != (Part.RECORD, last.record, last.block):
            return None  # results were put in front of it, or nothing was left
        new = jointed([last, *lost.texts])
        is_jointed = new[0] != blocks[-1]
        joints = [last] if is_jointed else []
        joints += [ref for ref, block in zip(lost.texts, new[1:], strict=True) if block.joint]
        add_texts(sums, lost.texts, joints)
        wire = (replace(wire[0], blocks=(*blocks[:-1], *new)),)
    dropped = tuple(
        WireRepair(RepairKind.DROPPED, r.content.id, unit.at, r.record, r.block) for r in lost.calls
    )
    # Drops stand in front of the other repairs of their message.
    drops = len(message.dropped)
    repairs = (*unit.repairs[:drops], *dropped, *unit.repairs[drops:])
    return Grown(Unit(unit.at, wire, unit.calls, repairs, unit.results, tuple(sums)), dropped, is_jointed)
