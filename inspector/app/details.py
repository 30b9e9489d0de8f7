"""Texts for the detail pane, read again from the session's file when they are asked for."""

from __future__ import annotations

import json

from inspector.app.feed import DetailText, Tab
from inspector.app.session import SessionFeed, reading
from inspector.app.unified import unified_text
from inspector.errors import UsageError
from inspector.figures import number
from inspector.model.ledger import Level
from inspector.pipeline.units import measure
from inspector.reading.persisted import TAG
from inspector.replay.conversation import span_of
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.tracked import Tracked
from inspector.session import Session
from inspector.session.body_blocks import block_text, blocks_of
from inspector.session.replaced_text import text_on_wire
from inspector.session.wire_builder import WireBuilder

SHOWN_BYTES = 4 << 20
"""Most bytes of an overflow file or a record that the pane shows; `o` opens the whole file."""


class SessionDetails:
    """The `DetailSource` of one conversation of a real session."""

    def __init__(self, feed: SessionFeed, thread: str = "") -> None:
        self._feed = feed
        self._thread = thread

    def text(self, tab: Tab, result_index: int, request: int) -> DetailText:
        """One text of a result."""
        with reading(self._feed) as session:
            thread = self._thread
            row = tracked_row(session, thread, result_index)
            if tab is Tab.RECORD:
                return _record(session, row, thread)
            if tab is Tab.OVERFLOW:
                return _overflow(session, row, thread)
            if row.entry.result is None:
                return _injected(session, row, tab, request, thread)
            full = session.result_text(row, thread)
            if tab is Tab.TRANSCRIPT:
                return DetailText(full, f"as the tool gave it · {_sized(session, row.full)}")
            wire, note = _wire(session, row, request, full, thread)
        if tab is Tab.WIRE:
            return DetailText(wire, note, _tints(row, request, wire))
        return _diff(full, wire)


def tracked_row(session: Session, thread: str, index: int) -> Tracked:
    """A row of a conversation, which a rewritten file may have lost meanwhile.

    Raises:
        UsageError: There is none.
    """
    timeline = session.timelines.get(thread)
    if timeline is None or not 0 <= index < len(timeline.tracked):
        raise UsageError("The session was written anew; this result is not in it any more.")
    return timeline.tracked[index]


def _sized(session: Session, size: int) -> str:
    return f"{number(size)} {UNIT_WORDS[session.policy.unit]}"


def _wire(session: Session, row: Tracked, request: int, full: str, thread: str) -> tuple[str, str]:
    span = span_of(row, request)
    if span is None:
        return full, "no request has seen it yet"
    if span.level is Level.GONE:
        raise UsageError(f"Nothing of it is sent in request {request}.")
    recorded = recorded_text(session, row, request, thread)
    if recorded is not None:
        size = number(measure(recorded, session.policy.unit))
        return recorded, f"as recorded, not as predicted · {size} of {_sized(session, row.full)}"
    replaced = text_on_wire(session, row, span, thread)
    shown = full if replaced is None else replaced
    about = "≈ " if span.estimated else ""
    return shown, f"what the model saw · {about}{number(span.chars)} of {_sized(session, row.full)}"


def _injected(session: Session, row: Tracked, tab: Tab, request: int, thread: str) -> DetailText:
    """What is sent for a call without a result, read off the body that `wire` prints too.

    Raises:
        UsageError: Nothing is sent for it, or another text than that on the wire is asked for.
    """
    for message in WireBuilder(session, thread).body(request) if tab is Tab.WIRE else ():
        for block in blocks_of(message):
            if block.get("type") == "tool_result" and block.get("tool_use_id") == row.entry.id:
                return DetailText(block_text(block), "sent in place of a result", {0: "replaced"})
    raise UsageError("The call has no result.")


def recorded_text(session: Session, row: Tracked, request: int, thread: str) -> str | None:
    """What a request recorded of a result where that is not what is predicted; None elsewhere.

    Args:
        session: The session.
        row: The result.
        request: From 1.
        thread: Its conversation.
    """
    timeline = session.timelines[thread]
    differing = timeline.differing.get(row.entry.id)
    if differing is None or request not in differing.requests:
        return None
    found = session.recorded.request(thread, timeline.requests[request - 1].request_ref)
    for message in found.messages if found is not None else ():
        for block in blocks_of(message.message or {}):
            if block.get("type") == "tool_result" and block.get("tool_use_id") == row.entry.id:
                return block_text(block)
    return None


def _tints(row: Tracked, request: int, text: str) -> dict[int, str]:
    """Lines that the pipeline wrote stand out."""
    span = span_of(row, request)
    is_preview = text.startswith(TAG)
    if not is_preview and (span is None or span.level in (Level.FULL, Level.EXEMPT)):
        return {}
    marks = ("<persisted-output>", "Output too large", "Preview (first", "[...", "... [", "[Old tool result",
             "</persisted-output>")  # fmt: skip
    token = "replaced" if is_preview or (span and span.level is Level.PREVIEW) else "truncated"
    lines = text.split("\n")
    return {at: token for at, line in enumerate(lines) if line.startswith(marks)}


def _diff(full: str, wire: str) -> DetailText:
    if full == wire:
        return DetailText(
            "The model saw the transcript's text, unchanged.", "transcript → wire · no difference"
        )
    shown = unified_text(full, wire)
    return DetailText(shown.text, f"transcript → wire · {shown.summary}", shown.tints, shown.own_lines)


def _overflow(session: Session, row: Tracked, thread: str) -> DetailText:
    overflow = session.overflow_of(row, thread)
    if overflow is None:
        raise UsageError("No overflow file: neither its text nor a stored replacement names one.")
    if overflow.file is None:
        raise UsageError(f"The overflow file is not there: {overflow.path}")
    data = session.files.scratch.read_bytes(overflow.file.path, SHOWN_BYTES)
    more = overflow.file.size_bytes > len(data)
    cut = f", the first {number(len(data))} shown" if more else ""
    summary = f"{overflow.status.value} · {number(overflow.file.size_bytes)} bytes{cut}"
    return DetailText(data.decode("utf-8", "replace"), summary)


def _record(session: Session, row: Tracked, thread: str) -> DetailText:
    record = row.entry.result_record or row.entry.call_record
    if record is None:
        raise UsageError("There is no record of it.")
    data = session.raw_record(record, thread)
    place = f"line {record.line} · bytes {number(record.start)}–{number(record.end)}"
    if len(data) > SHOWN_BYTES:
        return DetailText(data[:SHOWN_BYTES].decode("utf-8", "replace"), f"{place}, cut")
    try:
        text = json.dumps(json.loads(data), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = data.decode("utf-8", "replace")
    return DetailText(text, place)
