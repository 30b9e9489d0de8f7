"""Files of sub-agents that another process reads give what reading them here gives."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from inspector.model.transcript import Record
from inspector.reading import agent_files, apart
from inspector.reading.agent_files import AgentReader
from inspector.reading.frames import Piece
from inspector.reading.joined import Joined
from inspector.reading.source import ByteSource
from inspector.reading.subagents import SubAgent, find_subagents
from inspector.reading.tickets import FilePart
from tests.transcript import SESSION, begun

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")

COUNT = 12


@pytest.fixture
def agents(tmp_path: Path) -> tuple[SubAgent, ...]:
    folder = tmp_path / SESSION / "subagents"
    folder.mkdir(parents=True)
    for number in range(COUNT):
        script = begun()
        for turn in range(number):
            script.turn(f"toolu_{number}_{turn}")
        (folder / f"agent-{number:03d}.jsonl").write_bytes(b"".join(line + b"\n" for line in script.lines))
    session = tmp_path / f"{SESSION}.jsonl"
    session.write_bytes(b"")
    return find_subagents(session).agents


def records_of(reader: AgentReader, number: int) -> list[Record]:
    frames, joined = reader.of(number), Joined()
    assert frames is not None
    pieces = iter(frames.next, None)
    return [*chain.from_iterable(joined.take(piece) for piece in pieces)]


@pytest.mark.parametrize("piece_bytes", [1, apart.FRAME_BYTES])
@pytest.mark.parametrize("helpers", [0, 1, 3])
def test_all_files_are_read_by_somebody(
    agents: tuple[SubAgent, ...], helpers: int, piece_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "FRAME_BYTES", piece_bytes)
    reader = AgentReader(agents, helpers)
    counts = [len(records_of(reader, number)) for number in range(COUNT)]
    reader.close()
    assert counts == [len(agent.path.read_bytes().splitlines()) for agent in agents]
    assert counts == sorted(set(counts))


def test_threads_are_those_of_the_agents(agents: tuple[SubAgent, ...]) -> None:
    reader = AgentReader(agents, 1)
    for number, agent in enumerate(agents):
        assert {record.thread for record in records_of(reader, number)} == {agent.id}
    reader.close()


def test_files_that_nobody_asks_for_are_passed_over(agents: tuple[SubAgent, ...]) -> None:
    reader = AgentReader(agents, 1)
    first, last = reader.of(1), reader.of(COUNT - 1)
    assert first is not None
    assert last is not None
    assert first.next() is not None
    assert last.next() is not None
    assert last.next() is None
    assert first.next() is None
    reader.close()


def test_file_that_cannot_be_read_has_a_frame_of_no_file(agents: tuple[SubAgent, ...]) -> None:
    agents[3].path.unlink()
    reader = AgentReader(agents, 1)
    frames = reader.of(3)
    assert frames is not None
    found = frames.next()
    assert found is not None
    assert found.file == (0, 0)
    assert found.last
    assert len(records_of(reader, 4)) > 0
    reader.close()


def test_other_process_that_is_killed_leaves_what_came_before(
    agents: tuple[SubAgent, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = AgentReader(agents, 0)
    expected = [records_of(here, number) for number in range(COUNT)]
    here.close()
    this = os.getpid()

    def read_one(source: ByteSource, part: FilePart, thread: str) -> Iterator[Piece]:
        if os.getpid() != this and thread == agents[6].id:
            os.kill(os.getpid(), signal.SIGKILL)
        return apart.read_apart(source, part, thread)

    monkeypatch.setattr(agent_files, "read_apart", read_one)
    reader = AgentReader(agents, 1)
    found = [records_of(reader, number) for number in range(COUNT)]
    reader.close()
    assert all(records in (expected[number], []) for number, records in enumerate(found))
