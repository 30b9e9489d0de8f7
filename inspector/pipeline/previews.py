"""What stays on the wire of a result that was replaced: exact texts, and their sizes without them.

Two forms: Claude Code's `<persisted-output>` and seed 000's head and tail around a path. Each text
has a companion that gives its size from the `Shape` of the full text, because a replay keeps no
texts; the two are tested against each other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import orjson

from inspector.model.policy import BudgetSettings, Unit
from inspector.model.transcript import Shape, Size, preview_check
from inspector.pipeline.units import (
    first_utf16,
    head_to_newline,
    in_unit,
    measure,
    tail_from_newline,
    utf16_len,
)

OPENING = "<persisted-output>"
"""Start of a persisted text; what starts with it is no candidate (seed 001 §2.4)."""
PERSISTED_PREVIEW_UTF16 = 2_000
"""Claude Code's preview length; it calls it 2KB, but counts UTF-16 units (`claude-code.md` §1)."""
SHAPE_HEAD, SHAPE_TAIL = 4_000, 1_000
"""The cuts for which a `Shape` holds the exact figures of the documented preview."""
_LONE = re.compile("[\ud800-\udfff]")
_PATHS = (
    re.compile(
        r"\A<persisted-output>\nOutput too large \([^)\n]*\)\. Full output saved to: (.+?)\n\nPreview", re.S
    ),
    re.compile(r"(?=\n\n\.\.\. \[\d+ chars omitted — full output saved to (.{1,4096}?)\]\n\n)", re.S),
)
"""Where each form names its file. A path may hold anything, so the words around it are the border;
its length is bounded because a text may hold the words in front of it many times."""


def size_label(size: int) -> str:
    """Claude Code's size wording: thousand-and-24s, one decimal, `.0` dropped.

    Args:
        size: Bytes for Bash's own limit, UTF-16 units for the message budget.
    """
    for unit, name in ((1024, "KB"), (1024**2, "MB"), (1024**3, "GB")):
        # Halves round up, as JavaScript's toFixed does with a value that is exact in binary.
        tenths = (20 * size + unit) // (2 * unit)
        if size < 1024 * unit or name == "GB":  # the size decides, not what it is rounded to
            break
    if size < 1024:
        return f"{size} bytes"
    return f"{tenths // 10}{name}" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}{name}"


def pretty_json(content: Sequence[object]) -> str:
    """A list content as Claude Code stores it: JSON with an indent of two, no half characters.

    Lone surrogates are written as escapes, as JavaScript's `JSON.stringify` does.
    """
    try:
        return orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # it holds half a character
        text = json.dumps(content, indent=2, ensure_ascii=False)
    return _LONE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def persisted_cut(text: str, *, split_pairs: bool = False) -> str:
    """The part of a text that a persisted preview shows (`claude-code.md` §1).

    The first 2,000 UTF-16 units, back to the last newline (without it) if that lies past the middle.

    Args:
        text: The full text.
        split_pairs: Whether a character across the cut leaves its first half, as in the real client.
    """
    head = first_utf16(text, PERSISTED_PREVIEW_UTF16, split_pairs=split_pairs)
    if len(head) == len(text):
        return text
    at = head.rfind("\n")
    if at >= 0 and utf16_len(head[:at]) > PERSISTED_PREVIEW_UTF16 // 2:
        return head[:at]
    return head


_HERE = "\0"
"""Where the shown part stands in the frame of a preview."""


def persisted_preview(text: str, path: str, size: int | None = None, *, split_pairs: bool = False) -> str:
    """Claude Code's text in place of a result that went to disk (`claude-code.md` §1).

    Args:
        text: The full text as it stands in the file; for list content its `pretty_json`.
        path: Where the file is.
        size: What the size label is made of; None: the text's UTF-16 units, as the budget does it.
        split_pairs: See `persisted_cut`.
    """
    shown = persisted_cut(text, split_pairs=split_pairs)
    label = size_label(utf16_len(text) if size is None else size)
    return _persisted(label, path, shown, more=len(shown) < len(text))


def persisted_preview_size(size: Size, shape: Shape | None, path: str, unit: Unit) -> tuple[int, bool]:
    """Size of `persisted_preview` from the figures of the full text.

    Args:
        size: The full text's lengths.
        shape: Its shape; None for a short text, which is then taken as shown in full.
        path: Where the file is or would be.
        unit: What to count in.

    Returns:
        The size in `unit`, and whether it is exact. It is not where the shown part cannot be told
        apart by unit (text with characters beyond ASCII, counted otherwise than in UTF-16 units) or
        where a text between the preview's length and the shape's has no shape.
    """
    shown = min(size.utf16, PERSISTED_PREVIEW_UTF16 if shape is None else shape.preview_cut)
    frame = measure(_persisted(size_label(size.utf16), path, "", more=shown < size.utf16), unit)
    exact = shape is not None or size.utf16 <= PERSISTED_PREVIEW_UTF16
    if unit is not Unit.UTF16 and not _ascii(size):
        return frame + shown * in_unit(size, unit) // max(size.utf16, 1), False
    return frame + shown, exact


def listed_preview_size(size: Size, shape: Shape | None, path: str, unit: Unit) -> int:
    """The same for a list content, about: of its `pretty_json` only the texts' figures are known.

    It is taken as a single item whose line feeds are all that must be escaped. What is shown is then the
    first 2,000 units, since no line ends in them; more items, quotes and the like change little of it.

    Args:
        size: The lengths of its texts together.
        shape: Their shape; None for a short text.
        path: Where the file is or would be.
        unit: What to count in.
    """
    escapes = shape.lines - 1 if shape is not None else 0
    whole = utf16_len(pretty_json([{"type": "text", "text": ""}])) + size.utf16 + escapes
    shown = min(whole, PERSISTED_PREVIEW_UTF16)
    frame = measure(_persisted(size_label(whole), path, "", more=shown < whole), unit)
    return frame + shown * in_unit(size, unit) // max(size.utf16, 1)


def is_persisted_preview(stored: str, size: Size, shape: Shape, path: str) -> bool:
    """Whether a stored text is the `persisted_preview` of a text of which only figures are known.

    Args:
        stored: The text that was stored.
        size: The full text's lengths.
        shape: Its shape.
        path: Where the file is.
    """
    shown = min(size.utf16, shape.preview_cut)
    frame = _persisted(size_label(size.utf16), path, _HERE, more=shown < size.utf16)
    before, _, after = frame.rpartition(_HERE)
    if len(stored) < len(before) + len(after) or not (stored.startswith(before) and stored.endswith(after)):
        return False
    text = stored[len(before) : len(stored) - len(after)]
    return utf16_len(text) == shown and preview_check(text, shown) == shape.preview_check


def _persisted(label: str, path: str, shown: str, *, more: bool) -> str:
    ellipsis = "\n..." if more else ""
    return (
        f"{OPENING}\nOutput too large ({label}). Full output saved to: {path}\n\n"
        f"Preview (first 2KB):\n{shown}{ellipsis}\n</persisted-output>"
    )


def budget_preview(text: str, path: str, settings: BudgetSettings, unit: Unit) -> str:
    """Seed 000's text in place of a result that went to disk (`documented.md`, Budget).

    Head, a line that names the file and says how much is really missing, tail; both are cut at line
    ends. A text no longer than head and tail together is its own preview: there is nothing to omit.

    Args:
        text: The full text.
        path: Where the file is.
        settings: `preview_head` and `preview_tail`, in `unit`.
        unit: What to count and cut in.
    """
    size = measure(text, unit)
    if size <= settings.preview_head + settings.preview_tail:
        return text
    head = head_to_newline(text, settings.preview_head, unit)
    tail = tail_from_newline(text, settings.preview_tail, unit)
    missing = size - measure(head, unit) - measure(tail, unit)
    return f"{head}{_omission(missing, path)}{tail}"


def budget_preview_size(
    size: Size, shape: Shape | None, path: str, settings: BudgetSettings, unit: Unit
) -> tuple[int, bool]:
    """Size of `budget_preview` from the figures of the full text.

    Args:
        size: The full text's lengths.
        shape: Its shape; None for a short text.
        path: Where the file is or would be.
        settings: `preview_head` and `preview_tail`, in `unit`.
        unit: What to count in.

    Returns:
        The size in `unit`, and whether it is exact: where the shape was made for these cuts, and
        code points are counted or the text is ASCII. Else line ends are left out of account.
    """
    whole = in_unit(size, unit)
    head, tail = settings.preview_head, settings.preview_tail
    if whole <= head + tail:
        return whole, True
    exact = (
        shape is not None
        and (head, tail) == (SHAPE_HEAD, SHAPE_TAIL)
        and (unit is Unit.CODE_POINTS or _ascii(size))
    )
    if exact and shape is not None:
        head, tail = shape.head_cut, shape.tail_cut
    return head + tail + measure(_omission(whole - head - tail, path), unit), exact


def paths_in(replacement: str) -> tuple[str, ...]:
    """The paths that a replacement of either form may name, in order.

    The persisted form names one. In the other the words around a path may also stand in what it
    shows of the text, so there can be several, and only the full text tells which one is its own.
    """
    persisted, omission = _PATHS
    if found := persisted.search(replacement):
        return (found[1],)
    return tuple(found[1] for found in omission.finditer(replacement))


def _omission(missing: int, path: str) -> str:
    return f"\n\n... [{missing} chars omitted — full output saved to {path}]\n\n"


def _ascii(size: Size) -> bool:
    return size.chars == size.bytes
