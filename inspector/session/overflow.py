"""Results and their overflow files: which file a text names, whether it is there, who reads it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from inspector.errors import UnreadableError
from inspector.reading.confine import last_names
from inspector.reading.detect import CHATCLI_KINDS
from inspector.reading.overflow_match import Status, match_stated, take_apart

if TYPE_CHECKING:
    from inspector.reading.scratch import OverflowFile, Scratch
    from inspector.replay.tracked import Tracked
    from inspector.session.session import Session


MAX_PREVIEW_BYTES = 40_000
"""Longer texts are no previews: a worker's hold 30,464 bytes at most (`chatcli.md` §5)."""
WRITTEN = "written"
"""`Overflow.source` of a file that was found by the id in its name; no text of the session names it."""


class Overflow(msgspec.Struct, frozen=True):
    """One result's overflow file, as stated and as found."""

    path: str
    """The stated path, as written; untrusted."""
    source: str
    """`persisted` (the transcript's text names it), `stored` (a replacement line does) or `written`
    (ChatCLI: its name holds the id)."""
    status: Status
    stated_label: str = ""
    file: OverflowFile | None = None
    actual_bytes: int | None = None
    reason: str = ""
    scratch: Scratch | None = None
    """Where its text can be counted; None: nobody counts it."""

    @property
    def actual_chars(self) -> int | None:
        """Characters in the file, counted when asked for; None where it is not there or unread."""
        if self.scratch is None or self.file is None:
            return None
        try:
            return self.scratch.text_size(self.file).chars
        except UnreadableError:  # gone since it was checked
            return None

    @property
    def names(self) -> list[str]:
        """What the file may be called: as found, and as stated under either system's rules for paths."""
        found = [self.file.path.name] if self.file else []
        return [*found, *last_names(self.path)]

    def as_data(self) -> dict[str, Any]:
        """The report's form."""
        extension = self.path.rpartition(".")[2] if "." in self.path else ""
        return {
            "path": self.path,
            "source": self.source,
            "status": self.status.value,
            "stated_label": self.stated_label or None,
            "actual_bytes": self.actual_bytes,
            "actual_chars": self.actual_chars,
            "extension": extension,
            "reason": self.reason or None,
        }


def _is_written(path: str) -> bool:
    """Whether ChatCLI names its files so."""
    from inspector.reading.chatcli_scratch import match_names  # for its own sessions only

    return bool(match_names(last_names(path)))


def _may_name_files(session: Session, row: Tracked) -> bool:
    """Whether a result's text may be a preview of ChatCLI's: those are at most some 5 KB long."""
    return session.kind in CHATCLI_KINDS and row.full <= MAX_PREVIEW_BYTES


def _written_for(session: Session, row: Tracked, thread: str) -> Overflow | None:
    """ChatCLI: the newest overflow file that bears a row's id."""
    if session.kind not in CHATCLI_KINDS:
        return None
    from inspector.session.chatcli_files import written_for

    return next(written_for(session, row, thread), None)


def overflow_of(session: Session, row: Tracked, thread: str = "") -> Overflow | None:
    """The overflow file that a result's text or a stored replacement names, or that bears its id."""
    text, source = _naming_text(session, row, thread)
    stated = take_apart(text, row.entry.id) if text else None
    if stated is not None and _may_name_files(session, row) and not _is_written(stated.path):
        stated = None  # a text that only speaks of such a file
    if stated is None:
        return _written_for(session, row, thread)
    persisted = row.entry.result.persisted if row.entry.result else None
    if persisted is not None and persisted.stated_bytes is not None and source == "persisted":
        stated = msgspec.structs.replace(stated, stated_bytes=persisted.stated_bytes)
    try:
        found = match_stated(session.files.scratch, stated)
    except UnreadableError as error:
        return Overflow(stated.path, source, Status.MISSING, stated.label, reason=str(error))
    return Overflow(
        stated.path,
        source,
        found.status,
        stated.label,
        found.file,
        found.file.size_bytes if found.file else None,
        found.reason,
        session.files.scratch,
    )


def _naming_text(session: Session, row: Tracked, thread: str) -> tuple[str, str]:
    block = row.entry.result
    if block is not None and (block.persisted is not None or _may_name_files(session, row)):
        return session.result_text(row, thread), "persisted"
    if row.stored:
        return row.stored, "stored"
    names = session.files.budget().get(row.entry.id)
    if names and block is not None:
        # A managed history: previews in the other form look like any text, so the file leads to them.
        text = session.result_text(row, thread)
        stated = take_apart(text, row.entry.id)
        if stated is not None and last_names(stated.path)[:1] and last_names(stated.path)[0] in names:
            return text, "persisted"
    return "", ""
