"""What the history of a request holds and the request does not send: calls and results that pairing took out.

They are told by what made the body of that very request, not by the rows of the ledger: a row stands
for a call and its result together, and keeps what was said of it when a compaction has taken it away.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from inspector.model.transcript import Block, Record
from inspector.pipeline.pairing import Paired
from inspector.pipeline.pairing import RepairKind as PairingKind
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.messages import BodyMessage
from inspector.pipeline.wire.parts import Part, RepairKind
from inspector.replay.view import Repair

if TYPE_CHECKING:
    from inspector.replay.chatcli_timeline import ChatcliTimeline

_OF_CLIENT: Mapping[RepairKind, Repair] = {
    RepairKind.DROPPED: Repair.DROPPED,
    RepairKind.PENDING: Repair.PENDING,
    RepairKind.ORPHAN: Repair.ORPHAN,
    RepairKind.DUPLICATE: Repair.DUPLICATE,
}
"""The client's repairs that take something out (`claude-code-wire.md` rules 17, 32, 33)."""
_BY_ID: Mapping[PairingKind, Repair] = {
    PairingKind.ORPHAN: Repair.ORPHAN,
    PairingKind.DUPLICATE_CALL: Repair.DUPLICATE,
    PairingKind.DUPLICATE_RESULT: Repair.DUPLICATE,
}
"""The same of seed 000's repair and its variants."""

Place = tuple[int, int]
"""Message and block of a body, from 0."""


class Unsent(NamedTuple):
    """A call or result of the history that a request does not send."""

    record: Record
    block: int
    """Ordinal among the record's blocks."""
    why: Repair
    at: Place
    """Where it would stand in the body: in front of this place, which may be one past a message's end."""

    @property
    def block_of_record(self) -> Block:
        """The call or result itself."""
        return self.record.blocks[self.block]


@dataclass(frozen=True, slots=True)
class UnsentRow:
    """The same as a row between the blocks that are sent."""

    row: int
    """Index of the block in front of which it stands; the number of blocks: behind the last one."""
    record: int
    """`Record.index`."""
    block: int
    """Ordinal among the record's blocks."""
    role: str
    kind: str
    """`call` or `result`."""
    words: str
    """The call that it is or belongs to; untrusted."""
    tool_use_id: str
    chars: int
    """In the transcript, in the policy's unit; no part of the request's size."""
    why: Repair
    sentence: str
    """Why it is not sent, as the ledger says it."""
    result: int | None = None
    """Index of the ledger's row; None where it has none."""


def unsent_by_client(history: History, messages: Sequence[BodyMessage]) -> list[Unsent]:
    """What the client's own repairs take out, at the messages at which they do it.

    Args:
        history: As it was cut for the request.
        messages: Made from it, reminders included.
    """
    repairs = [repair for repair in history.repairs() if repair.kind in _OF_CLIENT]
    if not repairs:
        return []
    order = {record.index: n for n, record in enumerate(history.entries())}
    sent = [n for n, message in enumerate(messages) if any(b.source is not None for b in message.blocks)]
    known: dict[int, _Blocks] = {}
    found = []
    for repair in repairs:
        at, key = sent[repair.message], (order[repair.record], repair.block)
        if at not in known:
            known[at] = _Blocks(messages[at], order)
        place = at, known[at].behind(key)
        unsent = Unsent(history.record(repair.record), repair.block, _OF_CLIENT[repair.kind], place)
        found.append((place, key, unsent))
    found.sort(key=lambda item: item[:2])
    return [unsent for _, _, unsent in found]


class _Blocks:
    """Blocks of one message by their places in the history: results may stand in front of earlier texts."""

    def __init__(self, message: BodyMessage, order: Mapping[int, int]) -> None:
        placed = sorted(
            ((order[source.record], source.block), at)
            for at, block in enumerate(message.blocks)
            if (source := block.source) is not None and source.part is Part.RECORD
        )
        self._keys = [key for key, _ in placed]
        self._last = list(accumulate((at for _, at in placed), max))
        """The last place in the message among the blocks up to here."""

    def behind(self, key: tuple[int, int]) -> int:
        """The place behind all blocks that the history has earlier; 0 where it has none."""
        earlier = bisect_left(self._keys, key)
        return self._last[earlier - 1] + 1 if earlier else 0


def unsent_by_id(
    history: History,
    messages: Sequence[BodyMessage],
    given: Sequence[Mapping[str, Any]],
    paired: Paired,
    body: Sequence[Mapping[str, Any]],
) -> list[Unsent]:
    """What a repair by id or by place takes out, each behind the block before it that is sent.

    Args:
        history: As it was cut for the request.
        messages: Made from it.
        given: The same as the API takes them: what was repaired.
        paired: The outcome.
        body: The outcome as the API takes it; blocks that stayed are the very objects of `given`.
    """
    why = {(r.at, r.block): _BY_ID[r.kind] for r in paired.repairs if r.kind in _BY_ID and r.block >= 0}
    if not why:
        return []
    stands = {id(block): (m, b) for m, message in enumerate(body) for b, block in enumerate(_blocks(message))}
    found: list[Unsent] = []
    behind = 0, 0
    for m, message in enumerate(given):
        for b, block in enumerate(_blocks(message)):
            source = messages[m].blocks[b].source
            if (m, b) in why and source is not None:
                found.append(Unsent(history.record(source.record), source.block, why[m, b], behind))
            elif id(block) in stands:
                at = stands[id(block)]
                behind = at[0], at[1] + 1
    return found


def moved(unsent: Sequence[Unsent], messages: int) -> Sequence[Unsent]:
    """The same where so many messages were put in front of the body."""
    return [found._replace(at=(found.at[0] + messages, found.at[1])) for found in unsent]


def _blocks(message: Mapping[str, Any]) -> Sequence[Any]:
    content = message.get("content")
    return content if isinstance(content, list) else ()


def unsent_by_chatcli(timeline: ChatcliTimeline, n: int) -> list[Unsent]:
    """What ChatCLI's pairing has taken out of the stored history up to a request, each behind its message.

    Args:
        timeline: Its runs.
        n: The request, from 1.
    """
    removed = timeline.removed(n)
    if not removed:
        return []
    refs = [(ref.record, ref.block) for ref in timeline.wires.refs(n)]
    found: list[Unsent] = []
    placed = sorted((ref, at) for at, ref in enumerate(refs) if ref[0] >= 0)
    keys, last = [ref for ref, _ in placed], list(accumulate((at for _, at in placed), max))
    for record, block, why in removed:
        earlier = bisect_left(keys, (record.index, block))
        found.append(Unsent(record, block, why, (last[earlier - 1] + 1 if earlier else 0, 0)))
    return found
