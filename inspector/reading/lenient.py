"""Reading what strict JSON refuses: one line, taken as far as it goes.

Transcripts are written by processes that crash, disks that fill up and scrubbers that cut quotes.
A line is first read strictly, then with replacement of broken UTF-8, then with raw control
characters allowed; what is left after that is searched for whole records. The real client reads
the first two and skips the others, so each step is told apart.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import orjson

from inspector.reading.lines import BOM
from inspector.reading.nesting import shallow

_RECORD_START = re.compile(
    rb'\{\s*"(?:type|parentUuid|logicalParentUuid|uuid|sessionId|session_id|isSidechain|agentId|timestamp)"\s*:'
)
"""Where a record may begin: the keys that stand first in records of any known version."""

_RECORD_KEYS = frozenset({"uuid", "sessionId", "parentUuid", "leafUuid", "messageId"})
"""An object with `type` and one of these is a record; a content block has none of them."""

_MAX_TRIES = 64
"""Places of one line that are tried; a broken line has two or three."""

_MAX_TRIED_BYTES = 64 * 1024 * 1024
_FILLING = b"\0 \t\r\n"
_NUL_RUN = b"\0" * 4
_NESTED_DEEPLY = "nested too deeply to be read"


class Decoded(msgspec.Struct, frozen=True, gc=False):
    """One JSON value, or why there is none."""

    value: Any = None
    """The value; meaningless where `whole` is false."""
    whole: bool = True
    kind: str = ""
    """Word of the input findings; empty for sound JSON."""
    reason: str = ""
    """A sentence for people; empty for sound JSON."""


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A whole record of a line."""

    start: int
    """First byte, counted from the start of the line."""
    end: int
    """One past the last byte."""
    value: dict[str, Any]


class LineReading(msgspec.Struct, frozen=True, gc=False):
    """What a line gave that strict reading refused."""

    pieces: tuple[Piece, ...] = ()
    """Whole records, in order."""
    kind: str = ""
    """Word of the input findings; empty where the line is sound JSON after all."""
    reason: str = ""
    lost: bool = False
    """Whether anything of the line could not be read."""

    @property
    def salvaged(self) -> bool:
        """Whether the real client skips this line (it replaces broken UTF-8 itself)."""
        return self.kind not in {"", "invalid_utf8"}


def read_line(data: bytes) -> LineReading:
    """The records of one line, as many as there are.

    Args:
        data: Bytes of a line, without its line feed.
    """
    decoded = decode_json(data)
    if decoded.whole:
        if isinstance(decoded.value, dict):
            return LineReading((Piece(0, len(data), decoded.value),), decoded.kind, decoded.reason)
        return LineReading((), "bad_line", "a JSON value that is no object", lost=True)
    core = data.removeprefix(BOM).strip(_FILLING)
    nuls = data.count(b"\0")
    if not core:
        return LineReading((), "nul_run", f"{nuls} NUL bytes and nothing else", lost=True)
    kind = "nul_run" if _NUL_RUN in data else "bad_line"
    start = data.index(core)
    inner = decode_json(core)
    if inner.whole and isinstance(inner.value, dict):
        reason = f"{nuls} NUL bytes around a record" if nuls else "a byte order mark in mid file"
        return LineReading((Piece(start, start + len(core), inner.value),), kind, reason)
    pieces = find_records(data)
    if not pieces:
        return LineReading((), kind, decoded.reason, lost=True)
    lost = bool(_between(data, pieces).strip(_FILLING))
    what = "a whole record" if len(pieces) == 1 else f"{len(pieces)} whole records"
    reason = f"{what} beside something cut off" if lost else f"{what} on one line"
    return LineReading(pieces, kind, reason, lost)


def decode_json(data: bytes) -> Decoded:
    """One JSON value: strictly, then with replaced bytes, then with raw control characters.

    Args:
        data: Bytes of a line or of a piece of one.
    """
    try:
        return Decoded(shallow(orjson.loads(data), data))
    except RecursionError:
        return Decoded(None, False, "bad_line", _NESTED_DEEPLY)
    except orjson.JSONDecodeError:
        pass  # stricter than the client in two points: lone surrogates and very long numbers
    kind = reason = ""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        kind, reason = "invalid_utf8", "bytes that are no UTF-8; they were replaced"
    try:
        return Decoded(shallow(_STRICT.decode(text), data), True, kind, reason)
    except RecursionError:
        return Decoded(None, False, "bad_line", _NESTED_DEEPLY)
    except ValueError as error:
        reason = _refusal(error)
    try:
        value = shallow(_LOOSE.decode(text), data)
    except RecursionError:
        return Decoded(None, False, "bad_line", _NESTED_DEEPLY)
    except ValueError:
        return Decoded(None, False, "bad_line", reason)
    kind = "control_characters" if "control character" in reason else "bad_line"
    return Decoded(value, True, kind, reason)


def find_records(data: bytes) -> tuple[Piece, ...]:
    """Whole records that stand somewhere in a broken line.

    Args:
        data: Bytes of the line. JSON's signs are ASCII, so the line is searched as Latin-1, in
            which every character is one byte.
    """
    text = data.decode("latin-1")
    pieces: list[Piece] = []
    position = tried = 0
    for _ in range(_MAX_TRIES):
        begin = _RECORD_START.search(data, position)
        if begin is None or tried > _MAX_TRIED_BYTES:
            break
        start = begin.start()
        try:
            found, end = _LOOSE.raw_decode(text, start)
            shallow(found, data[start:end])
        except (ValueError, RecursionError):
            tried += len(data) - start
            position = start + 1
            continue
        position = end
        value = decode_json(data[start:end]).value
        if _is_record(value) and not _is_nested(data, start, end):
            pieces.append(Piece(start, end, value))
    return tuple(pieces)


def _is_record(value: object) -> bool:
    return (
        isinstance(value, dict) and isinstance(value.get("type"), str) and not _RECORD_KEYS.isdisjoint(value)
    )


def _is_nested(data: bytes, start: int, end: int) -> bool:
    """Whether an object is a value inside another: progress records carry whole messages."""
    return data[:start].rstrip()[-1:] in {b":", b",", b"["} and data[end:].lstrip()[:1] in {b",", b"]", b"}"}


def _between(data: bytes, pieces: tuple[Piece, ...]) -> bytes:
    """What of a line belongs to none of its records."""
    edges = [0, *(edge for piece in pieces for edge in (piece.start, piece.end)), len(data)]
    return b"".join(data[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _refusal(error: ValueError) -> str:
    """Why strict JSON refused, without a word of the line itself."""
    if not isinstance(error, json.JSONDecodeError):
        return f"no JSON: {error}"
    what = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
    return f"no JSON: {what} at character {error.pos + 1}"


_STRICT = json.JSONDecoder(parse_constant=_refuse_constant)
_LOOSE = json.JSONDecoder(strict=False)
