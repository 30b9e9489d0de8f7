"""Claude Code transcripts → records (`claude-code-transcripts.md`, `claude-code-wire.md` A–D).

The adapter is fed line by line and keeps only what the replay asks for: who a record is, whose
child, which calls and results it holds and how large they are. Texts are measured and dropped;
`inspector.reading.texts` reads them again by position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import islice

import msgspec

from inspector.model.transcript import COMMENT, BadLine, Block, Flag, Record, Replacement, Role, Usage
from inspector.reading.claude_blocks import BlockReader
from inspector.reading.claude_extras import replacements_of, step_of, without_links
from inspector.reading.claude_flags import SYNTHETIC_MODEL, assistant_flags, line_flags, user_flags
from inspector.reading.claude_lines import (
    ABSENT,
    Line,
    MessagePart,
    MessageUsage,
    decode_line,
    line_from_object,
)
from inspector.reading.lenient import read_line
from inspector.reading.lines import RawLine, unread_reason
from inspector.reading.readings import Met, Reading

_ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "attachment": Role.BRIDGE,
    "system": Role.BRIDGE,
    "progress": Role.BRIDGE,
    "content-replacement": Role.REPLACEMENTS,
    "api-request": Role.REQUEST,
}

_STATE_TYPES = frozenset(
    {
        "file-history-snapshot", "file-history-delta", "summary", "queue-operation", "last-prompt",
        "permission-mode", "ai-title", "mode", "bridge-session", "pr-link", "custom-title",
        "agent-name", "atis-latch", "tools-used", "cost-state", "api-request-shape",
        "api-request-blob",
    }
)  # fmt: skip
"""Known record types that are no part of any history."""

_FLAGS: dict[int, Flag] = {}
"""Sums of flags that were met: looking one up is ten times cheaper than making it."""

_NO_FLAGS = Flag(0)
_DUPLICATE = int(Flag.DUPLICATE)
_SALVAGED = int(Flag.SALVAGED)
_SIDECHAIN = int(Flag.SIDECHAIN)
_USER, _ASSISTANT, _BRIDGE = Role.USER, Role.ASSISTANT, Role.BRIDGE
_REPLACEMENTS = Role.REPLACEMENTS


class ClaudeCodeAdapter:
    """Reads the lines of one transcript, in file order, and counts what it meets."""

    def __init__(self, thread: str = "", part: int | None = None) -> None:
        """An adapter that has read nothing yet.

        Args:
            thread: Conversation of the records that name none: empty for a session's own file, the
                agent's id for the file of a sub-agent (its `api-request` lines name none).
            part: It reads this part of the file, from 0, and will be asked for reports; None: it reads
                all of it.
        """
        self.lines = 0
        """Lines fed: those that are not blank."""
        self.parsed = 0
        """Records read, of any type, those rescued from bad lines included."""
        self.duplicate_records = 0
        """Records whose uuid an earlier one has."""
        self.records: list[Record] = []
        """What `take` has made; whoever takes it away puts a new list in its place."""
        self.bad_lines: list[BadLine] = []
        """Lines that strict JSON refuses, read in full, in part or not at all."""
        self.unknown_types: Counter[str] = Counter()
        """Record types that no known version writes: untrusted words."""
        self._thread = thread
        self._records = 0
        self._reports = part is not None
        self._begins_inside = bool(part)
        self._strays: list[str] = []
        self._assumed: list[str] = []
        self._links: dict[str, str] = {}
        self._wanted: dict[str, None] = {}
        """Parents that no line so far has: such a line is kept, whatever it is."""
        self._told_wanted = 0
        self._told_bad_lines = self._told_roots = 0
        self._session_ids: dict[str, str] = {}
        self._versions: dict[str, str] = {}
        self._words: dict[str, str] = {}
        self._uuids: dict[str, str] = {}
        """uuid → its one copy; of a progress record that is not kept: the record that stands for it."""
        self._roots: dict[str, str] = {}
        self._blocks = BlockReader()
        self._session_id = self._version = self._last_uuid = ""
        self._answer: tuple[str, str, str, Usage | None] = ("", "", "", None)

    def begin_reports(self) -> None:
        """Reports will be asked for; nothing was read yet."""
        self._reports = True

    def end_reports(self) -> None:
        """No more of them."""
        self._reports = False
        self._strays, self._links = [], {}

    def report(self) -> Reading:
        """What was met so far, and what is new since the last report: enough to go on elsewhere."""
        bad_lines, self._told_bad_lines = self.bad_lines[self._told_bad_lines :], len(self.bad_lines)
        strays, self._strays = self._strays, []
        roots = dict(islice(self._roots.items(), self._told_roots, None))
        self._told_roots = len(self._roots)
        links, self._links = self._links, {}
        assumed, self._assumed = self._assumed, []
        wanted = [*islice(self._wanted, self._told_wanted, None)]
        self._told_wanted = len(self._wanted)
        return Reading(
            self.lines,
            self.parsed,
            self.unique_uuids,
            self.duplicate_records,
            self.session_ids,
            self.versions,
            dict(self.unknown_types),
            bad_lines,
            strays,
            roots,
            links,
            assumed,
            wanted,
        )

    def resume(self, met: Met) -> None:
        """Go on reading behind what other adapters have read.

        Args:
            met: What they met together, from the beginning of the file.
        """
        self.lines, self.parsed = met.lines, met.parsed
        self.duplicate_records, self.bad_lines = met.duplicate_records, met.bad_lines
        self.unknown_types = met.unknown_types
        self._session_ids = dict(zip(met.session_ids, met.session_ids, strict=True))
        self._versions = dict(zip(met.versions, met.versions, strict=True))
        self._records = met.records
        self._uuids = {uuid: uuid for uuid in met.uuids if uuid} | met.links
        self._roots = met.roots
        self._wanted = dict.fromkeys(met.wanted)

    @property
    def unique_uuids(self) -> int:
        """Number of different uuids met."""
        return len(self._uuids)

    @property
    def session_ids(self) -> list[str]:
        """`sessionId` values in file order."""
        return [*self._session_ids]

    @property
    def versions(self) -> list[str]:
        """Client versions in file order."""
        return [*self._versions]

    def take(self, number: int, start: int, data: bytes) -> None:
        """Read a line of the usual form; its record is added to `records`.

        Args:
            number: Physical line, from 1.
            start: First byte in the file.
            data: The line, which begins with `{` and ends with `}`, and its line feed.
        """
        try:
            parts = decode_line(data)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            self.lines += 1
            line = RawLine(number, start, start + len(data) - 1, data[:-1])
            self.records.extend(self._feed_leniently(line))
            return
        self.lines += 1
        record = self._record(parts, number, start, start + len(data) - 1, 0)
        if record is not None:
            self.records.append(record)

    def take_odd(self, line: RawLine) -> None:
        """Read a line of any form; its records are added to `records`."""
        self.records.extend(self.feed(line))

    def feed(self, line: RawLine) -> Sequence[Record]:
        """The records of one line: one in the rule, none for a line that is no part of a history.

        A user or assistant record without uuid is given all the same; it hangs on no chain.

        Args:
            line: The next line of the file.
        """
        self.lines += 1
        try:
            parts = decode_line(line.data)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return self._feed_leniently(line)
        record = self._record(parts, line.number, line.start, line.end, 0)
        return () if record is None else (record,)

    def _feed_leniently(self, line: RawLine) -> Sequence[Record]:
        if line.is_unread:
            kind, reason = unread_reason(line)
            self._note(line, kind, reason, lost=kind != COMMENT)
            return ()
        reading = read_line(line.data)
        if reading.kind:
            self._note(line, reading.kind, reading.reason, len(reading.pieces), reading.lost)
        flags = _SALVAGED if reading.salvaged else 0
        records = []
        for piece in reading.pieces:
            parts = line_from_object(piece.value)
            start, end = line.start + piece.start, line.start + piece.end
            record = self._record(parts, line.number, start, end, flags)
            if record is not None:
                records.append(record)
        return records

    def _note(self, line: RawLine, kind: str, reason: str, saved: int = 0, lost: bool = False) -> None:
        self.bad_lines.append(BadLine(line.number, line.start, line.end, reason, saved, kind, lost))

    def _record(self, parts: Line, number: int, start: int, end: int, flags: int) -> Record | None:
        """Count one decoded record; None where it takes no part in a history.

        One long function on purpose: it runs once for each line, and where lines are short a call
        costs as much as a tenth of their decoding.
        """
        self.parsed += 1
        uuid, uuids = parts.uuid or "", self._uuids
        if uuid and uuids.setdefault(uuid, uuid) is not uuid:
            self.duplicate_records += 1
            flags |= _DUPLICATE
        session_id, version = parts.session_id or "", parts.version or ""
        if session_id != self._session_id or version != self._version:
            self._note_origin(session_id, version)
        role = _ROLES.get(parts.type or "")
        if role is None or (role is _BRIDGE and not uuid):
            if role is None and parts.type not in _STATE_TYPES:
                self.unknown_types[parts.type or ""] += 1
            if uuid and self._reports:
                self._strays.append(uuid)
            return None
        parent, thread = parts.parent_uuid or "", self._thread
        if parent == self._last_uuid:
            parent = self._last_uuid
        elif (known := uuids.get(parent)) is not None:
            parent = known
        elif parent:
            self._wanted[parent] = None
        if (
            parts.type == "progress"
            and not flags
            and not parts.is_sidechain
            and uuid not in self._wanted
            and self._is_known(parent)
        ):
            uuids[uuid] = parent  # nothing but a link: what hangs on it hangs on its parent
            if self._reports:
                self._links[uuid] = parent
            return None
        self._last_uuid = uuid
        flags |= line_flags(parts)
        if flags & _SIDECHAIN:
            thread = self._thread_of(parts, uuid, parent)
        message = parts.message
        blocks: tuple[Block, ...] = ()
        replacements: tuple[Replacement, ...] = ()
        usage = boundary = None
        message_id = request_ref = model = ""
        if role is _USER:
            if message is not None:
                blocks = self._blocks.of(message.content, parts.tool_use_result)
                flags |= user_flags(parts, message)
        elif role is _ASSISTANT:
            message_id, request_ref, model, usage = self._answer_of(parts, message)
            if message is not None:
                blocks = self._blocks.of(message.content, parts.tool_use_result)
                if model == SYNTHETIC_MODEL or isinstance(message.content, str):
                    flags |= assistant_flags(message)
        elif role is _BRIDGE:
            if parts.subtype is not None or parts.rendered is not ABSENT:
                role, flags, boundary = step_of(parts, flags)
                if boundary is not None:
                    boundary = without_links(boundary, self._uuids)
        else:
            request_ref = parts.id or ""
            replacements = replacements_of(parts.replacements)
            if role is _REPLACEMENTS and thread and parts.agent_id != thread:
                return None  # an agent heeds only lines that name it (rule 27)
            thread = parts.agent_id or thread
        time = parts.timestamp
        index = self._records
        self._records = index + 1
        return Record(
            index,
            number,
            start,
            end,
            role,
            (_FLAGS.get(flags) or _flag(flags)) if flags else _NO_FLAGS,
            uuid,
            parent,
            thread,
            self._session_id,
            message_id,
            request_ref,
            None if time is None else seconds_of(time),
            self._version,
            self._word(parts.entrypoint) if parts.entrypoint else "",
            model,
            blocks,
            usage,
            boundary,
            replacements,
        )

    def _note_origin(self, session_id: str, version: str) -> None:
        """Keep one copy of the session's id and of the version that the following records share."""
        if session_id:
            session_id = self._session_ids.setdefault(session_id, session_id)
        if version:
            version = self._versions.setdefault(version, version)
        self._session_id, self._version = session_id, version

    def _answer_of(self, parts: Line, message: MessagePart | None) -> tuple[str, str, str, Usage | None]:
        """Ids, model and usage of an assistant record; fragments of one answer share them."""
        request_ref = parts.request_ref or parts.request_id or ""
        if message is None:
            message_id, model, usage = "", "", None
        else:
            message_id, model, usage = message.id or "", message.model or "", usage_of(message.usage)
        last = self._answer
        if message_id == last[0] and request_ref == last[1]:
            if model == last[2] and usage == last[3]:
                return last
            message_id, request_ref = last[0], last[1]
        if model != last[2]:
            model = self._word(model)
        else:
            model = last[2]
        self._answer = message_id, request_ref, model, usage
        return self._answer

    def _is_known(self, uuid: str) -> bool:
        """Whether a record of this uuid stands above, or may stand in an earlier part."""
        if uuid in self._uuids:
            return True
        if self._begins_inside and uuid:
            self._assumed.append(uuid)
            return True
        return False

    def _word(self, text: str | None) -> str:
        """The one copy of a text that many records repeat."""
        return self._words.setdefault(text, text) if text else ""

    def _thread_of(self, parts: Line, uuid: str, parent: str) -> str:
        """The conversation of a sidechain's record: its agent's id, or the uuid of its root."""
        if parts.agent_id:
            return self._word(parts.agent_id)
        if self._thread:
            return self._thread
        return self._roots.setdefault(uuid, self._roots.get(parent) or uuid)


def _flag(flags: int) -> Flag:
    return _FLAGS.setdefault(flags, Flag(flags))


def usage_of(part: MessageUsage | None) -> Usage | None:
    """Token counts of one record; absent ones count as 0.

    Args:
        part: `message.usage`, or None where the record has none.
    """
    if part is None:
        return None
    return Usage(
        part.input_tokens or 0,
        part.cache_read_input_tokens or 0,
        part.cache_creation_input_tokens or 0,
        part.output_tokens or 0,
    )


def seconds_of(moment: datetime) -> float:
    """Seconds since the epoch; a time without a zone counts as UTC.

    Args:
        moment: The record's `timestamp`.
    """
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
