"""The conversations of a real session: who called whom, where they stand on disk, who reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from inspector.app.details import SessionDetails, tracked_row
from inspector.app.feed import AgentCall, Sources, Tab
from inspector.app.file_places import record_place
from inspector.app.line_source import SessionLines
from inspector.app.overflow_rows import SessionOverflow
from inspector.app.policies import SessionPolicies
from inspector.app.reasons import SessionWhy
from inspector.app.session import SessionFeed, reading
from inspector.app.sources.files import FilePlace
from inspector.app.wire_source import SessionWire
from inspector.errors import UsageError
from inspector.model.findings import Severity

WHOLE_BYTES = 1 << 30
"""Most bytes of an overflow file that are saved elsewhere."""


class SessionThreads:
    """The `ThreadSource` of a real session."""

    def __init__(self, feed: SessionFeed, policies: SessionPolicies) -> None:
        self._feed = feed
        self._policies = policies
        self._calls: tuple[int, dict[str, str]] = (-1, {})

    def thread_of(self, tool_use_id: str) -> str:
        """The sub-agent that a call started; empty where it started none."""
        with reading(self._feed) as session:
            if self._calls[0] != session.revision:
                self._calls = (session.revision, session.agent_calls.by_call())
        return self._calls[1].get(tool_use_id, "")

    def call_of(self, thread: str) -> AgentCall:
        """The call that started a sub-agent."""
        with reading(self._feed) as session:
            id = session.agent_calls.call_of(thread)
            for key, timeline in session.timelines.items():
                for row in timeline.tracked if id else ():
                    if row.entry.id == id:
                        return AgentCall(key, id, row.request or None)
        return AgentCall("", "")

    def part_words(self) -> tuple[str, str]:
        """Such as sub-agents, or histories of ChatCLI."""
        with reading(self._feed) as session:
            return session.part_words

    def findings(self) -> Mapping[str, int]:
        """Conversation → its errors and warnings, as far as they were made."""
        return Counter(f.thread for f in self._feed.findings if f.severity is not Severity.INFO)

    def sources(self, thread: str) -> Sources:
        """Whoever reads the texts of a conversation."""
        return session_sources(self._feed, thread, self._policies)


class SessionPlaces:
    """The `PlaceSource` of one conversation of a real session."""

    def __init__(self, feed: SessionFeed, thread: str) -> None:
        self._feed = feed
        self._thread = thread

    def record(self, result_index: int) -> FilePlace:
        """Where the result's record stands."""
        with reading(self._feed) as session:
            entry = tracked_row(session, self._thread, result_index).entry
            record = entry.result_record or entry.call_record
            if record is None:
                raise UsageError("There is no record of it.")
            return record_place(session, self._thread, record)

    def overflow(self, result_index: int) -> FilePlace | None:
        """The result's overflow file; None where it has none, or none is there."""
        with reading(self._feed) as session:
            row = tracked_row(session, self._thread, result_index)
            found = session.overflow_of(row, self._thread)
        return FilePlace(str(found.file.path), words="overflow file") if found and found.file else None

    def whole(self, tab: Tab, result_index: int, request: int) -> bytes:
        """One text in full; the record and the overflow file as their own bytes."""
        with reading(self._feed) as session:
            row = tracked_row(session, self._thread, result_index)
            if tab is Tab.RECORD:
                record = row.entry.result_record or row.entry.call_record
                if record is None:
                    raise UsageError("There is no record of it.")
                return session.raw_record(record, self._thread)
            if tab is Tab.OVERFLOW:
                found = session.overflow_of(row, self._thread)
                if found is None or found.file is None:
                    raise UsageError("There is no overflow file of it.")
                return session.files.scratch.read_bytes(found.file.path, WHOLE_BYTES)
        text = SessionDetails(self._feed, self._thread).text(tab, result_index, request).text
        return text.encode("utf-8", "surrogatepass")


def session_sources(feed: SessionFeed, thread: str = "", policies: SessionPolicies | None = None) -> Sources:
    """Everything that reads one conversation of a session.

    Args:
        feed: Who holds the session.
        thread: Which conversation; empty: the main one.
        policies: Who replays the session, where somebody does already: all conversations are shown
            under one policy.
    """
    replayed = policies.in_thread(thread) if policies is not None else SessionPolicies(feed, thread)
    return Sources(
        SessionDetails(feed, thread),
        SessionOverflow(feed, thread),
        why=SessionWhy(feed, thread),
        wire=SessionWire(feed, thread),
        places=SessionPlaces(feed, thread),
        threads=SessionThreads(feed, replayed),
        policies=replayed,
        lines=SessionLines(feed),
    )
