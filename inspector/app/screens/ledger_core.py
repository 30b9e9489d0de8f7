"""What all parts of the main screen share: the frame, where it leads, and the bottom line.

The screen is cut by what a person does (travel, filter, sub-agents, files); each part is a class of
its own on top of this one, so that none has to know the others.
"""

from __future__ import annotations

from dataclasses import replace

from textual import events, on
from textual.reactive import reactive
from textual.screen import Screen

from inspector.app.feed import FeedState, FeedUpdate, Jump, Sources
from inspector.app.frame import Frame
from inspector.app.keys import key_hints
from inspector.app.marks import Memory
from inspector.app.screens.ledger_keys import HINTS
from inspector.app.sources.sessions import SessionCatalog
from inspector.app.tabs import is_shown
from inspector.app.widgets.bar import Word, hints
from inspector.app.widgets.detail import Detail
from inspector.app.widgets.key_bar import help_hint
from inspector.app.widgets.ledger import Ledger
from inspector.app.widgets.question import Question, QuestionLine
from inspector.app.widgets.sentence_bar import SentenceBar
from inspector.app.widgets.stage_rows import StageView
from inspector.app.widgets.turn_index import Place, find_id, turn_of
from inspector.replay.view import ResultRow

LEAST_WIDTH, LEAST_HEIGHT = 80, 24


class LedgerCore(Screen[Jump | None]):
    """Frame, list, detail, bottom line."""

    # The widgets that these are bound to draw themselves; the screen need not draw all of them again.
    frame: reactive[Frame | None] = reactive(None, repaint=False)
    stage: reactive[StageView | None] = reactive(None, repaint=False)

    def __init__(
        self,
        sources: Sources,
        *,
        catalog: SessionCatalog | None = None,
        request: int | None = None,
        memory: Memory | None = None,
        thread: str = "",
    ) -> None:
        """Make the screen.

        Args:
            sources: Whoever reads files.
            catalog: Other sessions; None offers none.
            request: Request to show first; None follows the newest.
            memory: What is remembered of the session; None remembers nothing beyond this screen.
            thread: Conversation to show; empty: the main one.
        """
        super().__init__()
        self._sources = sources
        self._catalog = catalog
        self._first_request = request
        self._memory = memory if memory is not None else Memory()
        self._thread = thread
        self._seen_requests = 0
        """Requests there were when following stopped."""
        self._version_said = False
        self._saying = ""
        """Sentence of the bottom line; empty: key hints."""

    def validate_frame(self, frame: Frame | None) -> Frame | None:
        """Every frame carries the marks as they are now, whoever made it."""
        if frame is None:
            return None
        return replace(frame, marked=self._memory.marks.notes(self._thread))

    @property
    def ledger(self) -> Ledger:
        """The list."""
        return self.query_one(Ledger)

    @property
    def detail(self) -> Detail:
        """The pane."""
        return self.query_one(Detail)

    @property
    def selected(self) -> ResultRow | None:
        """The result under the cursor, as of the request shown."""
        frame, place = self.frame, self.ledger.place
        if frame is None or place is None or place.result is None:
            return None
        return frame.view.result(place.result, frame.request)

    # -- bottom line --------------------------------------------------------------------------

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
        bar = self.query_one("#hints", SentenceBar)
        if words:
            bar.say(words, self.size.width, help_hint(bar))
        else:
            bar.show([*self._lasting_words(), *hints(key_hints(self, HINTS))], help_hint(bar))

    @on(events.DescendantFocus)
    def _hint_where_keys_differ(self) -> None:
        """Some keys mean something else in the detail than in the list."""
        self._draw_bottom()

    def _lasting_words(self) -> list[Word]:
        """What stands in the bottom line before the hints as long as it holds."""
        return []

    def show_thread(self, thread: str, jump: Jump | None = None) -> None:
        """Show another conversation of the session.

        Args:
            thread: Its id.
            jump: Where to go in it.
        """
        raise NotImplementedError

    @property
    def asks(self) -> bool:
        """Whether the bottom line asks something."""
        return self.query_one(QuestionLine).question is not None

    def ask(self, question: Question) -> None:
        """Ask something in the bottom line."""
        self.add_class("-asking")
        self.query_one(QuestionLine).ask(question)

    @on(QuestionLine.Ended)
    def _end_asking(self) -> None:
        if not self.asks:
            self.remove_class("-asking")
            # Now: a focus that comes later could take the keys from the next question.
            self.set_focus(self.ledger)

    # -- requests -----------------------------------------------------------------------------

    def take_update(self, update: FeedUpdate | None) -> None:
        """Show the session as it is known now; a person who stopped following stays where they are."""
        if update is None or not is_shown(self):
            return
        view = update.view_of(self._thread)
        if view is None:
            return
        if self._thread:
            update = replace(update, view=view)
        count = update.view.request_count
        old = self.frame
        wanted = self._first_request
        if wanted is not None:
            self._seen_requests = count
            self.frame = Frame(update, max(1, min(wanted, count)) if count else 0, following=False)
            if wanted <= count or update.state is not FeedState.INDEXING:
                self._first_request = None  # until then it may lie in what is still being read
        elif old is None or old.following:
            self.frame = Frame(update, count, following=True)
        else:
            request = max(1, min(old.request, count)) if count else 0
            fresh = max(0, count - self._seen_requests)
            self.frame = Frame(update, request, following=False, fresh_requests=fresh, playing=old.playing)
        self._say_version(update)

    def _say_version(self, update: FeedUpdate) -> None:
        """Say once that a client is newer than the rules: what is predicted may be off."""
        newer = next((f for f in update.view.findings if f.kind == "unknown_version"), None)
        if newer is not None and not self._version_said:
            self._version_said = True
            self.say(newer.fact)

    def go_to(self, request: int, *, follow: bool = False, playing: bool = False) -> None:
        """Show a request; following and playing stop unless they are asked for.

        Args:
            request: From 1; taken as far as there are requests.
            follow: Whether to follow from here.
            playing: Whether this is a step of playing.
        """
        old = self.frame
        self._first_request = None
        if old is None or not old.view.request_count:
            return
        count = old.view.request_count
        if old.following and not follow:
            self._seen_requests = count
        fresh = 0 if follow else max(0, count - self._seen_requests)
        self._show_hints()
        self.frame = Frame(old.update, max(1, min(request, count)), follow, fresh, playing)
        marks = self._memory.marks.at(self.frame.request, self._thread)
        if marks and not follow:
            self.say("  ".join(f"mark {mark.note or 'here'}" for mark in marks))

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
