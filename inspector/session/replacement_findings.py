"""Stored replacements beside the predicted text, and replacements that a later request lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding, counted
from inspector.model.policy import Unit
from inspector.pipeline.previews import (
    is_persisted_preview,
    persisted_preview_size,
)
from inspector.pipeline.units import measure, utf16_len
from inspector.reading.persisted import parse_persisted
from inspector.replay.diagnose.pairing import finding
from inspector.replay.sentences import UNIT_WORDS
from inspector.session.replaced_text import persisted_text
from inspector.session.texts import SessionTexts

if TYPE_CHECKING:
    from inspector.replay.tracked import Tracked
    from inspector.session.recorded_check import Lost, RecordedCheck
    from inspector.session.session import Session


class ReplacementFindings:
    """Findings about the replacements of one conversation; each stored text is compared once."""

    def __init__(self, session: Session, thread: str) -> None:
        self._session = session
        self._thread = thread
        self._texts = SessionTexts(session, thread)
        self._lengths: dict[tuple[int, str], int] = {}
        """Row and its stored text → length of the predicted one; 0 where they agree."""

    def now(self) -> Iterator[Finding]:
        """All of them."""
        yield from self._differing()
        check = self._session.recorded.of(self._thread)
        if check is not None:
            yield from _lost(self._session, self._thread, check)

    def _differing(self) -> Iterator[Finding]:
        """Stored texts that are not what the client would make of the result."""
        timeline = self._session.timelines[self._thread]
        for tool_use_id, line in timeline.stored.items():
            for row in timeline.rows_of(tool_use_id)[-1:]:
                if row.stored is None or row.entry.result_record is None:
                    continue
                key = (row.entry.index, row.stored)
                if (length := self._lengths.get(key)) is None:
                    length = self._lengths[key] = self._differs(row, row.stored)
                if length:
                    yield _differing(row, line.line, length, self._session.policy.unit)

    def _differs(self, row: Tracked, stored_text: str) -> int:
        """Size of the text that should have been stored; 0 for the one that was, or where none is known."""
        stated = parse_persisted(stored_text)
        block = row.entry.result
        if stated is None or block is None:
            return 0
        shape = None if block.is_list else block.shape
        if shape is not None:
            if is_persisted_preview(stored_text, block.size, shape, stated.path):
                return 0
            unit = self._session.policy.unit
            if block.size.chars == block.size.utf16 and unit is not Unit.BYTES:
                # Without characters of two units the index knows the length, and nothing has to be read.
                units, _ = persisted_preview_size(block.size, shape, stated.path, Unit.UTF16)
                return units - utf16_len(stated.path) + measure(stated.path, unit)
        predicted = persisted_text(self._texts, row, stated.path)
        return measure(predicted, self._session.policy.unit) if predicted != stored_text else 0


def _differing(row: Tracked, line: int, predicted_chars: int, unit: Unit) -> Finding:
    stored_chars, words = measure(row.stored or "", unit), UNIT_WORDS[unit]
    return finding(
        "recorded_differs",
        f"Line {line} stores {stored_chars:,} {words} in place of {row.entry.id}, and not the "
        f"preview of {predicted_chars:,} {words} that follows from its text.",
        request=row.request or None, ids=(row.entry.id,), see=f"line {line}",
        data={"what": "replacement", "predicted_chars": predicted_chars, "recorded_chars": stored_chars},
    )  # fmt: skip


def _lost(session: Session, thread: str, check: RecordedCheck) -> Iterator[Finding]:
    """Results that recorded requests sent as previews, and a later one in full."""
    timeline = session.timelines[thread]
    told = {(n, tool_use_id) for n, ids in timeline.unreplaced for tool_use_id in ids}
    by_request: dict[int, list[Lost]] = {}
    for lost in check.lost:
        if (lost.request, lost.id) not in told:
            by_request.setdefault(lost.request, []).append(lost)
    unit = session.policy.unit
    for n, found in by_request.items():
        cost = sum(measure(lost.full, unit) - measure(lost.preview, unit) for lost in found)
        ids = tuple(lost.id for lost in found)
        yield finding(
            "replacement_lost",
            f"Request {n} sent {counted(len(ids), 'result')} in full where earlier recorded requests held a "
            "preview: "
            f"{cost:,} {UNIT_WORDS[unit]} more, and the prefix breaks.",
            request=n, ids=ids, see=f"request {n}", data={"chars": cost},
            cause=_why_lost(found, all(i not in timeline.stored for i in ids)),
        )  # fmt: skip
    yield from _about_to_be_lost(session, thread, check)


def _why_lost(found: list[Lost], unrecorded: bool) -> str:
    if all(lost.in_print_mode for lost in found):
        return "Print mode ignores the stored replacements of a screen session."
    if unrecorded:
        return "The file holds no line that stores the replacement, so the resumed client did not know it."
    return ""


def _about_to_be_lost(session: Session, thread: str, check: RecordedCheck) -> Iterator[Finding]:
    """Results that the newest recorded request replaced and no line stores: the next resume loses them."""
    timeline = session.timelines[thread]
    ids = tuple(i for i in check.replaced_last if i not in timeline.stored and timeline.rows_of(i))
    if ids and not timeline.live:
        rows = [timeline.rows_of(i)[-1] for i in ids]
        unit = session.policy.unit
        cost = sum(r.full - measure(check.replaced_last[r.entry.id], unit) for r in rows)
        last = len(timeline.requests)
        yield finding(
            "replacement_lost",
            f"A resume will send {counted(len(ids), 'result')} in full again where a preview was sent "
            f"before: {cost:,} {UNIT_WORDS[unit]} more, and the prefix breaks.",
            request=last, ids=ids, see=f"request {last}", data={"chars": cost},
            cause="The file holds no line that stores the replacement.",
        )  # fmt: skip
