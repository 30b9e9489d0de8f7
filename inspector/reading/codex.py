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

import msgspec

from inspector.model.transcript import BadLine, BlockKind, Boundary, Flag, Record, Role, Usage
from inspector.reading import json_spans
from inspector.reading.lenient import decode_json
from inspector.reading.lines import MAX_LINE_BYTES, RawLine
from inspector.reading.parts import Part, block_of, picture, tool_result, tool_use, tool_use_of_text, word

_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "mcp_tool_call_output"})
_HOSTED = frozenset({"web_search_call", "tool_search_call", "image_generation_call", "file_search_call"})
"""Calls that the provider answers itself: they have no output of their own in the log."""
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
        """Lines fed: neither blank nor comments."""
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
        if line.oversized:
            self._note(line, f"longer than {MAX_LINE_BYTES} bytes: not read", "huge_line", lost=True)
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
        self.bad_lines.append(BadLine(line.number, line.start, line.end, reason, int(not lost), kind, lost))

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
        elif kind not in _SILENT:
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
        kind = item.get("type")
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
        if item.get("type") in _OUTPUTS:
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
    value = decode_json(data).value
    if not isinstance(value, dict):
        return []
    payload = value.get("payload")
    item = payload if isinstance(payload, dict) else value
    if value.get("type") == "compacted":
        return [word(item.get("message"))]
    return [part.text for part in parts_of_item(item) or ()]


def parts_of_item(item: dict[str, Any]) -> list[Part] | None:
    """The parts of one response item; None where it is no part of a request.

    Args:
        item: As decoded.
    """
    kind = item.get("type")
    if kind == "message":
        return _message_parts(item.get("content"))
    if kind == "reasoning":
        return [Part(BlockKind.THINKING, _reasoning(item))]
    if kind in _CALLS:
        return [_call(item)]
    if kind in _OUTPUTS:
        return [_output(item)]
    if kind in _HOSTED:
        return [Part(BlockKind.OTHER, id=word(item.get("id")), name=word(kind))]
    return None


def _message_parts(content: object) -> list[Part]:
    if isinstance(content, str):
        return [Part(BlockKind.TEXT, content)]
    parts: list[Part] = []
    for entry in content if isinstance(content, list) else ():
        if isinstance(entry, dict) and entry.get("type") == "input_image":
            parts.append(picture(entry))
        elif isinstance(entry, dict) and isinstance(entry.get("text"), str):
            parts.append(Part(BlockKind.TEXT, entry["text"]))
        else:
            parts.append(Part(BlockKind.OTHER))
    return parts


def _reasoning(item: dict[str, Any]) -> str:
    """What can be read of a reasoning item: its summary and, where it is open, its content."""
    texts: list[str] = []
    for key in ("summary", "content"):
        entries = item.get(key)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("text"), str):
                texts.append(entry["text"])
    return "\n".join(texts)


def _call(item: dict[str, Any]) -> Part:
    identity = item.get("call_id") or item.get("id")
    if item.get("type") == "local_shell_call":
        action = item.get("action")
        part = tool_use(identity, "local_shell", action)
        command = action.get("command") if isinstance(action, dict) else None
        if isinstance(command, list):
            joined = " ".join(entry for entry in command if isinstance(entry, str))
            part = msgspec.structs.replace(part, argument=tool_use(None, None, {"command": joined}).argument)
        return part
    arguments = item.get("input") if item.get("type") == "custom_tool_call" else item.get("arguments")
    return _with_shell_argument(tool_use_of_text(identity, item.get("name"), arguments))


def _with_shell_argument(part: Part) -> Part:
    """Codex's shell tools have their command under `cmd`, or as a list: that tells calls apart."""
    if not part.text.startswith("{"):
        return part
    value = decode_json(part.text.encode("utf-8", "surrogatepass")).value
    if not isinstance(value, dict):
        return part
    command = value.get("cmd", value.get("command"))
    if isinstance(command, list):
        command = " ".join(entry for entry in command if isinstance(entry, str))
    if not isinstance(command, str) or not command:
        return part
    return msgspec.structs.replace(part, argument=tool_use(None, None, {"command": command}).argument)


def _output(item: dict[str, Any]) -> Part:
    """An output: a text, a text that is JSON with `output` and `metadata`, an object, or a list.

    The model is sent the text as it stands, so that is what is measured; the wrapping only tells
    whether the command failed.
    """
    output = item.get("output")
    failed: bool | None = None
    if isinstance(output, dict):
        success = output.get("success")
        failed = not success if isinstance(success, bool) else None
        output = output.get("content", output)
    elif isinstance(output, str) and output.startswith('{"'):
        wrapped = decode_json(output.encode("utf-8", "surrogatepass")).value
        metadata = wrapped.get("metadata") if isinstance(wrapped, dict) else None
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        if isinstance(code, int) and not isinstance(code, bool):
            failed = code != 0
    return tool_result(item.get("call_id"), output, failed)


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
