"""Ageing: what becomes of a result's text once answers have passed over it (seed 000).

Levels are made from the result's own text, never from a shortened one, so a summary tells the same
whether or not the text was truncated or previewed before. Sizes can be told from a `Shape` alone.
"""

from __future__ import annotations

from inspector.model.ledger import Level
from inspector.model.policy import Ageing, MicrocompactSettings, Unit
from inspector.model.transcript import Shape, Size
from inspector.pipeline.units import head_to_newline, in_unit, measure, tail_from_newline

CLEARED = "[Old tool result content cleared]"
"""What Claude Code's clearing by time leaves (`claude-code.md` §3)."""
SHAPE_HEAD, SHAPE_TAIL = 2_000, 500
"""The cuts for which a `Shape` holds the exact figures of a truncated text."""
SLACK = 100
"""A text no longer than head + tail + this is not truncated (`chatcli.md` §4, Preview)."""
TYPE_WINDOW_BYTES = 200
"""How much of a text its type is told from."""

_GO_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_WORDS = (
    ("package ", "Go source"),
    ("import ", "source code"),
    ("def ", "Python source"),
    ("function ", "JavaScript source"),
)


COMMANDED = frozenset({"@coder", "coder"})
"""Tools that read as well as write: which of both, the command says that they were given (seed 000)."""
READING_COMMANDS = frozenset(
    {"read", "search", "tree", "git-status", "git-diff", "git-log", "git-changed", "git-branch"}
)
"""Commands of such a tool that neither write nor execute; one that is not known may do so."""


def level(
    age: int, size: int, tool: str, is_error: bool, settings: MicrocompactSettings, command: str = ""
) -> tuple[Level, str]:
    """What ageing makes of a result.

    Args:
        age: Distinct answers that stand after the result.
        size: Its text on the wire before ageing, in the policy's unit.
        tool: Name of the tool that was called.
        is_error: Whether it is an error result.
        settings: Thresholds and exemptions.
        command: What a tool of several commands was told to do; empty where that is not known.

    Returns:
        FULL, TRUNCATED, SUMMARIZED or EXEMPT, and in a few words why an old result was left.
    """
    if settings.variant not in (Ageing.AGES, Ageing.CHATCLI):
        return Level.FULL, ""
    if age < min(settings.truncate_turns, settings.summarize_turns):
        return Level.FULL, ""
    documented = settings.variant is Ageing.AGES
    if size < settings.min_content or (documented and size == settings.min_content):
        return Level.FULL, "short"
    if documented and tool in settings.exempt_tools and command not in READING_COMMANDS:
        return Level.EXEMPT, "writes or executes"
    if settings.exempt_errors and is_error:
        return Level.EXEMPT, "error result"
    if age >= settings.summarize_turns:
        return Level.SUMMARIZED, ""
    return Level.TRUNCATED, ""


def truncate(text: str, settings: MicrocompactSettings, unit: Unit = Unit.CODE_POINTS) -> str:
    """The first level: head and tail, cut at line ends, around a line that counts what is missing.

    Args:
        text: The result's own text.
        settings: `head` and `tail`, in `unit`.
        unit: What to count and cut in.
    """
    size = measure(text, unit)
    if size <= settings.head + settings.tail + SLACK:
        return text
    head = head_to_newline(text, settings.head, unit)
    tail = tail_from_newline(text, settings.tail, unit)
    missing = size - measure(head, unit) - measure(tail, unit)
    return f"{head}{_omission(missing)}{tail}"


def truncated_size(
    size: Size, shape: Shape | None, settings: MicrocompactSettings, unit: Unit
) -> tuple[int, bool]:
    """Size of `truncate` from the figures of the text.

    Args:
        size: The text's lengths.
        shape: Its shape; None for a short text.
        settings: `head` and `tail`, in `unit`.
        unit: What to count in.

    Returns:
        The size in `unit`, and whether it is exact (see `previews.budget_preview_size`).
    """
    whole = in_unit(size, unit)
    head, tail = settings.head, settings.tail
    if whole <= head + tail + SLACK:
        return whole, True
    exact = (
        shape is not None
        and (head, tail) == (SHAPE_HEAD, SHAPE_TAIL)
        and (unit is Unit.CODE_POINTS or size.chars == size.bytes)
    )
    if exact and shape is not None:
        head, tail = shape.aged_head_cut, shape.aged_tail_cut
    return head + tail + measure(_omission(whole - head - tail), unit), exact


def summarize(text: str, unit: Unit = Unit.CODE_POINTS) -> str:
    """The second level: one line that says how much there was and of what type.

    Args:
        text: The result's own text.
        unit: What "chars" counts.
    """
    return _summary(text.count("\n") + 1, measure(text, unit), content_type(text))


def summary_size(size: Size, shape: Shape | None, unit: Unit) -> tuple[int, bool]:
    """Size of `summarize` from the figures of the text.

    Args:
        size: The text's lengths.
        shape: Its shape; None for a short text, whose lines and type are then guessed.
        unit: What to count in.

    Returns:
        The size in `unit`, and whether it is exact.
    """
    lines, kind = (shape.lines, shape.content_type) if shape else (size.chars // 40 + 1, "text")
    return measure(_summary(lines, in_unit(size, unit), kind), unit), shape is not None


def path_line(path: str) -> str:
    """What follows a shortened text that no longer names its overflow file (`documented.md`).

    Args:
        path: Where the full text is.
    """
    return f"\n[full output saved to {path}]"


def content_type(text: str) -> str:
    """The type word of a text, told from its first 200 bytes (`chatcli.md` §4: first match wins)."""
    trimmed = text.strip(_GO_SPACE)
    if trimmed.startswith(("{", "[")):
        return "JSON"
    window = trimmed[:TYPE_WINDOW_BYTES].encode("utf-8", "surrogatepass")[:TYPE_WINDOW_BYTES]
    for word, name in _WORDS:
        if word.encode() in window:
            return name
    if window.startswith((b"diff ", b"--- ")):
        return "diff"
    return "git log" if window.startswith(b"commit ") else "text"


def _omission(missing: int) -> str:
    return f"\n[... {missing} chars omitted from old tool result ...]\n"


def _summary(lines: int, size: int, kind: str) -> str:
    return f"[Old tool result cleared — {lines} lines, {(size + 500) // 1000}K chars, {kind}]"
