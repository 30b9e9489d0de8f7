"""The main screen: the session as of one request, and moving through requests.

One value, `frame`, is handed down to all widgets; they hand back messages. Following is a flag of
that frame: intake goes on while it is off, and the header says loudly how much came meanwhile.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState, get_current_worker

from inspector.app.feed import DetailText, FeedUpdate, Jump, Sources
from inspector.app.frame import Frame
from inspector.app.keys import key_hints
from inspector.app.places import Context, screen_key
from inspector.app.screens.ledger_keys import BINDINGS, HINTS
from inspector.app.sources import SessionCatalog
from inspector.app.steps import last_change, next_finding, notable, turn_after, turn_before
from inspector.app.widgets.bar import HELP, Bar, Word, hints
from inspector.app.widgets.columns import WIDE
from inspector.app.widgets.detail import Detail, DetailTabs, DetailView, Wanted
from inspector.app.widgets.header import Facts, Header, Notice
from inspector.app.widgets.ledger import Ledger, LedgerHead
from inspector.app.widgets.prompt import Prompt
from inspector.app.widgets.stage_rows import StageView
from inspector.app.widgets.timeline import Timeline
from inspector.app.widgets.turn_index import Place, find_id, turn_of
from inspector.errors import InspectorError
from inspector.text import count_words, printable

SIDE_WIDTH = 160
"""From this width on the detail stands beside the list."""
TALL, HIGH = 30, 45
"""Heights from which there is room for axis and facts, and for one more row of bars."""
LEAST_WIDTH, LEAST_HEIGHT = 80, 24
READ_AFTER_S = 0.03
"""A text is read when the person stays this long; stepping fast reads none."""
SLOW_AFTER_S = 0.3
"""A text that takes longer than this is said to be read."""


class LedgerScreen(Screen[None]):
    """List, timeline and detail as of one request."""

    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    frame: reactive[Frame | None] = reactive(None)
    stage: reactive[StageView | None] = reactive(None)

    class TextRead(Message):
        """A worker has read a text for the detail pane."""

        def __init__(self, wanted: Wanted, text: DetailText) -> None:
            super().__init__()
            self.wanted = wanted
            self.text = text

    def __init__(
        self, sources: Sources, *, catalog: SessionCatalog | None = None, request: int | None = None
    ) -> None:
        """Make the screen.

        Args:
            sources: Whoever reads files.
            catalog: Other sessions; None offers none.
            request: Request to show first; None follows the newest.
        """
        super().__init__()
        self._sources = sources
        self._catalog = catalog
        self._first_request = request
        self._seen_requests = 0
        """Requests there were when following stopped."""
        self._finding: int | None = None
        self._saying = ""
        """Sentence of the bottom line; empty: key hints."""
        self._asked: Wanted | None = None
        self._read_timer: Timer | None = None
        self._slow_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Header, list with timeline, detail, hints."""
        yield Header().data_bind(LedgerScreen.frame)
        yield Notice().data_bind(LedgerScreen.frame)
        with Vertical(id="body"):
            with Vertical(id="main"):
                yield Facts().data_bind(LedgerScreen.frame)
                yield Timeline().data_bind(LedgerScreen.frame)
                yield LedgerHead().data_bind(LedgerScreen.frame, LedgerScreen.stage)
                yield Ledger(id="list").data_bind(LedgerScreen.frame, LedgerScreen.stage)
            yield Detail(id="detail").data_bind(LedgerScreen.frame)
        yield Bar(right=HELP, ground="surface", id="hints")
        with Horizontal(id="go-to-line"):
            yield Static("go to request", markup=False)
            yield Prompt(type="integer", id="go-to", select_on_focus=False)

    @property
    def ledger(self) -> Ledger:
        """The list."""
        return self.query_one(Ledger)

    @property
    def detail(self) -> Detail:
        """The pane."""
        return self.query_one(Detail)

    def on_mount(self) -> None:
        """Take updates as they come."""
        self.ledger.focus()
        self.watch(self.app, "update", self.take_update)
        self.call_after_refresh(self._draw_bottom)

    # -- layout -------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Choose what has room."""
        width, height = event.size
        side = width >= SIDE_WIDTH and height >= LEAST_HEIGHT
        small = width < LEAST_WIDTH or height < LEAST_HEIGHT
        short = height < TALL
        self.set_class(side, "-side")
        self.set_class(small, "-small")
        self.set_class(short, "-short")
        self.set_class(width < WIDE, "-narrow")
        self.set_class(height >= HIGH, "-high")
        timeline = self.query_one(Timeline)
        timeline.set_class(TALL <= height < HIGH, "-tall")
        timeline.set_class(height >= HIGH, "-taller")
        self.detail.reshape(roomy=not short or side, side=side)
        if not small:
            self.remove_class("-detail")
        self._draw_bottom()

    def say(self, words: str) -> None:
        """Show a sentence in the bottom line until the next step.

        Args:
            words: Anything; it passes the gate when it is drawn.
        """
        self._saying = words
        self._draw_bottom()

    def _show_hints(self) -> None:
        self._saying = ""
        self._draw_bottom()

    def _draw_bottom(self) -> None:
        words = self._saying
        if not words and self.has_class("-small"):
            width, height = self.size
            words = f"{width} × {height}; made for {LEAST_WIDTH} × {LEAST_HEIGHT}. Enter: detail"
        left = [Word(words, "strong")] if words else hints(key_hints(self, HINTS))
        self.query_one("#hints", Bar).show(left, HELP)

    # -- requests -----------------------------------------------------------------------------

    def take_update(self, update: FeedUpdate | None) -> None:
        """Show the session as it is known now; a person who stopped following stays where they are."""
        if update is None:
            return
        count = update.view.request_count
        old = self.frame
        if old is None and self._first_request is not None:
            self._seen_requests = count
            self.frame = Frame(
                update, max(1, min(self._first_request, count)) if count else 0, following=False
            )
        elif old is None or old.following:
            self.frame = Frame(update, count, following=True)
        else:
            request = max(1, min(old.request, count)) if count else 0
            fresh = max(0, count - self._seen_requests)
            self.frame = Frame(update, request, following=False, fresh_requests=fresh)

    def go_to(self, request: int, *, follow: bool = False) -> None:
        """Show a request; following stops unless it is asked for.

        Args:
            request: From 1; taken as far as there are requests.
            follow: Whether to follow from here.
        """
        old = self.frame
        if old is None or not old.view.request_count:
            return
        count = old.view.request_count
        if old.following and not follow:
            self._seen_requests = count
        fresh = 0 if follow else max(0, count - self._seen_requests)
        self._show_hints()
        self.frame = Frame(old.update, max(1, min(request, count)), follow, fresh)

    def jump(self, jump: Jump | None) -> None:
        """Go where another screen was left for."""
        if jump is None or self.frame is None or not self.frame.request:
            return
        if jump.request is not None:
            self.go_to(jump.request)
        frame = self.frame
        place: Place | None = None
        if jump.result is not None:
            turn = turn_of(frame.view, jump.result, frame.request)
            place = Place(turn, jump.result) if turn is not None else None
        elif jump.id:
            place = find_id(frame.view, jump.id, frame.request)
        if place is None and jump.request is not None:
            # Nothing to point at: what this request decided is the newest turn.
            place = Place(frame.view.turn_count(frame.request))
        if place is not None:
            self.ledger.select(place)
        if jump.reason:
            self.say(jump.reason)

    def action_step(self, requests: int) -> None:
        """Go some requests on or back."""
        if self.frame is not None:
            self.go_to(self.frame.request + requests)

    def action_turn(self, direction: int) -> None:
        """Go to the request that decides the next turn, or the one before."""
        if self.frame is not None and self.frame.request:
            step = turn_after if direction > 0 else turn_before
            self.go_to(step(self.frame.view, self.frame.request))

    def action_first(self) -> None:
        """Go to the first request."""
        self.go_to(1)

    def action_newest(self) -> None:
        """Go to the newest request and follow."""
        if self.frame is not None:
            self.go_to(self.frame.view.request_count, follow=True)

    def action_follow(self) -> None:
        """Follow, or stop following."""
        if self.frame is None:
            return
        if self.frame.following:
            self.go_to(self.frame.request)
        else:
            self.action_newest()

    def action_finding(self, step: int) -> None:
        """Go to the next finding, or the one before, and select what it is about."""
        frame = self.frame
        if frame is None or not frame.request:
            return
        found = notable(frame.view.findings)
        number = next_finding(found, frame.request, self._finding, step)
        if number is None:
            here, there = ("after", "before") if step > 0 else ("before", "after")
            words = f"No finding {here} request {frame.request}; {len(found)} {there} it."
            self.say(words if found else "No findings to stop at.")
            return
        self._finding = number
        finding = found[number]
        reason = f"finding {number + 1} of {len(found)}  {finding.kind}: {finding.fact}"
        self.jump(Jump(finding.request, id=finding.ids[0] if finding.ids else "", reason=reason))

    def action_changed(self) -> None:
        """Go back to the request in which the selected result last changed."""
        frame, place = self.frame, self.ledger.place
        if frame is None or place is None or place.result is None:
            self.say("Select a result first; a turn has no state of its own.")
            return
        request = last_change(frame.view.lifeline(place.result), frame.request)
        if request is None:
            self.say(f"It was new at request {frame.request}; nothing changed before.")
            return
        self.ledger.select(place)
        self.go_to(request)

    @on(Timeline.RequestPicked)
    def show_picked_request(self, event: Timeline.RequestPicked) -> None:
        """Go to the request that was clicked on."""
        self.go_to(event.request)

    # -- go to --------------------------------------------------------------------------------

    def action_ask(self) -> None:
        """Ask for a request number in the bottom line."""
        self.add_class("-asking")
        prompt = self.query_one("#go-to", Prompt)
        prompt.value = ""
        prompt.focus()

    @on(Input.Submitted, "#go-to")
    def take_answer(self, event: Input.Submitted) -> None:
        """Go to the request that was typed."""
        event.stop()
        self._end_asking()
        if event.value.strip().isdecimal():
            self.go_to(int(event.value))

    def _end_asking(self) -> None:
        self.remove_class("-asking")
        self.ledger.focus()

    # -- panes --------------------------------------------------------------------------------

    @on(Ledger.Selected)
    def show_detail(self, event: Ledger.Selected) -> None:
        """Show what is under the cursor."""
        self.detail.select(event.place)

    @on(Ledger.ResultPicked)
    def enter_detail(self) -> None:
        """Go into the detail of a result."""
        self.add_class("-detail")
        self.detail.query_one(DetailView).focus()

    @on(Detail.Left)
    def leave_detail(self) -> None:
        """Go back to the list."""
        self.remove_class("-detail")
        self.ledger.focus()

    @on(DetailTabs.Picked)
    def focus_detail(self) -> None:
        """A click on a tab means that the person reads on there."""
        self.detail.query_one(DetailView).focus()

    def action_pane(self) -> None:
        """Go from the list into the detail."""
        self.enter_detail()

    def action_stage(self, stage: int) -> None:
        """Show one stage over the whole width; the same key shows all again."""
        wanted = StageView(stage)
        self.stage = None if self.stage is wanted else wanted

    def action_back(self) -> None:
        """Leave the prompt, the detail, or the one stage; in this order."""
        if self.has_class("-asking"):
            self._end_asking()
        elif self.focused is not self.ledger:
            self.leave_detail()
        else:
            self.stage = None
        self._show_hints()

    def action_copy(self) -> None:
        """Copy the text shown, through the gate."""
        shown = self.detail.shown
        if shown is None or not shown.text:
            self.say("Nothing to copy.")
            return
        text = "\t".join(printable(piece) for piece in shown.text.split("\t"))
        self.app.copy_to_clipboard(text)
        self.say(f"Copied {count_words(len(text), 'character')} of “{self.detail.tab.value}”.")

    def _opened_from(self) -> Context | None:
        """What another screen is handed; None before the first frame."""
        if self.frame is None:
            return None
        place = self.ledger.place
        return Context(self.frame, place.result if place else None, self._sources, self._catalog)

    def action_open_screen(self, name: str) -> None:
        """Open a registered screen; it is left with where to go."""
        entry, context = screen_key(name), self._opened_from()
        screen = entry.make(context) if entry is not None and context is not None else None
        if screen is not None:
            self.app.push_screen(screen, self.jump)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys of screens that have nothing to show are not offered."""
        if action != "open_screen":
            return True
        entry = screen_key(str(parameters[0]))
        return entry is not None and entry.available(self._sources, self._catalog)

    # -- texts --------------------------------------------------------------------------------

    @on(Detail.TextWanted)
    def ask_for_text(self, event: Detail.TextWanted) -> None:
        """Read a text once the person stays on it."""
        self._asked = event.wanted
        self._stop_timers()
        self._read_timer = self.set_timer(READ_AFTER_S, self._read_asked)
        self._slow_timer = self.set_timer(SLOW_AFTER_S, self._say_slow)

    def _stop_timers(self) -> None:
        for timer in (self._read_timer, self._slow_timer):
            if timer is not None:
                timer.stop()

    def _read_asked(self) -> None:
        if self._asked is not None:
            self._read(self._asked)

    def _say_slow(self) -> None:
        if self._asked is not None:
            self.detail.take_text(self._asked, DetailText("", "reading …"))

    @work(thread=True, exclusive=True, group="detail", exit_on_error=False)
    def _read(self, wanted: Wanted) -> None:
        """Read a text in a thread. Touches no widget: what it read comes back as a message."""
        try:
            text = self._sources.details.text(wanted.tab, wanted.result, wanted.request)
        except (InspectorError, OSError) as error:
            text = DetailText(str(error), "not available", {0: "replaced"})
        if not get_current_worker().is_cancelled:
            self.post_message(self.TextRead(wanted, text))

    @on(TextRead)
    def show_text(self, event: TextRead) -> None:
        """Show what was read."""
        if event.wanted == self._asked:
            self._stop_timers()
            self.detail.take_text(event.wanted, event.text)

    @on(Worker.StateChanged)
    def show_failure(self, event: Worker.StateChanged) -> None:
        """A fault in a reader is shown where its text would stand; the app goes on."""
        if event.state is WorkerState.ERROR and event.worker.group == "detail" and self._asked is not None:
            self._stop_timers()
            words = f"This text could not be read: {event.worker.error}"
            self.detail.take_text(self._asked, DetailText(words, "not available", {0: "over-budget"}))
