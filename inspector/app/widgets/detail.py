"""The detail pane: the sentence that explains the selected thing, and its text in five views."""

from __future__ import annotations

import textwrap
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive

from inspector.app.feed import DetailText, Tab
from inspector.app.frame import Frame
from inspector.app.signs import DIFFERS, SAME, STATES, is_sent, level_sign, state_sign
from inspector.app.theme import Ink
from inspector.app.widgets.drawing import FixedLines, Line, OneLine, Part, parts_width, put_parts
from inspector.app.widgets.ledger_rows import size_text
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.text_view import TextView
from inspector.app.widgets.turn_index import Place
from inspector.figures import number
from inspector.model.ledger import Level, State
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.view import Repair, ResultRow, TurnRow
from inspector.text import cells, fit, fit_argument, printable_line

LONGEST_LEAD = 24
"""Cells of sign and word before a sentence's colon."""
LISTED_RESULTS = 500
"""Results that the text of a turn lists."""


class Wanted(NamedTuple):
    """A text that the pane wants to show."""

    tab: Tab
    result: int
    request: int


def tab_places(width: int) -> list[tuple[Tab, int, str]]:
    """Each view with its first cell and the name that stands there.

    The pane at the side of a screen of 160 cells has 39: there the names stand close, and one of them
    is short.

    Args:
        width: Cells of the pane.
    """
    names = [(tab, tab.value) for tab in Tab]
    gap, start = 1, 2
    if sum(len(name) + 3 for _, name in names) + start > width:
        names = [(tab, "File" if tab is Tab.OVERFLOW else name) for tab, name in names]
        gap, start = 0, 1
    places = []
    for tab, name in names:
        places.append((tab, start, name))
        start += len(name) + 2 + gap
    return places


class DetailTabs(OneLine):
    """Names of the views; at the right what the shown one is."""

    DEFAULT_CSS = "DetailTabs { height: 1; background: $surface; }"
    ground = "surface"
    tab: reactive[Tab] = reactive(Tab.WIRE)
    summary: reactive[str] = reactive("")
    focused: reactive[bool] = reactive(False)
    """Whether the keys go to the pane."""

    class Picked(Message):
        """A tab was clicked on."""

        def __init__(self, tab: Tab) -> None:
            super().__init__()
            self.tab = tab

    def draw(self, width: int, ink: Ink) -> Line:
        """Draw the names; the summary gives way where there is no room."""
        line = Line(ink, "surface")
        for tab, start, name in tab_places(width):
            line.to(start)
            if tab is self.tab:
                line.put(f" {name} ", "accent" if self.focused else "strong", bold=True, on="panel")
            else:
                line.put(f" {name} ", "muted")
        line.put(" ")
        # Of `what it is · its size` the size stays longest.
        for words in (self.summary, self.summary.rpartition(" · ")[2]):
            if words and cells(printable_line(words)) <= width - 3 - line.cell:
                line.right(width - 2, words, "muted")
                break
        return line

    def on_click(self, event: events.Click) -> None:
        """Tell which tab was clicked on."""
        offset = event.get_content_offset(self)
        for tab, start, name in tab_places(self.size.width):
            if offset is not None and start <= offset.x < start + len(name) + 2:
                self.post_message(self.Picked(tab))


class DetailHead(FixedLines):
    """Name and sentence of the selected thing."""

    DEFAULT_CSS = "DetailHead { height: auto; }"

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[list[Part]] = []

    def show(self, lines: list[list[Part]]) -> None:
        """Take other lines; the widget is as high as there are."""
        if len(lines) != len(self.lines):
            self.styles.height = max(1, len(lines))
        self.lines = lines
        self.redraw()

    def draw_line(self, y: int, width: int, ink: Ink) -> Line:  # noqa: ARG002 (cut by the widget)
        """Draw one of the lines."""
        line = Line(ink).to(2)
        if y < len(self.lines):
            put_parts(line, self.lines[y])
        return line


class DetailView(TextView, inherit_bindings=False):
    """The text. Home and End belong to requests here; the cursor shows only while the keys go to it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *LineView.BINDINGS[:-1],
        Binding("w", "wrap", "wrap this line", id="text.wrap", show=False),
        Binding("W", "wrap_all", "wrap all lines", id="text.wrap_all", show=False),
        Binding("R", "escape", "spell control characters out", id="text.escape", show=False),
    ]

    def on_mount(self) -> None:
        """Begin without a cursor."""
        self.show_cursor = False

    def on_focus(self) -> None:
        """Show the cursor."""
        self.show_cursor = True
        self.refresh()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.show_cursor = False
        self.refresh()


class Detail(Vertical):
    """The pane; it asks for texts by a message and is handed them by `take_text`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "next_tab(1)", "next detail tab", id="detail.next", show=False),
        Binding("shift+tab", "next_tab(-1)", "detail tab before", id="detail.before", show=False),
    ]

    DEFAULT_CSS = """
    Detail { height: 12; background: $bg; }
    """

    frame: reactive[Frame | None] = reactive(None, repaint=False)
    tab: reactive[Tab] = reactive(Tab.WIRE)

    class TextWanted(Message):
        """A text is to be read."""

        def __init__(self, wanted: Wanted) -> None:
            super().__init__()
            self.wanted = wanted

    class Left(Message):
        """Tab went past the last view, or before the first."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.place: Place | None = None
        self.wanted: Wanted | None = None
        """The text asked for last; an answer to anything else is late."""
        self.shown: DetailText | None = None
        self.roomy = True
        """Whether there are lines for the name and a blank."""
        self.side = False
        """Whether the pane stands at the right, where it is high and narrow."""
        self._key: tuple[Wanted, int] | None = None

    def compose(self) -> ComposeResult:
        """Tabs, head, text."""
        yield DetailTabs()
        yield DetailHead()
        yield DetailView(id="text")

    # -- what is shown ------------------------------------------------------------------------

    def select(self, place: Place | None) -> None:
        """Show another turn or result, as of the frame's request."""
        self.place = place
        self._show()

    def watch_tab(self, tab: Tab) -> None:
        """Show the same thing in another view."""
        if self.is_mounted:
            self.query_one(DetailTabs).tab = tab
            self._show()

    def reshape(self, *, roomy: bool, side: bool) -> None:
        """Take note of the room there is."""
        if (roomy, side) != (self.roomy, self.side):
            self.roomy, self.side = roomy, side
            self._show_head()

    def _show(self) -> None:
        frame, place = self.frame, self.place
        self._show_head()
        if frame is None or place is None:
            self.wanted = self._key = None
            self._set_text(DetailText(""))
            return
        if place.result is None:
            self.wanted = self._key = None
            self._set_text(turn_text(frame, place.turn))
            return
        wanted = Wanted(self.tab, place.result, frame.request)
        if (wanted, frame.view.revision) != self._key:
            self._key = (wanted, frame.view.revision)
            self.wanted = wanted
            self.post_message(self.TextWanted(wanted))

    def take_text(self, wanted: Wanted, text: DetailText) -> None:
        """Show a text that was read, unless another was asked for since."""
        if wanted == self.wanted:
            self._set_text(text)

    def _set_text(self, text: DetailText) -> None:
        self.shown = text
        self.query_one(DetailView).show_text(text.text, text.tints, text.own_lines)
        self.query_one(DetailTabs).summary = text.summary

    def _show_head(self) -> None:
        if not self.is_mounted:
            return
        frame, place = self.frame, self.place
        lines: list[list[Part]] = []
        if frame is not None and place is not None:
            width = max(20, self.size.width - 4)
            if place.result is None:
                turn = frame.view.turn(place.turn, frame.request)
                unit = UNIT_WORDS[frame.view.policy.unit]
                lines = turn_head(turn, width, unit, roomy=self.roomy)
            else:
                result = frame.view.result(place.result, frame.request)
                lines = result_head(result, width, roomy=self.roomy, side=self.side)
        self.query_one(DetailHead).show(lines)

    # -- input --------------------------------------------------------------------------------

    def action_next_tab(self, step: int) -> None:
        """The next view; past the ends the pane is left."""
        tabs = list(Tab)
        place = tabs.index(self.tab) + step
        if 0 <= place < len(tabs):
            self.tab = tabs[place]
        else:
            self.tab = Tab.WIRE
            self.post_message(self.Left())

    def on_detail_tabs_picked(self, event: DetailTabs.Picked) -> None:
        """Show the view clicked on."""
        self.tab = event.tab

    def on_descendant_focus(self) -> None:
        """Mark that the keys go here."""
        self.query_one(DetailTabs).focused = True

    def on_descendant_blur(self) -> None:
        """Unmark it."""
        self.query_one(DetailTabs).focused = False

    def on_resize(self) -> None:
        """Wrap the sentence anew."""
        self._show_head()


def result_head(result: ResultRow, width: int, *, roomy: bool, side: bool) -> list[list[Part]]:
    """Name, sentence and facts of a result.

    Args:
        result: The result.
        width: Cells there are.
        roomy: Whether more than the first line of the sentence has room.
        side: Whether the pane is narrow and high.
    """
    sign = state_sign(result)
    bright = result.decided_now or sign.name in {"must-reapply", "fresh"}
    words, rest = split_sentence(result.sentence)
    lead: Part = (words or f"{sign.sign} {sign.word}", sign.name if bright else "fg", True)
    sentence = _wrapped([lead], f": {rest}" if rest else "", width)
    otherwise = _wrapped([], result.otherwise, width) if result.otherwise else []
    otherwise = [[(text, DIFFERS.name, True) for text, _, _ in line] for line in otherwise]
    if not roomy:
        return [*_first(sentence, 1 if otherwise else 2), *_first(otherwise, 2)]
    tool = fit(result.tool, 24, "end")
    where: list[Part] = [
        (f"   {fit(result.id, 14, keep='middle')}", "muted", None),
        (f"   record line {result.line}", "muted", None),
    ]
    room = width - cells(tool) - 1 - parts_width(where)
    argument: Part = (f" {fit_argument(result.argument, max(8, room))}", "fg", None)
    name = _within([(tool, "strong", True), argument, *where], width)
    lines = [name, *_first(sentence, 5 if side else 2), *_first(otherwise, 4 if side else 2)]
    if side:
        lines += [[], _within(_facts(result), width)]
    return [*lines, []]


def split_sentence(sentence: str) -> tuple[str, str]:
    """A sentence's lead (`R replaced now`) and the rest; the lead is empty where it has none.

    Args:
        sentence: As the view words it: sign, word, colon, the rest.
    """
    lead, colon, rest = sentence.partition(": ")
    return (lead, rest) if colon and lead[1:2] == " " and len(lead) <= LONGEST_LEAD else ("", sentence)


def _facts(result: ResultRow) -> list[Part]:
    level = level_sign(result.level, now=result.decided_now)
    made = result.wire_chars is not None and not is_sent(result)
    sent: Part = ("error result", "repaired", None) if made else (level.word, level.name, None)
    out: list[Part] = [("on the wire ", "muted", None), sent]
    if result.wire_chars is not None:
        out.append((f" {size_text(result.wire_chars, estimated=result.estimated)}", "fg", None))
    if result.pairing is not Repair.OK:
        out += [("   pairing ", "muted", None), (result.pairing.value, "repaired", None)]
    if result.recorded:
        sign = SAME if result.recorded == "same" else DIFFERS
        word = "ok" if sign is SAME else sign.name
        out += [("   recorded ", "muted", None), (f"{sign.sign} {sign.word}", word, None)]
    if result.level_reason:
        out.append((f"   {result.level_reason}", "muted", None))
    return out


def turn_head(turn: TurnRow, width: int, unit: str, *, roomy: bool) -> list[list[Part]]:
    """Name and sentence of a turn."""
    lead: Part = (f"turn {turn.number}", "strong", True)
    of = f"{number(turn.counted)} of {number(turn.limit)} {unit}"
    is_gone = not turn.wire_chars and turn.level is Level.GONE
    if turn.over_by:
        lead = (f"▲ turn {turn.number} over by {number(turn.over_by)}", "over-budget", True)
        words = f": {of} counted; {number(turn.kept)} kept, {number(turn.replaced)} "
        words += "to be replaced, but no record shows it" if turn.only_predicted else "replaced"
    elif turn.counted:
        words = f": {of} counted" + "; it fits" * (not is_gone)
    else:
        words = ": nothing in it counts against the budget"
    wire = size_text(turn.wire_chars, estimated=turn.estimated)
    sent = "nothing of it is sent any more" if is_gone else f"{wire} on the wire"
    sentence = _wrapped([lead], f"{words}; {sent}.", width)
    return [*sentence[:3], []] if roomy else sentence[:2]


def turn_text(frame: Frame, turn: int) -> DetailText:
    """A turn's results as lines: letter, size and what is on the wire, tool, argument."""
    lines: list[str] = []
    tints: dict[int, str] = {}
    results = frame.view.turn_results(turn, frame.request)
    for index in results[:LISTED_RESULTS]:
        row = frame.view.result(index, frame.request)
        sign = state_sign(row)
        if row.decided_now and row.state in {State.REPLACED, State.FROZEN}:
            tints[len(lines)] = STATES[row.state, True].name
        wire = size_text(row.wire_chars, estimated=row.estimated)
        sizes = number(row.chars) if row.chars == row.wire_chars else f"{number(row.chars)} → {wire}"
        lines.append(f"{sign.sign} {sizes:>17}  {row.tool} {fit_argument(row.argument, 90)}")
    if len(results) > LISTED_RESULTS:
        lines.append(f"… {number(len(results) - LISTED_RESULTS)} more")
    return DetailText("\n".join(lines), "results of this turn", tints, range(len(lines)))


def _wrapped(lead: list[Part], text: str, width: int) -> list[list[Part]]:
    """Parts and a text behind them, broken at blanks into lines."""
    pieces = textwrap.wrap(
        printable_line(text),
        max(10, width),
        initial_indent="\x00" * parts_width(lead),
        break_on_hyphens=False,
    ) or [""]
    first = pieces[0].lstrip("\x00")
    lines: list[list[Part]] = [[*lead, (first, "fg", None)]]
    lines += [[(piece, "fg", None)] for piece in pieces[1:]]
    return lines


def _first(lines: list[list[Part]], most: int) -> list[list[Part]]:
    """The first lines; `…` stands where more would follow."""
    if len(lines) <= most:
        return lines
    *start, (text, name, bold) = lines[most - 1]
    return [*lines[: most - 1], [*start, (f"{text[:-1]}…" if text else "…", name, bold)]]


def _within(parts: list[Part], width: int) -> list[Part]:
    """As many parts from the left as have room."""
    kept = list(parts)
    while kept and parts_width(kept) > width:
        kept.pop()
    return kept
