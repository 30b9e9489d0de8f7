"""Rows of the why screen: the parts of a request with their bars, and the causes.

Both lists end with the same columns, turn and request, so that the eye finds where Enter leads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.segment import Segment

from inspector.app.signs import FINDINGS
from inspector.app.sources.why import Reason, Share
from inspector.app.theme import Ink
from inspector.app.widgets.bars import EIGHTHS
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.figures import estimate, number, percent
from inspector.text import cells, fit, fit_argument

WIDE = 100
"""Cells from which there is room for long bars and whole titles."""
_WHERE_CELLS = 32
"""Most cells of the name of another conversation."""
_LOUD = {"error": ("!", "over-budget"), "warning": ("!", "replaced"), "info": (" ", "muted")}
"""Loudness of a cause → sign where its kind has none in the common alphabet, and colour token."""


class _Layout(NamedTuple):
    """Cells of the columns; both lists end with the same ones."""

    bar: int
    """Cells of the longest bar."""
    share: int
    """Last cell of the share."""
    size: int
    """Last cell of the size."""
    what: int
    """First cell of the name."""
    kind: int
    """Cells of the kind of a cause."""
    sent: int
    """Last cell of how often it was sent."""
    turn: int
    """Last cell of the turn."""
    request: int
    """Last cell of the request."""


def _layout(width: int) -> _Layout:
    wide = width >= WIDE
    bar = 20 if wide else 6
    size = 6 + bar + (19 if wide else 16)
    request = width - 2
    turn = request - 8
    return _Layout(bar, 6 + bar + 5, size, size + 3, 20 if wide else 17, turn - 6, turn, request)


def _put_place(line: Line, layout: _Layout, turn: int | None, request: int | None) -> None:
    """Where it came from and where Enter leads."""
    if turn is not None:
        line.right(layout.turn, str(turn), "muted")
    if request is not None:
        line.right(layout.request, f"→ {request}", "accent")


def figure(share: Share, rank: str) -> int:
    """What a part is ranked by."""
    if rank == "sent in all":
        return share.in_all_chars
    return share.tokens if rank == "tokens" else share.chars


class ShareRows:
    """Rows of the parts of a request."""

    def __init__(self, rows: Sequence[Share], whole: int, rank: str, revision: int) -> None:
        """Args:
        rows: Results by rank, then the other parts.
        whole: What the shares are shares of.
        rank: One of `RANKS`.
        revision: Rises with every change.
        """
        self.rows = rows
        self.revision = revision
        self._whole = max(1, whole)
        self._rank = rank
        self._longest = max((figure(r, rank) for r in rows), default=1) or 1

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Place, bar, share, size, what it is, first request."""
        share = self.rows[row]
        size = figure(share, self._rank)
        layout = _layout(width)
        is_result = share.result is not None
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent")
        if is_result:
            line.right(3, str(row + 1), "muted")
        line.to(6)
        eighths = max(1, round(size / self._longest * layout.bar * 8)) if size else 0
        line.put(EIGHTHS[8] * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else ""), "bar")
        line.right(layout.share, percent(size, self._whole), "muted")
        words = estimate(size) if self._rank == "tokens" else number(size)
        line.right(layout.size, words, "strong" if is_result else "fg", bold=is_result or None)
        room = layout.sent - 5 - layout.what
        name = fit(share.name, max(4, room if is_result else layout.request - layout.what))
        line.at(layout.what, name, "strong" if is_result else "muted", bold=is_result or None)
        left = layout.sent - 5 - line.cell
        if share.words and left > 3:
            line.put(" ").put(fit_argument(share.words, left))
        if share.sent:
            line.right(layout.sent, f"{share.sent}×", "muted")
        _put_place(line, layout, share.turn, share.request)
        return line.segments


class ReasonRows:
    """Rows of the causes."""

    def __init__(self, rows: Sequence[Reason], revision: int) -> None:
        self.rows = rows
        self.revision = revision

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Sign, kind, share, sentence, turn, request."""
        reason = self.rows[row]
        other, name = _LOUD.get(reason.loud, _LOUD["info"])
        sign = FINDINGS.get(reason.kind, other)
        layout = _layout(width)
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent").at(2, sign, name, bold=True)
        line.at(4, fit(reason.kind.replace("_", " "), layout.kind - 1), name)
        share = 4 + layout.kind + 6
        if reason.share is not None:
            line.right(share, f"≈ {reason.share * 100:.0f} %", "muted")
        room = max(0, layout.turn - share - 8)
        line.to(share + 2)
        if reason.where:
            where = f"[{fit(reason.where, max(0, min(_WHERE_CELLS, room // 2) - 3))}] "
            line.put(where, "accent")
            room -= cells(where)
        line.put(fit(reason.brief or reason.sentence, max(0, room)))
        _put_place(line, layout, reason.turn, reason.request)
        return line.segments


class ShareHead(FixedLines):
    """The list's head, in its columns."""

    ground = "surface"

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the names of the columns."""
        layout = _layout(width)
        line = Line(ink, "surface").right(3, "#", "muted").at(6, "share", "muted")
        line.right(layout.size, "size", "muted").at(layout.what, "what", "muted")
        line.right(layout.sent, "sent", "muted").right(layout.turn, "turn", "muted")
        return line.right(layout.request, "since", "muted")
