"""`DiffView`: two texts as one list of lines, equal stretches folded; untrusted on both sides.

Used for what stood in the transcript against what reached the wire, and against the overflow file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType

from inspector.app.theme import Ink
from inspector.app.widgets.diff_lines import Change, Comparison, compare_texts
from inspector.app.widgets.line_text import Mark, draw_line
from inspector.app.widgets.line_view import LineView
from inspector.text import count_words, fit, has_controls, number

CONTEXT_LINES = 3
"""Equal lines shown before and after a change."""
_LOOK_CHARS = 4_000


class _Stretch(NamedTuple):
    """Rows that are drawn alike."""

    kind: str
    """`fold`, `equal`, `left` or `right`; `title` for the words on top."""
    left: int
    right: int
    rows: int
    lines: int
    """Lines that a fold stands for."""
    change: int
    """Number of the change that this stretch belongs to, or -1."""


class DiffRows:
    """A comparison as rows. Equal stretches are one row each beyond their context."""

    revision = 0

    def __init__(self, comparison: Comparison, left: str, right: str) -> None:
        """Lay a comparison out.

        Args:
            comparison: The two texts.
            left: What the left text is, in a few words; untrusted.
            right: The same for the right one.
        """
        self.comparison = comparison
        self.left = left
        self.right = right
        self._differing = [change for change in comparison.changes if not change.equal]
        self._stretches = _stretches(comparison.changes)
        self._starts: list[int] = []
        total = 0
        for stretch in self._stretches:
            self._starts.append(total)
            total += stretch.rows
        self._total = total
        c = comparison
        digits = len(str(max(len(c.left), len(c.right), 100)))
        self._number_cells = digits + 1

    def __len__(self) -> int:
        return self._total

    @property
    def changes(self) -> list[int]:
        """First row of every change."""
        rows: list[int] = []
        seen = -1
        for start, stretch in zip(self._starts, self._stretches, strict=True):
            if stretch.change > seen:
                seen = stretch.change
                rows.append(start)
        return rows

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
        c = self.comparison
        if past == 0:
            text, name = f" − {self.left}   {count_words(c.removed, 'line')} only here", "replaced"
        elif past == 1:
            text, name = f" + {self.right}   {count_words(c.added, 'line')} only here", "fresh"
        elif not c.removed and not c.added:
            text, name = " = Both texts are the same, line for line.", "ok"
        elif c.coarse_lines:
            text = f" ! {number(c.coarse_lines)} lines were too many to match one by one: shown as replaced."
            name = "must-reapply"
        else:
            text, name = "", "fg"
        return [Segment(fit(text, width), ink.style(name, on=on, bold=past < 2 or None))]

    def _line(self, stretch: _Stretch, past: int, width: int, ink: Ink, on: str) -> list[Segment]:
        c = self.comparison
        left, right = stretch.left + past, stretch.right + past
        is_left, is_right = stretch.kind != "right", stretch.kind != "left"
        raw = c.left[left] if is_left else c.right[right]
        sign, name = {"left": ("−", "replaced"), "right": ("+", "fresh"), "equal": (" ", "fg")}[stretch.kind]
        w = self._number_cells
        numbers = f"{left + 1 if is_left else '':>{w}} {right + 1 if is_right else '':>{w}}"
        control = "!" if has_controls(raw[:_LOOK_CHARS]) else " "
        head = [
            Segment(numbers, ink.style("ghost", on=on)),
            Segment(control, ink.style("replaced", on=on, bold=True)),
            Segment(f"{sign} ", ink.style(name, on=on, bold=True)),
        ]
        room = max(1, width - 2 * w - 5)
        style = ink.style("muted" if stretch.kind == "equal" else name, on=on)
        first, marks = self._difference(stretch, past, room, style)
        return head + draw_line(raw, room, style, first=first, marks=marks, faint=ink.style("ghost", on=on))

    def _difference(self, stretch: _Stretch, past: int, room: int, style: Style) -> tuple[int, list[Mark]]:
        """For a line that has a partner: where to begin, and the part that differs."""
        partner = self._partner(stretch, past)
        if partner is None:
            return 0, []
        a, b = partner
        start = _common_start(a, b)
        end = len(a) - _common_end(a, b, min(len(a), len(b)) - start)
        first = 0 if start < room - 12 else max(0, start - room // 3)
        return first, [Mark(start, end, style + Style(bold=True, underline=True))] if end > start else []

    def _partner(self, stretch: _Stretch, past: int) -> tuple[str, str] | None:
        """The line and the one that replaced it, where a change has as many lines on both sides."""
        if stretch.kind == "equal":
            return None
        c = self.comparison
        change = self._differing[stretch.change]
        if change.left_end - change.left != change.right_end - change.right:
            return None
        a, b = c.left[change.left + past], c.right[change.right + past]
        return (a, b) if stretch.kind == "left" else (b, a)


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


def _stretches(changes: Sequence[Change]) -> list[_Stretch]:
    out = [_Stretch("title", 0, 0, 3, 0, -1)]
    number_of_change = -1
    for place, change in enumerate(changes):
        if not change.equal:
            number_of_change += 1
            for kind, rows in (
                ("left", change.left_end - change.left),
                ("right", change.right_end - change.right),
            ):
                if rows:
                    out.append(_Stretch(kind, change.left, change.right, rows, 0, number_of_change))
            continue
        lines = change.left_end - change.left
        before = CONTEXT_LINES if place > 0 else 0
        after = CONTEXT_LINES if place < len(changes) - 1 else 0
        if lines <= before + after + 1:
            out.append(_Stretch("equal", change.left, change.right, lines, 0, -1))
            continue
        if before:
            out.append(_Stretch("equal", change.left, change.right, before, 0, -1))
        out.append(_Stretch("fold", 0, 0, 1, lines - before - after, -1))
        if after:
            out.append(_Stretch("equal", change.left_end - after, change.right_end - after, after, 0, -1))
    return out


class DiffView(LineView):
    """A list of differing lines with keys to go from change to change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "change(1)", "next change", id="diff.next"),
        Binding("N", "change(-1)", "previous change", id="diff.previous"),
    ]

    def show(self, left: str, right: str, *, left_name: str, right_name: str) -> None:
        """Compare two texts and show the first change.

        Args:
            left: The fuller text; untrusted.
            right: The other; untrusted.
            left_name: What the left text is.
            right_name: What the right text is.
        """
        rows = DiffRows(compare_texts(left, right), left_name, right_name)
        self.set_rows(rows, cursor=0)
        self.scroll_to(0, 0, animate=False)

    def action_change(self, step: int) -> None:
        """Go to the next or previous change."""
        rows = self.rows
        if not isinstance(rows, DiffRows):
            return
        starts = rows.changes
        after = [row for row in starts if row > self.cursor]
        earlier = [row for row in starts if row < self.cursor]
        target = after[:1] if step > 0 else earlier[-1:]
        if target:
            self.cursor = target[0]
