"""Files that ChatCLI wrote for a session beside it: overflow files by id, originals by key, its log.

None of them names the session. Overflow files are matched by the ids in their names, log lines by ids
or by counters that one predicted request alone would give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from inspector.errors import UnreadableError, UsageError
from inspector.reading.chatcli_log import LogEvent, LogKind, read_log
from inspector.reading.chatcli_places import log_tail
from inspector.reading.chatcli_scratch import ScratchName, match_names, read_original
from inspector.reading.overflow_match import Status
from inspector.replay.chatcli_saved import is_aged_text
from inspector.replay.chatcli_timeline import ChatcliTimeline
from inspector.session.overflow import WRITTEN, Overflow

if TYPE_CHECKING:
    from inspector.reading.scratch import OverflowFile
    from inspector.replay.tracked import Tracked
    from inspector.session.session import Session

_KEY = re.compile(r"(?:<<ccr:)?([0-9a-f]{16})(?:>>)?")
_COMPARED_BYTES = 4 << 20
"""Files up to this size are compared with the session's text byte by byte."""


def files_by_id(session: Session) -> dict[str, list[tuple[ScratchName, OverflowFile]]]:
    """Overflow files of each tool call id, the one written last first."""
    ids = [row.entry.id for row in session.all_rows()]
    files: dict[str, list[OverflowFile]] = {}
    for file in session.files.listing().files:
        files.setdefault(file.name, []).append(file)
    out: dict[str, list[tuple[ScratchName, OverflowFile]]] = {}
    for name in reversed(match_names(files, ids)):
        for call_id in name.ids:
            out.setdefault(call_id, []).extend((name, file) for file in files[name.name])
    return out


def written_for(session: Session, row: Tracked, thread: str = "") -> Iterator[Overflow]:
    """The overflow files of a row, newest first; of an id that is used again only those that fit."""
    found = session.files.written().get(row.entry.id, ())
    if row.entry.result is None or not found:
        return
    content = session.result_text(row, thread).encode("utf-8", "surrogatepass")
    reused = len(session.timelines[thread].rows_of(row.entry.id)) > 1
    for name, file in found:
        status, reason = _compare(session, file, content)
        if reused and status is not Status.FOUND:
            continue
        yield Overflow(
            str(file.path),
            WRITTEN,
            status,
            file=file,
            actual_bytes=file.size_bytes,
            reason=reason or f"number {name.number} of its process",
        )


def older_copies(session: Session, row: Tracked, newest: Overflow, thread: str) -> Iterator[Overflow]:
    """The other files that ChatCLI wrote for a row: one for each request that replaced it."""
    if newest.source == WRITTEN:
        yield from (copy for copy in written_for(session, row, thread) if copy.path != newest.path)


def _compare(session: Session, file: OverflowFile, content: bytes) -> tuple[Status, str]:
    if is_aged_text(content):
        return Status.FOUND, "the session holds it shortened; this is the text before"
    if file.size_bytes != len(content):
        return (
            Status.SIZE_MISMATCH,
            f"the file holds {file.size_bytes:,} bytes, the result in the session {len(content):,}",
        )
    if file.size_bytes <= _COMPARED_BYTES:
        try:
            data = session.files.scratch.read_bytes(file.path, _COMPARED_BYTES)
        except UnreadableError as error:
            return Status.MISSING, str(error)
        if data.decode("utf-8", "replace").encode() != content:
            return Status.PREVIEW_MISMATCH, "as long as the result, but another text"
    return Status.FOUND, ""


def archive_key(wanted: str) -> str:
    """The key in `<<ccr:KEY>>` or `KEY`; empty for any other text."""
    found = _KEY.fullmatch(wanted.strip())
    return found[1] if found else ""


def read_archived(session: Session, key: str) -> bytes:
    """An original out of ChatCLI's archive.

    Raises:
        UsageError: It is not known where the archive is.
        UnreadableError: It is not there, or not what its key says.
    """
    if session.chatcli is None:
        raise UsageError("it is not known where ChatCLI's archive is")
    return read_original(session.chatcli.archive, key)


# -- the log -------------------------------------------------------------------------------------


def recorded_events(session: Session) -> list[dict[str, Any]]:
    """What ChatCLI's log says about this session, each with the predicted request that it fits.

    Lines that name an id of the session are its own; counters are, where they are those of one
    predicted request; everything else may be of another session and is left out.
    """
    timeline = session.timeline
    if session.chatcli is None or not isinstance(timeline, ChatcliTimeline):
        return []
    ids = {row.entry.id for row in timeline.tracked if row.entry.id}
    roots = {str(root.parent) for root in session.files.scratch.roots}
    out = []
    for event in read_log(*log_tail(session.chatcli.log)).events:
        call_id = event.fields.get("tool_call_id")
        request, word = None, ""
        if call_id in ids:
            request, word = _request_of_repair(timeline, event)
        elif event.kind is LogKind.WORKSPACE and event.fields.get("root") in roots:
            word = "same"
        elif (fit := _request_of_counters(timeline, event)) is not None:
            request, word = fit
        else:
            continue
        if request is not None:
            reference = timeline.requests[request - 1].message_id
            known = timeline.recorded_words.get(reference)
            timeline.recorded_words[reference] = "differs" if "differs" in (known, word) else word
        out.append(_event_data(event, request, word))
    return out


def _event_data(event: LogEvent, request: int | None, word: str) -> dict[str, Any]:
    return {
        "kind": event.kind.value,
        "line": event.line,
        "time": event.time,
        "level": event.level,
        "fields": event.fields,
        "request": request,
        "recorded": word,
    }


_REPAIR_KINDS = {
    LogKind.SYNTHETIC: "synthetic",
    LogKind.ORPHAN_REMOVED: "orphan",
    LogKind.RELOCATED: "moved",
}


def _request_of_repair(timeline: ChatcliTimeline, event: LogEvent) -> tuple[int | None, str]:
    """The request in which the same repair is predicted, and how the log stands to the prediction.

    A repair changes the stored history, so a file that was saved later holds its outcome and nothing
    is left to predict (`saved`).
    """
    kind, call_id = _REPAIR_KINDS.get(event.kind, ""), event.fields["tool_call_id"]
    for request in timeline.requests:
        if any(what.value == kind and i == call_id for what, i in request.repairs):
            return request.n, "same"
    closed = {i for _, i, _ in timeline.saved.closed}
    is_saved = event.kind is LogKind.RELOCATED or call_id in closed
    return None, "saved" if is_saved else "differs"


def _request_of_counters(timeline: ChatcliTimeline, event: LogEvent) -> tuple[int, str] | None:
    """The one request whose predicted counters are these."""
    fields = event.fields
    if event.kind is LogKind.BUDGET:
        wanted = tuple(fields.get(n) for n in ("results_truncated", "bytes_saved_to_disk", "original_chars"))
        fits = [
            (n, counters)
            for n, counters in enumerate(timeline.counters, 1)
            if (counters.cut, counters.saved_bytes, counters.original_bytes) == wanted and counters.cut
        ]
        if len(fits) == 1:
            n, counters = fits[0]
            return n, "same" if counters.final_bytes == fields.get("final_chars") else "differs"
    elif event.kind is LogKind.MICROCOMPACT:
        wanted = tuple(fields.get(n) for n in ("truncated", "summarized", "chars_saved"))
        aged = [n for n, counters in enumerate(timeline.counters, 1) if counters.aged == wanted]
        if len(aged) == 1 and any(wanted):
            return aged[0], "same"
    return None
