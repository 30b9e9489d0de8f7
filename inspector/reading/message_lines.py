"""JSON Lines with one message, or one request body, per line → records.

Request bodies repeat the whole conversation. Of each only what the one before did not have becomes
records, so that a log of requests reads like the conversation it is. One that goes on from another
history, as after a compaction, begins that history anew.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from inspector.model.transcript import COMMENT, BadLine, BlockKind, Boundary, Flag, Record, Role
from inspector.reading import json_spans
from inspector.reading.lenient import decode_json
from inspector.reading.lines import RawLine, unread_reason
from inspector.reading.messages import MessageReader, parts_of
from inspector.reading.parts import word

PREFIX_FIELDS = ("model", "tools", "system", "tool_choice", "thinking")
"""Fields of a request that stand in front of its messages: a change leaves no cached message usable."""

_Outline = tuple[str, tuple[tuple[BlockKind, str], ...]]


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
        """Lines fed: those that are not blank."""
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
        if line.is_unread:
            kind, reason = unread_reason(line)
            self._note(line, reason, kind, lost=kind != COMMENT)
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
            return self._request(
                line, value["messages"], {field: value.get(field) for field in PREFIX_FIELDS}
            )
        salvaged = decoded.kind not in {"", "invalid_utf8"}
        record = self._plain.record(value, line.number, line.start, line.end, salvaged=salvaged)
        self.parsed += record is not None
        return self._numbered([record])

    def _note(self, line: RawLine, reason: str, kind: str, *, lost: bool) -> None:
        self.bad_lines.append(
            BadLine(line.number, line.start, line.end, reason, int(not lost and kind != COMMENT), kind, lost)
        )

    def _request(self, line: RawLine, messages: list[Any], head: Mapping[str, Any]) -> Sequence[Record]:
        prints = [fingerprint(message) for message in messages]
        talk = self._conversation(line.number, prints)
        known = talk.prints
        changed = [at for at, (old, new) in enumerate(zip(known, prints, strict=False)) if old != new]
        if not changed and len(prints) <= len(known):
            return ()  # an earlier state sent again, by a retry or for a title: it changes nothing
        fresh: Sequence[int] = range(len(known), len(prints))
        records: list[Record | None] = []
        if changed:
            self.rewritten.append(Rewritten(line.number, changed[0] + 1, talk.thread))
            if not talk.goes_on(messages, changed):
                if talk.may_begin_anew(messages):
                    records.append(talk.begin_anew(line))
                    fresh = range(len(prints))
                else:
                    fresh = [at for at, digest in enumerate(prints) if digest not in talk.seen]
            if not records:
                self._tell_changed(line, talk, changed[0] + 1)
        talk.take(messages, prints, fresh)
        return self._read(line, talk, messages, fresh, records, talk.head(line, head))

    def _tell_changed(self, line: RawLine, talk: _Conversation, message: int) -> None:
        """Say once of a conversation that its requests change what they had sent."""
        if not talk.told:
            reason = f"the request changes message {message} of those before it; their first form is shown"
            self._note(line, reason, "unknown_record", lost=False)
        talk.told = True

    def _read(
        self,
        line: RawLine,
        talk: _Conversation,
        messages: list[Any],
        fresh: Sequence[int],
        records: list[Record | None],
        head: Record | None,
    ) -> Sequence[Record]:
        """The records of a request's new messages, behind those that are given.

        Its head stands behind the answer, which was given to the request before it.
        """
        spans = _message_spans(line.data)
        for at in fresh:
            if at >= len(spans):
                break
            span = spans[at]
            record = talk.reader.record(
                messages[at], line.number, line.start + span.start, line.start + span.end
            )
            if record is not None and record.message_id == f"#{line.number}":
                # Two answers on one line are two messages.
                record = msgspec.structs.replace(record, message_id=f"#{line.number}.{at + 1}")
            if head is not None and record is not None and record.role is not Role.ASSISTANT:
                records.append(head)
                head = None
            records.append(record)
        return self._numbered([*records, head])

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
        self.seen: set[bytes] = set()
        """Digests of all messages that became records."""
        self.told = False
        """Whether it was said that a request changed what an earlier one had sent."""
        self._outlines: list[_Outline] = []
        self._call_ids: set[str] = set()
        self._system = fingerprint(None)
        self._head: bytes | None = None
        """Digest of what the request before stated in front of its messages; None: it was no whole body."""

    def head(self, line: RawLine, fields: Mapping[str, Any]) -> Record | None:
        """The record of what a request states in front of its messages; None where it is as before.

        Args:
            line: The request.
            fields: Those of `PREFIX_FIELDS`; None for one that it does not have.
        """
        head = fingerprint(fields) if fields["model"] else None  # which every whole body has
        is_other = None not in (head, self._head) and head != self._head
        system = fingerprint(fields["system"])
        if not is_other and system == self._system:
            self._head = head
            return None
        self._head, self._system = head, system
        at = json_spans.skip_space(line.data, 0)
        spans = [m for m in json_spans.members(line.data, at) if m.key == b"system"]
        start, end = (spans[-1].start, spans[-1].end) if spans else (0, 0)
        return Record(
            0, line.number, line.start + start, line.start + end, Role.BRIDGE,
            Flag.HEAD | Flag.OTHER_HEAD if is_other else Flag.HEAD, thread=self.thread,
        )  # fmt: skip

    def goes_on(self, messages: list[Any], changed: Sequence[int]) -> bool:
        """Whether a request only puts other contents into messages: who says what to which call stays."""
        if len(messages) < len(self.prints):
            return False
        return all(outline(messages[at]) == self._outlines[at] for at in changed)

    def may_begin_anew(self, messages: list[Any]) -> bool:
        """Whether no call of a history was met before: its id would have to stand for two."""
        return self._call_ids.isdisjoint(i for message in messages for i in _calls_of(outline(message)))

    def begin_anew(self, line: RawLine) -> Record:
        """Leave behind what was sent so far, as a compaction does."""
        self.reader.begin_anew()
        return Record(
            0, line.number, line.start, line.end, Role.BOUNDARY, Flag(0), thread=self.thread,
            boundary=Boundary("auto"),
        )  # fmt: skip

    def take(self, messages: list[Any], prints: list[bytes], fresh: Sequence[int]) -> None:
        """Remember what a request sent, and which of its messages become records."""
        known = dict(zip(self.prints, self._outlines, strict=True))
        self._outlines = [
            known.get(digest) or outline(message) for digest, message in zip(prints, messages, strict=True)
        ]
        self.prints = prints
        self.seen.update(prints[at] for at in fresh)
        self._call_ids.update(i for at in fresh for i in _calls_of(self._outlines[at]))


def outline(message: object) -> _Outline:
    """Who speaks in a message, and the calls that it makes or answers.

    Args:
        message: As decoded.
    """
    if not isinstance(message, dict):
        return "", ()
    return word(message.get("role")), tuple((p.kind, p.id) for p in parts_of(message) if p.id)


def _calls_of(found: _Outline) -> Iterator[str]:
    return (i for kind, i in found[1] if kind is BlockKind.TOOL_USE)


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
