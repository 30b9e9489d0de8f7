"""The findings screen: everything a person should look at, by request, with a filter by kind.

Findings that only inform and come by the dozen (planned prefix breaks, above all) fold into one
counted row, or they would hide the few that matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from inspector.app.feed import FeedState, FeedUpdate, Jump
from inspector.app.keys import stated_key
from inspector.app.screens.headed import HeadedScreen
from inspector.app.screens.line import LineScreen, line_of
from inspector.app.signs import FINDINGS
from inspector.app.sources.files import LineSource
from inspector.app.tabs import is_shown
from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.prompt import Prompt
from inspector.figures import count_words, number
from inspector.model.findings import KINDS, Finding, Severity
from inspector.text import fit

SEVERITIES: Mapping[Severity, tuple[str, str]] = {
    Severity.ERROR: ("error", "over-budget"),
    Severity.WARNING: ("warning", "replaced"),
    Severity.INFO: ("info", "muted"),
}
"""Severity → word and colour token."""

HINTS = (
    ("finding", ("rows.up", "rows.down")),
    ("go there", ("rows.pick",)),
    ("kind", ("findings.kind",)),
    ("filter", ("findings.filter",)),
    ("fold", ("findings.unfold",)),
    ("back", ("findings.back",)),
)
"""Words of the bottom line and the actions that they stand for."""
FOLD_FROM = 6
"""Findings of one kind that inform and are at least this many fold into one row."""


class _Row(NamedTuple):
    """One row: a finding, or the first of several that are folded."""

    finding: Finding
    folded: int
    """How many it stands for; 0: for itself only."""


class FindingRows:
    """Rows of the list."""

    def __init__(self, rows: Sequence[_Row], revision: int) -> None:
        self.rows = rows
        self.revision = revision

    def __len__(self) -> int:
        return len(self.rows)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Severity, sign and kind, request, fact."""
        finding, folded = self.rows[row]
        word, name = SEVERITIES.get(finding.severity, ("info", "muted"))
        layout = _layout(width)
        line = Line(ink, "select" if selected else "bg")
        line.put("▌" if selected else " ", "accent").to(2)
        line.put(word, name, bold=finding.severity is Severity.ERROR or None)
        kind = finding.kind.replace("_", " ")
        line.at(12, f"{FINDINGS.get(finding.kind, '!')} {fit(kind, layout.kind - 2)}", name)
        if folded:
            words = f"{number(folded)} of them, such as: {finding.fact}"
            return (
                line.right(layout.request, "▸", "accent")
                .at(layout.fact, fit(words, width - layout.fact - 1), "muted")
                .segments
            )
        request = "—" if finding.request is None else str(finding.request)
        line.right(layout.request, request, "accent" if finding.request is not None else "muted")
        return line.at(layout.fact, fit(finding.fact, width - layout.fact - 1)).segments


class _Layout(NamedTuple):
    kind: int
    """Cells of the kind."""
    request: int
    """Right edge of the request."""
    fact: int
    """First cell of the fact."""


def _layout(width: int) -> _Layout:
    kind = 28 if width >= 100 else 20
    return _Layout(kind, 12 + kind + 7, 12 + kind + 10)


class FindingHead(FixedLines):
    """The list's head, in its columns."""

    ground = "surface"

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the names of the columns."""
        layout = _layout(width)
        line = Line(ink, "surface").at(2, "severity", "muted").at(12, "kind", "muted")
        return line.right(layout.request, "request", "muted").at(layout.fact, "fact", "muted")


class FindingsScreen(HeadedScreen):
    """All findings of a conversation; left with the place of one, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "clear the filter, back", id="findings.back"),
        Binding("k", "kind(1)", "next kind", id="findings.kind"),
        Binding("K", "kind(-1)", "previous kind", id="findings.kind_back"),
        Binding("z", "unfold", "fold, unfold", id="findings.unfold"),
        Binding("slash", "filter", "filter by words", id="findings.filter", key_display="/"),
    ]

    DEFAULT_CSS = """
    FindingsScreen { background: $bg; }
    FindingsScreen #filter { margin: 0 1; display: none; }
    FindingsScreen #filter.-shown { display: block; }
    FindingsScreen #empty { height: 1; display: none; margin: 1 0 0 0; }
    FindingsScreen #rule { height: 1; }
    FindingsScreen #detail { height: 6; }
    """

    def __init__(
        self,
        findings: Sequence[Finding],
        *,
        requests: int,
        thread: str = "",
        select: Finding | None = None,
        reading: bool = False,
        elsewhere: Callable[[], Mapping[str, int]] = dict,
        lines: LineSource | None = None,
    ) -> None:
        """Show findings.

        Args:
            findings: All of one conversation, in the order of their requests.
            requests: How many requests were checked.
            thread: The conversation; empty: the main one.
            select: The one to begin at; None: the first.
            reading: Whether the session is still being read: nothing is known to be right before.
            elsewhere: Tells errors and warnings of every conversation, this one too.
            lines: Who reads the lines that are no records; None: they cannot be looked at.
        """
        super().__init__()
        self._select = select
        self._reading = reading
        self._elsewhere = elsewhere
        self._lines = lines
        self._thread = thread
        self._kind = ""
        self._take(findings, requests)
        self._unfolded = False
        self._revision = 0

    def compose(self) -> ComposeResult:
        """Counts, filter, list, detail, hints."""
        yield from self.compose_header()
        yield Bar(id="counts", ground="panel")
        yield Prompt(id="filter", placeholder="words that kind, fact or id must have")
        yield FindingHead()
        yield Bar(id="empty")
        yield LineView(id="rows")
        yield Bar(id="rule", ground="surface")
        yield FactLines(id="detail")
        yield KeyBar(HINTS)

    def on_mount(self) -> None:
        """Fill the list."""
        self.query_one("#rows").focus()
        self._refill(keep=self._select)
        if hasattr(self.app, "update"):
            self.watch(self.app, "update", self.take_update, init=False)

    def take_update(self, update: FeedUpdate | None) -> None:
        """Show what was found since; the cursor stays on its finding."""
        view = update.view_of(self._thread) if update is not None and is_shown(self) else None
        if view is None:
            return
        reading = update is not None and update.state is FeedState.INDEXING
        known = self._findings, self._requests, self._reading
        if (tuple(view.findings), view.request_count, reading) == known:
            return
        kept, self._reading = self.selected, reading
        self._take(view.findings, view.request_count)
        self._refill(keep=kept)

    def _take(self, findings: Sequence[Finding], requests: int) -> None:
        self._findings = tuple(findings)
        self._requests = requests
        found = Counter(finding.kind for finding in self._findings)
        self._kinds = ["", *(kind for kind in KINDS if kind in found or kind == self._kind)]
        self._kinds += [kind for kind in found if kind not in KINDS]

    # -- rows ---------------------------------------------------------------------------------

    def _refill(self, *, keep: Finding | None = None) -> None:
        words = self.query_one("#filter", Prompt).value.casefold().split()
        kept = [f for f in self._findings if self._kind in {"", f.kind} and _matches(f, words)]
        rows = self._folded(kept)
        self._revision += 1
        view = self.query_one("#rows", LineView)
        cursor = 0 if keep is None else _row_of(rows, keep)
        if cursor is None:  # it is not found any more: stay where it was
            cursor = max(0, min(view.cursor, len(rows) - 1))
        view.set_rows(FindingRows(rows, self._revision), cursor=cursor)
        self._draw_counts(len(kept))
        empty = self.query_one("#empty", Bar)
        empty.display = not rows
        empty.show(self._empty_words())
        self._draw_detail()

    def _folded(self, findings: Sequence[Finding]) -> list[_Row]:
        counts = Counter(f.kind for f in findings if f.severity is Severity.INFO)
        fold = not self._unfolded and not self._kind
        out: list[_Row] = []
        seen: set[str] = set()
        for finding in findings:
            many = counts[finding.kind] if finding.severity is Severity.INFO else 0
            if not fold or many < FOLD_FROM:
                out.append(_Row(finding, 0))
            elif finding.kind not in seen:
                seen.add(finding.kind)
                out.append(_Row(finding, many))
        return out

    def _empty_words(self) -> list[Word]:
        if not self._findings and self._reading:
            later = "The session is being read; findings are told once it has been."
            return [Word("No findings yet.", "strong", bold=True), Word(later, "muted")]
        if not self._findings:
            checked = (
                f"{count_words(self._requests, 'request')} checked: pairing, budget, state, overflow, ageing."
            )
            return [Word("No findings.", "strong", bold=True), Word(checked, "muted")]
        value = self.query_one("#filter", Prompt).value
        kind = self._kind.replace("_", " ")
        said = f"Nothing matches “{value}”" + f" among {kind} alone" * bool(kind) + "."
        drop = "k goes on to the next kind, Esc drops both." if kind else "Esc clears the filter."
        return [Word(said, "strong", bold=True), Word(drop, "muted")]

    def _draw_counts(self, shown: int) -> None:
        words = [Word("Findings", "strong", bold=True)]
        for severity, (word, name) in SEVERITIES.items():
            count = sum(f.severity is severity for f in self._findings)
            if count:
                loud = severity is Severity.ERROR
                nouns = word if severity is Severity.INFO else ""
                words.append(Word(count_words(count, word, nouns), name, bold=loud, gap=3))
        others = sum(count for thread, count in self._elsewhere().items() if thread != self._thread)
        if others:
            key = stated_key(self.app, "screen.agents")
            words.append(Word(f"! {number(others)} in other conversations ({key})", "replaced", gap=3))
        kind = self._kind.replace("_", " ")
        right = [Word(f"only {kind}", "accent", bold=True)] if kind else []
        right.append(Word(f"{number(shown)} of {number(len(self._findings))}", "muted"))
        self.query_one("#counts", Bar).show(words, right)

    @property
    def selected(self) -> Finding | None:
        """The finding under the cursor."""
        row = self._selected_row
        return row.finding if row else None

    @property
    def _selected_row(self) -> _Row | None:
        view = self.query_one("#rows", LineView)
        rows = view.rows
        return rows.rows[view.cursor] if isinstance(rows, FindingRows) and len(rows) else None

    @on(LineView.Highlighted)
    def _draw_detail(self) -> None:
        finding = self.selected
        facts: list[tuple[str, str]] = []
        if finding is not None:
            facts = [("fact", finding.fact)]
            if finding.cause:
                facts.append(
                    ("cause", finding.cause if finding.certain else f"{finding.cause} (not certain)")
                )
            if finding.ids:
                facts.append(("results", "  ".join(fit(id_, 40, "middle") for id_ in finding.ids[:8])))
            if finding.see:
                facts.append(("see", finding.see))
        self.query_one("#detail", FactLines).show(facts)
        title = [Word(finding.kind.replace("_", " "), "strong", bold=True)] if finding else []
        family = KINDS[finding.kind][0] if finding and finding.kind in KINDS else ""
        self.query_one("#rule", Bar).show(title, [Word(family, "muted")] if family else [])

    # -- actions ------------------------------------------------------------------------------

    @on(LineView.Picked)
    def _picked(self) -> None:
        row = self._selected_row
        if row is None:
            return
        if row.folded:
            self.action_unfold()
            return
        finding = row.finding
        if self._lines is not None and (place := line_of(finding)) is not None:
            self.app.push_screen(LineScreen(self._lines, place))
        elif finding.request is None and not finding.ids:
            self.notify(
                f"This is of the whole file. See {fit(finding.see or 'the fact below', 60)}.", markup=False
            )
        else:
            self.dismiss(Jump(request=finding.request, id=finding.shown_id, reason=finding.fact))

    def action_unfold(self) -> None:
        """Show every finding, or fold those that only inform."""
        self._unfolded = not self._unfolded
        self._refill()

    def action_kind(self, step: int) -> None:
        """Show only the next kind that there is; after the last, all."""
        self._kind = self._kinds[(self._kinds.index(self._kind) + step) % len(self._kinds)]
        self._refill()

    def action_filter(self) -> None:
        """Type words to filter by."""
        prompt = self.query_one("#filter", Prompt)
        prompt.add_class("-shown")
        self.set_focus(prompt)

    @on(Input.Changed)
    def _filter_changed(self) -> None:
        self._refill()

    @on(Input.Submitted)
    def _filter_done(self) -> None:
        self.set_focus(self.query_one("#rows"))

    def action_leave(self) -> None:
        """Clear what narrows the list, else go back."""
        prompt = self.query_one("#filter", Prompt)
        if prompt.has_class("-shown") or self._kind:
            self._kind = ""
            prompt.value = ""
            prompt.remove_class("-shown")
            self.set_focus(self.query_one("#rows"))
            self._refill()
        else:
            self.dismiss(None)


def _row_of(rows: Sequence[_Row], finding: Finding) -> int | None:
    """The row of a finding, or of what it has become: figures in a fact grow with the session."""
    found = finding.kind, finding.request, finding.shown_id, finding.thread
    alike: int | None = None
    for n, row in enumerate(rows):
        other = row.finding
        if other == finding or (row.folded and other.kind == finding.kind):
            return n
        if alike is None and (other.kind, other.request, other.shown_id, other.thread) == found:
            alike = n
    return alike


def _matches(finding: Finding, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = (
        f"{finding.kind} {finding.kind.replace('_', ' ')} {finding.fact} {' '.join(finding.ids)}".casefold()
    )
    return all(word in text for word in words)
