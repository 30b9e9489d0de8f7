"""Records in columns: the form in which they go from one process to another, or into the cache.

A record by record form would be three times as long and as slow: nearly all that records hold is
short words that repeat, numbers, and defaults. A column is one list for all records of a batch, so
most of the work is done by `map` over constructors; words are numbers of a table that each batch
brings along, and a column in which all values are the same is that one value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, repeat
from types import MappingProxyType
from typing import TypeVar

import msgspec

from inspector.model.transcript import (
    Block,
    BlockKind,
    Boundary,
    Flag,
    Record,
    Replacement,
    Role,
    Size,
    Usage,
)
from inspector.reading.shape import ascii_size

_T = TypeVar("_T")
_Column = int | list[int]
"""Numbers, one for each record; one number where it is the same for all of them."""

_ROLES = {int(role): role for role in Role}
_KINDS = {int(kind): kind for kind in BlockKind}
_ERRORS: tuple[bool | None, ...] = (None, False, True)
_FLAGS: dict[int, Flag] = {}


class Columns(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The records of one batch."""

    count: int
    index: int
    """Of the first record; the others follow."""
    words: list[str]
    """What the columns of names count from: words that come back in every batch. 0 is the empty one."""
    texts: list[str]
    """What the columns of ids and arguments count from: they come back within a batch at most."""
    lines: list[int]
    starts: list[int]
    ends: list[int]
    roles: _Column
    flags: _Column
    uuids: list[str]
    parents: list[int]
    """How many records before the one whose uuid it is, or 0: it is in `far_parents`, or empty."""
    far_parents: dict[int, str]
    """Ordinal in the batch → a parent outside it."""
    threads: _Column
    session_ids: _Column
    message_ids: _Column
    request_refs: _Column
    times: list[float | None]
    versions: _Column
    entrypoints: _Column
    models: _Column
    usages: _Column
    usage_table: list[Usage]
    """What `usages` counts from, from 1 on."""
    boundaries: dict[int, Boundary]
    replacements: dict[int, tuple[Replacement, ...]]
    block_counts: _Column
    kinds: _Column
    chars: list[int]
    """Characters of the blocks' texts; those whose sizes differ stand in `sizes`."""
    sizes: dict[int, Size]
    block_ids: _Column
    names: _Column
    arguments: _Column
    errors: _Column
    blocks: dict[int, Block]
    """Blocks that have more than that, whole."""


def packed(records: Sequence[Record]) -> Columns:
    """A batch of records, in the order of the file.

    Args:
        records: One or more, whose `index` goes on by one.
    """
    words, texts = {"": 0}, {"": 0}
    blocks = [block for record in records for block in record.blocks]
    parents, far = _parents_of(records)
    usages: dict[Usage | None, int] = {None: 0}
    usage_column = [usages.setdefault(record.usage, len(usages)) for record in records]

    def named(values: Iterable[str]) -> _Column:
        return _same([words.setdefault(value, len(words)) for value in values])

    def texted(values: Iterable[str]) -> _Column:
        return _same([texts.setdefault(value, len(texts)) for value in values])

    return Columns(
        count=len(records),
        index=records[0].index if records else 0,
        lines=[r.line for r in records],
        starts=[r.start for r in records],
        ends=[r.end for r in records],
        roles=_same([int(r.role) for r in records]),
        flags=_same([int(r.flags) for r in records]),
        uuids=[r.uuid for r in records],
        parents=parents,
        far_parents=far,
        threads=named(r.thread for r in records),
        session_ids=named(r.session_id for r in records),
        message_ids=texted(r.message_id for r in records),
        request_refs=texted(r.request_ref for r in records),
        times=[r.time for r in records],
        versions=named(r.version for r in records),
        entrypoints=named(r.entrypoint for r in records),
        models=named(r.model for r in records),
        usages=_same(usage_column),
        usage_table=[usage for usage in usages if usage is not None],
        boundaries={at: r.boundary for at, r in enumerate(records) if r.boundary is not None},
        replacements={at: r.replacements for at, r in enumerate(records) if r.replacements},
        block_counts=_same([len(r.blocks) for r in records]),
        kinds=_same([int(b.kind) for b in blocks]),
        chars=[b.size.chars for b in blocks],
        sizes={at: b.size for at, b in enumerate(blocks) if not b.size.chars == b.size.utf16 == b.size.bytes},
        block_ids=texted(b.id for b in blocks),
        names=named(b.name for b in blocks),
        arguments=texted(b.argument for b in blocks),
        errors=_same([_ERRORS.index(b.is_error) for b in blocks]),
        blocks={at: b for at, b in enumerate(blocks) if b.shape is not None or b != _plain(b)},
        words=list(words),
        texts=list(texts),
    )


def unpacked(
    columns: Columns,
    known: dict[str, str],
    index: int = 0,
    line: int = 0,
    stands_for: Mapping[str, str] = MappingProxyType({}),
) -> list[Record]:
    """The records of a batch.

    Args:
        columns: Made by `packed`; of any content that has the right types.
        known: Words met in earlier batches, each kept once; new ones are added.
        index: Records before those that the batch counts from.
        line: Lines before those that the batch counts from.
        stands_for: uuid of a record that was not kept → the one on which its children hang instead.

    Raises:
        ValueError: The columns do not fit together.
        LookupError: A number that is in no table.
    """
    count = columns.count
    words = [known.setdefault(word, word) for word in columns.words].__getitem__
    texts = columns.texts.__getitem__
    uuids = columns.uuids
    blocks = _blocks_of(columns, words)
    usages: list[Usage | None] = [None, *columns.usage_table]
    parents = [uuids[at - back] if back else "" for at, back in enumerate(columns.parents)]
    for at, parent in columns.far_parents.items():
        parents[at] = stands_for.get(parent, parent)
    lines = [number + line for number in columns.lines] if line else columns.lines
    given = (lines, columns.starts, columns.ends, uuids, parents, columns.times)
    if any(len(values) != count for values in given) or any(b < 0 for b in columns.parents):
        raise ValueError("columns of different lengths")
    boundaries = map(columns.boundaries.get, range(count))
    none: tuple[Replacement, ...] = ()
    replacements = _sparse(columns.replacements, none, count)
    return list(
        map(
            Record,
            range(index + columns.index, index + columns.index + count),
            lines,
            columns.starts,
            columns.ends,
            _looked_up(columns.roles, _ROLES.__getitem__, count),
            _looked_up(columns.flags, _flag, count),
            uuids,
            parents,
            _looked_up(columns.threads, words, count),
            _looked_up(columns.session_ids, words, count),
            _looked_up(columns.message_ids, texts, count),
            _looked_up(columns.request_refs, texts, count),
            columns.times,
            _looked_up(columns.versions, words, count),
            _looked_up(columns.entrypoints, words, count),
            _looked_up(columns.models, words, count),
            _grouped(blocks, columns.block_counts, count),
            _looked_up(columns.usages, usages.__getitem__, count),
            boundaries,
            replacements,
        )
    )


def _parents_of(records: Sequence[Record]) -> tuple[list[int], dict[int, str]]:
    places: dict[str, int] = {}
    backs: list[int] = []
    far: dict[int, str] = {}
    for at, record in enumerate(records):
        parent = record.parent
        place = places.get(parent) if parent else None
        backs.append(0 if place is None else at - place)
        if parent and place is None:
            far[at] = parent
        if record.uuid:
            places[record.uuid] = at
    return backs, far


def _plain(block: Block) -> Block:
    """What the columns say of a block."""
    return Block(block.kind, block.size, block.id, block.name, block.argument, block.is_error)


def _blocks_of(columns: Columns, words: Callable[[int], str]) -> list[Block]:
    chars = columns.chars
    count = len(chars)
    sizes = list(map(ascii_size, chars))
    for at, size in columns.sizes.items():
        sizes[at] = size
    blocks = list(
        map(
            Block,
            _looked_up(columns.kinds, _KINDS.__getitem__, count),
            sizes,
            _looked_up(columns.block_ids, columns.texts.__getitem__, count),
            _looked_up(columns.names, words, count),
            _looked_up(columns.arguments, columns.texts.__getitem__, count),
            _looked_up(columns.errors, _ERRORS.__getitem__, count),
        )
    )
    for at, block in columns.blocks.items():
        blocks[at] = block
    return blocks


def _grouped(blocks: list[Block], counts: _Column, count: int) -> Iterable[tuple[Block, ...]]:
    """The blocks of each record."""
    numbers = [counts] * count if isinstance(counts, int) else counts
    if len(numbers) != count or sum(numbers) != len(blocks):
        raise ValueError("more or fewer blocks than the records hold")
    left = iter(blocks)
    return [(next(left),) if n == 1 else tuple(islice(left, n)) if n else () for n in numbers]


def _same(values: list[int]) -> _Column:
    first = values[0] if values else 0
    return first if values.count(first) == len(values) else values


def _looked_up(column: _Column, find: Callable[[int], _T], count: int) -> Iterable[_T]:
    if isinstance(column, int):
        return repeat(find(column), count)
    if len(column) != count:
        raise ValueError("columns of different lengths")
    return map(find, column)


def _flag(flags: int) -> Flag:
    found = _FLAGS.get(flags)
    return found if found is not None else _FLAGS.setdefault(flags, Flag(flags))


def _sparse(values: dict[int, _T], default: _T, count: int) -> Iterable[_T]:
    return map(values.get, range(count), repeat(default))
