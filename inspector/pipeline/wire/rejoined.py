"""What can follow the last two messages and open no other: more of the same answer, and its results.

Answers of one id are one message (rule 22), so where a service gives all its answers the same id, a
whole session is one answer and the results behind it. Making these two growing messages anew for each
request would take hours.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

import msgspec
from msgspec.structs import replace

from inspector.model.transcript import BlockKind
from inspector.pipeline.wire.edge import Ref, as_is, jointed
from inspector.pipeline.wire.parts import RepairKind, WireBlock, WireRepair
from inspector.pipeline.wire.plain import PlainTurn, refs_of
from inspector.pipeline.wire.units import AnyUnit, Unit, add_texts, measured

_TOOL_RESULT = BlockKind.TOOL_RESULT
_TOOL_USE = BlockKind.TOOL_USE


class Rejoined(msgspec.Struct, frozen=True, gc=False):
    """The last two messages with a turn that went into them."""

    answer: Unit
    user: Unit
    sums: tuple[int, ...]
    """What was added to the figures of both."""
    repairs: tuple[WireRepair, ...]
    """The new ones: results that go in front of texts."""


def may_take_more(answer: AnyUnit, user: AnyUnit) -> bool:
    """Whether an answer and the message behind it hold what their records hold, and can just grow."""
    if not (isinstance(answer, Unit) and isinstance(user, Unit)):
        return False
    if answer.repairs or answer.width != 1 or user.width != 1:
        return False
    return all(repair.kind is RepairKind.MOVED for repair in user.repairs)


def rejoined(
    turn: PlainTurn, answer: AnyUnit, user: AnyUnit, last_text: Ref | None, *, edge: bool
) -> Rejoined:
    """The units of the last two messages once they have taken a turn.

    Args:
        turn: More of the answer, and results for all its calls.
        answer: What the edge made of the answer.
        user: What it made of the message behind it; both as `may_take_more` wants them.
        last_text: The last block of that message that is no result; None: it holds results only.
        edge: As for `unit_of`.
    """
    calls, users = refs_of(turn.answers), refs_of(turn.users)
    more = [as_is(ref) for ref in calls]
    _, answer_sums = measured((replace(answer.wire[0], blocks=tuple(more)),), calls)
    blocks, joints, repairs = _behind(user, users, last_text) if edge else _appended(user, users)
    _, user_sums = measured((replace(user.wire[0], blocks=tuple(map(as_is, users))),), users)
    added = list(user_sums)
    add_texts(added, (), joints)
    return Rejoined(
        Unit(
            answer.at,
            (replace(answer.wire[0], blocks=(*answer.wire[0].blocks, *more)),),
            (*answer.calls, *(r for r in calls if r.content.kind is _TOOL_USE)) if edge else (),
            (),
            (),
            tuple(map(add, answer.sums, answer_sums)),
        ),
        Unit(
            user.at,
            (replace(user.wire[0], blocks=blocks),),
            (),
            (*user.repairs, *repairs),
            (*user.results, *turn.results),
            tuple(map(add, user.sums, added)),
        ),
        tuple(map(add, answer_sums, added)),
        repairs,
    )


_Taken = tuple[tuple[WireBlock, ...], list[Ref], tuple[WireRepair, ...]]
"""All blocks of a message, the texts that got a final line feed, and what was moved."""


def _behind(user: AnyUnit, refs: Sequence[Ref], last_text: Ref | None) -> _Taken:
    """New results go behind those that stand, new texts behind the texts (rules 23, 24)."""
    blocks, count = user.wire[0].blocks, len(user.results)
    results = [ref for ref in refs if ref.content.kind is _TOOL_RESULT]
    texts = [ref for ref in refs if ref.content.kind is not _TOOL_RESULT]
    if last_text is None:
        rest, joints = [*jointed(texts)], []
    else:
        again = jointed([last_text, *texts])
        rest, joints = [*blocks[count:-1], *again], [last_text] if again[0].joint else []
    joints += [ref for ref, block in zip(texts, rest[len(rest) - len(texts) :], strict=True) if block.joint]
    moved = results if last_text is not None else []
    repairs = [WireRepair(RepairKind.MOVED, r.content.id, user.at, r.record, r.block) for r in moved]
    return (*blocks[:count], *map(as_is, results), *rest), joints, tuple(repairs)


def _appended(user: AnyUnit, refs: Sequence[Ref]) -> _Taken:
    """Where nothing is paired, every block stays where it is."""
    return (*user.wire[0].blocks, *map(as_is, refs)), [], ()
