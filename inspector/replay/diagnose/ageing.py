"""Results whose text left the wire by ageing or clearing, and what followed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding
from inspector.model.ledger import Level
from inspector.replay.diagnose.pairing import finding

if TYPE_CHECKING:
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

_AGED = (Level.SUMMARIZED, Level.CLEARED)


def ageing_findings(timeline: Timeline) -> Iterator[Finding]:
    """Findings of the ageing family."""
    aged = [row for row in timeline.tracked if _aged_at(row)]
    without = [r for r in aged if r.entry.result and r.entry.result.persisted is None and r.stored is None]
    if without and not timeline.policy.archive:
        yield finding(
            "cleared_without_copy",
            f"{len(without)} results were reduced to one line or cleared, and no overflow file holds them.",
            request=_aged_at(without[0]), ids=tuple(r.entry.id for r in without),
            data={"chars": sum(r.full for r in without)},
        )  # fmt: skip
    yield from _read_again(timeline, aged)


def _aged_at(row: Tracked) -> int | None:
    return next((span.start for span in row.spans if span.level in _AGED), None)


def _read_again(timeline: Timeline, aged: list[Tracked]) -> Iterator[Finding]:
    cleared: dict[tuple[str, str], Tracked] = {}
    for row in aged:
        if row.entry.argument:
            cleared.setdefault((row.entry.tool, row.entry.argument), row)
    for row in timeline.tracked:
        first = cleared.get((row.entry.tool, row.entry.argument))
        if first is None or first is row or not row.request:
            continue
        at = _aged_at(first)
        if at is not None and row.request > at:
            yield finding(
                "read_again_after_clear",
                f"{row.entry.tool} {row.entry.id} repeats {first.entry.id}, which ageing had taken away in "
                f"request {at}: {row.full:,} chars are paid twice.",
                request=row.request, ids=(first.entry.id, row.entry.id), see=f"line {row.entry.line}",
                data={"chars": row.full},
            )  # fmt: skip
