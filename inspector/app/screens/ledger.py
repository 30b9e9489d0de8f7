"""The main screen: the session as of one request, and moving through requests.

One value, `frame`, is handed down to all widgets; they hand back messages. Following is a flag of
that frame: intake goes on while it is off, and the header says loudly how much came meanwhile.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.worker import Worker, WorkerState, get_current_worker

from inspector.app.feed import DetailText
from inspector.app.keys import stated_key
from inspector.app.places import Context, screen_key
from inspector.app.screens.ledger_agents import Agents
from inspector.app.screens.ledger_core import LEAST_HEIGHT, LEAST_WIDTH
from inspector.app.screens.ledger_files import Files
from inspector.app.screens.ledger_filter import Filtering
from inspector.app.screens.ledger_keys import BINDINGS
from inspector.app.screens.ledger_presets import Presets
from inspector.app.screens.ledger_travel import Travel
from inspector.app.widgets.bar import HELP, Word, hints
from inspector.app.widgets.columns import WIDE
from inspector.app.widgets.detail import Detail, DetailTabs, DetailView, Wanted
from inspector.app.widgets.header import Facts, Header, Notice
from inspector.app.widgets.ledger import Ledger, LedgerHead
from inspector.app.widgets.question import QuestionLine
from inspector.app.widgets.sentence_bar import SentenceBar
from inspector.app.widgets.stage_rows import StageView
from inspector.app.widgets.timeline import Timeline
from inspector.errors import InspectorError

SIDE_WIDTH = 160
"""From this width on the detail stands beside the list."""
TALL, HIGH = 30, 45
"""Heights from which there is room for axis and facts, and for one more row of bars."""
READ_AFTER_S = 0.03
"""A text is read when the person stays this long; stepping fast reads none."""
SLOW_AFTER_S = 0.3
"""A text that takes longer than this is said to be read."""
GREETING = "{} {} step through requests, {} goes to what to look at, {} shows all keys."
GREETING_KEYS = ("step.back", "step.on", "step.finding", "app.keys")
"""Said once, when the app is used for the first time."""


class LedgerScreen(Travel, Filtering, Agents, Files, Presets):
    """List, timeline and detail as of one request."""

    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    class TextRead(Message):
        """A worker has read a text for the detail pane."""

        def __init__(self, wanted: Wanted, text: DetailText) -> None:
            super().__init__()
            self.wanted = wanted
            self.text = text

    _asked: Wanted | None = None
    _read_timer: Timer | None = None
    _slow_timer: Timer | None = None

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
        yield SentenceBar(right=HELP, ground="surface", id="hints")
        yield QuestionLine(id="asked")

    def on_mount(self) -> None:
        """Take updates as they come."""
        self.ledger.focus()
        self.watch(self.app, "update", self.take_update)
        self.call_after_refresh(self._greet)

    def _greet(self) -> None:
        """Say the few keys that matter most, the first time ever; else show the hints."""
        store = self._memory.store
        if store.lasts and not store.read("greeted"):
            store.write("greeted", True)
            self.say(GREETING.format(*(stated_key(self.app, id) for id in GREETING_KEYS)))
        else:
            self._draw_bottom()

    def make_ledger(self, thread: str) -> LedgerScreen:
        """A ledger of another conversation of this session."""
        assert self._sources.threads is not None
        sources = self._sources.threads.sources(thread)
        return LedgerScreen(sources, catalog=self._catalog, memory=self._memory, thread=thread)

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

    # -- panes --------------------------------------------------------------------------------

    @on(Ledger.Selected)
    def show_detail(self, event: Ledger.Selected) -> None:
        """Show what is under the cursor."""
        self.detail.select(event.place)
        self._draw_bottom()

    @on(Ledger.ResultPicked)
    def open_result(self) -> None:
        """Go into the sub-agent that a call started, or into the detail of any other result."""
        thread = self.agent_of_selected()
        if thread:
            self.show_thread(thread)
        else:
            self.enter_detail()

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
        self._show_hints()

    def _lasting_words(self) -> list[Word]:
        """One stage alone takes the whole head of the list: the way back from it stands below."""
        lasting = super()._lasting_words()
        if self.stage is None:
            return lasting
        return [*hints([(stated_key(self.app, "app.back"), "all stages")]), *lasting]

    def action_back(self) -> None:
        """Leave the question, playing, the detail, the filter, or the one stage; in this order."""
        frame = self.frame
        if self.asks:
            self.query_one(QuestionLine).leave()
            return
        if frame is not None and frame.playing:
            self.stop_playing()
        elif self.focused is not self.ledger:
            self.leave_detail()
        elif self.filtered:
            self.clear_filter()
        else:
            self.stage = None
        self._show_hints()

    def _opened_from(self) -> Context | None:
        """What another screen is handed; None before the first frame."""
        if self.frame is None:
            return None
        place = self.ledger.place
        return Context(
            self.frame,
            place.result if place else None,
            self._sources,
            self._catalog,
            self._thread,
            self.finding_here,
        )

    def action_open_screen(self, name: str) -> None:
        """Open a registered screen; it is left with where to go."""
        entry, context = screen_key(name), self._opened_from()
        screen = entry.make(context) if entry is not None and context is not None else None
        if screen is not None:
            self.app.push_screen(screen, self.jump)
        elif entry is not None and entry.nothing:
            self.say(entry.nothing)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys of screens that have nothing to show are not offered."""
        if action == "preset":
            return self._sources.policies is not None
        if action in {"agent_back", "agent_call"}:
            return bool(self._thread)
        if action == "agents":
            return self._sources.threads is not None
        if action in {"copy_place", "editor"}:
            return self._sources.places is not None
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
        if event.state is not WorkerState.ERROR:
            return
        if event.worker.group == "filter":
            self.match_failed(str(event.worker.error))
        elif event.worker.group != "detail":
            self.say(f"This failed: {event.worker.error}")
        elif self._asked is not None:
            self._stop_timers()
            words = f"This text could not be read: {event.worker.error}"
            self.detail.take_text(self._asked, DetailText(words, "not available", {0: "over-budget"}))
