"""What the app is fed with: the protocols between the screens and whoever reads the session.

The app opens no file and starts no replay by itself. It is handed a `Feed` and a `DetailSource`,
so that tests hand it invented ones and the screens can be judged without a session on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from inspector.app.sources.files import FilePlace, LineSource
from inspector.app.sources.overflow import OverflowSource
from inspector.app.sources.policies import Policies
from inspector.app.sources.why import WhySource
from inspector.app.sources.wire import WireSource
from inspector.replay.view import SessionView


class FeedState(StrEnum):
    """How it stands with the session's file."""

    INDEXING = "indexing"
    """A first pass over what is there; rows appear as they are known."""
    LIVE = "live"
    """Read to the end, and being written."""
    ENDED = "ended"
    """Read to the end, and finished; where it is watched, it is live again once it changes."""
    REPLACED = "replaced"
    """Another file took its place; what was read stays."""
    TRUNCATED = "truncated"
    """The file shrank and was read again."""
    DELETED = "deleted"
    """The file is gone; what was read stays."""
    UNREADABLE = "unreadable"
    """It cannot be read now, and is tried again; what was read stays."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the first pass is."""

    done_bytes: int
    total_bytes: int
    remaining_s: float | None = None
    """Seconds that it will still take, where that can be told."""


@dataclass(frozen=True, slots=True)
class FeedUpdate:
    """The session as it is known now. The newest update holds everything; older ones may be skipped."""

    view: SessionView
    state: FeedState
    progress: Progress | None = None
    """Only while indexing."""
    note: str = ""
    """One sentence on `state` for replaced, truncated, deleted: what happened and what stays; for a live
    file, why it is looked at by the clock alone."""
    ended_at: str = ""
    """Time of day of the end as words, such as `14:41`, or the day it was; empty where unknown."""
    in_thread: Callable[[str], SessionView] | None = None
    """Another conversation of the session, by its id in `view.threads`; None where there is only one."""

    def view_of(self, thread: str) -> SessionView | None:
        """What a conversation looks like; empty: the main one. None where it is not known any more."""
        if not thread:
            return self.view
        return self.in_thread(thread) if self.in_thread is not None else None


class Feed(Protocol):
    """Whoever reads the session. Its work runs outside the app's event loop."""

    fault: Exception | None
    """A fault of our own that ended the reading; raised once the app is left."""

    def start(self, post: Callable[[FeedUpdate], None]) -> None:
        """Begin to read.

        Args:
            post: Takes an update; may be called from any thread, and never waits.
        """

    def stop(self) -> None:
        """Stop reading; `post` is not called any more once this returns."""

    def give_way(self) -> None:
        """Leave the interpreter to the screen until `go_on`, or for a moment. Never waits."""

    def go_on(self) -> None:
        """The screen has drawn."""


class Tab(StrEnum):
    """What the detail pane shows of a result."""

    WIRE = "Wire"
    TRANSCRIPT = "Transcript"
    DIFF = "Diff"
    OVERFLOW = "Overflow file"
    RECORD = "Record"


@dataclass(frozen=True, slots=True)
class DetailText:
    """A text of the session for the detail pane."""

    text: str
    """Raw text; it passes the printable gate when drawn."""
    summary: str = ""
    """A few words on what this is, such as `2,164 of 158,837 chars`."""
    tints: Mapping[int, str] = field(default_factory=dict)
    """Line number, from 0 → colour token; for lines that the pipeline wrote, or that a diff marks."""
    own_lines: Collection[int] = ()
    """Lines that we wrote ourselves, of which nobody else has a text."""


class DetailSource(Protocol):
    """Whoever re-reads the texts, which the replay does not keep."""

    def text(self, tab: Tab, result_index: int, request: int) -> DetailText:
        """One text. Called in a worker thread; may read files.

        Args:
            tab: Which text of the result.
            result_index: Ordinal in the session's results.
            request: As of which request, from 1.

        Raises:
            InspectorError: It cannot be had; the message says why.
        """


class PlaceSource(Protocol):
    """Whoever knows the files behind a result."""

    def record(self, result_index: int) -> FilePlace:
        """Where the result's record stands, or its call's where there is no result.

        Raises:
            InspectorError: There is no record of it.
        """

    def overflow(self, result_index: int) -> FilePlace | None:
        """The result's overflow file; None where it has none, or none is there. May read files."""

    def whole(self, tab: Tab, result_index: int, request: int) -> bytes:
        """One text in full, however long; half characters as three bytes each. May read files.

        Args:
            tab: Which text of the result.
            result_index: Ordinal in the conversation's results.
            request: As of which request, from 1.

        Raises:
            InspectorError: It cannot be had; the message says why.
        """


@dataclass(frozen=True, slots=True)
class AgentCall:
    """Who started a sub-agent."""

    thread: str
    """Conversation of the call; empty: the main one."""
    id: str
    """Its tool_use id; empty where nobody recorded it."""
    request: int | None = None
    """First request that knows its result, or the call itself."""


class ThreadSource(Protocol):
    """Whoever knows the conversations of a session."""

    def thread_of(self, tool_use_id: str) -> str:
        """The sub-agent that a call started; empty where it started none."""

    def call_of(self, thread: str) -> AgentCall:
        """The call that started a sub-agent."""

    def part_words(self) -> tuple[str, str]:
        """What a conversation beside the main one is, and several of them."""

    def findings(self) -> Mapping[str, int]:
        """Conversation → its errors and warnings; those without any are left out."""

    def sources(self, thread: str) -> Sources:
        """Whoever reads the texts of another conversation."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Whoever reads files for the screens; None where a session has no such thing."""

    details: DetailSource
    overflow: OverflowSource | None = None
    why: WhySource | None = None
    wire: WireSource | None = None
    places: PlaceSource | None = None
    threads: ThreadSource | None = None
    policies: Policies | None = None
    """Who replays it under other policies."""
    lines: LineSource | None = None
    """Who reads what is no record."""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """One session as the app takes it."""

    feed: Feed
    """Who reads it; started and stopped by the app."""
    sources: Sources
    """Who reads its texts."""
    path: str = ""
    """Its file; empty where nothing of it is worth remembering, as of a demo."""


class Opener(Protocol):
    """Whoever turns a choice of the sessions screen into a session. Called in a worker thread."""

    def open(self, path: str) -> OpenSession:
        """Open a session.

        Args:
            path: A transcript, or what the person typed for one.

        Raises:
            InspectorError: It cannot be opened; the message says why.
        """

    def demo(self) -> OpenSession:
        """Start the demo.

        Raises:
            InspectorError: It cannot be started.
        """


@dataclass(frozen=True, slots=True)
class Jump:
    """A place in the session that a screen was left for."""

    request: int | None = None
    """Request to show; None keeps the one shown."""
    result: int | None = None
    """Result to select, by index."""
    id: str = ""
    """Result to select by its tool_use id, where the index is not known."""
    reason: str = ""
    """Why, as one sentence for the bottom line."""
    thread: str | None = None
    """Conversation of the place; None: the one that the screen was opened from."""
