"""The session picker: all sessions that can be found, newest first, filtered while one types.

Rows appear at once from names and sizes; what needs a session to be read comes later, one session
after another, from a worker thread.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import Worker, WorkerState, get_current_worker

from inspector.app.sources.sessions import SessionCatalog, SessionRow, SessionSummary
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.curve import Curve
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.prompt import Prompt
from inspector.app.widgets.session_rows import SessionHead, SessionRows, finding_words
from inspector.errors import InspectorError
from inspector.figures import count_words, number, size_words
from inspector.model.policy import Unit
from inspector.replay.sentences import UNIT_WORDS
from inspector.text import printable_line

HINTS = (
    ("choose", ("rows.up", "rows.down")),
    ("open", ("rows.pick",)),
    ("latest", ("sessions.latest",)),
    ("look again", ("sessions.rescan",)),
)
"""Words of the bottom line and the actions that they stand for."""
PATH_STARTS = ("/", "~", "./", "../")
"""What is typed with such a beginning is a path to open, not a filter."""
_FILTER_AS_ELSEWHERE = re.compile(r"/[^/]*(?<!\.jsonl)(?<!\.json)(?<!\.gz)")
"""A slash and no other one, and no file that could stand in the topmost directory."""


class FilterPrompt(Prompt):
    """The filter; while it is empty `?` asks for the keys, as it does everywhere else."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "question_mark" and not self.value:
            event.prevent_default()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Whether a key is text here; others are left to the bindings."""
        asks = key == "question_mark" and not self.value
        return not asks and super().check_consume_key(key, character)


class SessionsScreen(Screen[None]):
    """Sessions to choose from. What was chosen is posted; the app decides what becomes of it."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 (Textual declares it so)

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "clear the filter, back", id="sessions.back"),
        Binding("f5", "rescan", "look again", id="sessions.rescan"),
        Binding("ctrl+l", "latest", "open the newest", id="sessions.latest"),
        Binding(
            "ctrl+o",
            "open_tab",
            "in a new tab",
            id="sessions.open_tab",
            tooltip="Open it beside the session shown, in a tab of its own",
        ),
        Binding("f2", "demo", "play the demo", id="sessions.demo", show=False),
        Binding("slash", "type", "filter", id="sessions.filter", show=False),
    ]

    DEFAULT_CSS = """
    SessionsScreen { background: $bg; }
    SessionsScreen #asked { height: 1; margin: 1 0; }
    SessionsScreen #filter { width: 1fr; margin: 0 0 0 2; }
    SessionsScreen #count { width: 28; }
    SessionsScreen #empty { display: none; height: 1fr; }
    SessionsScreen #selected { margin: 1 0 0 0; }
    SessionsScreen #curve { height: 8; }
    SessionsScreen.-narrow #curve, SessionsScreen.-short #curve { display: none; }
    SessionsScreen.-narrow #asked { margin: 0; }
    """
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012 (Textual declares it so)

    class Picked(Message):
        """A session was chosen, by a row or by a typed path."""

        def __init__(self, path: str, *, new_tab: bool = False) -> None:
            super().__init__()
            self.path = path
            self.new_tab = new_tab
            """Whether the session shown stays open beside it."""

    class DemoAsked(Message):
        """There are no sessions, and the person wants to see the demo."""

    class _RowsRead(Message):
        def __init__(self, rows: Sequence[SessionRow], problem: str) -> None:
            super().__init__()
            self.rows = rows
            self.problem = problem

    class _SummaryRead(Message):
        def __init__(self, path: str, summary: SessionSummary) -> None:
            super().__init__()
            self.path = path
            self.summary = summary

    def __init__(
        self, catalog: SessionCatalog, *, clock: Callable[[], float] = time.time, home: bool = True
    ) -> None:
        """Show what a catalog finds.

        Args:
            catalog: Where rows and summaries come from.
            clock: Seconds since the epoch, for the ages.
            home: Whether this is the first screen: Esc then leads nowhere.
        """
        super().__init__()
        self._catalog = catalog
        self._clock = clock
        self._home = home
        self._all: Sequence[SessionRow] = ()
        self._shown: Sequence[SessionRow] = ()
        self._summaries: dict[str, SessionSummary] = {}
        self._problem = ""
        self._read = False
        self._revision = 0

    def compose(self) -> ComposeResult:
        """Counts, filter, list, the selected session, hints."""
        yield Bar(ground="panel", id="sources")
        with Horizontal(id="asked"):
            yield FilterPrompt(id="filter", placeholder="type to filter, or a path to open")
            yield Bar(id="count")
        yield SessionHead()
        yield FactLines(indent=2, id="empty")
        yield LineView(id="rows")
        yield Bar(id="selected")
        yield Bar(id="selected-findings")
        yield Curve(id="curve")
        # Letters are typed into the filter here, so the app's own key for quitting is not free.
        beside = [] if self._home else [("new tab", ("sessions.open_tab",))]
        leave = [("clear" if self._home else "back", ("sessions.back",)), ("quit", ("ctrl+q",))]
        yield KeyBar([*HINTS[:2], *beside, *HINTS[2:], *leave])

    def on_mount(self) -> None:
        """Begin to look."""
        self.query_one("#filter").focus()
        self._draw_bars()
        self.action_rescan()

    # -- reading ------------------------------------------------------------------------------

    def action_rescan(self) -> None:
        """Look for sessions again."""
        self._look()

    @work(thread=True, exclusive=True, group="sessions", exit_on_error=False)
    def _look(self) -> None:
        """Rows first, then one summary after another while the screen is there."""
        worker = get_current_worker()
        try:
            rows, problem = tuple(self._catalog.sessions()), ""
        except InspectorError as error:
            rows, problem = (), str(error)
        if not worker.is_cancelled:
            self.post_message(self._RowsRead(rows, problem))
        for row in rows:
            if worker.is_cancelled:
                return
            try:
                summary = self._catalog.summary(row)
            except InspectorError as error:
                summary = SessionSummary(0, 0, problem=str(error))
            if not worker.is_cancelled:
                self.post_message(self._SummaryRead(row.path, summary))

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR:
            words = printable_line(f"Looking for sessions failed: {event.worker.error!r}")
            self.notify(words, severity="error", markup=False)

    @on(_RowsRead)
    def _show_rows(self, event: _RowsRead) -> None:
        self._all, self._problem, self._read = event.rows, event.problem, True
        self._summaries.clear()
        self._refill()

    @on(_SummaryRead)
    def _show_summary(self, event: _SummaryRead) -> None:
        self._summaries[event.path] = event.summary
        self._revision += 1
        view = self.query_one("#rows", LineView)
        if isinstance(view.rows, SessionRows):
            view.rows.revision = self._revision
            view.rows_changed()
        selected = self.selected
        if selected is not None and selected.path == event.path:
            self._draw_selected()

    # -- rows ---------------------------------------------------------------------------------

    @property
    def selected(self) -> SessionRow | None:
        """The session under the cursor."""
        cursor = self.query_one("#rows", LineView).cursor
        return self._shown[cursor] if self._shown else None

    @property
    def _filter(self) -> str:
        return self.query_one("#filter", Prompt).value

    @property
    def _is_path(self) -> bool:
        # `/` begins a filter on every other screen: a word behind it is one here too.
        if _FILTER_AS_ELSEWHERE.fullmatch(self._filter):
            return False
        return self._filter.startswith(PATH_STARTS)

    def _refill(self) -> None:
        words = [] if self._is_path else self._filter.removeprefix("/").casefold().split()
        before = self.selected
        self._shown = [row for row in self._all if _matches(row, words)]
        self._revision += 1
        cursor = next((n for n, row in enumerate(self._shown) if before and row.path == before.path), 0)
        rows = SessionRows(self._shown, self._summaries, self._clock(), self._revision)
        self.query_one("#rows", LineView).set_rows(rows, cursor=cursor)
        empty = self.query_one("#empty", FactLines)
        empty.display = self._read and not self._shown
        self.query_one("#rows").display = self.query_one(SessionHead).display = not empty.display
        empty.show(self._empty_facts())
        self._draw_bars()
        self._draw_selected()

    def _empty_facts(self) -> list[tuple[str, str]]:
        if self._all:
            return [("", f"Nothing matches “{self._filter}”. Esc clears the filter.")]
        facts = [("", self._problem or "No sessions found."), ("", "")]
        facts += [(f"{name}", f"looked in {where}") for name, where in self._catalog.looked_in]
        facts += [
            ("", ""),
            ("", "Type the path of a transcript and press Enter to open it; F2 plays the demo."),
        ]
        return facts

    def _draw_bars(self) -> None:
        counts: dict[str, int] = {}
        for row in self._all:
            counts[row.source] = counts.get(row.source, 0) + 1
        kinds = " · ".join(f"{name} {count}" for name, count in counts.items())
        order = "newest first" if self._read else "looking …"
        self.query_one("#sources", Bar).show(
            [Word("Sessions", "strong", bold=True), Word(kinds, "muted", gap=3)], [Word(order, "muted")]
        )
        live = sum(row.live for row in self._all)
        if self._is_path:
            words = "Enter opens this path"
        elif len(self._shown) != len(self._all):
            words = f"{number(len(self._shown))} of {count_words(len(self._all), 'session')}"
        else:
            words = count_words(len(self._all), "session") + (f", {live} live" if live else "")
        self.query_one("#count", Bar).show((), [Word(words, "accent" if self._is_path else "muted")])

    @on(LineView.Highlighted)
    def _draw_selected(self) -> None:
        row = self.selected
        words: list[Word] = []
        found: list[Word] = []
        summary = self._summaries.get(row.path) if row else None
        if row is not None:
            words = [Word(row.name, "strong", bold=True)]
            words += [Word("● live", "ok", gap=3)] if row.live else []
            words += [
                Word(text, "muted", gap=3) for text in (row.source, size_words(row.size_bytes), row.path)
            ]
            found = [Word("not read yet", "muted")]
            if summary:
                found = [Word(text, name, gap=3) for text, name in finding_words(summary)]
                if not summary.problem:
                    approx = "≈" if summary.peak_estimated else ""
                    peak = f"peak {approx}{number(summary.peak_chars)} {UNIT_WORDS[summary.unit]}"
                    found.append(Word(peak, "muted", gap=3))
        self.query_one("#selected", Bar).show(words)
        self.query_one("#selected-findings", Bar).show(found)
        self.query_one("#curve", Curve).show(
            summary.curve if summary else (),
            summary.window_chars if summary else None,
            summary.unit if summary else Unit.CODE_POINTS,
        )

    # -- actions ------------------------------------------------------------------------------

    @on(Input.Changed)
    def _typed(self) -> None:
        self._refill()

    @on(Input.Submitted)
    @on(LineView.Picked)
    def _pick(self) -> None:
        self._post_picked(new_tab=False)

    def _post_picked(self, *, new_tab: bool) -> None:
        if self._is_path:
            self.post_message(self.Picked(self._filter, new_tab=new_tab))
        elif self.selected is not None:
            self.post_message(self.Picked(self.selected.path, new_tab=new_tab))

    async def on_key(self, event: events.Key) -> None:
        """While one types, the keys that a line of text has no use for move in the list."""
        view = self.query_one("#rows", LineView)
        moves: Mapping[str, Callable[[], None]] = {
            "up": lambda: view.action_cursor(-1),
            "down": lambda: view.action_cursor(1),
            "pageup": lambda: view.action_page(-1),
            "pagedown": lambda: view.action_page(1),
        }
        if event.key in moves and self.query_one("#filter").has_focus:
            event.stop()
            moves[event.key]()

    def action_type(self) -> None:
        """Go to the filter."""
        self.query_one("#filter").focus()

    def action_latest(self) -> None:
        """Open the newest session."""
        if self._all:
            self.post_message(self.Picked(self._all[0].path))

    def action_open_tab(self) -> None:
        """Open what is chosen, and keep the session shown."""
        self._post_picked(new_tab=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 (Textual's shape)
        """Without a session there is none to keep."""
        return action != "open_tab" or not self._home

    def action_demo(self) -> None:
        """Ask for the demo."""
        self.post_message(self.DemoAsked())

    def action_leave(self) -> None:
        """Clear the filter, else go back where there is a way back."""
        if self._filter:
            self.query_one("#filter", Prompt).value = ""
        elif not self._home:
            self.dismiss(None)


def _matches(row: SessionRow, words: Sequence[str]) -> bool:
    text = f"{row.name} {row.project} {row.source} {row.path}".casefold()
    return all(word in text for word in words)
