"""Moving through requests: steps, turns, changes, findings, break conditions, marks, playing."""

from __future__ import annotations

from dataclasses import replace

from textual import on, work
from textual.message import Message
from textual.timer import Timer
from textual.worker import get_current_worker

from inspector.app.feed import FeedState, Jump
from inspector.app.frame import Frame
from inspector.app.keys import stated_key
from inspector.app.marks import Mark
from inspector.app.places import NO_REQUEST
from inspector.app.screens.ledger_core import LedgerCore
from inspector.app.screens.marks import MarkRow, MarksScreen
from inspector.app.screens.stops import StopsAnswer, StopsScreen
from inspector.app.steps import last_change, next_change, next_finding, notable, turn_after, turn_before
from inspector.app.stops import Hit, Run, Stop
from inspector.app.widgets.question import Question
from inspector.app.widgets.timeline import Timeline
from inspector.app.widgets.turn_index import find_id
from inspector.figures import count_words
from inspector.model.findings import Finding, Severity
from inspector.model.policy import Unit

PLAY_EVERY_S = 0.25
"""Four requests a second: fast enough to see growth, slow enough to read letters change."""
NAMED_WITHIN_TURNS = 20
"""Turns before a mark's request that are searched for the name of its result."""
SAID_LENGTH = 60
"""Characters of a note that the bottom line repeats."""


class Travel(LedgerCore):
    """Everything that leads to another request."""

    _finding: Finding | None = None
    """The finding that was jumped to last; its number changes as a live session grows."""
    _player: Timer | None = None
    _stops: frozenset[Stop] = frozenset()
    _problem_said = False

    class RunEnded(Message):
        """A worker has run to the next break condition, or past the last request."""

        def __init__(self, start: int, step: int, hit: Hit | None) -> None:
            super().__init__()
            self.start = start
            self.step = step
            self.hit = hit

    # -- steps --------------------------------------------------------------------------------

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

    @on(Timeline.RequestPicked)
    def show_picked_request(self, event: Timeline.RequestPicked) -> None:
        """Go to the request that was clicked on."""
        self.go_to(event.request)

    def action_ask(self) -> None:
        """Ask for a request number in the bottom line."""
        self.ask(Question("go to request", self._go_to_typed))

    def _go_to_typed(self, words: str) -> None:
        words = words.strip()
        if words.isascii() and words.isdecimal() and len(words) < 16:
            self.go_to(int(words))
            frame = self.frame
            if frame is not None and frame.request and frame.request != int(words):
                self.say(f"There is no request {words}; this is request {frame.request}, the nearest.")
        elif words:
            self.say(f"“{words}” is no request number.")

    # -- findings and changes -----------------------------------------------------------------

    def action_finding(self, step: int) -> None:
        """Go to the next finding, or the one before, and select what it is about."""
        frame = self.frame
        if frame is None or not frame.request:
            self.say(NO_REQUEST)
            return
        found = notable(frame.view.findings)
        last = found.index(self._finding) if self._finding in found else None
        step_to = next_finding(found, frame.request, last, step)
        if step_to is None and frame.update.state is FeedState.INDEXING:
            self.say("Findings are told once the whole session has been read.")
            return
        if step_to is None:
            others = self._found_elsewhere()
            other = f" Other conversations have {count_words(others, 'finding')}." if others else ""
            self.say(f"No findings: {count_words(frame.view.request_count, 'request')} checked.{other}")
            return
        number, round_ = step_to
        # Who asks for the first time has not gone round, wherever they stand.
        round_ = round_ and self._finding is not None
        self._finding = finding = found[number]
        again = f"from the {'first' if step > 0 else 'last'} request  " if round_ else ""
        kind = finding.kind.replace("_", " ")
        what = "note" if finding.severity is Severity.INFO else "finding"
        place = f" [{finding.see}]" if finding.request is None and finding.see else ""
        reason = f"{again}{what} {number + 1} of {len(found)}  {kind}: {finding.fact}{place}"
        self.jump(Jump(finding.request, id=finding.shown_id, reason=reason))

    def _found_elsewhere(self) -> int:
        """Errors and warnings of other conversations of the session."""
        threads = self._sources.threads
        told = threads.findings() if threads is not None else {}
        return sum(count for thread, count in told.items() if thread != self._thread)

    @property
    def finding_here(self) -> Finding | None:
        """The finding that was jumped to, while its request is shown; else the first one of the request."""
        frame = self.frame
        if frame is None:
            return None
        found = notable(frame.view.findings)
        last = self._finding
        if last is not None and last in found and last.request in (None, frame.request):
            return last
        return next((finding for finding in found if finding.request == frame.request), None)

    def action_changed(self) -> None:
        """Go back to the request in which the selected result last changed."""
        self._go_to_change(back=True)

    def action_changes_next(self) -> None:
        """Go on to the request in which the selected result changes next."""
        self._go_to_change(back=False)

    def _go_to_change(self, *, back: bool) -> None:
        frame, place = self.frame, self.ledger.place
        if frame is None or place is None or place.result is None:
            self.say("Select a result first; a turn has no state of its own.")
            return
        lifeline = frame.view.lifeline(place.result)
        request = (last_change if back else next_change)(lifeline, frame.request)
        if request is None and back:
            self.say(f"It was new at request {frame.request}; nothing changed before.")
        elif request is None:
            self.say(f"It stays as it is up to request {frame.view.request_count}.")
        else:
            self.ledger.select(place)
            self.go_to(request)

    # -- playing ------------------------------------------------------------------------------

    def action_play(self) -> None:
        """Let requests go by, or stop that; at the newest one it begins at the first."""
        frame = self.frame
        if frame is None or not frame.request:
            self.say(NO_REQUEST)
            return
        if frame.playing:
            self.stop_playing()
            return
        if self._player is None:
            self._player = self.set_interval(PLAY_EVERY_S, self._play_on, pause=True)
        at_end = frame.request >= frame.view.request_count
        self.go_to(1 if at_end else frame.request + 1, playing=True)
        self._player.resume()

    def stop_playing(self) -> None:
        """Stay at the request shown."""
        if self._player is not None:
            self._player.pause()
        if self.frame is not None and self.frame.playing:
            self.frame = replace(self.frame, playing=False)

    def _play_on(self) -> None:
        frame = self.frame
        if frame is None or not frame.playing or not self.is_current:
            # Somebody moved, or went to another screen: they want to look.
            self.stop_playing()
        elif frame.request < frame.view.request_count:
            self.go_to(frame.request + 1, playing=True)
        else:
            self.stop_playing()
            self.say("The newest request: nothing more to play. End follows.")

    # -- break conditions ---------------------------------------------------------------------

    def action_run(self, step: int) -> None:
        """Run to the next request in which a break condition holds; without any, choose some."""
        if self._stops:
            self._begin_run(step)
        else:
            self.action_stops()

    def action_stops(self) -> None:
        """Choose break conditions."""
        if self.frame is not None and self.frame.request:
            self.app.push_screen(StopsScreen(self.frame, self._stops), self._take_stops)
        else:
            self.say(NO_REQUEST)

    def _take_stops(self, answer: StopsAnswer | None) -> None:
        if answer is None:
            return
        self._stops = answer.stops
        if answer.step and self._stops:
            self._begin_run(answer.step)
        else:
            unit = self.frame.view.policy.unit if self.frame is not None else Unit.CODE_POINTS
            words = "; ".join(sorted(stop.words(unit) for stop in self._stops))
            key = stated_key(self.app, "step.stops")
            self.say(f"Break at: {words}." if words else f"No break conditions; {key} chooses some.")

    def _begin_run(self, step: int) -> None:
        frame = self.frame
        if frame is None or not frame.request:
            return
        self.go_to(frame.request)
        self.say("running …")
        self._run_on(Run(frame.view, self._stops, frame.view.findings), frame.request, step)

    @work(thread=True, exclusive=True, group="run", exit_on_error=False)
    def _run_on(self, run: Run, request: int, step: int) -> None:
        """Look for a hit in a thread: a long session has many requests to pass."""
        worker = get_current_worker()
        hit = run.next(request, step, lambda: worker.is_cancelled)
        if not worker.is_cancelled:
            self.post_message(self.RunEnded(request, step, hit))

    @on(RunEnded)
    def show_hit(self, event: RunEnded) -> None:
        """Go to the request that a run stopped at, unless the person went elsewhere meanwhile."""
        if self.frame is None or self.frame.request != event.start:
            return
        hit = event.hit
        if hit is None:
            where = "after" if event.step > 0 else "before"
            self.say(f"No break condition holds {where} request {event.start}. B changes them.")
            return
        self.jump(Jump(hit.request, hit.result, hit.id, f"stopped at request {hit.request}  {hit.reason}"))

    # -- marks --------------------------------------------------------------------------------

    def action_mark(self) -> None:
        """Set a mark on what is selected and ask for a note; on a marked place, remove the mark."""
        frame = self.frame
        if frame is None or not frame.request:
            return
        row = self.selected
        marks = self._memory.marks
        here = marks.at(frame.request, self._thread, row.id if row is not None else "")
        self.go_to(frame.request)
        if here:
            marks.remove(here[0])
            self._show_marks()
            self.say(f"Mark removed from request {frame.request}.{self._kept_words()}")
            return
        mark = Mark(frame.request, row.id if row is not None else "", self._thread)
        marks.put(mark)
        self._show_marks()

        def note(words: str) -> None:
            if words.strip():
                marks.put(replace(mark, note=words.strip()))
                self._show_marks()
            said()

        def said() -> None:
            self.say(f"Request {mark.request} marked; ' lists the marks.{self._kept_words()}")

        self.ask(Question("note of the mark", note, left=said))

    def _show_marks(self) -> None:
        """Draw the marks as they are now: setting a frame takes them up."""
        self.frame = replace(self.frame) if self.frame is not None else None

    def _kept_words(self) -> str:
        """What should be said about keeping marks, said once."""
        problem = self._memory.marks.problem
        if not problem or self._problem_said:
            return ""
        self._problem_said = True
        return f" {problem}."

    def action_marks(self) -> None:
        """List the marks of the session."""
        frame = self.frame
        if frame is None:
            return
        known = {row.id: row.title for row in frame.view.threads}
        rows = [
            MarkRow(mark, self._name_of(frame, mark), known.get(mark.thread, ""))
            for mark in self._memory.marks.all()
        ]
        if not rows:
            self.say("No marks yet. b marks what is selected.")
            return
        self.app.push_screen(MarksScreen(rows, self._memory.marks), self._go_to_mark)

    def _name_of(self, frame: Frame, mark: Mark) -> str:
        """Tool and argument of a marked result, where it is near: lists are not to be waited for."""
        if not mark.id or mark.thread != self._thread or mark.request > frame.view.request_count:
            return ""
        place = find_id(frame.view, mark.id, mark.request, NAMED_WITHIN_TURNS)
        if place is None or place.result is None:
            return ""
        row = frame.view.result(place.result, mark.request)
        return f"{row.tool} {row.argument}"

    def _go_to_mark(self, mark: Mark | None) -> None:
        self._show_marks()
        if mark is None:
            return
        reason = f"mark {mark.note[:SAID_LENGTH] or 'here'}"
        jump = Jump(mark.request, id=mark.id, reason=reason)
        if mark.thread == self._thread:
            self.jump(jump)
        else:
            self.show_thread(mark.thread, jump)
