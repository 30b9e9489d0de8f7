"""ChatCLI's application log: what its pipeline recorded of itself, one JSON object a line (§9.2).

The log holds lines of every process of one user and names no session, so events keep their line
and time and nothing else to go by; a `workspace` event is the only link to a scratch directory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import msgspec
import orjson

MAX_LINE_BYTES = 1 << 20
"""Longer lines are passed over: none of the messages of interest comes near."""


class LogKind(StrEnum):
    """What a line reports."""

    BUDGET = "budget"
    """Results were cut in one request."""
    ORPHAN_REMOVED = "orphan removed"
    RELOCATED = "relocated"
    SYNTHETIC = "synthetic"
    PAIRING = "pairing"
    """Counters of one repair."""
    MICROCOMPACT = "microcompact"
    """Counters of one ageing pass; only at level debug."""
    TURN = "turn"
    """A turn of the agent loop begins; only at level debug."""
    BATCH = "batch"
    """The tools of a turn have run; only at level debug."""
    WORKSPACE = "workspace"
    """A process has made its scratch directory."""
    RECOVERY = "recovery"
    """The provider refused a request as too long."""


_MESSAGES: Mapping[str, tuple[LogKind, tuple[str, ...]]] = {
    "Tool result budget enforcement applied": (
        LogKind.BUDGET,
        ("results_truncated", "bytes_saved_to_disk", "original_chars", "final_chars"),
    ),
    "Removed orphaned tool result": (LogKind.ORPHAN_REMOVED, ("tool_call_id", "message_index")),
    "Relocated displaced tool result next to its tool_call": (
        LogKind.RELOCATED,
        ("tool_call_id", "from_index"),
    ),
    "Injected synthetic tool result for orphaned tool_use": (
        LogKind.SYNTHETIC,
        ("tool_call_id", "tool_name", "assistant_message_index"),
    ),
    "Tool result pairing repaired before API call": (
        LogKind.PAIRING,
        ("synthetic_results", "orphans_removed", "results_relocated"),
    ),
    "Microcompact applied": (LogKind.MICROCOMPACT, ("truncated", "summarized", "chars_saved")),
    "Iniciando turno do agente": (LogKind.TURN, ("turn", "max_turns")),
    "tool batch completed": (LogKind.BATCH, ("total", "success", "error_codes", "total_duration")),
    "Session workspace initialized": (
        LogKind.WORKSPACE,
        ("root", "scratch", "tool_results", "keep_on_exit"),
    ),
    "Attempting context overflow recovery": (LogKind.RECOVERY, ()),
}
"""Message → kind, and the fields that belong to it."""

_MARKS = tuple(message.encode() for message in _MESSAGES)
_TEXT_FIELDS = frozenset({"tool_call_id", "tool_name", "root", "scratch", "tool_results"})
_FREE_FIELDS = frozenset({"error_codes", "total_duration", "keep_on_exit"})


class LogEvent(msgspec.Struct, frozen=True):
    """One recorded step of the pipeline."""

    kind: LogKind
    line: int
    """Line in the log, from 1."""
    time: float | None
    """Seconds since the epoch; None where the line has none that can be read."""
    level: str
    """As written: `info`, `warn`, `debug`; empty where it is absent."""
    fields: dict[str, Any]
    """The message's own fields, those with the type they should have. Texts are untrusted."""
    missing: tuple[str, ...] = ()
    """Fields that are absent or of another type."""


class LogReading(msgspec.Struct, frozen=True):
    """What a piece of the log held."""

    events: tuple[LogEvent, ...]
    bad_lines: tuple[int, ...]
    """Lines with a message of interest that are no JSON object, by number."""


def read_log(data: bytes, first_line: int = 1) -> LogReading:
    """Recorded events out of a piece of the log.

    Args:
        data: Bytes from the start of a line on. A last line without a line feed may still be growing
            and is left out.
        first_line: Number of their first line in the log.
    """
    events: list[LogEvent] = []
    bad: list[int] = []
    for number, line in enumerate(_finished_lines(data), first_line):
        if len(line) <= MAX_LINE_BYTES and any(mark in line for mark in _MARKS):
            event = _event(line, number)
            if isinstance(event, LogEvent):
                events.append(event)
            elif event:
                bad.append(number)
    return LogReading(tuple(events), tuple(bad))


def _finished_lines(data: bytes) -> Iterator[bytes]:
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        yield data[start:end]
        start = end + 1


def _event(line: bytes, number: int) -> LogEvent | bool:
    """The event of a line, else whether the line is broken rather than just another message."""
    try:
        entry = orjson.loads(line)
    except orjson.JSONDecodeError:
        return True
    if not isinstance(entry, dict):
        return True
    message = entry.get("msg", entry.get("message"))
    if not isinstance(message, str) or message not in _MESSAGES:
        return False
    kind, names = _MESSAGES[message]
    fields = {name: entry[name] for name in names if name in entry and _fits(name, entry[name])}
    level = entry.get("level")
    return LogEvent(
        kind,
        number,
        _time(entry.get("timestamp", entry.get("time", entry.get("ts")))),
        level.lower() if isinstance(level, str) else "",
        fields,
        tuple(name for name in names if name not in fields),
    )


def _fits(name: str, value: Any) -> bool:
    if name in _FREE_FIELDS:
        return True
    if name in _TEXT_FIELDS:
        return isinstance(value, str)
    return isinstance(value, int) and not isinstance(value, bool)


def _time(value: Any) -> float | None:
    """Seconds since the epoch from a number or an ISO text (UTC where it names no zone), else None."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
            return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError, OSError):
            return None
    return None
