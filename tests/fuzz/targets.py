"""What is fuzzed: the readers on any bytes, and the gate on any text. Only `InspectorError` may come out."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from inspector.errors import InspectorError
from inspector.reading.chatcli_log import read_log
from inspector.reading.chatcli_park import load_snapshot
from inspector.reading.chatcli_session import load_session
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.codex import CodexAdapter, codex_texts
from inspector.reading.detect import detect_bytes
from inspector.reading.images import image_size
from inspector.reading.lenient import find_records, read_line
from inspector.reading.lines import RawLine, raw_line
from inspector.reading.message_lines import MessageLinesAdapter
from inspector.reading.messages import message_texts, read_messages
from inspector.reading.overflow_match import take_apart
from inspector.reading.shape import measure
from inspector.text import cells, column, fit, printable, printable_line, wrap_starts

KEPT_ENDS: tuple[Literal["start", "end", "middle"], ...] = ("start", "end", "middle")
CLOSED = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
_KEPT = "\n\u200d\ufe0f"
"""A line feed, and what makes one emoji of two."""


def reading(data: bytes) -> None:
    """Take bytes for every kind of file, and for its lines."""
    detect_bytes(data)
    adapters = ClaudeCodeAdapter(), CodexAdapter(), MessageLinesAdapter()
    start = 0
    for number, piece in enumerate(data.split(b"\n"), 1):
        line = raw_line(number, start, piece)
        for adapter in adapters if line is not None else ():
            assert line is not None
            for record in adapter.feed(line):
                assert record.line == number
        if piece[:1] == b"{" and piece[-1:] == b"}":
            _both_ways(number, start, piece)
        start += len(piece) + 1
    read_line(data)
    find_records(data)
    for read in (
        read_messages,
        message_texts,
        codex_texts,
        load_session,
        load_snapshot,
        read_log,
        image_size,
    ):
        with suppress(InspectorError, ValueError):  # a ValueError is how codex_texts refuses what was no line
            read(data)
    text = data.decode("utf-8", "surrogateescape")
    take_apart(text)
    measure(text)


def _both_ways(number: int, start: int, piece: bytes) -> None:
    """The short way through a line has to end where the long one does."""
    short, long = ClaudeCodeAdapter(), ClaudeCodeAdapter()
    short.take(number, start, piece + b"\n")
    fed = list(long.feed(RawLine(number, start, start + len(piece), piece)))
    assert short.records == fed
    assert (short.lines, short.parsed, short.bad_lines) == (long.lines, long.parsed, long.bad_lines)


def gate(text: str) -> None:
    """Pass a text through the gate, and cut what came out."""
    for passed in (printable(text), printable_line(text)):
        assert all(c in _KEPT or unicodedata.category(c) not in CLOSED for c in passed)
        assert printable(passed) == passed
    line = printable_line(text)
    assert "\n" not in line
    width = cells(line)
    for room in (0, 1, 2, 7, 40):
        for keep in KEPT_ENDS:
            assert cells(fit(text, room, keep)) <= room
        assert cells(column(text, room)) == room
    assert cells(fit(text, width)) <= width
    assert list(wrap_starts(line, 9)) == sorted(set(wrap_starts(line, 9)))


TARGETS: dict[str, Callable[[bytes], None]] = {
    "reading": reading,
    "printable": lambda data: gate(
        data.decode("utf-32-le", "replace") + data.decode("utf-8", "surrogateescape")
    ),
}
"""Name → what is done with the bytes of one try."""
