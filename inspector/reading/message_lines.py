"""JSON Lines with one message, or one request body, per line → records.

Request bodies repeat the whole conversation. Of each only what the one before did not have becomes
records, so that a log of requests reads like the conversation it is.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from inspector.model.transcript import BadLine, Record
from inspector.reading import json_spans
from inspector.reading.lenient import decode_json
from inspector.reading.lines import RawLine, unread_reason
from inspector.reading.messages import MessageReader


class Rewritten(msgspec.Struct, frozen=True):
    """A request that changed what an earlier one had sent."""

    line: int
    """Physical line of the request."""
    message: int
    """Ordinal of the first message that differs, from 1."""
    thread: str


class MessageLinesAdapter:
    """Reads the lines of one file, in order.

    A body whose first message is another one belongs to another conversation (a title request, a
    sub-agent), which becomes a thread of its own.
    """

    def __init__(self) -> None:
        self.lines = 0
        """Lines fed: neither blank nor comments."""
        self.parsed = 0
        """Lines read as a message or a request."""
        self.rewritten: list[Rewritten] = []
        self.session_ids: list[str] = []
        """Always empty: messages name no session."""
        self.versions: list[str] = []
        """Always empty."""
        self.unknown_types: Counter[str] = Counter()
        """Always empty: a line is a message, a request, or bad."""
        self.bad_lines: list[BadLine] = []
        self._index = 0
        self._plain = MessageReader(bad_lines=self.bad_lines)
        self._conversations: list[_Conversation] = []

    def feed(self, line: RawLine) -> Sequence[Record]:
        """The records of one line.

        Args:
            line: The next line of the file.
        """
        self.lines += 1
        if line.oversized:
            kind, reason = unread_reason(line)
            self._note(line, reason, kind, lost=True)
            return ()
        decoded = decode_json(line.data)
        if not decoded.whole:
            self._note(line, decoded.reason, decoded.kind, lost=True)
            return ()
        if decoded.kind:
            self._note(line, decoded.reason, decoded.kind, lost=False)
        value = decoded.value
        if isinstance(value, dict) and isinstance(value.get("messages"), list):
            self.parsed += 1
            return self._request(line, value["messages"])
        salvaged = decoded.kind not in {"", "invalid_utf8"}
        record = self._plain.record(value, line.number, line.start, line.end, salvaged=salvaged)
        self.parsed += record is not None
        return self._numbered([record])

    def _note(self, line: RawLine, reason: str, kind: str, *, lost: bool) -> None:
        self.bad_lines.append(BadLine(line.number, line.start, line.end, reason, int(not lost), kind, lost))

    def _request(self, line: RawLine, messages: list[Any]) -> Sequence[Record]:
        prints = [fingerprint(message) for message in messages]
        talk = self._conversation(line.number, prints)
        known, talk.prints = talk.prints, prints
        common = min(len(known), len(prints))
        changed = next((at for at in range(common) if known[at] != prints[at]), None)
        if changed is not None:
            self.rewritten.append(Rewritten(line.number, changed + 1, talk.thread))
        spans = _message_spans(line.data)
        records: list[Record | None] = []
        for at in range(len(known), min(len(messages), len(spans))):
            span = spans[at]
            record = talk.reader.record(
                messages[at], line.number, line.start + span.start, line.start + span.end
            )
            if record is not None and record.message_id == f"#{line.number}":
                # Two answers on one line are two messages.
                record = msgspec.structs.replace(record, message_id=f"#{line.number}.{at + 1}")
            records.append(record)
        return self._numbered(records)

    def _conversation(self, line: int, prints: list[bytes]) -> _Conversation:
        for talk in self._conversations:
            if talk.prints[:1] == prints[:1]:
                return talk
        thread = f"line {line}" if self._conversations else ""
        talk = _Conversation(thread, MessageReader(thread, bad_lines=self.bad_lines))
        self._conversations.append(talk)
        return talk

    def _numbered(self, records: Sequence[Record | None]) -> list[Record]:
        out: list[Record] = []
        for record in records:
            if record is not None:
                out.append(msgspec.structs.replace(record, index=self._index))
                self._index += 1
        return out


class _Conversation:
    """What is known of one conversation: a digest of each message that its last request sent."""

    def __init__(self, thread: str, reader: MessageReader) -> None:
        self.thread = thread
        self.reader = reader
        self.prints: list[bytes] = []


def fingerprint(message: object) -> bytes:
    """A short digest of a message that ignores the order of keys and `cache_control`.

    These marks are moved from request to request and are no part of the cached text.

    Args:
        message: As decoded.
    """
    try:
        text = json.dumps(without_cache_marks(message), sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return b"nested too deeply"
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def without_cache_marks(value: Any) -> Any:
    """A message, or any part of one, without `cache_control`.

    Args:
        value: As decoded; not nested deeper than the reading allows.
    """
    if isinstance(value, dict):
        return {key: without_cache_marks(entry) for key, entry in value.items() if key != "cache_control"}
    if isinstance(value, list):
        return [without_cache_marks(entry) for entry in value]
    return value


def _message_spans(data: bytes) -> list[json_spans.Value]:
    """Where the messages of a request body stand in its line."""
    at = json_spans.skip_space(data, 0)
    spans: list[json_spans.Value] = []
    for member in json_spans.members(data, at):
        if member.key == b"messages":
            spans = list(json_spans.items(data, member.start))  # of a repeated key the last one counts
    return spans
