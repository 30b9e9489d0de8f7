"""Rows of the session picker: one session each, figures as far as the session was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.segment import Segment

from inspector.app.sources.sessions import SessionRow, SessionSummary
from inspector.app.theme import Ink
from inspector.app.widgets.curve import bar_row, columns
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.figures import age_words, count_words, number
from inspector.text import cells, fit, printable_line

CURVE_CELLS = 16


class _Layout(NamedTuple):
    """Cells of the columns; an edge is the last cell of a right-aligned column."""

    name: int
    project: int
    project_cells: int
    requests_edge: int
    curve: int | None
    peak_edge: int
    findings: int
    size_edge: int | None
    age_edge: int


def _layout(width: int) -> _Layout:
    last = width - 2
    if width < 100:
        return _Layout(4, 24, 12, 44, None, 56, 59, None, last)
    spare = min(40, width - 120) if width > 120 else 0
    shift = spare if width >= 120 else width - 120
    return _Layout(
        4, 27 + max(0, shift // 2), max(8, 18 + min(0, shift) + max(0, shift - shift // 2)),
        53 + shift, 57 + shift, 82 + shift, 86 + shift, last - 10, last,
    )  # fmt: skip


def finding_signs(summary: SessionSummary) -> list[tuple[str, str]]:
    """Signs with counts and their colour tokens, strongest first."""
    counted = (
        ("▲", summary.over, "over-budget"),
        ("±", summary.repairs, "repaired"),
        ("╎", summary.breaks, "prefix-break"),
        ("≠", summary.differs, "recorded-differs"),
        ("▼", summary.compactions, "compaction"),
        ("!", summary.others + summary.bad_lines, "replaced"),
    )
    return [(f"{sign}{count}", name) for sign, count, name in counted if count]


def finding_words(summary: SessionSummary) -> list[tuple[str, str]]:
    """The same in words, for the selected session."""
    if summary.problem:
        return [(f"! {summary.problem}", "over-budget")]
    counted = (
        (summary.over, "▲", "request over budget", "requests over budget", "over-budget"),
        (summary.repairs, "±", "repair", "repairs", "repaired"),
        (summary.breaks, "╎", "prefix break", "prefix breaks", "prefix-break"),
        (summary.differs, "≠", "recorded differs", "recorded differ", "recorded-differs"),
        (summary.compactions, "▼", "compaction", "compactions", "compaction"),
        (summary.bad_lines, "!", "bad line", "bad lines", "replaced"),
        (summary.others, "!", "other finding", "other findings", "replaced"),
    )
    found = [(f"{sign} {count_words(n, one, many)}", name) for n, sign, one, many, name in counted if n]
    return found or [(f"No findings in {count_words(summary.requests, 'request')}.", "muted")]


def megabytes(size: int) -> str:
    """A size for the column: always in MB, so that its figures can be compared down the rows."""
    return f"{size / 1e6:,.1f} MB" if size >= 50_000 else "<0.1 MB"


class SessionHead(FixedLines):
    """The list's head, in its columns."""

    ground = "surface"

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the names of the columns."""
        at = _layout(width)
        line = Line(ink, "surface").at(at.name, "name", "muted").at(at.project, "project", "muted")
        line.right(at.requests_edge, "requests", "muted")
        if at.curve is not None:
            line.at(at.curve, "context", "muted")
        line.right(at.peak_edge, "peak size", "muted").at(at.findings, "findings", "muted")
        if at.size_edge is not None:
            line.right(at.size_edge, "size", "muted")
        return line.right(at.age_edge, "last", "muted")


class SessionRows:
    """Rows of the list."""

    def __init__(
        self, rows: Sequence[SessionRow], summaries: Mapping[str, SessionSummary], now: float, revision: int
    ) -> None:
        """Show sessions.

        Args:
            rows: The sessions.
            summaries: Path → what reading told; looked up when a row is drawn.
            now: Seconds since the epoch, for the ages.
            revision: Rises when a summary comes.
        """
        self.rows = rows
        self.summaries = summaries
        self.now = now
        self.revision = revision

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Name, project, figures, curve, findings, size, age."""
        session = self.rows[row]
        at = _layout(width)
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent").at(2, "●" if session.live else " ", "ok")
        name = fit(session.name, at.project - at.name - 1)
        line.at(at.name, name, "strong" if selected else "fg", bold=selected or None)
        line.at(at.project, fit(session.project, at.project_cells, "end"), "muted")
        summary = self.summaries.get(session.path)
        if summary is None:
            line.right(at.requests_edge, "…", "ghost")
        elif summary.problem:
            line.at(
                at.requests_edge - 7,
                fit(f"! {summary.problem}", at.findings - at.requests_edge),
                "over-budget",
            )
        else:
            self._figures(line, summary, at, selected)
        if at.size_edge is not None:
            line.right(at.size_edge, megabytes(session.size_bytes), "muted")
        return line.right(at.age_edge, age_words(self.now - session.modified), "muted").segments

    def _figures(self, line: Line, summary: SessionSummary, at: _Layout, selected: bool) -> None:
        line.right(at.requests_edge, number(summary.requests))
        window = summary.window_chars
        if at.curve is not None:
            top = max([*summary.curve, window or 0], default=0)
            bars = bar_row(columns(summary.curve, CURVE_CELLS), top, 0, 1)
            line.at(at.curve, bars, "accent" if selected else "bar")
        peak = ("≈" if summary.peak_estimated else "") + number(summary.peak_chars)
        full = window is not None and summary.peak_chars > 0.9 * window
        line.right(at.peak_edge, peak, "over-budget" if full else "fg")
        line.to(at.findings)
        edge = (at.size_edge or at.age_edge) - 8
        for text, name in finding_signs(summary):
            if line.cell + cells(printable_line(text)) > edge:
                break
            line.put(text, name, bold=name == "over-budget" or None).put(" ")
