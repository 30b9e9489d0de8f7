"""Files of lines as intakes: they are followed, and only their new lines are read.

A large one comes as frames first, from other processes or from the cache; what follows is read here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from inspector.errors import UnreadableError
from inspector.model.transcript import COMMENT, Record
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.detect import FileKind
from inspector.reading.follow import Batch, FileState, Follower
from inspector.reading.lines import RawLine
from inspector.reading.source import ByteSource
from inspector.reading.texts import block_text, message_content
from inspector.session.intake import Counts, Intaken
from inspector.session.large import frames_of
from inspector.session.objects import Objects

if TYPE_CHECKING:
    from inspector.reading.codex import CodexAdapter
    from inspector.reading.frames import Frame, Piece
    from inspector.reading.joined import Joined
    from inspector.reading.kept import Keeper
    from inspector.reading.message_lines import MessageLinesAdapter
    from inspector.reading.reader import Frames

_PATIENCE_S = 0.01
_STEP_BYTES = 2 << 20
"""Bytes whose lines are held at a time: memory grows with records, not with the file."""


class _Reading:
    """The adapter of a file of lines, and the records that it has made since the last poll."""

    def __init__(self, kind: FileKind, thread: str) -> None:
        self._kind, self._thread = kind, thread
        self.restart()
        self.restarted = False

    def restart(self) -> None:
        """Everything that was read is void."""
        self.restarted, self.tail_read = True, False
        self.counts = Counts()
        self.records: list[Record] = []
        self.adapter = _adapter(self._kind, self._thread)
        self.take: Callable[[int, int, bytes], None] = self._take
        self.joined: Joined | None = None
        """What other processes have read, until this one reads a line itself."""
        self._read_here()

    @property
    def source(self) -> ClaudeCodeAdapter | CodexAdapter | MessageLinesAdapter | Joined:
        """Who knows what was met so far."""
        return self.joined or self.adapter

    def given(self) -> tuple[list[Record], bool]:
        """The records, which are the caller's now, and whether all earlier ones are void."""
        records, restarted = self.records, self.restarted
        self.records, self.restarted = [], False
        if isinstance(self.adapter, ClaudeCodeAdapter):
            self.adapter.records = self.records
        return records, restarted

    def adopt(self, frame: Frame | Piece) -> int:
        """Take over what was read elsewhere.

        Returns:
            Number of the line that is next.

        Raises:
            ValueError, LookupError: It does not fit together; nothing was taken.
        """
        from inspector.reading.joined import Joined

        joined = self.joined or Joined()
        self.records.extend(joined.take(frame))
        self.joined, self.take = joined, self._take
        return joined.next_line

    def _read_here(self) -> None:
        """Let lines go to the adapter itself: where there are very many, a call between counts."""
        if isinstance(self.adapter, ClaudeCodeAdapter):
            if self.joined is not None:
                self.adapter.resume(self.joined)
                self.adapter.records = self.records
            self.records, self.take = self.adapter.records, self.adapter.take
        self.joined = None

    def _take(self, number: int, start: int, data: bytes) -> None:
        """Take the first line behind what was adopted; or, of other kinds, any line."""
        self.take_odd(RawLine(number, start, start + len(data) - 1, data[:-1]))

    def take_odd(self, line: RawLine) -> None:
        """Read a line of any form."""
        if self.joined is not None:
            self._read_here()
        self.records.extend(self.adapter.feed(line))


class LineIntake:
    """A file of lines that is appended to: Claude Code, Codex, one message a line."""

    def __init__(
        self,
        path: Path,
        kind: FileKind,
        thread: str = "",
        *,
        live: bool = False,
        index_directory: Path | None = None,
        frames: Frames | None = None,
    ) -> None:
        """Args:
        path: The file; it need not exist yet.
        kind: What stands in it.
        thread: Conversation of the records that name none.
        live: It is being written, so a half last line waits for its end.
        index_directory: Where the reading of a large file is kept for the next time; None: nowhere.
        frames: Give what others have read of it; None: whoever pays for it, by its size.
        """
        self._index_directory = index_directory
        self._path = path
        self._kind = kind
        self._thread = thread
        self._live = live
        self._tail_is_half = False
        """Whether the last line of a finished file, which has no line feed, turned out to be half of one."""
        self._follower = Follower(path)
        self._frames = frames
        self._keeper: Keeper | None = None
        self._begun = frames is not None
        self._reading = _Reading(kind, thread)
        self.counts = Counts()

    def poll(self, max_bytes: int | None = None) -> Intaken:
        """Read new whole lines; in a finished file also a last one without line feed."""
        reading = self._reading
        room = sys.maxsize if max_bytes is None else max_bytes
        while True:
            try:
                batch, taken = self._step(min(room, _STEP_BYTES), patient=max_bytes is None)
            except UnreadableError:
                if not reading.records and not reading.restarted:
                    raise
                break  # what was read is given first; the next poll meets the fault again
            room -= taken
            if room <= 0 or batch.at_end or batch.state is FileState.DELETED:
                break
        partial = batch.partial > 0
        if partial and batch.at_end and not self._live:
            if not reading.tail_read:
                self._tail_is_half = self._read_tail()
            partial = self._tail_is_half
        self._count()
        state = batch.state
        records, reset = reading.given()
        if reset and state is FileState.OK:
            state = FileState.TRUNCATED
        return Intaken(records, reset, state, batch.position, batch.size, partial, not batch.at_end)

    def wake(self) -> bool:
        """Let half last lines wait from now on; whether one was read already, as if it were whole."""
        self._live = True
        return self._reading.tail_read

    def _step(self, max_bytes: int, *, patient: bool) -> tuple[Batch, int]:
        """Take over the next frame, or read so many bytes; how many of them count for this poll.

        Whoever reads in steps does not wait for a frame: it may hold what a screen waits for.
        """
        if not self._begun:
            self._begun = True
            self._begin_large()
        while self._frames is not None:
            before = self._follower.cutter.position
            batch = self._follower.poll_into(self._reading, 0)
            if not (patient or batch.restarted or self._frames.is_ready(_PATIENCE_S)):
                return batch, max_bytes
            frame = None if batch.restarted else self._frames.next()
            try:
                if frame is None or not self._is_of_this_file(frame):
                    self._end_apart()
                    continue
                line = self._reading.adopt(frame)
            except (ValueError, LookupError):
                self._end_apart()
                continue
            self._follower.cutter.resume(frame.position, line, frame.anchor)
            batch = msgspec.structs.replace(batch, position=frame.position, partial=0)
            if batch.at_end:
                self._frames.finish(frame.position)
                self._end_apart()
            return batch, frame.position - before
        told = len(self._reading.records)
        batch = self._follower.poll_into(self._reading, max_bytes)
        if self._keeper is not None:
            self._keep(self._keeper, batch, told)
        return batch, max_bytes

    def _is_of_this_file(self, frame: Frame | Piece) -> bool:
        """Whether a frame is of the file that is open here: another one may have come to bear its name."""
        return self._follower.source is not None and frame.file == self._follower.source.identity

    def _begin_large(self) -> None:
        """Use what was kept of a large file, or let other processes read it, or keep it from now on."""
        self._follower.look()
        source = self._follower.source
        if source is not None and self._kind is FileKind.CLAUDE_CODE:
            self._frames, self._keeper = frames_of(source, self._path, self._thread, self._index_directory)
            if self._keeper is not None and isinstance(self._reading.adapter, ClaudeCodeAdapter):
                self._reading.adapter.begin_reports()

    def _keep(self, keeper: Keeper, batch: Batch, told: int) -> None:
        """Keep what this process has read just now: its records are those from `told` on."""
        reading, cutter, adapter = self._reading, self._follower.cutter, self._reading.adapter
        if isinstance(adapter, ClaudeCodeAdapter):
            new = reading.records[told:]
            if not batch.restarted and keeper.keep(cutter.position, cutter.line, adapter.report(), new):
                if not batch.at_end:
                    return
                keeper.finish(batch.position)
            adapter.end_reports()
        keeper.abandon()
        self._keeper = None

    def _end_apart(self) -> None:
        """Go on in this process, behind what was taken so far."""
        if self._frames is not None:
            self._frames.close()
            self._frames = None

    def _read_tail(self) -> bool:
        """Read the last line of a finished file; True where it turns out to be half a line."""
        line, reading = self._follower.partial_line(), self._reading
        reading.tail_read = True
        if line is None:
            return False
        bad = len(reading.source.bad_lines)
        reading.take_odd(line)
        return any(line.kind != COMMENT for line in reading.source.bad_lines[bad:])

    def _count(self) -> None:
        adapter, counts = self._reading.source, self._reading.counts
        self.counts = counts
        counts.bad_lines = adapter.bad_lines
        counts.lines, counts.parsed = adapter.lines, adapter.parsed
        counts.session_ids, counts.versions = list(adapter.session_ids), list(adapter.versions)
        counts.unknown_types = adapter.unknown_types
        if self._kind is FileKind.CODEX_ROLLOUT:
            from inspector.reading.codex import CodexAdapter

            counts.window_tokens = adapter.window_tokens if isinstance(adapter, CodexAdapter) else None
        if isinstance(adapter, ClaudeCodeAdapter) or adapter is self._reading.joined:
            counts.unique_uuids, counts.duplicate_records = adapter.unique_uuids, adapter.duplicate_records

    def park(self) -> None:
        """Hold no descriptor between two reads."""
        if self._follower.source is not None and self._frames is None and self._keeper is None:
            self._follower.source.park()

    def texts(self, record: Record) -> list[str]:
        """The texts of a record's blocks: one positioned read."""
        if self._kind is FileKind.CODEX_ROLLOUT:
            from inspector.reading.codex import codex_texts

            return codex_texts(self.raw(record))
        if self._kind is FileKind.MESSAGES_JSONL:
            from inspector.reading.messages import message_texts

            return message_texts(self.raw(record))
        content = message_content(self.source, record)
        return [content] if isinstance(content, str) else [block_text(block) for block in content]

    def raw(self, record: Record) -> bytes:
        """The record's own bytes."""
        return self.read(record.start, record.end)

    def read(self, start: int, end: int) -> bytes:
        """Bytes of the file, unpacked; fewer where it ends before."""
        return self.source.read(start, end)

    def new_objects(self) -> Objects:
        """A reader of every line as decoded JSON, from the start of the file."""
        return Objects(self._path)

    @property
    def source(self) -> ByteSource:
        """The open file.

        Raises:
            UnreadableError: There is none any more.
        """
        if self._follower.source is None:
            raise UnreadableError(f"{self._path}: the file is gone")
        return self._follower.source

    def close(self) -> None:
        self._end_apart()
        if self._keeper is not None:
            self._keeper.abandon()
        self._follower.close()


def _adapter(kind: FileKind, thread: str) -> ClaudeCodeAdapter | CodexAdapter | MessageLinesAdapter:
    if kind is FileKind.CODEX_ROLLOUT:
        from inspector.reading.codex import CodexAdapter

        return CodexAdapter()
    if kind is FileKind.MESSAGES_JSONL:
        from inspector.reading.message_lines import MessageLinesAdapter

        return MessageLinesAdapter()
    return ClaudeCodeAdapter(thread)
