"""The real session behind the screens: a thread that reads and replays it, and the view it hands out.

One lock is held while the replay changes and while a row is asked for. Reading goes in small steps,
so a key never waits for more than one of them, and between two steps it gives way to the screen: the
interpreter runs one thread at a time, and what is drawn beside the reading takes twice as long.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from inspector.app.feed import FeedState, FeedUpdate, Progress
from inspector.errors import InspectorError
from inspector.figures import count_words
from inspector.model.findings import Finding
from inspector.model.ledger import Lifeline
from inspector.model.policy import BudgetMode, Policy
from inspector.reading.follow import FileState
from inspector.replay.conversation import Conversation
from inspector.replay.timeline import Timeline
from inspector.replay.view import Figures, RequestRow, ResultOutline, ResultRow, ThreadRow, TurnRow
from inspector.session import Session, default_policy
from inspector.session.policy_words import policy_changes, policy_note
from inspector.session.replays import Replay
from inspector.watch import wakeups

STEP_BYTES = 256 << 10
"""Bytes read and replayed in one go: some ten milliseconds at most."""
GIVE_WAY_S = 0.1
"""Longest wait for the screen; it says itself when it has drawn."""
POST_EVERY_S = 0.1
"""Updates while indexing, and of findings while following, come no faster than this."""
PAUSE_FACTOR = 20
"""Findings of a followed session take at most one part in so many of the time."""
_STATES = {
    FileState.REPLACED: FeedState.REPLACED,
    FileState.TRUNCATED: FeedState.TRUNCATED,
    FileState.DELETED: FeedState.DELETED,
}
_NOTES = {
    FeedState.REPLACED: "Another file took its place; it was read from its start.",
    FeedState.TRUNCATED: "The file shrank; it was read again from its start.",
    FeedState.DELETED: "The file was deleted; what was read stays.",
}
_UNWATCHED = "No file events: {}. The file is looked at once a second instead."
_FAULT = "A fault in the inspector itself ({}); what was read stays. Start it with --debug to keep more."


class LiveView:
    """A `SessionView` of one conversation that may be asked while the session grows."""

    def __init__(self, session: Session, lock: threading.RLock, thread: str = "") -> None:
        """Args:
        session: The session.
        lock: Held by whoever changes it.
        thread: Which conversation.
        """
        self._session = session
        self._lock = lock
        timeline = session.timelines.get(thread)
        self._conversation = Conversation(timeline or Timeline(session.policy))
        self.title = session.title
        if thread:
            words = session.thread_title(thread)
            is_named = words.startswith("agent ") or not session.is_claude_code
            called = words if is_named else f"agent {words}"
            self.title = f"{called} · of {session.title}"
        self.source = session.source_words
        self.policy: Policy = session.policy
        changes = policy_changes(session)
        said = changes and session.policy.budget.mode is not BudgetMode.AUTO
        self.policy_note = f"{count_words(changes, 'field')} changed" if said else policy_note(session)
        self.window_tokens: int | None = session.window_tokens
        self.chars_per_token: float | None = session.chars_per_token(thread if timeline else "")
        self.findings: Sequence[Finding] = ()
        self.threads: Sequence[ThreadRow] = session.thread_rows()
        self.revision = session.revision

    @property
    def request_count(self) -> int:
        with self._lock:
            return self._conversation.request_count

    def request(self, n: int) -> RequestRow:
        with self._lock:
            return self._conversation.request(n)

    def figures(self) -> Figures:
        with self._lock:
            found = self._conversation.figures()
        # Usage counts what was sent: what another policy would send cannot be held against it.
        was_sent = self.policy == default_policy(self._session.kind)
        return found if was_sent else found._replace(tokens=[0] * len(found.tokens))

    def turn_count(self, n: int) -> int:
        with self._lock:
            return self._conversation.turn_count(n)

    def turn(self, t: int, n: int) -> TurnRow:
        with self._lock:
            return self._conversation.turn(t, n)

    def turn_results(self, t: int, n: int) -> Sequence[int]:
        with self._lock:
            return self._conversation.turn_results(t, n)

    def turn_outlines(self, t: int, n: int) -> Sequence[ResultOutline]:
        with self._lock:
            return self._conversation.turn_outlines(t, n)

    def result(self, index: int, n: int) -> ResultRow:
        with self._lock:
            return self._conversation.result(index, n)

    def lifeline(self, index: int) -> Lifeline:
        with self._lock:
            return self._conversation.lifeline(index)


class SessionFeed:
    """Reads a session in a thread of its own (`app.feed.Feed`)."""

    def __init__(self, session: Session, *, follow: bool = True) -> None:
        """Args:
        session: Opened, not read yet.
        follow: Whether to watch the file after it was read; one of a finished session, too, which
            goes on with the first change.
        """
        self.session = session
        self.lock = threading.RLock()
        self._change = threading.RLock()
        """Held by whoever changes the session, or goes over all of it; taken before `lock`."""
        self._follow = follow
        self._stop = threading.Event()
        self._screen_done = threading.Event()
        """Cleared while the screen has something to draw."""
        self._screen_done.set()
        self._thread: threading.Thread | None = None
        self._post: Callable[[FeedUpdate], None] = lambda _update: None
        self._state = FeedState.INDEXING
        self._stamp = _stamp(session.path)
        """The file as it was opened: a finished session goes on once it is another one."""
        self._note = ""
        """Why the file cannot be read, while that is so."""
        self._unwatched = ""
        """Why changes are noticed by the clock alone; empty where the system tells of them."""
        self._findings: Sequence[Finding] = ()
        self._look_again_at = 0.0
        """When findings may be made anew, by the monotonic clock."""
        self._unlooked = False
        """Whether something was read that the findings do not know of."""
        self.fault: Exception | None = None
        """A fault of our own that ended the reading."""

    @property
    def findings(self) -> Sequence[Finding]:
        """Findings of all conversations, as far as they were made."""
        return self._findings

    def start(self, post: Callable[[FeedUpdate], None]) -> None:
        """Begin to read."""
        self._post = post
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop reading."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=5)
        with self.lock:
            self.session.close()

    def give_way(self) -> None:
        """Stop reading for the moment that the screen needs."""
        self._screen_done.clear()

    def go_on(self) -> None:
        """Read on."""
        self._screen_done.set()

    def _wait_for_screen(self) -> None:
        if not self._screen_done.wait(GIVE_WAY_S):
            self._screen_done.set()  # no screen is there to say so, or it has very much to do

    def show(self, replay: Replay, origins: Mapping[str, str]) -> Replay:
        """Go on under the policy of a replay. May be called from any thread.

        Args:
            replay: Made from this session.
            origins: Field → where its value came from.

        Returns:
            What was shown until now.
        """
        note = self._note_of(self._state)
        with self._change:
            with self.lock:
                before = self.session.adopt(replay, origins)
                self._findings = ()
            self._tell(self._state, note=note)
            if self._state is not FeedState.INDEXING:
                self._look()
                self._tell(self._state, note=note)
        return before

    def _run(self) -> None:
        try:
            try:
                self._index()
            except (InspectorError, OSError) as error:
                self._refuse(error)
            if self._follow:
                self._watch()
        except Exception as fault:  # the last resort: a thread that died in silence would look alive
            self.fault = fault
            self._state, self._note = FeedState.UNREADABLE, _FAULT.format(type(fault).__name__)
            self._tell(self._state, note=self._note)

    def _refuse(self, error: Exception) -> None:
        """Say that the file cannot be read now; the next wakeup tries again."""
        note = _reason(error)
        if self._state is not FeedState.UNREADABLE or note != self._note:
            self._state, self._note = FeedState.UNREADABLE, note
            self._tell(self._state, note=note)

    def _index(self) -> None:
        began = last = time.monotonic()
        while not self._stop.is_set():
            with self._change, self.lock:
                self._wake_if_changed()
                taken = self.session.poll(STEP_BYTES)
            now = time.monotonic()
            if not taken.more:
                break
            if now - last >= POST_EVERY_S:
                done, total = self.session.position, max(1, self.session.size_bytes)
                remaining = (now - began) / max(done, 1) * (total - done) if now - began > 0.5 else None
                self._tell(FeedState.INDEXING, progress=Progress(done, total, remaining))
                last = now
            self._wait_for_screen()
        self._state = self._resting
        self._tell(self._state)
        self._wait_for_screen()
        self._look()
        self._tell(self._state)

    @property
    def _resting(self) -> FeedState:
        """How it stands with a file that was read to its end."""
        return FeedState.LIVE if self._follow and self.session.live else FeedState.ENDED

    def _wake_if_changed(self) -> None:
        """Take a finished session as a live one once its file is not the one that was opened."""
        if self._follow and not self.session.live and _stamp(self.session.path) not in (None, self._stamp):
            self.session.wake()

    def _watch(self) -> None:
        for _ in wakeups([self.session.path], self._stop, unwatched=self._go_unwatched):
            if self._stop.is_set():
                return
            try:
                self._poll()
                self._wait_for_screen()
                if self._unlooked and time.monotonic() >= self._look_again_at:
                    known = self._findings
                    self._look()
                    if self._findings != known:  # else there is nothing new to draw
                        self._tell(self._state, note=self._note_of(self._state))
            except (InspectorError, OSError) as error:
                self._refuse(error)

    def _go_unwatched(self, reason: str) -> None:
        """Say that the system tells of no changes; the clock does."""
        self._unwatched = _UNWATCHED.format(reason)
        if self._state is FeedState.LIVE:
            self._tell(self._state, note=self._unwatched)

    def _note_of(self, state: FeedState) -> str:
        """The sentence that belongs to a state."""
        return self._unwatched if state is FeedState.LIVE else _NOTES.get(state, self._note)

    def _poll(self) -> None:
        changed = False
        more = True
        state = self._resting
        begun_anew: FeedState | None = None
        while more and not self._stop.is_set():
            with self._change, self.lock:
                before = self.session.revision
                self._wake_if_changed()
                taken = self.session.poll(STEP_BYTES)
                changed |= self.session.revision != before
                if changed:  # in a file that stayed as it was, a sub-agent did it
                    self.session.wake()
            self._unlooked |= changed
            more = taken.more
            state = _STATES.get(taken.state, begun_anew or self._resting)
            if more and taken.state in _STATES:
                begun_anew = state  # told by the first piece of a large file, and of all of it
        if (
            state is self._resting
            and self._state in (FeedState.REPLACED, FeedState.TRUNCATED)
            and not changed
        ):
            return
        if not changed and state is self._state:
            return
        self._state, self._note = state, ""
        self._tell(state, note=self._note_of(state))

    def _look(self) -> None:
        """Findings come after the first drawing: they look at the files of the scratch directory too.

        They go over the whole session, so they are made anew only after a pause many times as long as
        they took: a session that grows all the time costs a constant share of a core. Screens may ask
        for rows meanwhile: only changes of the session are kept out.
        """
        began = time.monotonic()
        with self._change:
            self._findings = self.session.findings()
            self._unlooked = False
        took = time.monotonic() - began
        self._look_again_at = began + took + max(POST_EVERY_S, took * PAUSE_FACTOR)

    def _tell(self, state: FeedState, *, progress: Progress | None = None, note: str = "") -> None:
        with self.lock:
            several = len(self.session.timelines) > 1
        view = self._view("")
        in_thread = self._view if several else None
        if not self._stop.is_set():
            self.give_way()
            ended_at = self._ended_at() if state is FeedState.ENDED else ""
            self._post(FeedUpdate(view, state, progress, note, ended_at, in_thread))

    def _ended_at(self) -> str:
        """When the last record that says so was written: a file may have been copied since."""
        with self.lock:
            times = (record.time for record in reversed(self.session.records()))
            return clock_words(next((t for t in times if t is not None), None), time.time())

    def _view(self, thread: str) -> LiveView:
        """One conversation as it is known now; one that a rewritten file lost is an empty one."""
        with self.lock:
            view = LiveView(self.session, self.lock, thread)
        view.findings = [f for f in self._findings if f.thread == thread]
        return view


def clock_words(at: float | None, now: float) -> str:
    """A moment in this machine's time zone: `14:41` on the same day, else `2026-10-21`.

    Args:
        at: Seconds since the epoch; None where nobody knows.
        now: The same, of now.
    """
    if at is None:
        return ""
    try:
        then, today = time.localtime(at), time.localtime(now)
    except (OverflowError, ValueError, OSError):  # a stamp from a session may be any number
        return ""
    return time.strftime("%H:%M" if then[:3] == today[:3] else "%Y-%m-%d", then)


@contextmanager
def reading(feed: SessionFeed) -> Iterator[Session]:
    """The session, while nothing changes it."""
    with feed.lock:
        yield feed.session


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """What tells a file from a changed one; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror or error}; it is tried again, and what was read stays."
    return f"{error}; it is tried again, and what was read stays."
