"""Known sessions for the picker, and what opens one of them."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from inspector.app.feed import OpenSession
from inspector.app.saving import typed_path
from inspector.app.session import SessionFeed
from inspector.app.sources.sessions import SessionRow, SessionSummary
from inspector.app.threads import session_sources
from inspector.errors import InspectorError
from inspector.model.findings import Severity
from inspector.model.policy import Policy, preset
from inspector.reading.chatcli_places import ChatcliPlaces
from inspector.reading.home import home_directory, index_directory
from inspector.reading.locate import Place, list_sessions
from inspector.reading.subagents import AgentFinder
from inspector.reading.title import read_title
from inspector.replay.view import Event
from inspector.samples import DEFAULT_STORY, Player, Story, story
from inspector.session import Session, open_session

LIVE_S = 600
"""A session written to within this many seconds counts as live: a command or an answer of the model
may take so long without a line, and few take longer."""
TITLED = 100
"""Newest sessions whose files are looked into for a title; a title costs two milliseconds."""
SUMMARY_BYTES = 64 << 20
"""Larger sessions are not read for the picker's figures."""


class KnownSessions:
    """The `SessionCatalog` over the places that exist."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._places = places

    @property
    def looked_in(self) -> Sequence[tuple[str, str]]:
        """What was looked for and where."""
        return [(place.kind.value, str(place.directory)) for place in self._places]

    def sessions(self) -> Sequence[SessionRow]:
        """Sessions, newest first."""
        now = time.time()
        found = list_sessions(self._places)
        return [
            SessionRow(
                path=str(known.path),
                name=(read_title(known.path) if place < TITLED else "") or known.name,
                project=known.project,
                source=known.kind.value,
                size_bytes=known.size_bytes,
                modified=known.modified,
                live=_is_recent(known.modified, now),
            )
            for place, known in enumerate(found.sessions)
        ]

    def summary(self, row: SessionRow) -> SessionSummary:
        """Read one session."""
        if row.size_bytes > SUMMARY_BYTES:
            return SessionSummary(0, 0, problem="large: open it to read it")
        with open_session(row.path) as session:
            return _summary(session)


def _summary(session: Session) -> SessionSummary:
    requests = session.timeline.requests
    findings = session.findings()
    loud = [f for f in findings if f.severity is not Severity.INFO]
    counted = {"over_turn_budget", "accepted_overage", "missing_result", "orphan_result", "prefix_break",
               "duplicate_tool_use", "bad_line", "recorded_differs"}  # fmt: skip
    peak = max(requests, key=lambda r: r.wire_chars, default=None)
    ratio = session.chars_per_token("")
    window = session.window_tokens
    return SessionSummary(
        requests=len(requests),
        peak_chars=peak.wire_chars if peak else 0,
        unit=session.policy.unit,
        peak_estimated=bool(peak and peak.estimated),
        over=sum(1 for r in requests if r.events & Event.OVER),
        repairs=sum(len(r.repairs) for r in requests),
        breaks=sum(1 for r in requests if r.events & Event.BREAK),
        differs=sum(1 for r in requests if r.events & Event.DIFFERS),
        compactions=sum(1 for r in requests if r.events & Event.COMPACTION),
        bad_lines=sum(1 for b in session.counts.bad_lines if b.lost),
        others=sum(1 for f in loud if f.kind not in counted),
        curve=[r.wire_chars for r in requests],
        window_chars=round(window * ratio) if window and ratio else None,
    )


def _is_recent(modified: float, now: float) -> bool:
    return now - modified < LIVE_S


def _modified(path: Path) -> float:
    """When a session was last written to, in its own file or in a sub-agent's; 0 where nothing is there."""
    try:
        newest = path.stat().st_mtime
    except (OSError, ValueError):  # a name may hold what no file's can; opening it says so
        return 0.0
    for agent in AgentFinder(path).find().agents:
        with suppress(OSError):
            newest = max(newest, agent.path.stat().st_mtime)
    return newest


def opened(
    path: Path,
    *,
    policy: Policy | None = None,
    origins: dict[str, str] | None = None,
    scratch: Path | None = None,
    chatcli: ChatcliPlaces | None = None,
    follow: bool = True,
    live: bool = False,
    remembered: bool = True,
    clock: Callable[[], float] = time.time,
) -> OpenSession:
    """A session as the app takes it: live where it was written to lately, else finished.

    Args:
        path: Its file.
        policy: The rules; None: those of whoever wrote it.
        origins: Field of the policy → where its value came from.
        scratch: Its scratch directory; None: where it belongs.
        chatcli: Where ChatCLI keeps its files; None: where it does by default.
        follow: Whether to watch the file.
        live: Whether it is said to be live, however long ago it was written to.
        remembered: Whether marks are kept; not for a demo, whose file goes away.
        clock: Tells the time, in seconds since the epoch.
    """
    session = open_session(
        path,
        policy=policy,
        origins=origins,
        scratch=scratch,
        live=follow and (live or _is_recent(_modified(path), clock())),
        chatcli=chatcli,
        index_directory=index_directory(os.environ, home_directory()) if remembered else None,
        read=False,
    )
    feed = SessionFeed(session, follow=follow)
    return OpenSession(feed, session_sources(feed), str(path.absolute()) if remembered else "")


class KnownOpener:
    """The `Opener` behind the picker; owns the demo's directory and its player."""

    def __init__(self, chatcli: ChatcliPlaces | None = None) -> None:
        """Args:
        chatcli: Where ChatCLI keeps what is not in a session's file.
        """
        self._chatcli = chatcli
        self._demos: list[Demo] = []

    def open(self, path: str) -> OpenSession:
        """Open what was chosen or typed."""
        return opened(typed_path(path), chatcli=self._chatcli)

    def demo(self) -> OpenSession:
        """Start the default demo."""
        demo = Demo(None, speed=1.0)
        self._demos.append(demo)
        return demo.open()

    def close(self) -> None:
        """Stop all players and remove their directories."""
        for demo in self._demos:
            demo.close()


def _story_policy(told: Story) -> tuple[Policy | None, dict[str, str]]:
    """The policy that shows a story's point."""
    if not told.policy:
        return None, {}
    policy = preset(told.policy)
    for path, value in told.changes.items():
        policy = policy.with_field(path, frozenset(value) if isinstance(value, list) else value)
    return policy, dict.fromkeys(told.changes, "the sample")


class Demo:
    """A story that plays into a temporary directory."""

    def __init__(self, name: str | None, *, speed: float) -> None:
        """Args:
        name: The story; None: the default one.
        speed: Times faster than recorded.

        Raises:
            UsageError: There is no such story, or the speed is not positive.
        """
        self.story = story(name or DEFAULT_STORY)
        self._directory = tempfile.TemporaryDirectory(prefix="inspector-demo-")
        place = Path(self._directory.name) / "session"
        try:
            self._player = Player(self.story, place, speed, sleep=self._sleep)
        except InspectorError:
            self._directory.cleanup()
            raise
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, name="demo", daemon=True)

    def open(self) -> OpenSession:
        """Write the beginning, start the player and open the session."""
        path = self._player.begin()
        self._thread.start()
        policy, origins = _story_policy(self.story)
        return opened(path, policy=policy, origins=origins, remembered=False)

    def close(self) -> None:
        """Stop the player and remove the directory."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join(timeout=5)
        self._directory.cleanup()

    def _play(self) -> None:
        async def run() -> None:
            async for _ in self._player.play():
                if self._stop.is_set():
                    return

        try:
            asyncio.run(run())
        except (OSError, InspectorError):
            return  # the directory went away with the app

    async def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._stop.is_set() and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.1))
