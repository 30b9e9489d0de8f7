"""The wire screen: one request as it is sent, block by block, beside the one before and the recorded one.

What did not change is folded, because the question here is where the prefix breaks; the text of the
block under the cursor stands below the list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from inspector.app.diff_texts import BlockTexts
from inspector.app.failures import tells_failure
from inspector.app.feed import Jump
from inspector.app.screens.diff import DiffScreen
from inspector.app.signs import DIFFERS, SAME
from inspector.app.sources import WireSource
from inspector.app.theme import Ink
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.drawing import FixedLines, Line
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.text_pane import TextPane
from inspector.errors import InspectorError
from inspector.session.wire_view import Mark, Side, WireBlockRow, WireView
from inspector.text import count_words, fit, number

MARKS: Mapping[Mark, tuple[str, str]] = {
    Mark.SAME: ("=", "ghost"),
    Mark.CHANGED: ("~", "prefix-break"),
    Mark.AFTER: ("╎", "prefix-break"),
    Mark.NEW: ("+", "fresh"),
}
"""Mark → sign and colour token."""
_STATES: Mapping[str, str] = {"replaced": "replaced", "cleared": "summarized", "error": "over-budget"}
_NO_DIFF: Mapping[Mark, str] = {
    Mark.SAME: "This block is as it was in the request before.",
    Mark.AFTER: "This block is as it was in the request before; what changed stands above it.",
    Mark.NEW: "This block is new; the request before has no such block.",
}
FOLD_FROM = 4
"""Unchanged messages in a row that fold into one line; the last one before a change stays."""

HINTS = (
    ("request", ("wire.before", "wire.next")),
    ("block", ("rows.up", "rows.down")),
    ("break", ("wire.break",)),
    ("diff", ("wire.diff",)),
    ("whose text", ("wire.side",)),
    ("fold", ("wire.unfold",)),
    ("to the result", ("rows.pick",)),
    ("back", ("wire.back",)),
)
"""Words of the bottom line and the actions that they stand for."""


class _Shown(NamedTuple):
    """One line of the list: a block, a fold of messages, or the rule of the break."""

    row: WireBlockRow | None
    first: bool = False
    """Whether it is the first block of its message."""
    folded: tuple[int, int] | None = None
    """First and last message of a fold."""
    chars: int = 0
    recorded: int | None = None
    differs: bool = False
    break_words: str = ""


class _Layout(NamedTuple):
    words: int
    state: int
    """First cell; 0 where there is no room."""
    predicted: int
    """Right edge."""
    recorded: int
    """Right edge; 0 where nothing was recorded."""
    before: int


def _layout(width: int, *, recorded: bool) -> _Layout:
    before = width - 3
    second = before - 12 if recorded else 0
    predicted = (second or before) - (14 if recorded else 12)
    state = predicted - 22 if width >= 100 else 0
    return _Layout(28, state, predicted, second, before)


class WireRows:
    """Lines of the list."""

    def __init__(self, lines: Sequence[_Shown], revision: int, *, recorded: bool) -> None:
        self.lines = lines
        self.revision = revision
        self._recorded = recorded

    def __len__(self) -> int:
        return len(self.lines)

    def draw(self, row: int, width: int, selected: bool, ink: Ink) -> Sequence[Segment]:
        """Mark, message, role, kind, words, state and the three sizes."""
        shown = self.lines[row]
        line = Line(ink, "select" if selected else "bg").put("▌" if selected else " ", "accent")
        layout = _layout(width, recorded=self._recorded)
        if shown.break_words:
            words = fit(f" prefix break  {shown.break_words} ", width - 6)
            line.put("╌╌", "prefix-break").put(words, "prefix-break", bold=True)
            return line.put("╌" * (width - line.cell - 1), "prefix-break").segments
        if shown.row is None:
            return self._fold(line, shown, layout)
        return self._block(line, shown, shown.row, layout)

    def _fold(self, line: Line, shown: _Shown, layout: _Layout) -> list[Segment]:
        assert shown.folded is not None
        first, last = shown.folded
        line.put("▸", "accent").at(3, f"{first}–{last}", "muted")
        line.at(18, f"{count_words(last - first + 1, 'message')}, unchanged", "muted")
        self._sizes(line, layout, shown.chars, shown.recorded, shown.chars, differs=shown.differs)
        return line.segments

    def _block(self, line: Line, shown: _Shown, row: WireBlockRow, layout: _Layout) -> list[Segment]:
        sign, name = MARKS[row.mark]
        loud = row.mark is Mark.CHANGED
        line.put(sign, name, bold=loud or None)
        if shown.first:
            line.at(3, str(row.message), "muted").at(8, fit(row.role, 9), "strong", bold=True)
        line.at(18, fit(row.kind, 9), "muted")
        end = layout.state or layout.predicted - 11
        line.at(layout.words, fit(row.words.replace("\n", " "), max(0, end - layout.words - 2)))
        if layout.state and row.state:
            line.at(layout.state, fit(row.state, 11), _STATES.get(row.state, "muted"))
        self._sizes(line, layout, row.chars, row.recorded, row.before, differs=row.differs, row=row)
        return line.segments

    def _sizes(
        self,
        line: Line,
        layout: _Layout,
        chars: int,
        recorded: int | None,
        before: int | None,
        *,
        differs: bool,
        row: WireBlockRow | None = None,
    ) -> None:
        changed = row is not None and row.mark is Mark.CHANGED
        line.right(layout.predicted, number(chars), "strong" if changed else "fg", bold=changed or None)
        if layout.recorded:
            sign = DIFFERS if differs else SAME
            line.at(layout.predicted + 3, sign.sign, sign.name, bold=differs or None)
            line.right(layout.recorded, number(recorded), sign.name if differs else "muted")
        if row is not None and row.mark is Mark.NEW:
            line.right(layout.before, "new", "fresh")
        else:
            line.right(layout.before, number(before), "prefix-break" if changed else "muted")


class WireHead(FixedLines):
    """The list's head, in its columns."""

    ground = "surface"

    def __init__(self) -> None:
        super().__init__()
        self.view: WireView | None = None

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (it has one row)
        """Draw the names of the columns."""
        recorded = self.view is not None and self.view.is_recorded
        layout = _layout(width, recorded=recorded)
        line = Line(ink, "surface").at(3, "msg", "muted").at(8, "role", "muted").at(18, "block", "muted")
        if layout.state:
            line.at(layout.state, "state", "muted")
        line.right(layout.predicted, "predicted", "muted")
        if layout.recorded:
            line.right(layout.recorded, "recorded", "muted")
        against = self.view.against if self.view is not None else None
        return line.right(layout.before, f"in {against}" if against else "before", "muted")


class WireScreen(Screen[Jump | None]):
    """One request as it is sent; left with the request last shown, or with None where it is the same."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="wire.back"),
        Binding("left", "step(-1)", "request before", id="wire.before"),
        Binding("right", "step(1)", "next request", id="wire.next"),
        Binding("b", "to_break", "to the break", id="wire.break"),
        Binding("p", "side", "predicted, recorded, request before", id="wire.side"),
        Binding("d", "diff", "against the request before", id="wire.diff"),
        Binding("u", "unfold", "fold, unfold", id="wire.unfold"),
    ]

    DEFAULT_CSS = """
    WireScreen { background: $bg; }
    WireScreen #rows { height: 1fr; }
    WireScreen #text-pane { height: 12; border-top: hkey $line; }
    """

    class ViewRead(Message):
        """The worker made a view."""

        def __init__(self, view: WireView | None, problem: str) -> None:
            super().__init__()
            self.view = view
            self.problem = problem

    class TextRead(Message):
        """The worker read a block's text."""

        def __init__(self, wanted: object, text: str | None, problem: str) -> None:
            super().__init__()
            self.wanted = wanted
            self.text = text
            self.problem = problem

    def __init__(self, source: WireSource, request: int, *, requests: int) -> None:
        """Show a request.

        Args:
            source: Where views and texts come from.
            request: The request to begin with, from 1.
            requests: How many there are.
        """
        super().__init__()
        self._source = source
        self._opened = self._request = request
        self._requests = requests
        self._view: WireView | None = None
        self._side = Side.PREDICTED
        self._unfolded = False
        self._revision = 0
        self._asked: tuple[int, int, int, Side] | None = None
        """Whose text is shown or on its way: moving the cursor tells of itself again."""

    def compose(self) -> ComposeResult:
        """Facts line, list, text of a block, hints."""
        yield Bar(id="facts-line", ground="panel")
        yield WireHead()
        yield LineView(id="rows")
        yield TextPane(id="text-pane")
        yield KeyBar(HINTS)

    def on_mount(self) -> None:
        """Begin to read."""
        self.query_one("#rows").focus()
        self._ask()

    # -- reading ------------------------------------------------------------------------------

    def _ask(self) -> None:
        title = Word("Wire", "strong", bold=True)
        self.query_one("#facts-line", Bar).show(
            [title, Word(f"request {self._request}", "muted", gap=3), Word("reading …", "muted")]
        )
        self._read(self._request)

    @work(thread=True, exclusive=True, group="wire", exit_on_error=False)
    def _read(self, request: int) -> None:
        try:
            message = self.ViewRead(self._source.view(request), "")
        except InspectorError as error:
            message = self.ViewRead(None, str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @work(thread=True, exclusive=True, group="wire-text", exit_on_error=False)
    def _read_text(self, wanted: tuple[int, int, int, Side]) -> None:
        try:
            message = self.TextRead(wanted, self._source.text(*wanted), "")
        except InspectorError as error:
            message = self.TextRead(wanted, None, str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        tells_failure(self, event)

    @on(ViewRead)
    def _show(self, event: ViewRead) -> None:
        if event.view is not None and event.view.request != self._request:
            return
        self._view, self._asked = event.view, None
        self._draw_facts(event.problem)
        head = self.query_one(WireHead)
        head.view = event.view
        head.refresh()
        self._refill(at_break=True)

    def _draw_facts(self, problem: str) -> None:
        view = self._view
        words = [Word("Wire", "strong", bold=True)]
        if view is None:
            words.append(Word(problem or "nothing to show", "replaced", gap=3))
            self.query_one("#facts-line", Bar).show(words)
            return
        against = f" against {view.against}" if view.against else ""
        words += [
            Word(f"request {view.request}{against}", "muted", gap=3),
            Word(number(view.chars), "strong", bold=True, gap=3),
            Word(view.unit, "muted", gap=1),
        ]
        for chars, what in ((view.thinking_chars, "thinking"), (view.reminder_chars, "reminders")):
            if chars > 0:
                words.append(Word(f"+ {number(chars)} of {what}", "muted", gap=1))
        after = view.chars_of(Mark.CHANGED, Mark.AFTER)
        words.append(Word(f"= {number(view.chars_of(Mark.SAME))} unchanged", "ok", gap=3))
        if after:
            words.append(Word(f"╎ {number(after)} after the break", "prefix-break", bold=True, gap=3))
        if view.gone:
            words.append(Word(f"× {count_words(view.gone, 'block')} gone", "prefix-break", gap=3))
        right = []
        if view.resumed:
            right.append(Word("as a resume would send it", "replaced"))
        if view.is_recorded:
            sign = DIFFERS if any(row.differs for row in view.rows) else SAME
            right.append(Word(f"{sign.sign} recorded {number(view.recorded_chars)}", sign.name))
        self.query_one("#facts-line", Bar).show(words, right)

    # -- rows ---------------------------------------------------------------------------------

    def _refill(self, *, at_break: bool = False) -> None:
        view = self._view
        lines = _lines(view, unfolded=self._unfolded) if view is not None else []
        self._revision += 1
        rows = WireRows(lines, self._revision, recorded=view is not None and view.is_recorded)
        cursor = _cursor(lines) if at_break else None
        self.query_one("#rows", LineView).set_rows(rows, cursor=cursor)
        self._show_text()

    @property
    def selected(self) -> WireBlockRow | None:
        """The block under the cursor."""
        shown = self._selected_line
        return shown.row if shown is not None else None

    @property
    def _selected_line(self) -> _Shown | None:
        view = self.query_one("#rows", LineView)
        rows = view.rows
        return rows.lines[view.cursor] if isinstance(rows, WireRows) and len(rows) else None

    @on(LineView.Highlighted, "#rows")
    def _moved(self) -> None:
        self._show_text()

    def _show_text(self) -> None:
        row = self.selected
        wanted = (self._request, row.message, row.block, self._side) if row is not None else None
        if wanted is None:
            self.query_one(TextPane).clear("", "")
        elif wanted != self._asked:
            self._read_text(wanted)
        self._asked = wanted

    @on(TextRead)
    def _draw_text(self, event: TextRead) -> None:
        row = self.selected
        if row is None or event.wanted != self._asked:
            return
        pane = self.query_one(TextPane)
        title = f"message {row.message}, block {row.block}, {self._side.value}"
        if event.text is None:
            pane.clear(title, event.problem or f"{self._side.value}: there is no such block")
        else:
            pane.show(title, event.text)

    # -- actions ------------------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        """Show another request."""
        wanted = max(1, min(self._requests, self._request + by))
        if wanted != self._request:
            self._request = wanted
            self._ask()

    def action_to_break(self) -> None:
        """Go to the first block that changed."""
        view = self.query_one("#rows", LineView)
        rows = view.rows
        if isinstance(rows, WireRows) and any(line.break_words for line in rows.lines):
            view.cursor = _cursor(rows.lines)
        else:
            self.notify("The prefix is unbroken: this request only grew.", markup=False)

    def action_side(self) -> None:
        """Show the block's text as predicted, as recorded, or of the request before."""
        sides = [s for s in Side if s is not Side.RECORDED or (self._view and self._view.is_recorded)]
        self._side = sides[(sides.index(self._side) + 1) % len(sides)] if self._side in sides else sides[0]
        self._show_text()

    def action_diff(self) -> None:
        """Compare the block with what it was in the request before."""
        row = self.selected
        if row is None:
            self.notify("The cursor is on no block.", markup=False)
        elif row.mark is Mark.CHANGED:
            self.app.push_screen(DiffScreen(BlockTexts(self._source, self._request, row)))
        else:
            self.notify(_NO_DIFF[row.mark], markup=False)

    def action_unfold(self) -> None:
        """Show every block, or fold what did not change."""
        self._unfolded = not self._unfolded
        self._refill(at_break=True)

    @on(LineView.Picked, "#rows")
    def _picked(self) -> None:
        shown = self._selected_line
        if shown is not None and shown.folded is not None:
            self.action_unfold()
        elif shown is not None and shown.row is not None and shown.row.tool_use_id:
            self.dismiss(Jump(request=self._request, id=shown.row.tool_use_id))

    def action_leave(self) -> None:
        """Go back, to the request last shown."""
        moved = self._request != self._opened
        self.dismiss(Jump(request=self._request, reason="shown on the wire screen") if moved else None)


def _lines(view: WireView, *, unfolded: bool) -> list[_Shown]:
    """The list's lines: folds of unchanged messages, the rule of the break, blocks."""
    whole = _unchanged_messages(view)
    fold_to = whole - 1 if whole >= FOLD_FROM and not unfolded else 0
    out: list[_Shown] = []
    if fold_to:
        rows = [row for row in view.rows if row.message < fold_to]
        recorded = sum(row.recorded or 0 for row in rows) if view.is_recorded else None
        differs = any(row.differs for row in rows)
        out.append(
            _Shown(None, False, (0, fold_to - 1), sum(r.counted_chars for r in rows), recorded, differs)
        )
    last = -1
    for place, row in enumerate(view.rows):
        if row.message < fold_to:
            continue
        if place == view.break_at:
            out.append(_Shown(None, break_words=view.break_words or "the cause is not known"))
        out.append(_Shown(row, row.message != last))
        last = row.message
    return out


def _unchanged_messages(view: WireView) -> int:
    """Messages at the start of which every block stayed."""
    for row in view.rows:
        if row.mark is not Mark.SAME:
            return row.message
    return view.rows[-1].message + 1 if view.rows else 0


def _cursor(lines: Sequence[_Shown]) -> int:
    """Where to begin: the first changed block, else the first new one, else the end."""
    for place, line in enumerate(lines):
        if line.row is not None and line.row.mark is not Mark.SAME:
            return place
    return max(0, len(lines) - 1)
