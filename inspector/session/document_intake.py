"""Documents as intakes: files that their owners write anew as a whole, so all of one is read again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inspector.errors import UnreadableError
from inspector.model.transcript import Record
from inspector.reading.detect import CHATCLI_KINDS, FileKind
from inspector.reading.files import read_whole
from inspector.reading.follow import FileState
from inspector.session.intake import Counts, Intaken
from inspector.session.objects import Objects


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
        self.waiting_ids: set[str] = set()
        """Calls that wait for their results (a parked run); changed in place when it is read."""
        self.system = b""
        """What a request body has as its `system`, as it stands there."""

    def poll(self, max_bytes: int | None = None) -> Intaken:  # noqa: ARG002 - a document has no halves
        """Read the file again if it is not the one that was read last."""
        try:
            stat = self._path.stat()
        except FileNotFoundError:
            if self._seen is None:
                raise UnreadableError(f"{self._path}: there is no such file") from None
            return Intaken((), False, FileState.DELETED, len(self._data), len(self._data), False)
        except OSError as error:
            raise UnreadableError(f"{self._path}: cannot be read: {error.strerror}") from error
        seen = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
        if seen == self._seen:
            return Intaken((), False, FileState.OK, stat.st_size, stat.st_size, False)
        reset = self._seen is not None
        before, counts = self._data, self.counts
        self._data = read_whole(self._path)
        try:
            records = self._read()
        except UnreadableError:  # caught in the middle of a rewrite: what was read before still holds
            self._data, self.counts = before, counts
            raise
        self._seen = seen
        return Intaken(records, reset, FileState.OK, stat.st_size, stat.st_size, False)

    def _read(self) -> Sequence[Record]:
        self.counts = counts = Counts()
        if self._kind in CHATCLI_KINDS:
            from inspector.reading.chatcli import read_chatcli, read_park

            parked = self._kind is FileKind.CHATCLI_PARK
            session = read_park(self._data) if parked else read_chatcli(self._data, history=self._history)
            self.waiting_ids.clear()
            self.waiting_ids.update({session.waiting_id} - {""})
            self.title, self.threads = session.title, session.threads
            counts.bad_lines = list(session.bad_lines)
            counts.lines = counts.parsed = len(session.records)
            return session.records
        from inspector.reading.messages import read_messages

        messages = read_messages(self._data)
        counts.bad_lines = list(messages.bad_lines)
        counts.lines, counts.parsed = messages.messages, len(messages.records)
        self.system = self.read(*messages.system) if messages.system is not None else b""
        return messages.records

    def texts(self, record: Record) -> list[str]:
        """The texts of a message's blocks."""
        if self._kind in CHATCLI_KINDS:
            from inspector.reading.chatcli import chatcli_texts

            return chatcli_texts(self.raw(record))
        from inspector.reading.messages import message_texts

        return message_texts(self.raw(record))

    def raw(self, record: Record) -> bytes:
        """The message's own bytes."""
        return self.read(record.start, record.end)

    def read(self, start: int, end: int) -> bytes:
        """Bytes of the file as it was read, unpacked."""
        return self._data[start:end]

    def new_objects(self) -> Objects:
        """Nothing: a document records no requests."""
        return Objects(None)

    def wake(self) -> bool:
        """A document is read anew whenever it changes."""
        return False

    def close(self) -> None:
        self._data = b""
