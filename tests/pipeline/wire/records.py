"""Records written by hand, and random ones, for the tests of the wire."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from inspector.model.transcript import Block, BlockKind, Boundary, Flag, Record, Role, Size

CLIENT_ROLES = (Role.USER, Role.ASSISTANT)


def size(chars: int) -> Size:
    return Size(chars, chars, chars)


def text(chars: int = 10) -> Block:
    return Block(BlockKind.TEXT, size(chars))


def call(tool_use_id: str, name: str = "Bash") -> Block:
    return Block(BlockKind.TOOL_USE, size(20), id=tool_use_id, name=name)


def result(tool_use_id: str, chars: int = 100, **fields: Any) -> Block:
    return Block(BlockKind.TOOL_RESULT, size(chars), id=tool_use_id, **fields)


class Script:
    """Writes records one after the other; each hangs on the one before unless told otherwise."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def __call__(
        self, role: Role, *blocks: Block, uuid: str = "", parent: str | None = None, **fields: Any
    ) -> str:
        number = len(self.records)
        uuid = uuid or f"u{number}"
        above = self.records[-1].uuid if self.records else ""
        self.records.append(
            Record(
                index=number,
                line=number + 1,
                start=number,
                end=number + 1,
                role=role,
                uuid=uuid,
                parent=above if parent is None else parent,
                blocks=blocks,
                flags=fields.pop("flags", Flag(0)),
                **fields,
            )
        )
        return uuid

    def user(self, *blocks: Block, **fields: Any) -> str:
        return self(Role.USER, *blocks, **fields)

    def answer(self, message_id: str, *blocks: Block, **fields: Any) -> str:
        return self(Role.ASSISTANT, *blocks, message_id=message_id, **fields)

    def bridge(self, **fields: Any) -> str:
        return self(Role.BRIDGE, **fields)

    def boundary(self, **metadata: Any) -> str:
        return self(Role.BOUNDARY, parent="", boundary=Boundary(**metadata))


def random_records(rng: random.Random, count: int, damage: float, ids: int = 0) -> list[Record]:
    """A session of parallel calls, streaming, forks and compactions.

    Args:
        rng: Where chance comes from.
        count: Records at least.
        damage: Chance that a link, an id or a flag of a record is a wrong one.
        ids: As many ids are shared by all answers; 0: each has its own.
    """
    script = Script()
    tip = script.user(text())
    number = 0
    while len(script.records) < count:
        number += 1
        message_id = f"m{rng.randrange(ids)}" if ids else f"m{number}"
        tip = _turn(script, rng, message_id, f"r{number}", tip)
        if rng.random() < 0.2:
            tip = script.user(text(), parent=tip)
        if rng.random() < 0.05:
            tip = rng.choice(script.records).uuid
        if rng.random() < 0.05:
            tip = _compact(script, rng, tip)
    return _damaged(script.records, rng, damage)


def _turn(script: Script, rng: random.Random, message_id: str, request_ref: str, tip: str) -> str:
    uses = [f"{request_ref}-{n}" for n in range(rng.randint(0, 4))]
    holders: dict[str, str] = {}
    if rng.random() < 0.5 or not uses:
        tip = script.answer(message_id, text(), parent=tip, request_ref=request_ref)
    pending: list[str] = []
    for use in uses:
        tip = script.answer(message_id, call(use), parent=tip, request_ref=request_ref)
        holders[use] = tip
        pending.append(use)
        if rng.random() < 0.3:
            use = pending.pop(rng.randrange(len(pending)))
            at = script.user(result(use), parent=holders[use])
            tip = at if rng.random() < 0.5 else tip
    rng.shuffle(pending)
    for use in pending:
        if rng.random() < 0.95:
            tip = script.user(result(use), parent=holders[use])
        if rng.random() < 0.2:
            tip = script.bridge(parent=tip)
    return tip


def _compact(script: Script, rng: random.Random, tip: str) -> str:
    kept = tuple(r.uuid for r in script.records[-rng.randint(1, 4) :])
    anchor = f"s{len(script.records)}"
    segment = rng.random() < 0.5
    script.boundary(
        anchor=anchor,
        preserved_uuids=() if segment else kept,
        preserved_head=kept[0],
        preserved_tail=kept[-1],
        logical_parent=tip,
    )
    return script.user(text(), uuid=anchor, flags=Flag.SUMMARY | Flag.TRANSCRIPT_ONLY)


def _damaged(records: Sequence[Record], rng: random.Random, damage: float) -> list[Record]:
    out: list[Record] = []
    for record in records:
        if rng.random() >= damage:
            out.append(record)
            continue
        other = rng.choice(records)
        change = rng.randrange(8)
        if change == 0:
            out.append(_with(record, parent=other.uuid))
        elif change == 1:
            out.append(_with(record, parent="nowhere"))
        elif change == 2 and record.role is Role.ASSISTANT:
            out.append(_with(record, message_id=other.message_id))
        elif change == 3 and record.blocks and other.blocks:
            out.append(_with(record, blocks=other.blocks if other.role is record.role else record.blocks))
        elif change == 4:
            out.append(_with(record, flags=record.flags | Flag.API_ERROR))
        elif change == 5:
            out.extend((record, _with(record, blocks=())))
        elif change == 6:
            out.extend((record, _with(record, uuid=record.uuid + "b")))
    if rng.random() < damage * 5:
        for _ in range(3):
            at = rng.randrange(len(out) - 1)
            out[at], out[at + 1] = out[at + 1], out[at]
    return [_with(r, index=n, line=n + 1) for n, r in enumerate(out)]


def _with(record: Record, **fields: Any) -> Record:
    values = {name: getattr(record, name) for name in record.__struct_fields__}
    return Record(**values | fields)
