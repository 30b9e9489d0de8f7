"""Lines of the wire screen's list: blocks with their sizes, folds of what stayed, the rule of the break.

What the history holds and the request does not send stands between them, muted: it is in no sum.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.segment import Segment

from inspector.app.signs import DIFFERS, REPAIRS, SAME
from inspector.app.theme import Ink
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.app.widgets.ledger_rows import size_text
from inspector.figures import count_words, number
from inspector.session.wire_unsent import UnsentRow
from inspector.session.wire_view import Mark, Side, WireBlockRow, WireView
from inspector.text import fit, fit_call

MARKS: Mapping[Mark, tuple[str, str]] = {
    Mark.SAME: ("=", "ghost"),
    Mark.CHANGED: ("~", "prefix-break"),
    Mark.AFTER: ("╎", "prefix-break"),
    Mark.NEW: ("+", "fresh"),
}
"""Mark → sign and colour token."""
UNSENT = "×"
"""Sign of what is not sent."""
_STATES: Mapping[str, str] = {"replaced": "replaced", "cleared": "summarized", "error": "over-budget"}
WITH_TRANSCRIPT = 116
"""Cells from which the size in the transcript has a column beside that on the wire."""
FOLD_FROM = 4
"""Unchanged messages in a row that fold into one line; the last one before a change stays."""


class ShownLine(NamedTuple):
    """One line of the list: a block, one that is not sent, a fold of messages, or the rule of the break."""

    row: WireBlockRow | None
    first: bool = False
    """Whether it is the first block of its message; of one that is not sent: that the line above is not of
    the same role."""
    folded: tuple[int, int] | None = None
    """First and last message of a fold."""
    chars: int = 0
    transcript: int | None = None
    other: int | None = None
    differs: bool = False
    break_words: str = ""
    estimated: bool = False
    """Whether its size is one: no record holds the text that stands in place of a cleared result."""
    unsent: UnsentRow | None = None
    """What it is, where it is not sent."""
    hidden: int = 0
    """Of a fold: how many of these it hides."""


class _Layout(NamedTuple):
    """Where the columns stand; all but two by their last cell, 0 where there is no room or nothing."""

    words: int
    """First cell."""
    state: int
    """First cell."""
    transcript: int
    sent: int
    other: int
    before: int


def _layout(width: int, *, other: bool) -> _Layout:
    # Where there is little room for words, the mark tells enough of the request before.
    before = 0 if other and width < 100 else width - 3
    second = (before - 12 if before else width - 3) if other else 0
    sent = (second or before) - (14 if other else 12)
    transcript = sent - 11 if width >= WITH_TRANSCRIPT else 0
    state = (transcript or sent) - 22 if width >= 100 else 0
    return _Layout(28, state, transcript, sent, second, before)


def _fit_words(kind: str, words: str, width: int) -> str:
    """Cut what a block says; of a call or its result the words are tool and argument."""
    if kind in ("call", "result"):
        tool, _, argument = words.partition(" ")
        return fit_call(tool, argument, width)
    return fit(words.replace("\n", " "), width)


class WireRows:
    """Lines of the list."""

    def __init__(self, lines: Sequence[ShownLine], revision: int, *, other: bool) -> None:
        """Args:
        lines: Of `shown_lines`.
        revision: Rises with every change.
        other: Whether the request has another form, whose sizes stand beside.
        """
        self.lines = lines
        self.revision = revision
        self._other = other

    def __len__(self) -> int:
        return len(self.lines)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Mark, message, role, kind, words, state and the three sizes."""
        shown = self.lines[row]
        line = Line(ink, "select" if selected else "bg").put("▌" if selected else " ", "accent")
        layout = _layout(width, other=self._other)
        if shown.break_words:
            words = fit(f" prefix break  {shown.break_words} ", width - 6)
            line.put("╌╌", "prefix-break").put(words, "prefix-break", bold=True)
            return line.put("╌" * (width - line.cell - 1), "prefix-break").segments
        if shown.unsent is not None:
            return self._unsent(line, shown, shown.unsent, layout)
        if shown.row is None:
            return self._fold(line, shown, layout)
        return self._block(line, shown, shown.row, layout)

    def _fold(self, line: Line, shown: ShownLine, layout: _Layout) -> list[Segment]:
        assert shown.folded is not None
        first, last = shown.folded
        line.put("▸", "accent").at(3, f"{first}–{last}", "muted")
        hidden = (
            f", {UNSENT} {number(shown.hidden)}{' not sent' * bool(layout.state)}" if shown.hidden else ""
        )
        words = f"{count_words(last - first + 1, 'message')}, unchanged{hidden}"
        line.at(18, fit(words, (layout.state or layout.sent - 11) - 20), "muted")
        self._sizes(line, layout, shown, shown.chars, Mark.SAME, estimated=shown.estimated)
        return line.segments

    def _unsent(self, line: Line, shown: ShownLine, row: UnsentRow, layout: _Layout) -> list[Segment]:
        """Its size is that in the transcript; where that has no column, in parentheses: it is in no sum."""
        sign = REPAIRS[row.why]
        line.put(UNSENT, "muted").at(8, row.role if shown.first else "", "muted")
        line.at(18, fit(row.kind, 9), "muted")
        words = row.words.replace("\n", " ")
        if layout.state:
            words = _fit_words(row.kind, words, layout.state - layout.words - 13)
            line.at(layout.words, f"{words}, not sent", "muted")
            line.at(layout.state, f"{sign.sign} {sign.word}", "muted")
        else:
            room = max(0, layout.sent - 13 - layout.words)
            line.at(layout.words, fit(f"{sign.word}: {words}", room), "muted")
        if layout.transcript:
            line.right(layout.transcript, number(row.chars), "muted")
            line.right(layout.sent, "—", "muted")
        else:
            line.right(layout.sent + 1, f"({number(row.chars)})", "muted")
        for edge in (layout.other, layout.before):
            if edge:
                line.right(edge, "—", "muted")
        return line.segments

    def _block(self, line: Line, shown: ShownLine, row: WireBlockRow, layout: _Layout) -> list[Segment]:
        sign, name = MARKS[row.mark]
        loud = row.mark is Mark.CHANGED
        line.put(sign, name, bold=loud or None)
        if shown.first:
            line.at(3, str(row.message), "muted").at(8, fit(row.role, 9), "strong", bold=True)
        line.at(18, fit(row.kind, 9), "muted")
        end = layout.state or layout.sent - 11
        line.at(layout.words, _fit_words(row.kind, row.words, max(0, end - layout.words - 2)))
        if layout.state and row.state:
            line.at(layout.state, fit(row.state, 11), _STATES.get(row.state, "muted"))
        self._sizes(line, layout, row, row.before, row.mark, estimated=shown.estimated)
        return line.segments

    def _sizes(
        self,
        line: Line,
        layout: _Layout,
        of: ShownLine | WireBlockRow,
        before: int | None,
        mark: Mark,
        *,
        estimated: bool,
    ) -> None:
        changed = mark is Mark.CHANGED
        if layout.transcript and of.transcript is not None:
            line.right(layout.transcript, number(of.transcript), "muted")
            if of.transcript > of.chars:
                line.put(" →", "replaced")
        sent = size_text(of.chars, estimated=estimated)
        line.right(layout.sent, sent, "strong" if changed else "fg", bold=changed or None)
        if layout.other:
            sign = DIFFERS if of.differs else SAME
            line.at(layout.sent + 3, sign.sign, sign.name, bold=of.differs or None)
            line.right(layout.other, number(of.other), sign.name if of.differs else "muted")
        if not layout.before:
            return
        if mark is Mark.NEW:
            line.right(layout.before, "new", "fresh")
        else:
            was = size_text(before, estimated=estimated and not changed)
            line.right(layout.before, was, "prefix-break" if changed else "muted")


class WireHead(FixedLines):
    """The list's head, in its columns."""

    ground = "surface"

    def __init__(self) -> None:
        super().__init__()
        self.view: WireView | None = None

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the names of the columns."""
        view = self.view
        side = view.side if view is not None else Side.PREDICTED
        layout = _layout(width, other=view is not None and view.other_chars is not None)
        line = Line(ink, "surface").at(3, "msg", "muted").at(8, "role", "muted").at(18, "block", "muted")
        if layout.state:
            line.at(layout.state, "state", "muted")
        if layout.transcript:
            line.right(layout.transcript, "transcript", "muted")
        line.right(layout.sent, side.value, "muted")
        if layout.other:
            line.right(layout.other, other_side(side).value, "muted")
        against = view.against if view is not None else None
        if not layout.before:
            return line
        return line.right(layout.before, f"in {against}" if against else "before", "muted")


def other_side(side: Side) -> Side:
    """The other form of a request: recorded of predicted, and the other way round."""
    return Side.PREDICTED if side is Side.RECORDED else Side.RECORDED


def shown_lines(view: WireView, *, unfolded: bool) -> list[ShownLine]:
    """The list's lines: folds of unchanged messages, the rule of the break, blocks."""
    whole = _unchanged_messages(view)
    fold_to = whole - 1 if whole >= FOLD_FROM and not unfolded else 0
    out: list[ShownLine] = []
    if fold_to:
        rows = [row for row in view.rows if row.message < fold_to]
        out.append(
            ShownLine(
                None,
                folded=(0, fold_to - 1),
                chars=sum(row.counted_chars for row in rows),
                transcript=sum(
                    row.counted_chars if row.transcript is None else row.transcript for row in rows
                ),
                other=sum(row.other or 0 for row in rows) if view.other_chars is not None else None,
                differs=any(row.differs for row in rows),
                estimated=any(is_estimate(view, row) for row in rows),
                hidden=sum(unsent.row < len(rows) for unsent in view.unsent),
            )
        )
    last, role = -1, ""
    waiting = deque(view.unsent)
    for place, row in enumerate(view.rows):
        above = _up_to(waiting, place, role)
        role = row.role
        if row.message < fold_to:
            continue
        out += above
        if place == view.break_at:
            near = view.against == view.request - 1 and view.side is Side.PREDICTED
            unknown = "the cause is not known" if near else f"first difference to request {view.against}"
            out.append(ShownLine(None, break_words=view.break_words or unknown))
        out.append(ShownLine(row, row.message != last, estimated=is_estimate(view, row)))
        last = row.message
    return out + _up_to(waiting, len(view.rows), role)


def _up_to(waiting: deque[UnsentRow], place: int, role: str) -> list[ShownLine]:
    """Takes what is not sent and stands in front of a block; `role` is that of the block above."""
    out = []
    while waiting and waiting[0].row <= place:
        unsent = waiting.popleft()
        out.append(ShownLine(None, unsent.role != role, unsent=unsent))
        role = unsent.role
    return out


def is_estimate(view: WireView, row: WireBlockRow) -> bool:
    """Whether the size of a block is an estimate, as it is in the ledger."""
    return view.estimated and row.state == "cleared"


def _unchanged_messages(view: WireView) -> int:
    """Messages at the start of which every block stayed."""
    for row in view.rows:
        if row.mark is not Mark.SAME:
            return row.message
    return view.rows[-1].message + 1 if view.rows else 0


def first_change(lines: Sequence[ShownLine]) -> int:
    """Where to begin: what changed, else what was recorded otherwise, else what is new, else the end."""
    rows = [(place, line.row) for place, line in enumerate(lines) if line.row is not None]
    changed = [place for place, row in rows if row.mark in (Mark.CHANGED, Mark.AFTER)]
    differing = [place for place, row in rows if row.differs]
    new = [place for place, row in rows if row.mark is Mark.NEW]
    return next(iter([*changed[:1], *differing[:1], *new[:1]]), max(0, len(lines) - 1))
