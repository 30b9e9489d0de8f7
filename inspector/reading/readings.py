"""What an adapter says of how far it has come, and what another one needs to go on from there."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

import msgspec

from inspector.model.transcript import BadLine


class Reading(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """How far an adapter has come: its counts, and what is new since it was asked before."""

    lines: int
    parsed: int
    unique_uuids: int
    duplicate_records: int
    session_ids: list[str]
    versions: list[str]
    unknown_types: dict[str, int]
    bad_lines: list[BadLine]
    """New ones."""
    strays: list[str]
    """Uuids, new ones, of lines that are no records: they count as met all the same."""
    roots: dict[str, str]
    """New uuids of inline sidechains, each with the root of its chain."""
    links: dict[str, str]
    """New uuids of progress records that are not kept, each with the one that stands for it."""
    assumed: list[str]
    """New uuids that were taken for known because an earlier part may have them."""
    wanted: list[str]
    """New parents that no line so far has."""


NOTHING_MET = Reading(0, 0, 0, 0, [], [], {}, [], [], {}, {}, [], [])


class Met(Protocol):
    """What was met from the beginning of a file on, as `reading.joined` has it."""

    lines: int
    parsed: int
    duplicate_records: int
    bad_lines: list[BadLine]
    unknown_types: Counter[str]
    session_ids: list[str]
    versions: list[str]
    records: int
    uuids: list[str]
    roots: dict[str, str]
    links: dict[str, str]
    wanted: set[str]
