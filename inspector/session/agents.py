"""The sub-agents of a Claude Code session: their files are found and read beside its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.errors import UnreadableError
from inspector.reading.detect import FileKind
from inspector.reading.subagents import AgentFinder, SubAgent
from inspector.session.intake import Intaken
from inspector.session.large import agent_reader
from inspector.session.line_intake import LineIntake

if TYPE_CHECKING:
    from inspector.reading.reader import Frames

MAX_AGENTS = 2_000
"""Sub-agent files that are read."""
OPEN_AGENTS = 32
"""Sub-agent files that stay open; a process may have 256 open files on some systems."""


class AgentFile:
    """One sub-agent's transcript beside the session."""

    def __init__(self, agent: SubAgent, frames: Frames | None) -> None:
        self.agent = agent
        self.intake = LineIntake(agent.path, FileKind.CLAUDE_CODE, agent.id, frames=frames)


class Agents:
    """All sub-agents of one session, as far as their files are there."""

    def __init__(self, path: Path) -> None:
        """Args:
        path: The session's file.
        """
        self._finder = AgentFinder(path)
        self._files: dict[str, AgentFile] = {}
        self._by_id: dict[str, SubAgent] = {}
        self.unread: dict[str, str] = {}
        """Files that cannot be read now, each with a sentence why."""
        self.problems: list[str] = []
        """What else is wrong with the sub-agents' directories, a sentence each."""

    def poll(self) -> Iterator[tuple[AgentFile, Intaken]]:
        """Look for files and read what is new in each."""
        found = self._finder.find()
        self.problems = list(found.problems)
        if len(found.agents) > MAX_AGENTS:
            self.problems.append(f"of {len(found.agents):,} sub-agents the first {MAX_AGENTS:,} are read")
        agents = found.agents[:MAX_AGENTS]
        reader = agent_reader(agents) if not self._files else None
        try:
            for number, agent in enumerate(agents):
                name = str(agent.path)
                file = self._files.get(name)
                if file is None:
                    frames = reader.of(number) if reader is not None else None
                    file = self._files[name] = AgentFile(agent, frames)
                    self._by_id.setdefault(agent.id, agent)
                try:
                    taken = file.intake.poll()
                except (UnreadableError, OSError) as error:
                    said = str(error)
                    self.unread[name] = said if name in said else f"{name}: {said}"
                    continue
                finally:
                    if number >= OPEN_AGENTS:
                        file.intake.park()
                self.unread.pop(name, None)
                yield file, taken
        finally:
            if reader is not None:
                reader.close()

    def files(self) -> tuple[AgentFile, ...]:
        """The files that were read, in the order in which they were found."""
        return tuple(self._files.values())

    def of(self, id: str) -> SubAgent | None:
        """The sub-agent with an id."""
        return self._by_id.get(id)

    def close(self) -> None:
        """Close all files and forget them; they are read anew by the next poll."""
        for file in self._files.values():
            file.intake.close()
        self._files = {}
