"""Results whose text left the wire by ageing or clearing, and what followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding
from inspector.model.ledger import Level
from inspector.model.policy import Ageing
from inspector.replay.diagnose.pairing import finding

if TYPE_CHECKING:
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

_AGED = (Level.SUMMARIZED, Level.CLEARED)


def ageing_findings(timeline: Timeline, is_gone: Callable[[Tracked], bool]) -> Iterator[Finding]:
    """Findings of the ageing family.

    Args:
        timeline: The conversation.
        is_gone: Whether the overflow file that a row names is nowhere.
    """
    aged = [row for row in timeline.tracked if _aged_at(row)]
    without = [r for r in aged if r.entry.result and not _has_copy(r, is_gone)]
    if without and not timeline.policy.archive:
        yield finding(
            "cleared_without_copy",
            f"{len(without)} results were reduced to one line or cleared, and no overflow file holds them.",
            request=_aged_at(without[0]), ids=tuple(r.entry.id for r in without),
            data={"chars": sum(r.full for r in without)},
        )  # fmt: skip
    yield from _read_again(timeline, aged)
    yield from _never_summarized(timeline)


def _has_copy(row: Tracked, is_gone: Callable[[Tracked], bool]) -> bool:
    names_file = row.stored is not None or bool(row.entry.result and row.entry.result.persisted)
    return not is_gone(row) if names_file else row.applied


def _aged_at(row: Tracked) -> int | None:
    return next((span.start for span in row.spans if span.level in _AGED), None)


def _never_summarized(timeline: Timeline) -> Iterator[Finding]:
    """Old results that ageing leaves because their preview is already below its minimum."""
    settings = timeline.policy.microcompact
    if settings.variant is not Ageing.AGES:
        return
    rows = [
        row
        for row in timeline.tracked
        if row.applied
        and row.on_wire
        and row.preview < settings.min_content < row.full
        and timeline.age_of(row) >= settings.summarize_turns
    ]
    if rows:
        yield finding(
            "never_summarized",
            f"{len(rows)} results stay as previews for good: a preview of up to "
            f"{max(r.preview for r in rows):,} is below the {settings.min_content:,} from which ageing acts.",
            ids=tuple(r.entry.id for r in rows), see=f"line {rows[0].entry.line}",
            data={"chars": sum(r.preview for r in rows)},
        )  # fmt: skip


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
