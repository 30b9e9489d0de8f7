"""Stored replacements beside the predicted text, and replacements that a later request lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding, counted
from inspector.pipeline.previews import persisted_preview, pretty_json
from inspector.pipeline.units import measure
from inspector.reading.persisted import parse_persisted
from inspector.replay.diagnose.pairing import finding
from inspector.session.texts import SessionTexts

if TYPE_CHECKING:
    from inspector.replay.tracked import Tracked
    from inspector.session.recorded_check import Lost, RecordedCheck
    from inspector.session.session import Session


def replacement_findings(session: Session, thread: str) -> Iterator[Finding]:
    """Findings about the replacements of one conversation."""
    yield from _texts(session, thread)
    check = session.recorded_check(thread)
    if check is not None:
        yield from _lost(session, thread, check)


def _texts(session: Session, thread: str) -> Iterator[Finding]:
    """Stored texts that are not what the client would make of the result."""
    timeline = session.timelines[thread]
    texts = SessionTexts(session, thread)
    for tool_use_id, line in timeline.stored.items():
        for row in timeline.rows_of(tool_use_id)[-1:]:
            predicted = _predicted(texts, row)
            if row.stored is None or predicted in ("", row.stored):
                continue
            yield finding(
                "recorded_differs",
                f"Line {line.line} stores {len(row.stored):,} chars in place of {tool_use_id}, and not the "
                f"preview of {len(predicted):,} chars that follows from its text.",
                request=row.request or None, ids=(tool_use_id,), see=f"line {line.line}",
                data={
                    "what": "replacement",
                    "predicted_chars": len(predicted),
                    "recorded_chars": len(row.stored),
                },
            )  # fmt: skip


def _predicted(texts: SessionTexts, row: Tracked) -> str:
    """The preview of a result for the path that the stored one names; empty where it names none."""
    stated = parse_persisted(row.stored or "")
    record = row.entry.result_record
    if stated is None or record is None:
        return ""
    blocks = texts.content(record)
    block = blocks[row.entry.result_block] if isinstance(blocks, list) else None
    content = block.get("content") if isinstance(block, dict) else None
    if not isinstance(content, str | list):
        return ""
    if isinstance(content, list):
        return persisted_preview(pretty_json(content), stated.path, split_pairs=True)
    assert row.entry.result is not None
    return persisted_preview(content, stated.path, row.entry.result.size.utf16, split_pairs=True)


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
            f"{cost:,} chars more, and the prefix breaks.",
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
            f"before: {cost:,} chars more, and the prefix breaks.",
            request=last, ids=ids, see=f"request {last}", data={"chars": cost},
            cause="The file holds no line that stores the replacement.",
        )  # fmt: skip
