"""Reading the files of many sub-agents in several processes, as the parts of one large file are read.

A session may have hundreds of sub-agents, each with a small file of its own: together they are as large
as a large session. Only where this process can be copied: another interpreter would have to be told all
the paths, and the app, which starts one, reads sub-agents behind its first picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from inspector.errors import UnreadableError
from inspector.reading.apart import read_apart
from inspector.reading.frames import Frame, Piece
from inspector.reading.others import copy_that_reads
from inspector.reading.reader import Reader
from inspector.reading.readings import NOTHING_MET
from inspector.reading.source import open_source
from inspector.reading.subagents import SubAgent
from inspector.reading.tickets import MAX_PARTS, FilePart


class AgentReader:
    """The frames of some files, one file after another."""

    def __init__(self, agents: Sequence[SubAgent], helpers: int) -> None:
        """Start the other processes.

        Args:
            agents: In the order in which their frames will be asked for; beyond `MAX_PARTS` they have none.
            helpers: Other processes.

        Raises:
            OSError: No process can be started.
        """
        self._agents = agents[:MAX_PARTS]
        self._reader = Reader(
            [FilePart(number, 0, 0) for number in range(len(self._agents))],
            self._read,
            lambda tickets: copy_that_reads(self._read, tickets),
            helpers,
        )
        self._ahead: Frame | Piece | None = None
        """A frame that was taken out, and belongs to a later file than the one asked for."""

    def of(self, number: int) -> AgentFrames | None:
        """The frames of one file; None where it has none."""
        return AgentFrames(self, number) if number < len(self._agents) else None

    def next_of(self, number: int) -> Frame | Piece | None:
        """The next frame of a file; None where there are no more, for whatever reason."""
        while True:
            frame, self._ahead = self._ahead or self._reader.next(), None
            if frame is None or frame.part >= number:
                break
        if frame is None or frame.part == number:
            return frame
        self._ahead = frame
        return None

    def close(self) -> None:
        """End the processes; nothing is asked any more."""
        self._reader.close()

    def _read(self, part: FilePart) -> Iterator[Piece]:
        agent = self._agents[part.number]
        try:
            source = open_source(agent.path)
            try:
                for piece in read_apart(source, FilePart(0, 0, source.size), agent.id):
                    yield msgspec.structs.replace(piece, part=part.number)
            finally:
                source.close()
        except (OSError, UnreadableError):  # whoever has the frames reads it, and meets the fault
            yield Piece(part.number, 0, 1, b"", (0, 0), True, NOTHING_MET, [])


class AgentFrames:
    """The `Frames` of one file."""

    def __init__(self, reader: AgentReader, number: int) -> None:
        """Args:
        reader: Has those of all files.
        number: Which of them it is.
        """
        self._reader, self._number = reader, number
        self._is_over = False

    def next(self) -> Frame | Piece | None:
        """The next frame; waits for it."""
        frame = None if self._is_over else self._reader.next_of(self._number)
        if frame is None:
            return None
        self._is_over = frame.last
        return msgspec.structs.replace(frame, part=0)

    def is_ready(self, timeout_s: float) -> bool:  # noqa: ARG002 - who reads sub-agents waits for them
        """It is."""
        return True

    def finish(self, position: int) -> None:
        """Nothing of it is kept."""

    def close(self) -> None:
        """The file needs no more of them."""
        self._is_over = True
