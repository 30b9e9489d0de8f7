"""Very many sub-agents: few of their files are open at a time, and all are followed."""

from __future__ import annotations

import gzip
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from inspector.errors import UnreadableError
from inspector.reading import others
from inspector.reading.agent_files import AgentReader
from inspector.reading.frames import Frame, Piece
from inspector.reading.subagents import SubAgent
from inspector.session import large, open_session
from inspector.session.agents import OPEN_AGENTS
from tests.transcript import SESSION, Transcript, begun

ROOT = Path(__file__).parents[2]
COUNT = 3 * OPEN_AGENTS
FEW_FILES = 2 * OPEN_AGENTS


def lines(first: int, last: int, script: Transcript | None = None) -> bytes:
    script = script or begun()
    at = len(script.lines) if first else 0
    for n in range(first, last):
        script.turn(f"toolu_{n}")
    return b"".join(line + b"\n" for line in script.lines[at:])


@pytest.fixture(params=["jsonl", "jsonl.gz"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A session with many sub-agents."""
    folder = tmp_path / SESSION / "subagents"
    folder.mkdir(parents=True)
    for n in range(COUNT):
        data = lines(0, 2)
        packed = gzip.compress(data) if request.param.endswith("gz") else data
        (folder / f"agent-{n:03d}.{request.param}").write_bytes(packed)
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(lines(0, 3))
    return path


def told(path: Path) -> tuple[list[object], ...]:
    with open_session(path) as session:
        records = session.all_records()
        session.findings()
        return (
            [*records.items()],
            session.findings(),
            [*session.agents.unread.values()],
            session.agents.problems,
        )


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
def test_other_processes_read_what_this_one_would(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(others, "may_be_copied", lambda: True)
    monkeypatch.setattr(others, "processors", lambda: 2)
    files = sorted(path.with_suffix("").rglob("agent-*"))
    if path.with_suffix("").joinpath("subagents", "agent-000.jsonl").exists():
        with files[3].open("ab") as file:
            file.write(b"{broken\n" + lines(2, 3) + b'{"type":"us')  # half a line at the end
        files[5].write_bytes(b"")
        files[7].unlink()
        files[7].mkdir()
    alone = told(path)
    monkeypatch.setattr(large, "COPIED_FROM_BYTES", 1)
    taken: list[AgentReader] = []
    make = large.agent_reader

    def noted(agents: Sequence[SubAgent]) -> AgentReader | None:
        taken.extend(found for found in [make(agents)] if found is not None)
        return taken[-1] if taken else None

    monkeypatch.setattr("inspector.session.agents.agent_reader", noted)
    assert told(path) == alone
    assert len(taken) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
def test_file_that_another_one_took_the_place_of_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(others, "may_be_copied", lambda: True)
    monkeypatch.setattr(others, "processors", lambda: 2)
    monkeypatch.setattr(large, "COPIED_FROM_BYTES", 1)
    folder = tmp_path / SESSION / "subagents"
    folder.mkdir(parents=True)
    for n in range(6):
        (folder / f"agent-{n}.jsonl").write_bytes(lines(0, 2))
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(lines(0, 3))
    next_of = AgentReader.next_of

    def exchanged(reader: AgentReader, number: int) -> Frame | Piece | None:
        frame = next_of(reader, number)
        return msgspec.structs.replace(frame, file=(1, 1)) if frame is not None and number == 4 else frame

    monkeypatch.setattr(AgentReader, "next_of", exchanged)
    with open_session(path) as session:
        counts = {key: len(records) for key, records in session.all_records().items() if key}
    assert counts == dict.fromkeys("012345", len(lines(0, 2).splitlines()))


FEW = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({FEW_FILES}, {FEW_FILES}))
sys.path.insert(0, {str(ROOT)!r})
from inspector.cli import main
sys.exit(max(main(words.split('|')) for words in sys.argv[1:]))
"""


def test_a_process_that_may_open_few_files_reads_them_all(path: Path) -> None:
    calls = [f"report|{path}|--format|json", f"why|{path}", f"check|{path}", f"wire|{path}|--all|--full"]
    done = subprocess.run(
        [sys.executable, "-c", FEW, *calls], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert all(f'"{n:03d}"' in done.stdout for n in range(COUNT))
    assert "Too many" not in done.stdout + done.stderr


def test_agents_of_all_places_are_followed(tmp_path: Path) -> None:
    folder = tmp_path / SESSION / "subagents"
    folder.mkdir(parents=True)
    scripts = [begun() for _ in range(COUNT)]
    files = [folder / f"agent-{n:03d}.jsonl" for n in range(COUNT)]
    for file, script in zip(files, scripts, strict=True):
        file.write_bytes(lines(0, 2, script))
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(lines(0, 3))
    with open_session(path, live=True) as session:
        held = len(list(Path("/proc/self/fd").iterdir()))
        for number in (0, COUNT - 1):
            with files[number].open("ab") as file:
                file.write(lines(2, 4, scripts[number]))
        session.poll()
        for number in (0, 1, COUNT - 2, COUNT - 1):
            tracked = session.timelines[f"{number:03d}"].tracked
            assert len(tracked) == (4 if number in (0, COUNT - 1) else 2)
            assert session.result_text(tracked[-1], f"{number:03d}") == "x" * 100
        fresh = folder / "fresh"
        fresh.write_bytes(lines(0, 5))
        fresh.replace(files[-1])
        files[-2].unlink()
        row = session.timelines[f"{COUNT - 2:03d}"].tracked[0]
        session.poll()
        assert len(session.timelines[f"{COUNT - 1:03d}"].tracked) == 5
        with pytest.raises(UnreadableError, match="the file is gone"):
            session.result_text(row, f"{COUNT - 2:03d}")
        assert len(list(Path("/proc/self/fd").iterdir())) <= held


def test_few_of_them_are_open_at_a_time(path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    with open_session(path) as session:
        assert len(session.timelines) == COUNT + 1
        session.findings()
        assert len(list(Path("/proc/self/fd").iterdir())) - before <= OPEN_AGENTS + 4
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > FEW_FILES
