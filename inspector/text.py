"""From untrusted text to drawable text, and how many cells it takes.

`printable` is the one gate: nothing of a session reaches a terminal without it, because Textual,
Rich and `print` all pass escape sequences through. It maps one code point to one code point, so a
place found in the raw text is the same place in the drawn one. The module imports only the
standard library: reports and screens share it, and headless commands must not load Textual.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

REPLACEMENT = "\ufffd"
"""Stands for a code point that would act on the terminal, or that hides."""
TAB_CELLS = 8

_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"
_DELETE = 0x7F
_DELETE_PICTURE = 0x2421
_MARKS_MAX = 8
"""Marks that may sit on one base; living scripts need no more than about six."""
_JOINS_MAX = 3
"""Joiners in one emoji: a family of four has three."""
_TOOL_CELLS = 24
"""Most cells of a tool's name in a line that names its argument too."""

_CLOSED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
"""Controls, format characters (bidi, zero width, tags, BOM), surrogates, unassigned, U+2028/9."""
_BLANK_LETTERS = frozenset(
    {
        0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0,
        *range(0x180B, 0x1810), *range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0),
    }
)  # fmt: skip
"""Assigned code points that draw nothing (fillers, variation selectors): a place to hide text."""
_WIDE_SINCE_UNICODE_16 = (
    range(0x2630, 0x2638), range(0x268A, 0x2690), range(0x4DC0, 0x4E00), range(0x1D300, 0x1D377),
)  # fmt: skip
"""Symbols that older tables of the standard library still call narrow."""
_VOWEL_AND_TAIL_JAMO = (range(0x1160, 0x1200), range(0xD7B0, 0xD7FC))
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_CONTROL_PICTURES = range(0x2400, 0x2440)
_CACHE_MAX = 8_192


def _gate(code: int) -> int:
    """The code point that is drawn in place of another (marks and joiners are judged later)."""
    if code < 0x20:
        return code if code == 0x0A else 0x2400 + code
    if code == _DELETE:
        return _DELETE_PICTURE
    character = chr(code)
    if character in {_JOINER, _EMOJI_STYLE}:
        return code
    if code in _BLANK_LETTERS or unicodedata.category(character) in _CLOSED_CATEGORIES:
        return ord(REPLACEMENT)
    return code


class _Table(dict[int, int]):
    """`str.translate` table that fills itself and stays small however many code points come."""

    def __missing__(self, code: int) -> int:
        drawn = _gate(code)
        if len(self) < _CACHE_MAX:
            self[code] = drawn
        return drawn


_TABLE = _Table({code: _gate(code) for code in range(0x180)})
_LINE_TABLE = _Table({**_TABLE, 0x0A: 0x240A})


def printable(text: str) -> str:
    """What may be drawn of a text: the one gate.

    C0 controls except line feed become their pictures (`␛`), DEL `␡`; C1, bidi and other format
    characters, U+2028/9, lone surrogates, unassigned code points and noncharacters become U+FFFD.
    Marks are kept up to a limit per base, joiners and skin tones only inside an emoji, because
    elsewhere terminals and Textual disagree about how many cells they take.

    Args:
        text: Anything, from anywhere.

    Returns:
        A text of the same length. Applying the gate again changes nothing.
    """
    if text.isascii() and text.isprintable():
        return text
    return _judge_marks(text.translate(_TABLE))


def printable_line(text: str) -> str:
    """The same for one row: line feeds are shown as `␊` too.

    Args:
        text: Anything, from anywhere.

    Returns:
        A text of the same length without a line feed.
    """
    if text.isascii() and text.isprintable():
        return text
    return _judge_marks(text.translate(_LINE_TABLE))


def has_controls(text: str) -> bool:
    """Whether the gate would change more of a text than its tabs and line feeds.

    Args:
        text: Anything, from anywhere.
    """
    if text.isascii() and text.isprintable():
        return False
    flat = text.replace("\t", " ")
    return printable(flat) != flat


def _judge_marks(text: str) -> str:
    """Replace the marks and joiners that have no right place, from left to right."""
    if text.isascii() or not any(_is_mark(c) or c == _JOINER for c in set(text)):
        return text
    out: list[str] = []
    marks = joins = 0
    for place, character in enumerate(text):
        before = out[-1] if out else "\n"
        if character == _JOINER:
            after = text[place + 1 : place + 2]
            joins += 1
            fits = joins <= _JOINS_MAX and _ends_emoji(before) and _is_emoji(after)
        elif _is_mark(character):
            marks += 1
            fits = marks <= _MARKS_MAX and _mark_fits(before, character)
        else:
            marks = 0
            joins = joins if before == _JOINER else 0
            fits = True
        if not fits:
            character, marks, joins = REPLACEMENT, 0, 0
        out.append(character)
    return "".join(out)


def _mark_fits(before: str, mark: str) -> bool:
    if before == "\n":
        return False  # It would sit on whatever the screen shows to the left of the text.
    if mark == _EMOJI_STYLE:
        return _is_emoji(before) or before in "#*0123456789" or unicodedata.category(before) in {"Sm", "Po"}
    if ord(mark) in _SKIN_TONES:
        return _is_emoji(before) or before == _EMOJI_STYLE
    return True


@lru_cache(maxsize=4096)
def _is_mark(character: str) -> bool:
    """Whether a character takes no cell of its own (by the table Textual draws with)."""
    code = ord(character)
    return (
        unicodedata.category(character)[0] == "M"
        or code in _SKIN_TONES
        or any(code in block for block in _VOWEL_AND_TAIL_JAMO)
    )


def _is_emoji(character: str) -> bool:
    return (
        character not in {"", REPLACEMENT}
        and unicodedata.category(character) == "So"
        and ord(character) not in _CONTROL_PICTURES
    )


def _ends_emoji(character: str) -> bool:
    return _is_emoji(character) or character == _EMOJI_STYLE or ord(character) in _SKIN_TONES


@lru_cache(maxsize=4096)
def _width(character: str) -> int:
    if _is_mark(character):
        return 0
    wide = unicodedata.east_asian_width(character) in {"W", "F"}
    return 2 if wide or any(ord(character) in block for block in _WIDE_SINCE_UNICODE_16) else 1


def cells(text: str) -> int:
    """How many terminal cells a printable line takes, never less than Textual counts.

    Args:
        text: One line that has passed the gate.
    """
    return len(text) if text.isascii() else sum(_widths(text))


def _widths(text: str) -> list[int]:
    """Cells that each character adds; the characters of one emoji count as its first."""
    out: list[int] = []
    joined = False
    for character in text:
        if character == _EMOJI_STYLE:
            out.append(1 if out and out[-1] == 1 else 0)
        else:
            out.append(0 if joined or character == _JOINER else _width(character))
        joined = character == _JOINER
    return out


def fit(text: str, width: int, keep: Literal["start", "end", "middle"] = "start") -> str:
    """Cut a text to a number of cells; `…` stands where something is missing.

    Args:
        text: Anything; it passes the gate as one line. Only as much of it is looked at as can show.
        width: Cells at most.
        keep: Which part stays. `middle` drops the middle: both ends of an id or a path tell most.

    Returns:
        A printable line of at most `width` cells.
    """
    if width <= 0:
        return ""
    reach = (width + 1) * (_MARKS_MAX + 2)
    if len(text) <= 2 * reach:
        line = printable_line(text)
        if cells(line) <= width:
            return line
        start = end = line
    else:
        start, end = printable_line(text[:reach]), printable_line(text[-reach:])
    if keep == "start":
        return _from_start(start, width - 1) + "…"
    if keep == "end":
        return "…" + _from_end(end, width - 1)
    tail = (width - 1) // 2
    return _from_start(start, width - 1 - tail) + "…" + _from_end(end, tail)


def fit_argument(argument: str, width: int) -> str:
    """Cut an argument: of a path the end tells most, of everything else the start.

    Args:
        argument: Anything; it passes the gate as one line.
        width: Cells at most.
    """
    is_path = "/" in argument and " " not in argument and "://" not in argument
    return fit(argument, width, "end" if is_path else "start")


def fit_call(tool: str, argument: str, width: int) -> str:
    """Cut a call to a number of cells: the end of a long tool name, and of its argument what tells most.

    Args:
        tool: The tool's name; the names of one server's tools begin alike.
        argument: What it was called with; both pass the gate as one line.
        width: Cells at most.
    """
    name = fit(tool, min(width, _TOOL_CELLS), "end")
    left = width - cells(name) - 1
    return f"{name} {fit_argument(argument, left)}" if argument and left > 1 else name


def _from_start(line: str, width: int) -> str:
    used = 0
    for place, cell in enumerate(_widths(line)):
        used += cell
        if used > width:
            return line[:place].rstrip(_JOINER)
    return line


def _from_end(line: str, width: int) -> str:
    widths = _widths(line)
    place, used = len(line), 0
    while place and used + widths[place - 1] <= width:
        place -= 1
        used += widths[place]
    # What is left of a cut emoji would sit on the ellipsis; cutting can only make it shorter.
    while place < len(line) and (_is_mark(line[place]) or _JOINER in line[max(0, place - 1) : place + 1]):
        place += 1
    return line[place:]


def wrap_starts(line: str, width: int) -> Sequence[int]:
    """Where the rows of a wrapped line begin, as places in the line; the first is 0.

    Args:
        line: A printable line.
        width: Cells per row, at least 2.
    """
    if line.isascii():
        return range(0, max(1, len(line)), width)
    starts = [0]
    used = 0
    for place, cell in enumerate(_widths(line)):
        if used + cell > width:
            starts.append(place)
            used = 0
        used += cell
    return starts


def column(text: str, width: int, right: bool = False) -> str:
    """Cut or fill a text to exactly a number of cells.

    Args:
        text: Anything; it passes the gate as one line.
        width: Cells.
        right: Set it against the right edge.
    """
    line = fit(text, width)
    blank = " " * (width - cells(line))
    return blank + line if right else line + blank


def expand_tabs(line: str) -> str:
    """Tabs as spaces up to the next multiple of eight cells.

    Args:
        line: One raw line.
    """
    if "\t" not in line:
        return line
    first, *rest = line.split("\t")
    out = [first]
    cell = cells(printable_line(first))
    for piece in rest:
        gap = TAB_CELLS - cell % TAB_CELLS
        out += (" " * gap, piece)
        cell += gap + cells(printable_line(piece))
    return "".join(out)
