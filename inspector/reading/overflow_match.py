"""Does the overflow file that a text names exist, and is it what the text says it is?

A replaced result states a path, a rounded size and a preview. Each is checked against the file on
its own, because each can be wrong on its own: the path is absolute on another machine, the size is
of bytes or of characters, and the preview was cut by a rule of its writer.
"""

from __future__ import annotations

import re
from enum import StrEnum

import msgspec

from inspector.reading.confine import last_names
from inspector.reading.persisted import TAG, parse_persisted
from inspector.reading.scratch import OverflowFile, Scratch, TextSize

PREVIEW_UNITS = 2_000
"""Most UTF-16 units of a Claude Code preview (`claude-code.md` §1)."""
PREVIEW_LEAST_UNITS = 1_000
"""A cut back to a newline never goes below the middle, so a preview holds at least this."""
_HEAD_BYTES = 4 * PREVIEW_UNITS
"""Enough bytes for the first 2,000 units in UTF-8, and for ChatCLI's first 4,000 bytes."""

_PREVIEW_LINE = re.compile(r"\n\r?\nPreview \([^)\n]*\):\r?\n")
_PERSISTED_END = "\n</persisted-output>"
_ELLIPSIS = "\n..."
"""Stands in front of the end where the preview is not the whole text."""
_CHATCLI_BUDGET = re.compile(
    r"\n\n\.\.\. \[-?\d+ chars omitted — full output saved to (?P<path>[^\n]*)\]\n\n"
)
_CHATCLI_WORKER = re.compile(
    r"\n\.\.\. \[full output saved to (?P<path>[^\n]*) — (?P<size>\d+) bytes total\]"
)
_AGED = re.compile(r"\n\[full output saved to (?P<path>[^\n]*)\](?:\n|\Z)")
"""The line that keeps the path of a preview that ageing shortened once more (`documented.md`)."""
_MCP_NOTICE = re.compile(r"Output has been saved to (?P<path>[^\n]*?\.(?:txt|json))")
_LABEL = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(bytes|byte|B|KB|MB|GB)\s*", re.IGNORECASE)
_UNIT_BYTES = {"b": 1, "byte": 1, "bytes": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Status(StrEnum):
    """What became of a stated overflow file."""

    FOUND = "found"
    """At the stated path."""
    FOUND_ELSEWHERE = "found-elsewhere"
    """Not at the stated path, but a file of that name lies in the scratch directory."""
    MISSING = "missing"
    SIZE_MISMATCH = "size-mismatch"
    PREVIEW_MISMATCH = "preview-mismatch"


class Stated(msgspec.Struct, frozen=True):
    """What a replaced result's text says about its overflow file."""

    path: str
    """As written; untrusted text."""
    label: str = ""
    """Rounded size as written, such as `42.8KB`; empty where none is stated."""
    stated_bytes: int | None = None
    """Exact size, where one is stated."""
    preview: str | None = None
    """The beginning of the file as the text shows it."""


class Match(msgspec.Struct, frozen=True):
    """The outcome for one stated file."""

    status: Status
    file: OverflowFile | None = None
    size: TextSize | None = None
    """Sizes of its text, where the check needed them: its bytes alone mostly agree with what is stated."""
    reason: str = ""
    """One sentence where the status is not `found`; holds no text of the session."""


def take_apart(text: str, id: str = "") -> Stated | None:
    """Path, size and preview out of the text that stands for a result.

    Understands the forms that are on record: `<persisted-output>` (`claude-code.md` §1), the
    two of ChatCLI (`chatcli.md` §3.4 and §5), the line under an aged text, and the MCP notice of a
    result over the token limit.

    Args:
        text: What the model saw.
        id: The result's tool_use id. A preview may show a text that holds the words of a preview
            itself; the path with this id in its name is then the one that is meant.

    Returns:
        None for a text that names no overflow file.
    """
    if text.startswith(TAG):
        return _persisted(text)
    named = list(_CHATCLI_BUDGET.finditer(text))
    own = (found for found in named if f"/budget_{id}_" in found["path"])
    if found := next(own, named[0] if named else None):
        return Stated(found["path"], preview=text[: found.start()])
    if found := _CHATCLI_WORKER.search(text):
        return Stated(found["path"], stated_bytes=int(found["size"]), preview=text[: found.start()])
    if aged := list(_AGED.finditer(text)):
        return Stated(aged[-1]["path"])  # what the shortened text shows stands in front of the line
    if found := _MCP_NOTICE.search(text[:_HEAD_BYTES]):
        return Stated(found["path"])
    return None


def _persisted(text: str) -> Stated | None:
    header = parse_persisted(text)
    if header is None or not (header.path or header.label):
        return None
    begin = _PREVIEW_LINE.search(text)
    if begin is None:
        return Stated(header.path, header.label)
    preview = text[begin.end() :]
    # The preview may hold the closing words itself, and text may follow them: the last ones count.
    shown, end, _ = preview.rpartition(_PERSISTED_END)
    return Stated(header.path, header.label, preview=shown.removesuffix(_ELLIPSIS) if end else preview)


def fits_label(label: str, units: int) -> bool | None:
    """Whether a size rounds to a label; None for a label that is no size.

    Args:
        label: As written.
        units: A size in any unit.
    """
    found = _LABEL.fullmatch(label)
    if found is None:
        return None
    unit = _UNIT_BYTES[found[2].lower()]
    # One decimal is stated, so the true figure lies within half a tenth of it.
    return abs(units / unit - float(found[1])) <= (0.0500001 if unit > 1 else 0)


def match_stated(scratch: Scratch, stated: Stated) -> Match:
    """Find the file that a text names and check it (`pipeline.md`, Command line).

    The stated path counts only inside the scratch directories; otherwise the file is looked for
    there by its last path part. What is checked is its size and its beginning: all that a text states
    of it. The bytes are told by the file system; a file is read to its end only where they do not
    agree, to count it in the other units.

    Args:
        scratch: The session's scratch directories.
        stated: What the text says.

    Raises:
        UnreadableError: The file was found but cannot be read.
    """
    preview = _comparable(stated.preview)
    found = _find(scratch, stated.path, _head_bytes(preview))
    if found is None:
        return Match(Status.MISSING, reason=_why_missing(scratch, stated.path))
    file, head, at_path = found
    if not _figure_fits(stated, file.size_bytes):
        size = scratch.text_size(file)
        if not _size_fits(stated, size):
            said = stated.label or f"{stated.stated_bytes:,} bytes"
            reason = f"{said} stated, but the file holds {size.bytes:,} bytes ({size.chars:,} characters)"
            return Match(Status.SIZE_MISMATCH, file, size, reason)
    if preview and not _begins_with(head, preview):
        reason = "the file does not begin with the preview's text"
        return Match(Status.PREVIEW_MISMATCH, file, None, reason)
    if at_path:
        return Match(Status.FOUND, file)
    return Match(Status.FOUND_ELSEWHERE, file, reason="the stated path is not there; a file of that name is")


def _comparable(preview: str | None) -> str:
    """What of a preview has to be the beginning of its file, wherever its writer cut it.

    One that holds half a character (cut inside a surrogate pair) cannot be told exactly from a UTF-8
    file, nor can one with replacement characters (ChatCLI cuts bytes): these are compared over the
    units that every preview has, or up to the first replacement character.
    """
    if not preview or not _LONE_SURROGATE.search(preview):
        return preview or ""
    preview = preview[:PREVIEW_LEAST_UNITS].partition("\ufffd")[0]
    return _LONE_SURROGATE.split(preview, maxsplit=1)[0]


def _head_bytes(preview: str) -> int:
    """Bytes of a file that are enough to compare its beginning with a preview; 0 where there is none."""
    if not preview:
        return 0
    return min(max(_HEAD_BYTES, len(preview.encode("utf-8", "surrogatepass")) + 4), 1 << 20)


def _begins_with(head_bytes: bytes, preview: str) -> bool:
    head = head_bytes.decode("utf-8", "replace")
    if head.startswith(preview):
        return True
    whole = preview.partition("\ufffd")[0]
    return whole != preview and head.startswith(whole)


def _find(scratch: Scratch, stated_path: str, head_bytes: int) -> tuple[OverflowFile, bytes, bool] | None:
    """The file that a path means, its first bytes, and whether it lies at that very path."""
    inside = scratch.parts_inside(stated_path)
    if inside is not None and (found := scratch.look(*inside, head_bytes)) is not None:
        return *found, True
    for name in last_names(stated_path):
        for root in scratch.roots:
            if (found := scratch.look(root, (name,), head_bytes)) is not None:
                return *found, False
    return None


def _why_missing(scratch: Scratch, stated_path: str) -> str:
    if not scratch.roots:
        return "the session has no scratch directory here"
    names = last_names(stated_path)
    if not names:
        return "the stated path names no file"
    listed = {entry.name: entry.reason for entry in scratch.listing().skipped}
    for name in names:
        if name in listed:
            return f"an entry of that name is there, but it is {listed[name]}"
    return "no file of that name is in the scratch directory"


def _size_fits(stated: Stated, size: TextSize) -> bool:
    """Whether any unit of the file agrees with what is stated: Bash counts bytes, the budget units."""
    return any(_figure_fits(stated, figure) for figure in (size.bytes, size.utf16, size.chars))


def _figure_fits(stated: Stated, figure: int) -> bool:
    """Whether a size is one that is stated; any is where none is."""
    if stated.stated_bytes == figure:
        return True
    fits = fits_label(stated.label, figure)
    return stated.stated_bytes is None if fits is None else fits
