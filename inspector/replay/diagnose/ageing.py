"""Results whose text left the wire by ageing or clearing, and what followed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding, counted
from inspector.model.ledger import Level
from inspector.model.policy import Ageing
from inspector.replay.diagnose.pairing import finding
from inspector.replay.sentences import UNIT_WORDS

if TYPE_CHECKING:
    from inspector.replay.diagnose.noticed import Noticed
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

_NAMED = 3
"""Results that one sentence names."""
_AGED = (Level.SUMMARIZED, Level.CLEARED)


class AgeingFindings:
    """Findings of the ageing family of one conversation."""

    def __init__(self, timeline: Timeline, noticed: Noticed) -> None:
        self._timeline = timeline
        self._noticed = noticed
        self._repeats = _Repeats(timeline, noticed)

    def now(
        self, is_gone: Callable[[Tracked], bool], is_kept: Callable[[Tracked], bool]
    ) -> Iterator[Finding]:
        """All of them. A policy that ages every result costs a look at each row; others do not.

        Args:
            is_gone: Whether the overflow file that a row names is nowhere.
            is_kept: Whether an overflow file bears a row's id.
        """
        timeline = self._timeline
        aged = _aged_rows(timeline)
        if self._noticed.cleared:
            aged = sorted({*aged, *self._noticed.cleared}, key=lambda row: row.entry.index)
        without = [r for r in aged if r.entry.result and not _has_copy(r, is_gone, is_kept)]
        if not timeline.policy.archive:
            # What the file tells, and what the policy would do about it, are two matters.
            told = timeline.policy.microcompact.variant not in (Ageing.AGES, Ageing.CHATCLI)
            yield from _without_copy([r for r in without if told or _is_recorded(r)], told=True)
            yield from _without_copy([r for r in without if not told and not _is_recorded(r)], told=False)
        if aged:
            yield from self._repeats.of(aged)
        yield from _never_summarized(timeline)


def _without_copy(rows: list[Tracked], *, told: bool) -> Iterator[Finding]:
    if not rows:
        return
    named = ", ".join(f"{row.entry.tool} {row.entry.id}".lstrip() for row in rows[:_NAMED])
    more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    done = f"{counted(len(rows), 'result was', 'results were')} reduced to one line or cleared"
    if not told:
        done = f"Ageing reduces {counted(len(rows), 'result')} to one line"
    yield finding(
        "cleared_without_copy",
        f"{done}, and no overflow file holds the text: {named}{more}.",
        request=_aged_at(rows[0]) or rows[0].request or None,
        ids=tuple(r.entry.id for r in rows), see=f"line {rows[0].entry.line}",
        data={"chars": sum(r.full for r in rows if not _is_recorded(r))},
    )  # fmt: skip


def _aged_rows(timeline: Timeline) -> list[Tracked]:
    """Rows that were summarized or cleared in some request."""
    variant = timeline.policy.microcompact.variant
    rows: Iterable[Tracked] = timeline.tracked
    if variant is Ageing.AGES and timeline.policy.budget.ledger:
        rows = (r for r in rows if r.aged is not None or r.cleared)
    elif variant in (Ageing.RECORDED, Ageing.OFF) and timeline.policy.budget.ledger:
        cleared = dict.fromkeys(
            i for _, r in timeline.boundaries if r.boundary for i in r.boundary.cleared_ids
        )
        rows = sorted(
            (row for i in cleared for row in timeline.rows_of(i)[-1:]), key=lambda row: row.entry.index
        )
    return [row for row in rows if _aged_at(row)]


def _has_copy(row: Tracked, is_gone: Callable[[Tracked], bool], is_kept: Callable[[Tracked], bool]) -> bool:
    names_file = row.stored is not None or bool(row.entry.result and row.entry.result.persisted)
    return not is_gone(row) if names_file else row.applied or is_kept(row)


def _is_recorded(row: Tracked) -> bool:
    """Whether the file itself holds only what a clearing left: how much it was, nothing tells."""
    return row.entry.result is not None and row.entry.result.is_cleared


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
            f"{counted(len(rows), 'result stays as a preview', 'results stay as previews')} for good: a "
            f"preview of up to {max(r.preview for r in rows):,} is below the {settings.min_content:,} from "
            "which ageing acts.",
            ids=tuple(r.entry.id for r in rows), see=f"line {rows[0].entry.line}",
            data={"chars": sum(r.preview for r in rows)},
        )  # fmt: skip


class _Repeats:
    """Calls of a conversation by tool and argument: which of them repeat one whose result was taken away."""

    def __init__(self, timeline: Timeline, noticed: Noticed) -> None:
        self._timeline = timeline
        self._noticed = noticed
        self._calls: dict[tuple[str, str], list[Tracked]] = {}
        self._rows = 0

    def of(self, aged: list[Tracked]) -> Iterator[Finding]:
        """The calls that repeat one of some rows after it was taken away. O(new rows + these rows)."""
        for row in self._timeline.tracked[self._rows :]:
            if row.entry.argument:
                self._calls.setdefault((row.entry.tool, row.entry.argument), []).append(row)
        self._rows = len(self._timeline.tracked)
        cleared: dict[tuple[str, str], Tracked] = {}
        for row in aged:
            if row.entry.argument:
                cleared.setdefault((row.entry.tool, row.entry.argument), row)
        unit = UNIT_WORDS[self._timeline.policy.unit]
        again = [(row, first) for key, first in cleared.items() for row in self._repeating(key, first)]
        for row, first in sorted(again, key=lambda pair: pair[0].entry.index):
            yield finding(
                "read_again_after_clear",
                f"{row.entry.tool} {row.entry.id} repeats {first.entry.id}, "
                + (
                    "of which this file holds only what a clearing left"
                    if _is_recorded(first)
                    else f"which was cleared in request {_aged_at(first)}"
                    if first.cleared
                    else f"which ageing had taken away in request {_aged_at(first)}"
                )
                + f": {row.full:,} {unit} are paid twice.",
                request=row.request, ids=(first.entry.id, row.entry.id), see=f"line {row.entry.line}",
                data={"chars": row.full},
            )  # fmt: skip

    def _repeating(self, key: tuple[str, str], first: Tracked) -> Iterator[Tracked]:
        at = _aged_at(first)
        called_late = [r for r in self._noticed.uncalled if (r.entry.tool, r.entry.argument) == key]
        rows = {row.entry.index: row for row in (*self._calls.get(key, ()), *called_late)}
        if at is None:  # cleared in the file itself: at some time before it was asked for again
            return (r for r in rows.values() if r.request > first.request)
        return (r for r in rows.values() if r is not first and r.request > at)
