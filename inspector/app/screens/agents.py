"""All conversations of a session as a tree: the main one, and sub-agents below those who called them.

A session may start hundreds that are called alike; then their ids tell them apart, and the largest can
be had first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from inspector.app.feed import AgentCall
from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.columns import WIDE
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.figures import count_words, number
from inspector.replay.view import ThreadRow
from inspector.text import cells, fit

DEEPEST = 6
"""Levels that are drawn as such; agents of agents of agents stay at this one."""
_FIGURE_CELLS = (10, 9, 13, 13, 10)
"""Cells of the columns of figures, from left to right: requests, results, both peaks, findings."""
_TOKENS = 3
"""Which of them is given up where it is narrow."""
_ID_CELLS = 7
"""Cells of an id beside a title that others have too; its end tells most."""


class Branch(NamedTuple):
    """One conversation in the tree."""

    row: ThreadRow
    depth: int
    """Callers above it."""


def branches(rows: Sequence[ThreadRow], calls: Mapping[str, AgentCall]) -> list[Branch]:
    """Conversations in the order of the tree; one whose caller is unknown stands below the main one.

    Args:
        rows: All of them, the main one first.
        calls: Who started which.
    """
    known = {row.id for row in rows}
    below: dict[str, list[ThreadRow]] = {}
    for row in rows:
        if row.id:
            parent = calls[row.id].thread if row.id in calls else ""
            below.setdefault(parent if parent in known and parent != row.id else "", []).append(row)
    out: list[Branch] = []
    seen: set[str] = set()
    waiting = [Branch(row, 0) for row in rows if not row.id]
    while waiting:
        branch = waiting.pop(0)
        if branch.row.id in seen:
            continue
        seen.add(branch.row.id)
        out.append(branch)
        waiting[:0] = [Branch(row, branch.depth + 1) for row in below.get(branch.row.id, ())]
    # Agents that name each other as caller hang nowhere; they are listed all the same.
    return out + [Branch(row, 1) for row in rows if row.id not in seen]


def _edges(width: int) -> list[int | None]:
    """Last cells of the columns; None for one that there is no room for."""
    shown = [width >= WIDE or n != _TOKENS for n in range(len(_FIGURE_CELLS))]
    ends = [
        sum(c for c, is_on in zip(_FIGURE_CELLS[n:], shown[n:], strict=True) if is_on)
        for n in range(1, len(_FIGURE_CELLS) + 1)
    ]
    return [width - 2 - end if is_on else None for end, is_on in zip(ends, shown, strict=True)]


class BranchRows:
    """Rows of the tree."""

    revision = 0

    def __init__(self, rows: Sequence[Branch], shown: str, findings: Mapping[str, int]) -> None:
        self.rows = rows
        self.shown = shown
        self.findings = findings
        titles = Counter(branch.row.title for branch in rows)
        self._shared = {title for title, count in titles.items() if count > 1}

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Title, requests, results, peak, findings."""
        thread, depth = self.rows[row]
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent")
        line.at(2, "●" if thread.id == self.shown else " ", "accent")
        edges = _edges(width)
        indent = 4 + 2 * min(depth, DEEPEST)
        if depth:
            line.at(indent - 2, "└", "ghost")
        words = thread.title or thread.id
        room = (edges[0] or 0) - _FIGURE_CELLS[0] + 1 - indent
        is_main = not thread.id
        name = "strong" if is_main else "fg"
        told = f"  {fit(thread.id, _ID_CELLS, 'end')}" if thread.title in self._shared and thread.id else ""
        words = fit(words, max(0, room - cells(told)))
        line.at(indent, words, name, bold=is_main or None).put(told, "muted")
        figures = (thread.requests, thread.results, thread.peak_chars, thread.peak_tokens)
        estimated = (False, False, thread.peak_estimated, False)
        for edge, figure, approx in zip(edges, figures, estimated, strict=False):
            if edge is not None:
                line.right(edge, "≈" * approx + number(figure), "fg" if figure else "muted")
        found = self.findings.get(thread.id, 0)
        words = f"! {number(found)}" if found else "0"
        line.right(width - 2, words, "replaced" if found else "ghost")
        return line.segments


class BranchHead(FixedLines):
    """The list's head, in its columns."""

    ground = "surface"

    def __init__(self, unit: str) -> None:
        """Args:
        unit: What sizes are counted in.
        """
        super().__init__()
        self._words = ("requests", "results", f"peak {unit}", "peak tokens", "findings")

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the names of the columns."""
        line = Line(ink, "surface").at(4, "conversation", "muted")
        for edge, word in zip(_edges(width), self._words, strict=True):
            if edge is not None:
                line.right(edge, word, "muted")
        return line


class AgentsScreen(Screen[str | None]):
    """Conversations to choose from; left with the id of one, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,a", "dismiss", "back", id="agents.back"),
        Binding("s", "sort", "sort", id="agents.sort", tooltip="In order of the calls, or largest first"),
    ]

    DEFAULT_CSS = "AgentsScreen { background: $bg; }"

    def __init__(
        self,
        rows: Sequence[ThreadRow],
        calls: Mapping[str, AgentCall],
        shown: str,
        *,
        findings: Mapping[str, int],
        unit: str,
        words: tuple[str, str] = ("sub-agent", "sub-agents"),
    ) -> None:
        """Show the conversations of a session.

        Args:
            rows: All of them, the main one first.
            calls: Who started which.
            shown: The one that the ledger shows.
            findings: Errors and warnings of each.
            unit: What sizes are counted in.
            words: What one beside the main one is, and several.
        """
        super().__init__()
        self._part_words = words
        self._tree = self._branches = branches(rows, calls)
        self._shown = shown
        self._findings = findings
        self._unit = unit

    def compose(self) -> ComposeResult:
        """Title, list, hints."""
        agents = count_words(len(self._branches) - 1, *self._part_words)
        self._words = [Word("Conversations", "strong", bold=True), Word(agents, "muted", gap=3)]
        yield Bar(self._words, ground="panel", id="title")
        yield BranchHead(self._unit)
        yield LineView(BranchRows(self._branches, self._shown, self._findings), id="threads")
        yield KeyBar((("show", ("rows.pick",)), ("sort", ("agents.sort",)), ("back", ("agents.back",))))

    def on_mount(self) -> None:
        """Stand on the conversation shown."""
        view = self.query_one("#threads", LineView)
        view.focus()
        view.cursor = next((n for n, b in enumerate(self._branches) if b.row.id == self._shown), 0)

    def action_sort(self) -> None:
        """Put the largest first, the cursor on it; or all in the order of the tree again."""
        view = self.query_one("#threads", LineView)
        chosen = self._branches[view.cursor].row
        by_size = self._branches is self._tree
        largest = sorted((branch.row for branch in self._tree), key=lambda row: -row.peak_chars)
        self._branches = [Branch(row, 0) for row in largest] if by_size else self._tree
        rows = BranchRows(self._branches, self._shown, self._findings)
        rows.revision = int(by_size)
        view.set_rows(rows, cursor=0 if by_size else [b.row for b in self._tree].index(chosen))
        self.query_one("#title", Bar).show(self._words + [Word("largest first", "accent", gap=3)] * by_size)

    @on(LineView.Picked)
    def _pick(self, event: LineView.Picked) -> None:
        self.dismiss(self._branches[event.row].row.id)
