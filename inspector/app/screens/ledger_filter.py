"""The filter of the list: typed in the bottom line, applied as one types, matched in a worker."""

from __future__ import annotations

import time
from collections.abc import Sequence

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from inspector.app.feed import Tab
from inspector.app.frame import Frame
from inspector.app.keys import stated_key
from inspector.app.matching import Matches, TextMatches, match_rows
from inspector.app.screens.ledger_core import LedgerCore
from inspector.app.widgets.bar import Word
from inspector.app.widgets.question import Question, QuestionLine
from inspector.errors import InspectorError
from inspector.figures import count_words, number
from inspector.replay.filters import Filter, FilterError, complete, parse_filter

TELL_EVERY_S = 0.1
"""How often a long search says how far it is."""
COMPLETED_TURNS = 200
"""Newest turns whose tools are offered."""
FIELD_HINT = "tool: size> state: level: turn: finding: is: text:  -word: not  {} completes"


class Filtering(LedgerCore):
    """What the list shows, and why."""

    _filter = Filter()
    """The last filter that could be understood."""
    _mistake: FilterError | None = None
    """What is wrong with the words that stand in the prompt."""
    _texts: TextMatches | None = None
    _looked_at: int | None = None
    """How far the search is; None while it has not said."""
    _matching: Filter | None = None
    """What a worker is asking just now."""
    _failure = ""
    """Why the last search came to no end."""
    _match_again = False
    """Whether the session or the request changed since that worker began."""

    class Found(Message):
        """A worker has asked all results."""

        def __init__(self, matches: Matches) -> None:
            super().__init__()
            self.matches = matches

    class Looking(Message):
        """A worker is on its way."""

        def __init__(self, filter_: Filter, looked_at: int) -> None:
            super().__init__()
            self.filter = filter_
            self.looked_at = looked_at

        def can_replace(self, message: Message) -> bool:
            """Only the newest says anything."""
            return isinstance(message, Filtering.Looking)

    def _field_hint(self) -> Word:
        return Word(FIELD_HINT.format(stated_key(self.app, "right")), "muted")

    # -- typing -------------------------------------------------------------------------------

    def action_filter(self) -> None:
        """Type a filter; it applies while one types."""
        start = str(self._filter)
        question = Question(
            "filter",
            self._take_filter,
            start=f"{start} " if start else "",
            typed=self._type_filter,
            left=self.clear_filter,
            complete=self._complete,
            note=[self._field_hint()],
        )
        self.ask(question)

    def _complete(self, words: str) -> Sequence[str]:
        frame = self.frame
        if frame is None or not frame.request:
            return complete(words)
        newest = frame.view.turn_count(frame.request)
        turns = range(newest, max(0, newest - COMPLETED_TURNS), -1)
        tools = {name: None for t in turns for name, _ in frame.view.turn(t, frame.request).tools if name}
        kinds = sorted({finding.kind for finding in frame.view.findings})
        return complete(words, tools=list(tools), kinds=kinds)

    def _type_filter(self, words: str) -> None:
        try:
            found = parse_filter(words)
        except FilterError as error:
            self._mistake = error
            self._tell_counts()
            return
        self._mistake = None
        self._apply(found)

    def _take_filter(self, words: str) -> None:
        self._type_filter(words)
        if self._mistake is not None:
            self.say(f"{self._mistake.reason}, column {self._mistake.column} of the filter")
            self._mistake = None
        else:
            self._show_hints()

    def clear_filter(self) -> None:
        """Show everything again."""
        self._mistake = None
        self._apply(Filter())

    @property
    def filtered(self) -> bool:
        """Whether a filter holds."""
        return bool(self._filter)

    # -- matching -----------------------------------------------------------------------------

    def _apply(self, found: Filter) -> None:
        changed = found != self._filter
        self._filter = found
        if not found:
            self._looked_at = self._matching = None
            self.workers.cancel_group(self, "filter")
            self.ledger.show_matches(None)
        elif changed:
            self._begin_match()
        self._tell_counts()

    def watch_frame(self) -> None:
        """Ask again: other results, or the same ones as of another request.

        A search that is on its way goes to its end first: a session that grows faster than it is
        searched would otherwise show nothing, ever.
        """
        if not self._filter:
            return
        if self._matching == self._filter:
            self._match_again = True
        else:
            self._begin_match()

    def _begin_match(self) -> None:
        if self.frame is None:
            return
        if self._texts is None:
            self._texts = TextMatches(self._read_result)
        self._matching, self._match_again, self._failure = self._filter, False, ""
        self._match(self.frame, self._filter, self._texts)

    def _read_result(self, index: int, request: int) -> str:
        """A result's text; what cannot be read holds nothing that could be found."""
        try:
            return self._sources.details.text(Tab.TRANSCRIPT, index, request).text
        except (InspectorError, OSError):
            return ""

    @work(thread=True, exclusive=True, group="filter", exit_on_error=False)
    def _match(self, frame: Frame, filter_: Filter, texts: TextMatches) -> None:
        """Ask all results in a thread; texts are read one after another."""
        worker = get_current_worker()
        last = time.monotonic()

        def tell(looked_at: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= TELL_EVERY_S:
                last = now
                self.post_message(self.Looking(filter_, looked_at))

        found = match_rows(
            frame.view, frame.request, filter_, texts, tell=tell, stopped=lambda: worker.is_cancelled
        )
        if found is not None and not worker.is_cancelled:
            self.post_message(self.Found(found))

    @on(Found)
    def show_found(self, event: Found) -> None:
        """Show what passes, unless something else is asked for by now; go on if more came meanwhile."""
        if event.matches.filter != self._filter or self._matching != self._filter:
            return
        self._looked_at = self._matching = None
        self.ledger.show_matches(event.matches)
        self._tell_counts()
        if self._match_again:
            self._begin_match()

    def match_failed(self, reason: str) -> None:
        """A fault ended the search: that is said, and what was found before stays.

        Args:
            reason: What went wrong; it passes the gate when it is drawn.
        """
        self._looked_at = self._matching = None
        self._failure = f"The search failed: {reason}"
        self._tell_counts()

    @on(Looking)
    def show_progress(self, event: Looking) -> None:
        """Say how far a long search is."""
        if event.filter == self._filter:
            self._looked_at = event.looked_at
            self._tell_counts()

    # -- saying -------------------------------------------------------------------------------

    def _tell_counts(self) -> None:
        if self.asks:
            self.query_one(QuestionLine).note(self._count_words() or [self._field_hint()])
        self._draw_bottom()

    def _mistake_words(self, error: FilterError) -> list[Word]:
        words = [Word(f"column {error.column}: {error.reason}", "replaced", bold=True)]
        # Each value is a word of its own: the bar leaves out whole ones where there is no room.
        lead = [Word("possible:", "muted")] if error.possible else []
        return words + lead + [Word(value, "fg", gap=1) for value in error.possible]

    def _count_words(self) -> list[Word]:
        if self._mistake is not None:
            return self._mistake_words(self._mistake)
        if not self._filter:
            return []
        if self._failure:
            return [Word(self._failure, "over-budget", bold=True), Word("Esc clears", "muted")]
        if self._looked_at is not None:
            return [
                Word(f"looking … {count_words(self._looked_at, 'result')} asked", "accent"),
                Word("Esc stops", "muted"),
            ]
        matches = self.ledger.matches
        if matches is None or matches.filter != self._filter:
            return [Word("looking …", "accent")]
        of = count_words(matches.looked_at, "result")
        turns = count_words(len(matches.turns), "turn")
        if not matches.count:
            return [Word(f"Nothing of {of} matches.", "strong", bold=True), Word("Esc clears", "muted")]
        return [
            Word(f"{number(matches.count)} of {of} in {turns}", "strong", bold=True),
            Word("Esc clears", "muted"),
        ]

    def _lasting_words(self) -> list[Word]:
        lasting = super()._lasting_words()
        if not self._filter:
            return lasting
        return [Word(f"/ {self._filter}", "accent", bold=True), *self._count_words(), *lasting]
