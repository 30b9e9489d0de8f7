"""Codex rollouts → records (`claude-code-transcripts.md` §9).

A rollout is a log of items, not of messages: reasoning, texts and calls of one answer are items in a
row, and their outputs follow. The row gets one synthetic message id, so that the words of the
pipeline (answer, turn, group) apply. Only what a request would hold becomes a record; events are
read for their token counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from inspector.model.transcript import COMMENT, BadLine, BlockKind, Boundary, Flag, Record, Role, Usage
from inspector.reading import json_spans
from inspector.reading.codex_items import OUTPUTS, parts_of_item
from inspector.reading.lenient import decode_json
from inspector.reading.lines import RawLine, unread_reason
from inspector.reading.parts import Part, block_of, word

_NO_ITEMS = frozenset({"ghost_snapshot", "item_reference", "other"})
_SILENT = frozenset(
    {"turn_context", "world_state", "inter_agent_communication_metadata", "ghost_snapshot", "state"}
)
"""Lines that are no part of a request."""


_NO_FLAGS = Flag(0)


class CodexAdapter:
    """Reads the lines of one rollout, in file order."""

    def __init__(self) -> None:
        self.lines = 0
        """Lines fed: those that are not blank."""
        self.parsed = 0
        """Lines read, of any type."""
        self.session_ids: list[str] = []
        """Ids of `session_meta` lines in file order; two of them mean a resumed session."""
        self.versions: list[str] = []
        """`cli_version` values in file order."""
        self.bad_lines: list[BadLine] = []
        self.unknown_types: Counter[str] = Counter()
        """Types of lines and items that are not known; an untrusted word each."""
        self.window_tokens: int | None = None
        """The model's context window, where an event states it."""
        self._index = 0
        self._model = ""
        self._version = ""
        self._session = ""
        self._answer = ""
        """Synthetic message id of the newest answer."""
        self._in_answer = False
        self._began = False

    def feed(self, line: RawLine) -> Sequence[Record]:
        """The records of one line: none for most, several for a compaction.

        Args:
            line: The next line of the file.
        """
        self.lines += 1
        if line.is_unread:
            kind, reason = unread_reason(line)
            self._note(line, reason, kind, lost=kind != COMMENT)
            return ()
        decoded = decode_json(line.data)
        if not decoded.whole or not isinstance(decoded.value, dict):
            self._note(line, decoded.reason or "a JSON value that is no object", "bad_line", lost=True)
            return ()
        if decoded.kind:
            self._note(line, decoded.reason, decoded.kind, lost=False)
        self.parsed += 1
        return self._line(line, decoded.value)

    def _note(self, line: RawLine, reason: str, kind: str, *, lost: bool) -> None:
        self.bad_lines.append(
            BadLine(line.number, line.start, line.end, reason, int(not lost and kind != COMMENT), kind, lost)
        )

    def _line(self, line: RawLine, value: dict[str, Any]) -> Sequence[Record]:
        kind, payload = value.get("type"), value.get("payload")
        time = _time(value.get("timestamp"))
        if not isinstance(payload, dict):
            # The oldest rollouts have bare items; their first line is the session's metadata.
            if "instructions" in value or ("id" in value and "timestamp" in value and kind is None):
                self._meet(value)
                return ()
            kind, payload = (
                ("response_item", value) if isinstance(kind, str) else (value.get("record_type"), {})
            )
        if kind == "response_item":
            record = self._item(payload, line.number, line.start, line.end, time)
            return () if record is None else (record,)
        if kind == "event_msg":
            return self._event(payload, line, time)
        if kind == "compacted":
            return self._compaction(payload, line, time)
        if kind == "session_meta":
            self._meet(payload)
        elif kind == "turn_context":
            self._model = word(payload.get("model")) or self._model
        elif word(kind) not in _SILENT:
            self.unknown_types[word(kind)] += 1
        return ()

    def _meet(self, meta: dict[str, Any]) -> None:
        self._session = word(meta.get("id"))
        self._version = word(meta.get("cli_version"))
        if self._session:
            self.session_ids.append(self._session)
        if self._version and self._version not in self.versions:
            self.versions.append(self._version)

    def _item(
        self,
        item: dict[str, Any],
        line: int,
        start: int,
        end: int,
        time: float | None,
        extra: Flag = _NO_FLAGS,
    ) -> Record | None:
        """One item as a record; None where it is no part of a request."""
        kind = word(item.get("type"))
        parts = parts_of_item(item)
        if parts is None:
            if kind not in _NO_ITEMS:
                self.unknown_types[word(kind)] += 1
            return None
        role, flags = self._role(item)
        if role is Role.ASSISTANT:
            if not self._in_answer:
                self._answer = f"answer on line {line}"
                self._in_answer = True
        elif role is Role.USER:
            self._in_answer = False
        return self._record(line, start, end, role, flags | extra, time, parts)

    def _role(self, item: dict[str, Any]) -> tuple[Role, Flag]:
        if word(item.get("type")) in OUTPUTS:
            self._began = True
            return Role.USER, _NO_FLAGS
        if item.get("type") != "message" or item.get("role") == "assistant":
            self._began = True
            return Role.ASSISTANT, _NO_FLAGS
        if item.get("role") == "user":
            self._began = True
            return Role.USER, _NO_FLAGS
        # Developer and system messages in front are the instructions; later they stand in between.
        return (Role.USER, Flag.META) if self._began else (Role.BRIDGE, _NO_FLAGS)

    def _record(
        self,
        line: int,
        start: int,
        end: int,
        role: Role,
        flags: Flag,
        time: float | None,
        parts: Sequence[Part],
        *,
        usage: Usage | None = None,
        boundary: Boundary | None = None,
    ) -> Record:
        answer = role is Role.ASSISTANT
        record = Record(
            self._index,
            line,
            start,
            end,
            role,
            flags,
            session_id=self._session,
            message_id=self._answer if answer else "",
            time=time,
            version=self._version,
            model=self._model if answer else "",
            blocks=tuple(block_of(part) for part in parts),
            usage=usage,
            boundary=boundary,
        )
        self._index += 1
        return record

    def _event(self, event: dict[str, Any], line: RawLine, time: float | None) -> Sequence[Record]:
        """The token count of the newest answer: a record of that answer without blocks.

        The count comes after the answer's outputs, so it cannot stand on the records before it;
        of an answer's records the last one's usage counts.
        """
        info = event.get("info")
        if event.get("type") != "token_count" or not isinstance(info, dict):
            return ()
        window = info.get("model_context_window")
        if isinstance(window, int) and not isinstance(window, bool) and window > 0:
            self.window_tokens = window
        usage = _usage(info.get("last_token_usage"))
        if usage is None or not self._answer:
            return ()
        return (
            self._record(line.number, line.start, line.end, Role.ASSISTANT, _NO_FLAGS, time, (), usage=usage),
        )

    def _compaction(self, payload: dict[str, Any], line: RawLine, time: float | None) -> Sequence[Record]:
        """A boundary, then what the history consists of from there on.

        Newer logs list the whole new history; older ones have only the summary's text, which then
        stands as a user message.
        """
        self._in_answer = False
        records = [
            self._record(
                line.number,
                line.start,
                line.end,
                Role.BOUNDARY,
                _NO_FLAGS,
                time,
                (),
                boundary=Boundary("auto"),
            )
        ]
        for item, start, end in _replacement_items(payload, line):
            record = self._item(item, line.number, start, end, time, Flag.SUMMARY)
            if record is not None:
                records.append(record)
        self._in_answer = False
        if len(records) == 1 and (text := word(payload.get("message"))):
            summary = (Part(BlockKind.TEXT, text),)
            records.append(
                self._record(line.number, line.start, line.end, Role.USER, Flag.SUMMARY, time, summary)
            )
        return records


def codex_texts(data: bytes) -> list[str]:
    """The texts of a record's blocks, in the order of `Record.blocks`.

    Args:
        data: The bytes of the line, or of the item inside a compaction, from `Record.start` to
            `Record.end`.
    """
    item, is_compaction = _item_in(data)
    if is_compaction:
        return [word(item.get("message"))]
    return [part.text for part in parts_of_item(item) or ()]


def item_in(data: bytes) -> dict[str, Any]:
    """The item of a record; empty where it is none, as for a compaction with nothing but a text.

    Args:
        data: As for `codex_texts`.
    """
    item, is_compaction = _item_in(data)
    return {} if is_compaction else item


def _item_in(data: bytes) -> tuple[dict[str, Any], bool]:
    """The item, or what a line carries in place of one, and whether that is a compaction."""
    value = decode_json(data).value
    if not isinstance(value, dict):
        return {}, False
    payload = value.get("payload")
    return payload if isinstance(payload, dict) else value, value.get("type") == "compacted"


def _replacement_items(payload: dict[str, Any], line: RawLine) -> list[tuple[dict[str, Any], int, int]]:
    """The items of a compaction's `replacement_history`, each with its byte range in the file."""
    history = payload.get("replacement_history")
    if not isinstance(history, list) or not history:
        return []
    at = json_spans.skip_space(line.data, 0)
    spans: list[json_spans.Value] = []
    for outer in json_spans.members(line.data, at):
        if outer.key == b"payload":
            for inner in json_spans.members(line.data, outer.start):
                if inner.key == b"replacement_history":
                    spans = list(json_spans.items(line.data, inner.start))
    return [
        (item, line.start + span.start, line.start + span.end)
        for item, span in zip(history, spans, strict=False)
        if isinstance(item, dict)
    ]


def _usage(stated: object) -> Usage | None:
    """Tokens of one answer; Codex counts cached tokens among the input."""
    if not isinstance(stated, dict):
        return None
    sent, cached, written = (
        value if isinstance(value := stated.get(key), int) and not isinstance(value, bool) else 0
        for key in ("input_tokens", "cached_input_tokens", "output_tokens")
    )
    return Usage(max(sent - cached, 0), cached, 0, written)


def _time(stated: object) -> float | None:
    """Seconds since the epoch; a time without a zone counts as UTC."""
    if not isinstance(stated, str):
        return None
    try:
        moment = datetime.fromisoformat(stated)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
