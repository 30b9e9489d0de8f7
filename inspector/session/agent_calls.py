"""Which call started which sub-agent: by the `.meta.json` beside the agent, else by the call's result.

The copy that the client keeps of a call's result names the agent (`claude-code-transcripts.md` §2). It is
no part of what is sent, so the index does not hold it; the few results that can name one are read again,
once each, and only in a session with agents of which nothing else is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import UnreadableError
from inspector.reading.lenient import read_line

if TYPE_CHECKING:
    from inspector.reading.subagents import SubAgent
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked
    from inspector.session import Session

_STARTERS = frozenset({"Agent", "Task"})
"""Tools that start a sub-agent."""


class Started(NamedTuple):
    """The call that started a sub-agent."""

    tool_use_id: str
    description: str
    """What the caller said it is for, in a few words."""


class AgentCalls:
    """Calls and the sub-agents that they started, as far as anything names them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._revision = -1
        self._known: dict[str, Started] = {}
        self._looked: dict[str, tuple[Timeline, int]] = {}
        """Conversation → its timeline, and how many of its rows were looked at."""
        self._waiting: list[tuple[str, Tracked]] = []
        """Calls without a result so far, and their conversation."""

    def of(self, agent: SubAgent) -> Started:
        """The call that started a sub-agent; both words are empty where nobody recorded it."""
        if agent.tool_use_id:
            return Started(agent.tool_use_id, agent.description)
        return self._told_by_result(agent.id) or Started("", "")

    def call_of(self, thread: str) -> str:
        """The tool_use id of the call that started a sub-agent; empty where it is not known.

        Args:
            thread: The sub-agent's conversation.
        """
        agent = self._session.agents.of(thread)
        return self.of(agent).tool_use_id if agent else ""

    def by_call(self) -> dict[str, str]:
        """tool_use id of a call → the sub-agent that it started, where that was recorded."""
        session = self._session
        known = (f.agent for f in session.agents.files() if f.agent.id in session.timelines)
        return {call: agent.id for agent in known if (call := self.of(agent).tool_use_id)}

    def _told_by_result(self, agent: str) -> Started | None:
        if self._revision != self._session.revision:
            self._revision = self._session.revision
            self._look()
        return self._known.get(agent)

    def _look(self) -> None:
        rows, self._waiting = self._waiting, []
        for thread, timeline in self._session.timelines.items():
            known, count = self._looked.get(thread, (timeline, 0))
            if known is not timeline:  # another policy's replay, or a file that was read anew
                count = 0
                rows = [row for row in rows if row[0] != thread]
            self._looked[thread] = (timeline, len(timeline.tracked))
            rows += [(thread, row) for row in timeline.tracked[count:] if row.entry.tool in _STARTERS]
        for thread, row in rows:
            if row.entry.result_record is None:
                self._waiting.append((thread, row))
            elif agent := self._named(thread, row):
                self._known.setdefault(agent, Started(row.entry.id, row.entry.argument))

    def _named(self, thread: str, row: Tracked) -> str:
        """The agent that a result names; empty where it names none."""
        record = row.entry.result_record
        assert record is not None
        try:
            pieces = read_line(self._session.raw_record(record, thread)).pieces
        except (UnreadableError, OSError):
            return ""  # gone meanwhile; the next reading of the file says so
        copy = pieces[0].value.get("toolUseResult") if pieces else None
        agent = copy.get("agentId") if isinstance(copy, dict) else None
        return agent if isinstance(agent, str) else ""
