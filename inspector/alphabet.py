"""The signs that we draw, each with the ASCII sign that stands for it where a terminal lacks it.

One table for screens and reports, from one cell to one cell: whoever lays out rows need not know
which form is drawn, because the form is chosen when a row is written. The letters of the states and
`= ~ + - ? !` are ASCII anyway; no other sign may become one of these where the two could be taken for
each other. The module imports nothing, so that headless commands start as fast with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

_SIGNS: Mapping[str, str] = {
    # levels and sizes: the more there is on the wire, the more ink
    "█": "#", "■": "#", "▇": "8", "▆": "O", "▅": "O", "▄": "o", "▃": "o", "▂": "_", "▁": "_",
    "░": ":", "▒": "@", "·": ".",
    # repairs and events
    "×": "x", "✗": "x", "»": ">", "↑": "^", "▲": "A", "◆": "%", "▼": "V", "╎": "|", "±": "&", "≠": "/",
    # places: cursor, folds, limit, live, playing, paused
    "▌": ">", "▸": "+", "▾": "-", "┊": "'", "●": "*", "►": ">", "◄": "<", "║": '"',
    # bars and rules
    "▏": "|", "▎": ";", "▍": ";", "▋": "=", "▊": "=", "▉": "=", "━": "=", "╸": "=", "╌": "-",
    "╍": "-",
    "┈": "-", "┄": "-", "│": "|", "└": "`", "╰": "`",
    # within texts
    "→": ">", "←": "<", "↓": "v", "≈": "~", "…": "~", "⋯": "~", "—": "-", "–": "-", "−": "-",
    "“": '"', "”": '"', "’": "'", "¦": "|",
}  # fmt: skip
"""Every sign of ours → its ASCII form."""
_BORROWED: Mapping[str, str] = {"🔎": "> ", "▔": "-", "▕": "|", "▀": "#"}
"""Signs of Textual's own widgets; what is two cells wide stays so."""
_REPLACED = "?"
"""Stands for what the printable gate has put in place of a control character."""
_LINES_ACROSS = "─━╌╍┄┅┈┉╴╶╸╺╼╾═"
_LINES_DOWN = "│┃╎╏┆┇┊┋╵╷╹╻╽╿║"


def _frames() -> dict[str, str]:
    """Lines, corners and blocks that nothing else names."""
    found = {chr(code): "+" for code in range(0x2500, 0x2580)}
    found |= dict.fromkeys(_LINES_ACROSS, "-") | dict.fromkeys(_LINES_DOWN, "|")
    return found | {chr(code): "#" for code in range(0x2580, 0x25A0)}


ASCII: Mapping[str, str] = {**_SIGNS, **_BORROWED}
"""Sign → ASCII form, of as many cells."""
_PICTURES = str.maketrans({chr(code): _REPLACED for code in (*range(0x2400, 0x2427), 0xFFFD)})


@cache
def _table() -> Mapping[int, int | str]:
    """Code point → its ASCII form; made when a text is first drawn so, which most never are."""
    return str.maketrans(_frames() | dict(ASCII)) | _PICTURES


def in_ascii(text: str) -> str:
    """A text of ours with every sign in its ASCII form; other letters stay.

    Args:
        text: What is drawn otherwise.

    Returns:
        A text of as many cells.
    """
    return text if text.isascii() else text.translate(_table())


def without_pictures(text: str) -> str:
    """A text of a session without the signs that the printable gate put into it.

    Args:
        text: What has passed the gate.

    Returns:
        A text of the same length.
    """
    return text if text.isascii() else text.translate(_PICTURES)


class Charset(NamedTuple):
    """What can be drawn."""

    ascii: bool = False
    """Whether our signs are ASCII."""
    encoding: str = "utf-8"
    """Codec of what else can be drawn."""

    def can_draw(self, text: str) -> bool:
        """Whether the encoding has all of a text."""
        if text.isascii() or self.encoding == "utf-8":
            return True
        try:
            text.encode(self.encoding)
        except (UnicodeError, LookupError):
            return False
        return True


VARIABLE = "INSPECTOR_ASCII"
"""`1` asks for ASCII signs, `0` for the others."""
_POOR_TERMINALS = frozenset({"linux", "vt100", "vt102", "vt220", "ansi", "cons25"})
"""Values of TERM whose fonts lack most of our signs."""


def charset_of(
    asked: bool | None, environ: Mapping[str, str], encoding: str | None, *, terminal: bool = True
) -> Charset:
    """What to draw with.

    Args:
        asked: What the call asks for; None leaves it to the environment.
        environ: `INSPECTOR_ASCII`, `LC_ALL`, `LC_CTYPE`, `LANG` and `TERM` are asked for.
        encoding: Of the stream that is drawn to; None where it says nothing.
        terminal: Whether a terminal reads it: a file has no font.
    """
    codec = (encoding or "utf-8").lower().replace("_", "-")
    codec = "utf-8" if codec in {"utf8", "utf-8"} else codec
    # Python takes the C locale for UTF-8, since most often nobody chose it; one that was chosen counts.
    if _first(environ, ("LC_ALL", "LC_CTYPE", "LANG")) in {"C", "POSIX"}:
        codec = "ascii"
    chosen = {"1": True, "0": False}.get(environ.get(VARIABLE, "")) if asked is None else asked
    if chosen is None:
        poor = terminal and environ.get("TERM", "") in _POOR_TERMINALS
        chosen = poor or not Charset(encoding=codec).can_draw("".join(_SIGNS))
    return Charset(chosen, codec)


def _first(environ: Mapping[str, str], names: Iterable[str]) -> str:
    """The first variable that is set, as the C library looks for it."""
    return next((environ[name] for name in names if environ.get(name)), "")
