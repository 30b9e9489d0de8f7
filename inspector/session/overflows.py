"""The overflow files of a session's rows, each checked once for as long as row and file stay the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from inspector.model.transcript import Block
from inspector.reading.detect import CHATCLI_KINDS
from inspector.reading.overflow_match import Status
from inspector.session.overflow import Overflow, overflow_of

if TYPE_CHECKING:
    from inspector.replay.tracked import Tracked
    from inspector.session.session import Session


class Checked(msgspec.Struct):
    """What a check of a row's overflow file gave, and of what."""

    overflow: Overflow | None
    named_by: tuple[Block | None, str | None]
    """The result and the stored replacement that may name the file."""
    files: int
    """State of the files at that time."""


class Overflows:
    """What is known of the overflow files of one session."""

    def __init__(self, session: Session) -> None:
        """Args:
        session: Whose rows and directories these are.
        """
        self._session = session
        self._is_chatcli = session.kind in CHATCLI_KINDS
        self._checked: dict[tuple[str, int], Checked] = {}

    def forget(self, thread: str) -> None:
        """Forget a conversation."""
        self._checked = {key: known for key, known in self._checked.items() if key[0] != thread}

    def of(self, row: Tracked, thread: str) -> Overflow | None:
        """The overflow file of a row. It is checked again when the row or the file is another one."""
        if not self._may_overflow(row):
            return None
        session = self._session
        session.files.listing()
        files = session.revision if self._is_chatcli else session.files.states
        key, named_by = (thread, row.entry.index), (row.entry.result, row.stored)
        known = self._checked.get(key)
        if known is None or known.named_by != named_by or not self._holds(known, files):
            known = Checked(overflow_of(session, row, thread), named_by, files)
        known.files = files
        self._checked[key] = known
        return known.overflow

    def _may_overflow(self, row: Tracked) -> bool:
        """Whether anything may lead from a row to an overflow file."""
        result = row.entry.result
        return (
            self._is_chatcli
            or row.stored is not None
            or (
                result is not None
                and (result.persisted is not None or row.entry.id in self._session.files.budget())
            )
        )

    def _holds(self, known: Checked, files: int) -> bool:
        """Whether the outcome of an earlier check still stands."""
        if known.files == files:
            return True
        found = known.overflow
        return (
            not self._is_chatcli
            and found is not None
            and found.status is Status.FOUND
            and found.file in self._session.files.listing().files
        )

    def in_thread(self, thread: str) -> Iterator[tuple[Tracked, Overflow]]:
        """Rows of a conversation whose text, or stored replacement, names an overflow file."""
        for row in self._overflowing(thread):
            if (found := self.of(row, thread)) is not None:
                yield row, found
                if self._is_chatcli:
                    from inspector.session.chatcli_files import older_copies

                    yield from ((row, other) for other in older_copies(self._session, row, found, thread))

    def _overflowing(self, thread: str) -> Sequence[Tracked]:
        """Rows that may have an overflow file, in order."""
        timeline = self._session.timelines[thread]
        if self._is_chatcli:
            return timeline.tracked
        named = (
            row for i in (*timeline.stored, *self._session.files.budget()) for row in timeline.rows_of(i)
        )
        rows = {row.entry.index: row for row in (*self._session.noticed(thread).persisted, *named)}
        return [rows[index] for index in sorted(rows)]
