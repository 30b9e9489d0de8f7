"""The wire screen: one request as it is sent, block by block, beside the one before and the recorded one.

What did not change is folded, because the question here is where the prefix breaks; the text of the
block under the cursor stands below the list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.worker import Worker, get_current_worker

from inspector.app.block_pane import Choice, choices_of, pane_title, read_choice
from inspector.app.diff_texts import BlockTexts
from inspector.app.failures import tells_failure
from inspector.app.feed import DetailText, FeedUpdate, Jump
from inspector.app.screens.diff import DiffScreen
from inspector.app.screens.headed import HeadedScreen
from inspector.app.sources.files import FilePlace
from inspector.app.sources.wire import BlockPlace, UnsentPlace, WireSource
from inspector.app.tabs import is_shown
from inspector.app.widgets.bar import Bar, Word
from inspector.app.widgets.key_bar import KeyBar
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.question import Question, QuestionLine
from inspector.app.widgets.text_pane import TextPane
from inspector.app.widgets.wire_facts import fact_words
from inspector.app.widgets.wire_rows import (
    ShownLine,
    WireHead,
    WireRows,
    first_change,
    other_side,
    shown_lines,
)
from inspector.app.widgets.wire_rule import WireRule
from inspector.errors import InspectorError
from inspector.session.wire_builder import NOT_RECORDED
from inspector.session.wire_view import Mark, Side, WireBlockRow, WireView
from inspector.text import printable_line

_NO_DIFF: Mapping[Mark, str] = {
    Mark.SAME: "This block is as it was in request {}.",
    Mark.AFTER: "This block is as it was in request {}; what changed stands above it.",
    Mark.NEW: "This block is new; request {} has no such block.",
}
SIDE_WIDTH = 160
"""Cells from which the text stands beside the list."""
HINTS = (
    ("request", ("wire.before", "wire.next")),
    ("block", ("rows.up", "rows.down")),
    ("break", ("wire.break",)),
    ("diff", ("wire.diff",)),
    ("whose text", ("wire.side",)),
    ("against", ("wire.against",)),
    ("recorded", ("wire.form",)),
    ("fold", ("wire.unfold",)),
    ("to the result", ("rows.pick",)),
    ("back", ("wire.back",)),
)
"""Words of the bottom line and the actions that they stand for."""


class _Wanted(NamedTuple):
    """A text of a block that is shown or on its way."""

    shown: ShownLine
    place: BlockPlace | UnsentPlace
    choice: Choice


def _key(view: WireView) -> tuple[int, int | None, Side]:
    """What a view is of: one of the same is the same request, grown."""
    return view.request, view.against, view.side


HIDDEN_THINKING = "its text is not in the file"
"""What to say of thinking that a transcript holds no words of."""


class WireScreen(HeadedScreen):
    """One request as it is sent; left with the request last shown, or with None where it is the same."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="wire.back"),
        Binding("left", "step(-1)", "request before", id="wire.before"),
        Binding("right", "step(1)", "next request", id="wire.next"),
        Binding("b", "to_break", "to the break", id="wire.break"),
        Binding("p", "side", "what changed, predicted, recorded, request before", id="wire.side"),
        Binding("d", "diff", "the block's texts against each other", id="wire.diff"),
        Binding("t", "against", "against another request", id="wire.against"),
        Binding("f", "form", "as predicted, as recorded", id="wire.form"),
        Binding(
            "L",
            "copy_place",
            "copy path:line",
            id="wire.copy_place",
            tooltip="Copy file and line of the block's record",
        ),
        Binding("u", "unfold", "fold, unfold", id="wire.unfold"),
    ]

    DEFAULT_CSS = """
    WireScreen { background: $bg; }
    WireScreen #body { height: 1fr; layout: vertical; }
    WireScreen #main { height: 1fr; width: 1fr; }
    WireScreen #rows { height: 1fr; }
    WireScreen #text-pane { height: 40%; min-height: 10; border-top: hkey $line; }
    WireScreen.-side #body { layout: horizontal; }
    WireScreen.-side #main { width: 120; }
    WireScreen.-side #text-pane { height: 1fr; border-top: none; border-left: vkey $line; }
    WireScreen.-asking #hints { display: none; }
    """

    class ViewRead(Message):
        """The worker made a view."""

        def __init__(self, view: WireView | None, problem: str) -> None:
            super().__init__()
            self.view = view
            self.problem = problem

    class TextRead(Message):
        """The worker read a block's text."""

        def __init__(self, wanted: object, text: DetailText | None, problem: str) -> None:
            super().__init__()
            self.wanted = wanted
            self.text = text
            self.problem = problem

    class PlaceFound(Message):
        """The worker found a block's record, or says why there is none."""

        def __init__(self, place: FilePlace | None, problem: str) -> None:
            super().__init__()
            self.place = place
            self.problem = problem

    def __init__(self, source: WireSource, request: int, *, requests: int, thread: str = "") -> None:
        """Show a request.

        Args:
            source: Where views and texts come from.
            request: The request to begin with, from 1.
            requests: How many there are.
            thread: Conversation of the requests; empty: the main one.
        """
        super().__init__()
        self._source = source
        self._thread = thread
        self._opened = self._request = request
        self._requests = requests
        self._view: WireView | None = None
        self._form = Side.PREDICTED
        """The form of the request that is shown."""
        self._against: int | None = None
        """The request to compare with; None: the one before."""
        self._choice: Choice | None = None
        """What the person wants to see of a block; None: what changed."""
        self._unfolded = False
        self._revision = 0
        self._revision_known = -1
        """The session's, as of the last update."""
        self._reading = False
        """Whether a view is on its way: a session that grows fast must not keep it from arriving."""
        self._stale = False
        """Whether the request that waits has changed since its view was asked for."""
        self._asked: _Wanted | None = None
        """Whose text is shown or on its way: moving the cursor tells of itself again."""

    def compose(self) -> ComposeResult:
        """Facts line, its rule, list, text of a block, hints."""
        yield from self.compose_header()
        yield Bar(id="facts-line", ground="panel")
        yield WireRule(id="rule")
        with Vertical(id="body"):
            with Vertical(id="main"):
                yield WireHead()
                yield LineView(id="rows")
            yield TextPane(id="text-pane")
        yield KeyBar(HINTS)
        yield QuestionLine(id="asked")

    def on_mount(self) -> None:
        """Begin to read."""
        self.query_one("#rows").focus()
        self._ask()
        if hasattr(self.app, "update"):
            self.watch(self.app, "update", self.take_update, init=False)

    def take_update(self, update: FeedUpdate | None) -> None:
        """Go on with a session that grows: there are more requests, and the one that waits may change."""
        view = update.view_of(self._thread) if update is not None and is_shown(self) else None
        if view is None:
            return
        self._stale |= self._request == self._requests and view.revision != self._revision_known
        self._requests, self._revision_known = view.request_count, view.revision
        if self._stale and not self._reading:
            self._read_now()

    def on_resize(self, event: events.Resize) -> None:
        """Where it is wide, the text stands beside the list, which would be hard to read if stretched."""
        self.set_class(event.size.width >= SIDE_WIDTH, "-side")
        if self._view is not None:
            self.call_after_refresh(self._draw_facts, "")

    # -- reading ------------------------------------------------------------------------------

    def _ask(self) -> None:
        title = Word("Wire", "strong", bold=True)
        self.query_one("#facts-line", Bar).show(
            [title, Word(f"request {self._request}", "muted", gap=3), Word("reading …", "muted")]
        )
        self._read_now()

    def _read_now(self) -> None:
        self._reading, self._stale = True, False
        self._read(self._request, self._against, self._form)

    @work(thread=True, exclusive=True, group="wire", exit_on_error=False)
    def _read(self, request: int, against: int | None, form: Side) -> None:
        try:
            message = self.ViewRead(self._source.view(request, against, form), "")
        except InspectorError as error:
            message = self.ViewRead(None, str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @work(thread=True, exclusive=True, group="wire-text", exit_on_error=False)
    def _read_text(self, wanted: _Wanted, view: WireView) -> None:
        try:
            text, problem = read_choice(self._source, wanted.place, wanted.choice, view, wanted.shown), ""
        except InspectorError as error:
            text, problem = None, str(error)
        if not get_current_worker().is_cancelled:
            self.post_message(self.TextRead(wanted, text, problem))

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        tells_failure(self, event)

    @on(ViewRead)
    def _show(self, event: ViewRead) -> None:
        if event.view is not None and event.view.request != self._request:
            return
        self._reading = False
        again = self._view is not None and event.view is not None and _key(self._view) == _key(event.view)
        self._view, self._asked = event.view, None
        self._draw_facts(event.problem)
        rule = self.query_one(WireRule)
        rule.view = event.view
        rule.refresh()
        head = self.query_one(WireHead)
        head.view = event.view
        head.refresh()
        self._refill(at_break=not again)
        if self._stale:
            self._read_now()

    def _draw_facts(self, problem: str) -> None:
        view = self._view
        if view is None:
            title, said = Word("Wire", "strong", bold=True), problem or "nothing to show"
            self.query_one("#facts-line", Bar).show([title, Word(said, "replaced", gap=3)])
            return
        self.query_one("#facts-line", Bar).show(*fact_words(view, self.size.width))

    # -- rows ---------------------------------------------------------------------------------

    def _refill(self, *, at_break: bool = False) -> None:
        view = self._view
        lines = shown_lines(view, unfolded=self._unfolded) if view is not None else []
        self._revision += 1
        rows = WireRows(lines, self._revision, other=view is not None and view.other_chars is not None)
        cursor = first_change(lines) if at_break else None
        self.query_one("#rows", LineView).set_rows(rows, cursor=cursor)
        self._show_text()

    @property
    def selected(self) -> WireBlockRow | None:
        """The block under the cursor, if it is one that is sent."""
        shown = self._selected_line
        return shown.row if shown is not None else None

    @property
    def _selected_line(self) -> ShownLine | None:
        view = self.query_one("#rows", LineView)
        rows = view.rows
        return rows.lines[view.cursor] if isinstance(rows, WireRows) and len(rows) else None

    @property
    def _selected_place(self) -> BlockPlace | UnsentPlace | None:
        """Where what is under the cursor stands; None for a line that is no block."""
        shown, view = self._selected_line, self._view
        if shown is None or view is None:
            return None
        if shown.unsent is not None:
            return UnsentPlace(view.request, shown.unsent.record, shown.unsent.block)
        if shown.row is None:
            return None
        return BlockPlace(view.request, shown.row.message, shown.row.block, view.against, view.side)

    @on(LineView.Highlighted, "#rows")
    def _moved(self) -> None:
        self._show_text()

    def _show_text(self) -> None:
        shown, view, place = self._selected_line, self._view, self._selected_place
        if shown is None or view is None or place is None:
            self._asked = None
            self.query_one(TextPane).clear("", "")
            return
        found = choices_of(view, shown)
        choice = next((known for known in found if known == self._choice), found[0])
        wanted = _Wanted(shown, place, choice)
        if wanted != self._asked:
            self._asked = wanted
            self._read_text(wanted, view)

    @on(TextRead)
    def _draw_text(self, event: TextRead) -> None:
        view, wanted = self._view, self._asked
        if view is None or wanted is None or event.wanted != wanted:
            return
        pane = self.query_one(TextPane)
        title = pane_title(view, wanted.shown, wanted.choice)
        if event.text is None:
            pane.clear(title, event.problem)
        else:
            text, unsent = event.text, wanted.shown.unsent
            note = text.summary if unsent is None else f"{unsent.sentence}  {text.summary}"
            if not text.text and wanted.shown.row is not None and wanted.shown.row.kind == "thinking":
                note = f"{note}: {HIDDEN_THINKING}"
            pane.show(title, text.text, note=note, tints=text.tints, own_lines=text.own_lines)

    # -- actions ------------------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        """Show another request."""
        wanted = max(1, min(self._requests, self._request + by))
        if wanted != self._request:
            self._request = wanted
            self.head_request(wanted)
            self._ask()

    def action_to_break(self) -> None:
        """Go to the first block that changed."""
        view = self.query_one("#rows", LineView)
        rows = view.rows
        if isinstance(rows, WireRows) and any(line.break_words for line in rows.lines):
            view.cursor = first_change(rows.lines)
        else:
            grew = "this request only grew"
            known = self._view is not None and self._view.side is Side.RECORDED
            self.notify(
                f"The prefix is unbroken: {grew}." if known else f"As far as the records show, {grew}.",
                markup=False,
            )

    def action_side(self) -> None:
        """Show something else of the block: its change, or a text as predicted, recorded, sent before."""
        view, asked = self._view, self._asked
        if view is None or asked is None:
            return
        found = choices_of(view, asked.shown)
        if len(found) == 1:
            return
        self._choice = found[(found.index(asked.choice) + 1) % len(found)] if asked.choice in found else None
        self._show_text()

    def action_diff(self) -> None:
        """Compare the block's texts: what it was, what it is, what was recorded."""
        row, view, shown = self.selected, self._view, self._selected_line
        if shown is not None and shown.unsent is not None:
            self.notify("This is not sent; there is nothing to compare it with.", markup=False)
        elif row is None or view is None:
            self.notify("The cursor is on no block.", markup=False)
        elif row.mark is Mark.CHANGED or row.differs:
            self.app.push_screen(DiffScreen(BlockTexts(self._source, view, row)))
        else:
            self.notify(_NO_DIFF[row.mark].format(view.against or "before"), markup=False)

    def action_against(self) -> None:
        """Ask for the request to compare with."""
        self.add_class("-asking")
        label = "against request (empty: the one before)"
        self.query_one(QuestionLine).ask(Question(label, self._take_against))

    def _take_against(self, words: str) -> None:
        words = words.strip()
        if not words:
            self._against = None
        elif words.isascii() and words.isdecimal() and 1 <= int(words[:15]) <= self._requests:
            self._against = int(words)
        else:
            self.notify(f"Requests are 1 to {self._requests}; “{words}” is none.", markup=False)
            return
        self._ask()

    @on(QuestionLine.Ended)
    def _end_asking(self) -> None:
        self.remove_class("-asking")
        self.set_focus(self.query_one("#rows"))

    def action_copy_place(self) -> None:
        """Copy the file and line of the block's record."""
        place = self._selected_place
        if place is not None:
            self._find_place(place)

    @work(thread=True, exclusive=True, group="wire-place", exit_on_error=False)
    def _find_place(self, block: BlockPlace | UnsentPlace) -> None:
        """Find the record in a thread: a text may have to be looked for."""
        try:
            message = self.PlaceFound(self._source.place(block), "")
        except InspectorError as error:
            message = self.PlaceFound(None, str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    @on(PlaceFound)
    def _tell_place(self, event: PlaceFound) -> None:
        if event.place is None:
            self.notify(printable_line(event.problem), markup=False)
            return
        words = printable_line(event.place.copied)
        self.app.copy_to_clipboard(words)
        self.notify(f"Copied {words}  ({event.place.words})", markup=False)

    def action_form(self) -> None:
        """Show the request as recorded against recorded ones, or as predicted."""
        if self._form is Side.PREDICTED and (self._view is None or not self._view.is_recorded):
            self.notify(NOT_RECORDED.format(self._request), markup=False)
            return
        self._form = other_side(self._form)
        self._ask()

    def action_unfold(self) -> None:
        """Show every block, or fold what did not change."""
        self._unfolded = not self._unfolded
        self._refill(at_break=True)

    @on(LineView.Picked, "#rows")
    def _picked(self) -> None:
        shown = self._selected_line
        if shown is not None and shown.folded is not None:
            self.action_unfold()
        elif shown is not None and shown.unsent is not None and shown.unsent.result is not None:
            self.dismiss(Jump(request=self._request, result=shown.unsent.result))
        elif shown is not None and shown.row is not None and shown.row.tool_use_id:
            self.dismiss(Jump(request=self._request, id=shown.row.tool_use_id))

    def action_leave(self) -> None:
        """Leave the question; else go back, to the request last shown."""
        asked = self.query_one(QuestionLine)
        if asked.question is not None:
            asked.leave()
            return
        moved = self._request != self._opened
        self.dismiss(Jump(request=self._request, reason="shown on the wire screen") if moved else None)
