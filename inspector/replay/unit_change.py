"""Sizes of one replay in the unit of another: policies that count otherwise are compared in one unit.

What both send in full is known in every unit. What one of them made of a result is taken to have as
many bytes to a character as its whole text has, so the figures are estimates.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from inspector.model.ledger import Level, Span
from inspector.model.policy import Unit
from inspector.pipeline.units import in_unit
from inspector.pipeline.wire.parts import UNIT_PLACES, text_in
from inspector.replay.accounting import parts_of

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

_RESULTS = 9
"""Where the sizes of results stand among the figures of a `Tally`."""


def units_for(rows: Iterable[Tracked], unit: Unit, wanted: Unit) -> float:
    """≈ How many units of one kind stand for one of another, over the results of a conversation.

    Args:
        rows: Its rows.
        unit: The unit that sizes are in.
        wanted: The unit that they are to be in.
    """
    if unit is wanted:
        return 1.0
    sizes = [row.entry.result.size for row in rows if row.entry.result is not None]
    given = sum(in_unit(size, unit) for size in sizes)
    return sum(in_unit(size, wanted) for size in sizes) / given if given else 1.0


def converted_spans(row: Tracked, unit: Unit, wanted: Unit) -> list[Span]:
    """The lifeline of a result with its sizes in another unit."""
    result = row.entry.result
    if result is None:
        return row.spans
    whole, full = in_unit(result.size, unit), in_unit(result.size, wanted)
    out = []
    for span in row.spans:
        chars = full if span.chars == whole else round(span.chars * full / whole) if whole else span.chars
        out.append(msgspec.structs.replace(span, chars=chars, estimated=True))
    return out


def converted_requests(a: Timeline, b: Timeline) -> list[int]:
    """≈ What each request of a replay sends, in the unit of another replay of the same records.

    Args:
        a: The replay whose unit is wanted.
        b: The replay whose requests are converted.
    """
    wanted, unit = a.policy.unit, b.policy.unit
    own, sent = _Sums(len(b.requests)), _Sums(len(b.requests))
    for row in b.tracked:
        own.add(row.spans)
        sent.add(converted_spans(row, unit, wanted))
    out = []
    for left, right, in_own, in_wanted in zip(
        a.requests, b.requests, own.values(), sent.values(), strict=True
    ):
        results, whole = parts_of(b, right).results, parts_of(a, left)
        rest, bytes_, of_bytes = whole.chars - whole.thinking - whole.results, _rest(right), _rest(left)
        if bytes_ != of_bytes:
            rest = round(rest * bytes_ / of_bytes) if of_bytes else bytes_
        # Errors in place of results that never came are plain letters, the same in any unit.
        out.append(max(0, in_wanted + results - in_own + rest))
    return out


def _rest(request: Request) -> int:
    """What a request holds beside results, in bytes: the unit that is known under every policy."""
    figures, place = request.figures or (), UNIT_PLACES[Unit.BYTES]
    results = figures[_RESULTS + place] if figures else 0
    return text_in(figures, place) - results + request.calls_shift if figures else 0


class _Sums:
    """What lifelines put on the wire of each request together."""

    def __init__(self, requests: int) -> None:
        self._steps = [0] * (requests + 1)

    def add(self, spans: Iterable[Span]) -> None:
        """Add one lifeline."""
        before = 0
        for span in spans:
            chars = 0 if span.level is Level.GONE else span.chars
            self._steps[span.start - 1] += chars - before
            before = chars

    def values(self) -> list[int]:
        """The sums, for each request."""
        out, total = [], 0
        for step in self._steps[:-1]:
            total += step
            out.append(total)
        return out
