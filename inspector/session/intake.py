"""Files of every kind as one thing: something that can be polled for records and asked for texts.

Line files are followed and only their new lines are read (`line_intake`); documents are rewritten as
a whole by their owners, so a changed one is read anew (`document_intake`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import msgspec

from inspector.model.transcript import BadLine, Record
from inspector.reading.follow import FileState
from inspector.session.objects import Objects


class Counts(msgspec.Struct):
    """What was met while reading a file."""

    lines: int = 0
    parsed: int = 0
    unique_uuids: int = 0
    duplicate_records: int = 0
    session_ids: list[str] = msgspec.field(default_factory=list)
    versions: list[str] = msgspec.field(default_factory=list)
    bad_lines: list[BadLine] = msgspec.field(default_factory=list)
    unknown_types: Counter[str] = msgspec.field(default_factory=Counter)
    window_tokens: int | None = None
    """The model's context window, where the file states it (Codex)."""


class Intaken(msgspec.Struct):
    """One poll's outcome."""

    records: Sequence[Record]
    reset: bool
    """Everything read before is void: the file was replaced, cut or written anew."""
    state: FileState
    position: int
    """Bytes read so far."""
    size: int
    """Bytes in the file."""
    partial: bool
    """A half last line waits."""
    more: bool = False
    """Whether bytes are left that this poll did not read."""


class Intake(Protocol):
    """A file of one kind."""

    @property
    def counts(self) -> Counts: ...

    def poll(self, max_bytes: int | None = None) -> Intaken:
        """Read what is new.

        Args:
            max_bytes: Stop after about so many; None: read to the end.
        """

    def texts(self, record: Record) -> list[str]:
        """The texts of a record's blocks, read again by position."""

    def raw(self, record: Record) -> bytes:
        """The record's own bytes."""

    def read(self, start: int, end: int) -> bytes:
        """Bytes of the file; fewer where it ends before."""

    def new_objects(self) -> Objects:
        """A reader of every line as decoded JSON, from the start of the file."""

    def wake(self) -> bool:
        """The file is being written after all; whether what was read of it has to be read again."""

    def close(self) -> None: ...


class NoIntake:
    """A scratch directory without its session: there are no records, only files."""

    def __init__(self) -> None:
        self.counts = Counts()

    def poll(self, max_bytes: int | None = None) -> Intaken:  # noqa: ARG002 - the protocol's argument
        """Nothing to read."""
        return Intaken((), False, FileState.OK, 0, 0, False)

    def texts(self, record: Record) -> list[str]:  # noqa: ARG002 - the protocol's argument
        """No record has texts here."""
        return []

    def raw(self, record: Record) -> bytes:  # noqa: ARG002 - the protocol's argument
        """No record has bytes here."""
        return b""

    def read(self, start: int, end: int) -> bytes:  # noqa: ARG002 - the protocol's arguments
        """There is no file."""
        return b""

    def new_objects(self) -> Objects:
        """None."""
        return Objects(None)

    def wake(self) -> bool:
        """Nothing was read."""
        return False

    def close(self) -> None:
        """Nothing is open."""
