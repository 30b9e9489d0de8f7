"""Where a record of a session stands on disk, as people and editors name it."""

from __future__ import annotations

from inspector.app.sources.files import FilePlace
from inspector.figures import number
from inspector.model.transcript import Record
from inspector.session import Session


def record_place(session: Session, thread: str, record: Record) -> FilePlace:
    """The place of a record.

    Args:
        session: The session.
        thread: Its conversation.
        record: One of its records.
    """
    path = str(session.file_of(thread))
    extent = f"bytes {number(record.start)}–{number(record.end)}"
    if session.has_lines:
        return FilePlace(path, record.line, f"line {record.line}, {extent}")
    return FilePlace(path, None, f"message {record.line}, {extent}")
