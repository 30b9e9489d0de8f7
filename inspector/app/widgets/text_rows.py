"""Rows of a long text: `TextRows` by lines, which may be wrapped one by one, and `HexRows` by bytes.

Which rows a wrapped line takes is kept for wrapped lines only, so a text of a million lines costs
nothing until somebody wraps them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence

from rich.segment import Segment
from rich.style import Style

from inspector.app.theme import Ink
from inspector.app.widgets.document import Document, Matches
from inspector.app.widgets.line_text import EXPANDED_MAX, Mark, display, draw_line, window
from inspector.text import fit, has_controls, wrap_starts

WRAP_CHARS = 1_000_000
"""A longer line is wrapped up to here; `wrap all` is refused for longer texts."""
_LOOK_CHARS = 4_000
"""How far into a line control characters are looked for when its number is drawn."""
_HEX_BYTES = 16


class TextRows:
    """Lines of a document as rows: one each, or several where a line is wrapped."""

    def __init__(self, document: Document) -> None:
        """Show a document.

        Args:
            document: The text.
        """
        self.document = document
        self.matches = Matches()
        self.current = -1
        """Number of the match that the person stands on; -1: none."""
        self.escaped = False
        self.tints: Mapping[int, str] = {}
        """Line, from 0 → colour token, for lines that are not the text's own."""
        self.own_lines: Collection[int] = ()
        """Lines that are ours: their signs are drawn as everywhere on the screen."""
        self.revision = 0
        self._width = 80
        self._wrapped: dict[int, Sequence[int]] = {}
        self._wrapped_text: dict[int, str] = {}
        self._order: list[int] = []
        self._first_rows: list[int] = []
        self._extra = 0

    def __len__(self) -> int:
        return self.document.line_count + self._extra

    @property
    def gutter(self) -> int:
        """Cells before the text: number, sign and a blank."""
        return max(4, len(str(self.document.line_count))) + 3

    def place(self, row: int) -> tuple[int, int]:
        """Line and part of it, both from 0, that a row shows."""
        at = bisect_right(self._first_rows, row) - 1
        if at < 0:
            return row, 0
        line = self._order[at]
        past = row - self._first_rows[at]
        parts = len(self._wrapped[line])
        return (line, past) if past < parts else (line + 1 + past - parts, 0)

    def row_of(self, line: int, place: int = 0) -> int:
        """Row that shows a line.

        Args:
            line: Line, from 0.
            place: Character of the line, in case it is wrapped.
        """
        at = bisect_right(self._order, line) - 1
        if at < 0:
            return line
        known = self._order[at]
        if known == line:
            starts = self._wrapped[line]
            return self._first_rows[at] + max(0, bisect_right(starts, place) - 1)
        return self._first_rows[at] + len(self._wrapped[known]) + line - known - 1

    def set_width(self, width: int) -> None:
        """Wrap for a view of that many cells."""
        width = max(2, width - self.gutter - 1)
        if width != self._width:
            self._width = width
            self._rewrap(list(self._wrapped))

    def toggle_wrap(self, line: int) -> None:
        """Wrap a line, or cut it again."""
        lines = set(self._wrapped) ^ {line}
        self._rewrap(sorted(lines))

    def wrap_all(self, wrap: bool) -> None:
        """Wrap every line that is longer than the view, or none."""
        count = self.document.line_count if wrap else 0
        longer = self._width // 2
        spans = ((line, self.document.span(line)) for line in range(count))
        self._rewrap([line for line, (start, end) in spans if end - start > longer])

    def toggle_escaped(self) -> None:
        """Spell control characters out, or draw their pictures again."""
        self.escaped = not self.escaped
        self._rewrap(list(self._wrapped))

    @property
    def wraps(self) -> bool:
        """Whether any line is wrapped."""
        return bool(self._wrapped)

    def _rewrap(self, lines: Sequence[int]) -> None:
        self._order = list(lines)
        self._wrapped.clear()
        self._wrapped_text.clear()
        self._first_rows = []
        self._extra = 0
        for line in lines:
            text = display(self.raw(line)[:WRAP_CHARS], escaped=self.escaped)
            starts = wrap_starts(text, self._width)
            self._wrapped[line], self._wrapped_text[line] = starts, text
            self._first_rows.append(line + self._extra)
            self._extra += len(starts) - 1
        self.revision += 1

    def raw(self, line: int) -> str:
        """The raw text of a line, without the carriage return that may end it."""
        start, end = self.document.span(line)
        return self.document.text[start:end].removesuffix("\r")

    def shown(self, row: int) -> str:
        """What a row shows beside its number, uncut: printable."""
        line, part = self.place(row)
        if line not in self._wrapped:
            return display(self.raw(line)[:WRAP_CHARS], escaped=self.escaped)
        return self._part(line, part)

    def _part(self, line: int, part: int) -> str:
        starts, text = self._wrapped[line], self._wrapped_text[line]
        end = starts[part + 1] if part + 1 < len(starts) else len(text)
        return text[starts[part] : end]

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Draw number, sign and text of a row."""
        on = "select" if selected else "bg"
        line, part = self.place(row)
        raw = self.raw(line)
        sign = "!" if part == 0 and has_controls(raw[:_LOOK_CHARS]) else " "
        number = f"{line + 1}" if part == 0 else "╰"
        head = [
            Segment(f"{number:>{self.gutter - 2}}", ink.style("accent" if selected else "ghost", on=on)),
            Segment(sign, ink.style("replaced", on=on, bold=True)),
            Segment(" ", ink.style(on=on)),
        ]
        room = width - self.gutter - 1
        style, faint = ink.style(self.tints.get(line, "fg"), on=on), ink.style("ghost", on=on)
        if line not in self.own_lines:
            style = ink.session(style)
        marks = self._marks(line, ink, on)
        if line in self._wrapped:
            first = self._wrapped[line][part]
            placed = [Mark(m.start - first, m.end - first, m.style) for m in self._in_drawn(raw, marks)]
            text = self._part(line, part)
            return head + draw_line(text, max(width - self.gutter, 1), style, marks=placed, faint=faint)
        first = self._first_char(line, raw, room)
        return head + draw_line(
            raw, max(room, 1), style, first=first, marks=marks, escaped=self.escaped, faint=faint
        )

    def _marks(self, line: int, ink: Ink, on: str) -> list[Mark]:
        if not len(self.matches):
            return []
        start, end = self.document.span(line)
        plain = ink.session(ink.style("strong", on=on, bold=True)) + Style(underline=True)
        current = ink.session(ink.style("accent", on=on, bold=True)) + Style(underline=True, reverse=True)
        return [
            Mark(a - start, b - start, current if n == self.current else plain)
            for n, a, b in self.matches.within(start, end)
        ]

    def _in_drawn(self, raw: str, marks: Sequence[Mark]) -> list[Mark]:
        """Marks of a raw line as places in what is drawn of all of it."""
        if self.escaped:
            return []
        if "\t" not in raw or len(raw) > EXPANDED_MAX:
            return list(marks)
        return [Mark(len(display(raw[: m.start])), len(display(raw[: m.end])), m.style) for m in marks]

    def _first_char(self, line: int, raw: str, room: int) -> int:
        """Where to begin a cut line so that the current match is in view."""
        if self.current < 0:
            return 0
        start, end = self.document.span(line)
        match_end = self.matches.ends[self.current]
        return window(raw[: match_end - start], room) if start < match_end <= end else 0


class HexRows:
    """Bytes, sixteen to a row."""

    revision = 0

    def __init__(self, data: bytes) -> None:
        """Show bytes.

        Args:
            data: The bytes.
        """
        self.data = data

    def __len__(self) -> int:
        return -(-len(self.data) // _HEX_BYTES)

    def shown(self, row: int) -> str:
        """The row as text."""
        at = row * _HEX_BYTES
        piece = self.data[at : at + _HEX_BYTES]
        left, right = piece[:8].hex(" "), piece[8:].hex(" ")
        letters = "".join(chr(b) if 0x20 <= b < 0x7F else "·" for b in piece)
        return f"{at:08x}  {left:<23}  {right:<23}  {letters}"

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Draw offset, bytes and letters."""
        on = "select" if selected else "bg"
        text = fit(f" {self.shown(row)}", width)
        return [
            Segment(text[:9], ink.style("accent" if selected else "ghost", on=on)),
            Segment(text[9:59], ink.style("fg", on=on)),
            Segment(text[59:], ink.style("muted", on=on)),
        ]
