"""A comparison of two texts as rows: one under the other (`DiffRows`), or side by side (`SideRows`).

Both fold equal stretches and find the row asked for by bisection, so that only visible rows cost
anything; both texts are untrusted and pass the gate when they are drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from inspector.app.theme import Ink
from inspector.app.widgets.line_text import Mark, draw_line
from inspector.figures import count_words, number
from inspector.line_diff import Change, Comparison
from inspector.text import cells, fit, has_controls

CONTEXT_LINES = 3
"""Equal lines shown before and after a change."""
_LOOK_CHARS = 4_000
_SIGNS = {"left": ("−", "replaced"), "right": ("+", "fresh"), "equal": (" ", "fg")}


class Named(NamedTuple):
    """What one of the two texts is."""

    name: str
    """A few words, such as `wire`; untrusted."""
    note: str = ""
    """What else is to be said about it, such as its size; untrusted."""


class _Stretch(NamedTuple):
    """Rows that are drawn alike."""

    kind: str
    """`fold`, `equal`, `left`, `right` or `both`; `title` for the words on top."""
    left: int
    right: int
    rows: int
    lines: int
    """Lines that a fold stands for."""
    change: int
    """Number of the change that this stretch belongs to, or -1."""


class ComparedRows:
    """What both forms share: stretches, folds, and how a line is drawn."""

    revision = 0

    def __init__(
        self, comparison: Comparison, left: Named, right: Named, stretches: Sequence[_Stretch]
    ) -> None:
        self.comparison = comparison
        self.left = left
        self.right = right
        self._differing = [change for change in comparison.changes if not change.equal]
        self._stretches = stretches
        self._starts: list[int] = []
        self.changes: list[int] = []
        """First row of every change."""
        total = 0
        for stretch in stretches:
            self._starts.append(total)
            if stretch.change == len(self.changes):
                self.changes.append(total)
            total += stretch.rows
        self._total = total
        self._number_cells = len(str(max(len(comparison.left), len(comparison.right), 100))) + 1

    def __len__(self) -> int:
        return self._total

    def change_at(self, row: int) -> int:
        """Number of the last change that begins at or before a row, from 0; -1 before the first."""
        return bisect_right(self.changes, row) - 1

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Draw a title, a fold, or a line with its sign and numbers."""
        at = bisect_right(self._starts, row) - 1
        stretch = self._stretches[at]
        past = row - self._starts[at]
        on = "select" if selected else "bg"
        if stretch.kind == "title":
            return self._title(past, width, ink, on)
        if stretch.kind == "fold":
            words = f" {'╌' * 3} {count_words(stretch.lines, 'equal line')} {'╌' * 3}"
            return [Segment(fit(words, width), ink.style("ghost", on=on))]
        return self._line(stretch, past, width, ink, on)

    def _title(self, past: int, width: int, ink: Ink, on: str) -> list[Segment]:
        """Names of the texts; side by side and unified place them differently."""
        raise NotImplementedError

    def _line(self, stretch: _Stretch, past: int, width: int, ink: Ink, on: str) -> list[Segment]:
        """One line of a stretch; likewise."""
        raise NotImplementedError

    def _name(self, kind: str, width: int, ink: Ink, on: str) -> Segment:
        """What a text is, and how much only it has."""
        sign, name = _SIGNS[kind]
        c = self.comparison
        named, only = (self.left, c.removed) if kind == "left" else (self.right, c.added)
        lines = f"   {count_words(only, 'line')} only here" if self._differing else ""
        return Segment(fit(f" {sign} {named.name}{lines}", width), ink.style(name, on=on, bold=True))

    def _note(self, width: int, ink: Ink, on: str) -> list[Segment]:
        """What is to be said about the comparison as a whole."""
        c = self.comparison
        text, name = "", "fg"
        if c.identical:
            text, name = " = Both texts are the same, line for line.", "ok"
        elif not self._differing:
            text, name = " ≠ The lines are the same; only the newline at the end differs.", "must-reapply"
        elif c.coarse_lines:
            text = f" ! {number(c.coarse_lines)} lines were too many to match one by one: shown as replaced."
            name = "must-reapply"
        return [Segment(fit(text, width), ink.style(name, on=on))]

    def _text(self, raw: str, other: str | None, kind: str, room: int, ink: Ink, on: str) -> list[Segment]:
        """A line's control sign, sign and text; where it has a partner, the part that differs."""
        sign, name = _SIGNS[kind]
        style = ink.session(ink.style("muted" if kind == "equal" else name, on=on))
        first, marks = _difference(raw, other, room, style) if other is not None else (0, [])
        return [
            Segment("!" if has_controls(raw[:_LOOK_CHARS]) else " ", ink.style("replaced", on=on, bold=True)),
            Segment(f"{sign} ", ink.style(name, on=on, bold=True)),
            *draw_line(raw, room, style, first=first, marks=marks, faint=ink.style("ghost", on=on)),
        ]

    def _partners(self, change: int) -> bool:
        """Whether a change has as many lines on both sides, so that each has one that replaced it."""
        c = self._differing[change]
        return c.left_end - c.left == c.right_end - c.right


class DiffRows(ComparedRows):
    """One text under the other, as `diff -u` has them."""

    def __init__(self, comparison: Comparison, left: Named, right: Named) -> None:
        """Lay a comparison out.

        Args:
            comparison: The two texts.
            left: What the left text is.
            right: What the right text is.
        """
        super().__init__(comparison, left, right, list(_stretches(comparison.changes, 3, _under)))

    def _title(self, past: int, width: int, ink: Ink, on: str) -> list[Segment]:
        if past == 2:
            return self._note(width, ink, on)
        name = self._name("right" if past else "left", width, ink, on)
        note = (self.right if past else self.left).note
        room = width - cells(name.text) - 3
        if not note or room < 1:
            return [name]
        return [name, Segment(f"   {fit(note, room)}", ink.style("muted", on=on))]

    def _line(self, stretch: _Stretch, past: int, width: int, ink: Ink, on: str) -> list[Segment]:
        c = self.comparison
        left, right = stretch.left + past, stretch.right + past
        is_left, is_right = stretch.kind != "right", stretch.kind != "left"
        w = self._number_cells
        numbers = f"{left + 1 if is_left else '':>{w}} {right + 1 if is_right else '':>{w}}"
        raw = c.left[left] if is_left else c.right[right]
        other = None
        if stretch.kind != "equal" and self._partners(stretch.change):
            other = c.right[right] if is_left else c.left[left]
        room = max(1, width - 2 * w - 5)
        return [
            Segment(numbers, ink.style("ghost", on=on)),
            *self._text(raw, other, stretch.kind, room, ink, on),
        ]


class SideRows(ComparedRows):
    """The left text in the left half, the right one in the right half."""

    def __init__(self, comparison: Comparison, left: Named, right: Named) -> None:
        """Lay a comparison out.

        Args:
            comparison: The two texts.
            left: What the left text is.
            right: What the right text is.
        """
        self._titles = 3 if left.note or right.note else 2
        stretches = list(_stretches(comparison.changes, self._titles, _beside))
        super().__init__(comparison, left, right, stretches)

    def _title(self, past: int, width: int, ink: Ink, on: str) -> list[Segment]:
        if past == self._titles - 1:
            return self._note(width, ink, on)
        room = (width - 1) // 2 - 1
        if past == 0:
            left, right = (self._name(kind, room, ink, on) for kind in ("left", "right"))
        else:
            muted = ink.style("muted", on=on)
            left, right = (
                Segment(f"   {fit(named.note, room - 3)}", muted) for named in (self.left, self.right)
            )
        return self._halves([left], [right], width, ink, on)

    def _line(self, stretch: _Stretch, past: int, width: int, ink: Ink, on: str) -> list[Segment]:
        c = self.comparison
        left, right = stretch.left + past, stretch.right + past
        a: str | None = c.left[left] if left < len(c.left) else None
        b: str | None = c.right[right] if right < len(c.right) else None
        kinds, partners = ("equal", "equal"), False
        if stretch.kind == "both":
            change = self._differing[stretch.change]
            kinds, partners = ("left", "right"), self._partners(stretch.change)
            a = a if left < change.left_end else None
            b = b if right < change.right_end else None
        half = (width - 1) // 2
        return self._halves(
            self._half(a, b if partners else None, left, kinds[0], half, ink, on),
            self._half(b, a if partners else None, right, kinds[1], half, ink, on),
            width, ink, on,
        )  # fmt: skip

    def _half(
        self, raw: str | None, other: str | None, line: int, kind: str, width: int, ink: Ink, on: str
    ) -> list[Segment]:
        if raw is None:
            return []
        w = self._number_cells
        numbers = Segment(f"{line + 1:>{w}}", ink.style("ghost", on=on))
        return [numbers, *self._text(raw, other, kind, max(1, width - w - 4), ink, on)]

    def _halves(
        self, left: list[Segment], right: list[Segment], width: int, ink: Ink, on: str
    ) -> list[Segment]:
        """Both halves; the left one is cut and filled to its cells, whatever its text is made of."""
        half = Strip(left).adjust_cell_length((width - 1) // 2, ink.style(on=on))
        return [*half, Segment("│", ink.style("line", on=on)), *right]


def _difference(raw: str, other: str, room: int, style: Style) -> tuple[int, list[Mark]]:
    """Where to begin a line that has a partner, and the part in which it differs from that."""
    start = _common_start(raw, other)
    end = len(raw) - _common_end(raw, other, min(len(raw), len(other)) - start)
    first = 0 if start < room - 12 else max(0, start - room // 3)
    return first, [Mark(start, end, style + Style(bold=True, underline=True))] if end > start else []


def _common_start(a: str, b: str) -> int:
    """Length of the common beginning, found by halving so that long lines compare in C."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[low:middle] == b[low:middle] else (low, middle - 1)
    return low


def _common_end(a: str, b: str, most: int) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        same = a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]
        low, high = (middle, high) if same else (low, middle - 1)
    return low


def _under(change: Change, at: int) -> Iterator[_Stretch]:
    """A change with its right lines under the left ones."""
    for kind, rows in (("left", change.left_end - change.left), ("right", change.right_end - change.right)):
        if rows:
            yield _Stretch(kind, change.left, change.right, rows, 0, at)


def _beside(change: Change, at: int) -> Iterator[_Stretch]:
    """A change with its right lines beside the left ones."""
    rows = max(change.left_end - change.left, change.right_end - change.right)
    yield _Stretch("both", change.left, change.right, rows, 0, at)


def _stretches(
    changes: Sequence[Change], titles: int, laid: Callable[[Change, int], Iterator[_Stretch]]
) -> Iterator[_Stretch]:
    """Titles, changes as they are laid out, and between them what is equal."""
    yield _Stretch("title", 0, 0, titles, 0, -1)
    number_of_change = 0
    for place, change in enumerate(changes):
        if change.equal:
            yield from _equal(change, place > 0, place < len(changes) - 1)
        else:
            yield from laid(change, number_of_change)
            number_of_change += 1


def _equal(change: Change, is_after: bool, is_before: bool) -> Iterator[_Stretch]:
    """An equal stretch: a fold, and context towards the changes before and after it."""
    lines = change.left_end - change.left
    head = CONTEXT_LINES if is_after else 0
    tail = CONTEXT_LINES if is_before else 0
    if lines <= head + tail + 1:
        yield _Stretch("equal", change.left, change.right, lines, 0, -1)
        return
    if head:
        yield _Stretch("equal", change.left, change.right, head, 0, -1)
    yield _Stretch("fold", 0, 0, 1, lines - head - tail, -1)
    if tail:
        yield _Stretch("equal", change.left_end - tail, change.right_end - tail, tail, 0, -1)
