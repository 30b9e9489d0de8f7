"""From untrusted text to drawable text, and from figures to words.

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
UNKNOWN = "—"
"""Stands for a figure that is not known, or that there is none of."""
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


def expand_tabs(line: str, start: int = 0) -> str:
    """Tabs as spaces up to the next multiple of eight cells.

    Args:
        line: One raw line.
        start: Cell in which the line begins.
    """
    if "\t" not in line:
        return line
    first, *rest = line.split("\t")
    out = [first]
    cell = start + cells(printable_line(first))
    for piece in rest:
        gap = TAB_CELLS - cell % TAB_CELLS
        out += (" " * gap, piece)
        cell += gap + cells(printable_line(piece))
    return "".join(out)


def number(n: int | None) -> str:
    """A figure in full: `241,004`, `−3`; `—` where it is not known."""
    return UNKNOWN if n is None else f"{n:,}".replace("-", "−")


def short_number(n: int | None) -> str:
    """A figure in three digits for axes and sums: `9,999`, `241 K`, `3.95 M`."""
    if n is None or abs(n) < 10_000:
        return number(n)
    sign = "−" if n < 0 else ""
    value = abs(n) / 1_000
    for unit in "KMG":
        digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
        if round(value, digits) < 1_000 or unit == "G":
            return f"{sign}{value:,.{digits}f} {unit}"
        value /= 1_000
    raise AssertionError("the last unit takes everything")


def estimate(n: int | None) -> str:
    """A figure that was estimated: `≈ 241,004`."""
    return UNKNOWN if n is None else f"≈ {number(n)}"


def percent(part: float, whole: float) -> str:
    """A share without decimals: `12 %`; `—` of nothing."""
    return UNKNOWN if whole == 0 else f"{round(100 * part / whole)} %".replace("-", "−")


def count_words(n: int, noun: str, nouns: str = "") -> str:
    """A counted noun: `1 request`, `3 requests`.

    Args:
        n: How many.
        noun: For one.
        nouns: For any other number, where it is not `noun` with an s.
    """
    return f"{number(n)} {noun if n == 1 else nouns or noun + 's'}"


def size_words(size: int | None) -> str:
    """A size in bytes: `96,004 bytes`, from 100,000 on `6.1 MB`, from 1,000 MB on `1.2 GB`.

    Args:
        size: Bytes; MB are millions of them.
    """
    if size is None:
        return UNKNOWN
    if abs(size) < 100_000:
        return count_words(size, "byte")
    unit, divisor = ("MB", 1e6) if abs(size) < 999_950_000 else ("GB", 1e9)
    return f"{size / divisor:,.1f} {unit}".replace("-", "−")


_AGES = ((60, 60, "min", "min"), (3_600, 3_600, "h", "h"), (86_400, 86_400, "day", "days"))
_LONG_AGES = (
    (60 * 86_400, 30.44 * 86_400, "month", "months"),
    (730 * 86_400, 365.25 * 86_400, "year", "years"),
)


def age_words(seconds: float | None) -> str:
    """How long ago: `now` (under a minute, and for clocks that differ), `38 min`, `2 h`, `1 day`.

    Args:
        seconds: Seconds since then.
    """
    if seconds is None:
        return UNKNOWN
    words = "now"
    for threshold, unit_s, one, many in _AGES + _LONG_AGES:
        if seconds >= threshold:
            count = int(seconds // unit_s)
            words = f"{count} {one if count == 1 else many}"
    return words


def duration_words(seconds: float | None) -> str:
    """How long: `120 ms`, `3.2 s`, `48 s`, `2 min 10 s`, `1 h 04 min`.

    Args:
        seconds: Seconds; a negative duration counts as none.
    """
    if seconds is None:
        return UNKNOWN
    seconds = max(0.0, seconds)
    if round(seconds * 1_000) < 1_000:
        return f"{round(seconds * 1_000)} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3_600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    return f"{number(minutes // 60)} h {minutes % 60:02d} min"
