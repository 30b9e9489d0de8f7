"""Files of every kind as one thing: something that can be polled for records and asked for texts.

Line files are followed and only their new lines are read; documents are rewritten as a whole by
their owners, so a changed one is read anew and everything made from it is dropped.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from inspector.errors import UnreadableError
from inspector.model.transcript import BadLine, Record
from inspector.reading.chatcli import chatcli_texts, read_chatcli
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.codex import CodexAdapter, codex_texts
from inspector.reading.detect import FileKind
from inspector.reading.files import read_whole
from inspector.reading.follow import Batch, Follower, State
from inspector.reading.lines import RawLine
from inspector.reading.messages import message_texts, read_messages
from inspector.reading.message_lines import MessageLines


@dataclass(slots=True)
class Counts:
    """What was met while reading a file."""

    lines: int = 0
    parsed: int = 0
    unique_uuids: int = 0
    duplicate_records: int = 0
    session_ids: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)
    bad_lines: list[BadLine] = field(default_factory=list)
    unknown_types: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Intaken:
    """One poll's outcome."""

    records: Sequence[Record]
    reset: bool
    """Everything read before is void: the file was replaced, cut or written anew."""
    state: State
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

    def close(self) -> None: ...


class LineIntake:
    """A file of lines that is appended to: Claude Code, Codex, one message a line."""

    def __init__(self, path: Path, kind: FileKind, thread: str = "") -> None:
        """Args:
        path: The file; it need not exist yet.
        kind: What stands in it.
        thread: Conversation of the records that name none.
        """
        self._path = path
        self._kind = kind
        self._thread = thread
        self._follower = Follower(path)
        self._begin()

    def _begin(self) -> None:
        self.counts = Counts()
        self._adapter = _adapter(self._kind, self._thread)

    def poll(self, max_bytes: int | None = None) -> Intaken:
        """Read new whole lines."""
        batch: Batch = self._follower.poll(max_bytes)
        if batch.reset:
            self._begin()
        records: list[Record] = []
        feed = self._adapter.feed
        for line in batch.lines:
            records.extend(feed(line))
        _copy_counts(self._adapter, self.counts)
        return Intaken(
            records, batch.reset, batch.state, batch.position, batch.size, batch.partial, batch.more
        )

    def texts(self, record: Record) -> list[str]:
        """The texts of a record's blocks: one positioned read."""
        if self._kind is FileKind.CODEX_ROLLOUT:
            return codex_texts(self.raw(record))
        if self._kind is FileKind.MESSAGES_JSONL:
            return message_texts(self.raw(record))
        return block_texts(self.raw(record))

    def raw(self, record: Record) -> bytes:
        """The record's own bytes."""
        return self._follower.source.read(record.start, record.end)

    def close(self) -> None:
        self._follower.close()


class _Adapter(Protocol):
    def feed(self, line: RawLine) -> Sequence[Record]: ...


def _adapter(kind: FileKind, thread: str) -> _Adapter:
    if kind is FileKind.CODEX_ROLLOUT:
        return CodexAdapter()
    if kind is FileKind.MESSAGES_JSONL:
        return MessageLines()
    return ClaudeCodeAdapter(thread)


_Document = Callable[[bytes], tuple[Sequence[Record], Sequence[BadLine], int]]


class DocumentIntake:
    """A file that is one JSON document: message lists, ChatCLI sessions. Read anew when it changes."""

    def __init__(self, path: Path, kind: FileKind, history: str | None = None) -> None:
        """Args:
        path: The file.
        kind: What stands in it.
        history: ChatCLI: the one list to show; None: all, each a conversation.
        """
        self._path = path
        self._kind = kind
        self._history = history
        self._seen: tuple[int, int, int] | None = None
        self._data = b""
        self.counts = Counts()
        self.title = ""
        self.threads: tuple[tuple[str, str], ...] = ()

    def poll(self, max_bytes: int | None = None) -> Intaken:  # noqa: ARG002 - a document has no halves
        """Read the file again if it is not the one that was read last."""
        try:
            stat = os.stat(self._path)
        except FileNotFoundError:
            if self._seen is None:
                raise UnreadableError(f"{self._path}: there is no such file") from None
            return Intaken((), False, State.DELETED, len(self._data), len(self._data), False)
        seen = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
        if seen == self._seen:
            return Intaken((), False, State.OK, stat.st_size, stat.st_size, False)
        reset = self._seen is not None
        self._data, self._seen = read_whole(self._path), seen
        records = self._read()
        return Intaken(records, reset, State.OK, stat.st_size, stat.st_size, False)

    def _read(self) -> Sequence[Record]:
        self.counts = counts = Counts()
        if self._kind is FileKind.CHATCLI_SESSION:
            session = read_chatcli(self._data, history=self._history)
            self.title, self.threads = session.title, session.threads
            counts.bad_lines = list(session.bad_lines)
            counts.lines = counts.parsed = len(session.records)
            return session.records
        messages = read_messages(self._data)
        counts.bad_lines = list(messages.bad_lines)
        counts.lines, counts.parsed = messages.messages, len(messages.records)
        return messages.records

    def texts(self, record: Record) -> list[str]:
        """The texts of a message's blocks."""
        read = chatcli_texts if self._kind is FileKind.CHATCLI_SESSION else message_texts
        return read(self.raw(record))

    def raw(self, record: Record) -> bytes:
        """The message's own bytes."""
        return self._data[record.start : record.end]

    def close(self) -> None:
        self._data = b""
