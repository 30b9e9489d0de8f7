"""A writer that is killed, a file that is cut, exchanged, moved or locked: nothing lost, nothing twice."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from inspector.app.feed import FeedState, FeedUpdate
from inspector.app.session import SessionFeed
from inspector.session import open_session
from inspector.watch import wakeups
from tests.transcript import SESSION, Transcript, begun

WAIT_S = 12
TICK_S = 0.1
"""As rare events come where a file system has none; the app's own tick would only make the tests wait."""


@pytest.fixture(autouse=True)
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.app.session.wakeups", partial(wakeups, tick_s=TICK_S))


def turns(script: Transcript, first: int, last: int, chars: int = 100) -> None:
    for n in range(first, last):
        script.turn(f"toolu_{n}", chars=chars)


class Watched:
    """A feed on a file, and every update that it gave."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.feed = SessionFeed(open_session(path, live=True, read=False))
        self.updates: list[FeedUpdate] = []
        self.feed.start(self.updates.append)

    @property
    def ids(self) -> list[str]:
        with self.feed.lock:
            return [row.entry.id for row in self.feed.session.timeline.tracked]

    @property
    def state(self) -> FeedState | None:
        return self.updates[-1].state if self.updates else None

    @property
    def note(self) -> str:
        return self.updates[-1].note if self.updates else ""

    @property
    def bad(self) -> list[int]:
        with self.feed.lock:
            return [bad.line for bad in self.feed.session.counts.bad_lines]

    def wait(self, holds: Callable[[], bool], words: str) -> None:
        end = time.monotonic() + WAIT_S
        while not holds():
            assert time.monotonic() < end, f"{words}: {len(self.ids)} results, {self.updates[-1:]}"
            assert self.feed._thread is not None
            assert self.feed._thread.is_alive(), f"{words}: the feed ended, {self.updates[-1:]}"
            time.sleep(0.01)

    def shows(self, first: int, last: int) -> None:
        expected = [f"toolu_{n}" for n in range(first, last)]
        self.wait(lambda: self.ids == expected, f"{first} to {last}")


@pytest.fixture
def script() -> Transcript:
    out = begun()
    turns(out, 0, 5)
    return out


@pytest.fixture
def watched(script: Transcript, tmp_path: Path) -> Iterator[Watched]:
    folder = tmp_path / "project"
    folder.mkdir()
    out = Watched(script.write(folder))
    out.shows(0, 5)
    yield out
    out.feed.stop()


def lines(script: Transcript, first: int = 0) -> bytes:
    return b"".join(line + b"\n" for line in script.lines[first:])


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_a_torn_line_waits_and_counts_once(watched: Watched, script: Transcript) -> None:
    at = len(script.lines)
    turns(script, 5, 7)
    data = lines(script, at)
    for cut in (1, 100, len(data) - 1):
        append(watched.path, data[:cut])
        data = data[cut:]
        time.sleep(0.15)
    append(watched.path, data)
    watched.shows(0, 7)
    assert watched.bad == []


def test_a_line_torn_for_good_costs_itself_only(watched: Watched, script: Transcript) -> None:
    at = len(script.lines)
    turns(script, 5, 7)
    append(watched.path, b'{"type":"assistant","message":{"role":"ass\n' + lines(script, at))
    watched.shows(0, 7)
    assert watched.bad == [at + 1]


def test_a_record_glued_to_a_torn_line_is_not_lost(watched: Watched, script: Transcript) -> None:
    at = len(script.lines)
    turns(script, 5, 7)
    append(watched.path, b'{"type":"assistant","message":{"role":"ass' + lines(script, at))
    watched.shows(0, 7)


def test_a_writer_killed_in_its_line_loses_nothing_that_it_wrote(
    watched: Watched, script: Transcript
) -> None:
    at = len(script.lines)
    turns(script, 5, 40, chars=3_000)
    source = watched.path.with_suffix(".source")
    source.write_bytes(lines(script, at))
    code = (
        "import sys, os, time\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "file = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND)\n"
        "for n in range(0, len(data), 777):\n"
        "    os.write(file, data[n:n + 777]); time.sleep(0.001)\n"
    )
    done = 0
    while done < source.stat().st_size:
        before = watched.path.stat().st_size
        writer = subprocess.Popen([sys.executable, "-c", code, str(source), str(watched.path)])
        time.sleep(0.15)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        done = watched.path.stat().st_size - before
        source.write_bytes(source.read_bytes()[done:])
        done = 0 if source.stat().st_size else 1
        if done:
            break
    source.unlink()
    watched.shows(0, 40)
    assert watched.bad == []


def test_a_file_cut_short_is_read_anew(watched: Watched, script: Transcript) -> None:
    whole = lines(script)
    half = whole[: whole.index(b"toolu_3") - 400]
    half = half[: half.rindex(b"\n") + 1]
    os.truncate(watched.path, len(half))
    watched.shows(0, 3)
    append(watched.path, whole[len(half) :])
    watched.shows(0, 5)


def test_copy_and_truncate_starts_over(watched: Watched) -> None:
    shutil.copy(watched.path, watched.path.with_suffix(".old"))
    os.truncate(watched.path, 0)
    watched.wait(lambda: watched.ids == [], "empty")
    other = begun()
    turns(other, 50, 52)
    append(watched.path, lines(other))
    watched.shows(50, 52)


def test_a_file_written_anew_in_place_at_once_starts_over(watched: Watched) -> None:
    other = begun()
    turns(other, 50, 70)
    with watched.path.open("r+b") as file:
        file.truncate(0)
        file.write(lines(other))
    watched.shows(50, 70)


def test_a_file_exchanged_by_rename_starts_over(watched: Watched, script: Transcript) -> None:
    for n in range(3):
        other = begun()
        turns(other, 60 + n, 63 + n)
        fresh = watched.path.with_suffix(".new")
        fresh.write_bytes(lines(other))
        fresh.replace(watched.path)
        watched.shows(60 + n, 63 + n)
    assert FeedState.REPLACED in [update.state for update in watched.updates]


def test_a_deleted_file_stays_shown_and_a_new_one_is_taken(watched: Watched) -> None:
    watched.path.unlink()
    watched.wait(lambda: watched.state is FeedState.DELETED, "deleted")
    assert len(watched.ids) == 5
    other = begun()
    turns(other, 70, 73)
    watched.path.write_bytes(lines(other))
    watched.shows(70, 73)


def test_a_directory_moved_away_and_back_goes_on(watched: Watched, script: Transcript) -> None:
    folder = watched.path.parent
    away = folder.with_name("away")
    folder.rename(away)
    watched.wait(lambda: watched.state is FeedState.DELETED, "gone")
    away.rename(folder)
    watched.wait(lambda: watched.state is FeedState.LIVE, "back")
    at = len(script.lines)
    turns(script, 5, 8)
    append(watched.path, lines(script, at))
    watched.shows(0, 8)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EMFILE, errno.ELOOP, errno.EIO, errno.ESTALE])
def test_a_file_that_cannot_be_looked_at_for_a_while_is_said_and_tried_again(
    number: int, watched: Watched, script: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.stat

    def broken(self: Path, **how: Any) -> os.stat_result:
        if self == watched.path and threading.current_thread().name == "session":
            raise OSError(number, os.strerror(number), str(self))
        return real(self, **how)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", broken)
        watched.wait(lambda: os.strerror(number) in watched.note, "said")
    at = len(script.lines)
    turns(script, 5, 8)
    append(watched.path, lines(script, at))
    watched.shows(0, 8)
    watched.wait(lambda: watched.state is FeedState.LIVE, "live again")


def test_another_file_that_may_not_be_opened_yet_is_tried_again(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open
    other = begun()
    turns(other, 80, 84)

    def broken(path: Any, *how: Any, **more: Any) -> int:
        if str(path) == str(watched.path):
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), str(path))
        return real(path, *how, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", broken)
        fresh = watched.path.with_suffix(".new")
        with open(fresh, "wb") as file:  # noqa: PTH123 - Path.open goes through what is exchanged here
            file.write(lines(other))
        fresh.replace(watched.path)
        watched.wait(lambda: "Too many open files" in watched.note, "said")
    watched.shows(80, 84)


def test_a_disk_that_fails_in_the_middle_costs_no_record(
    watched: Watched, script: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.pread
    reads = 0

    def failing(descriptor: int, length: int, start: int) -> bytes:
        nonlocal reads
        reads += 1
        if reads % 3 == 0 and threading.current_thread().name == "session":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(descriptor, min(length, 5_000), start)

    at = len(script.lines)
    turns(script, 5, 60, chars=400)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pread", failing)
        patch.setattr("inspector.reading.cutter.BLOCK_BYTES", 4_096)
        patch.setattr("inspector.session.line_intake._STEP_BYTES", 8_192)
        append(watched.path, lines(script, at))
        watched.wait(lambda: reads > 9, "failed")
    watched.shows(0, 60)
    watched.wait(lambda: watched.state is FeedState.LIVE, "live again")


def test_two_writers_are_one_session(watched: Watched, script: Transcript) -> None:
    at = len(script.lines)
    turns(script, 5, 25)
    data = script.lines[at:]

    def write(part: list[bytes]) -> None:
        for line in part:
            append(watched.path, line + b"\n")
            time.sleep(0.001)

    writers = [threading.Thread(target=write, args=(data[n::2],)) for n in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    watched.wait(lambda: sorted(watched.ids) == sorted(f"toolu_{n}" for n in range(25)), "both")
    assert watched.bad == []


def test_two_processes_that_write_are_one_session(watched: Watched, script: Transcript) -> None:
    at = len(script.lines)
    turns(script, 5, 45, chars=2_000)
    code = (
        "import sys, os, time\n"
        "file = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND)\n"
        "for line in open(sys.argv[1], 'rb'):\n"
        "    os.write(file, line); time.sleep(0.001)\n"
    )
    writers = []
    for n in range(2):
        source = watched.path.with_suffix(f".{n}")
        source.write_bytes(b"".join(line + b"\n" for line in script.lines[at + n :: 2]))
        writers.append(subprocess.Popen([sys.executable, "-c", code, str(source), str(watched.path)]))
    assert [writer.wait(timeout=20) for writer in writers] == [0, 0]
    watched.wait(lambda: sorted(watched.ids) == sorted(f"toolu_{n}" for n in range(45)), "both")
    assert watched.bad == []


@pytest.mark.parametrize("jump_s", [-3_600 * 24 * 365, -5, 5, 3_600 * 24 * 365 * 50])
def test_a_clock_that_jumps_changes_nothing(
    jump_s: int, watched: Watched, script: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, real, real_ns = time.time(), time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: real() + jump_s)
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() + jump_s * 10**9)
    at = len(script.lines)
    for n in range(5, 8):
        turns(script, n, n + 1)
        append(watched.path, lines(script, at))
        os.utime(watched.path, (begin + jump_s * (n % 2), begin + jump_s * (n % 2)))
        at = len(script.lines)
        watched.shows(0, n + 1)
    folder = watched.path.parent / SESSION / "subagents"
    folder.mkdir(parents=True)
    other = begun()
    turns(other, 90, 91)
    (folder / "agent-late.jsonl").write_bytes(lines(other))
    os.utime(folder, (begin + jump_s, begin + jump_s))
    append(watched.path, b"\n")
    turns(script, 8, 9)
    append(watched.path, lines(script, at))
    watched.wait(lambda: "late" in watched.feed.session.timelines, "the sub-agent")


MEGABYTES = int(os.environ.get("INSPECTOR_SOAK_MB", "200"))


@pytest.mark.parametrize(
    "megabytes", [10, pytest.param(MEGABYTES, marks=pytest.mark.soak)], ids=["some", "hundreds"]
)
def test_much_that_is_appended_at_once_is_read_in_steps(
    megabytes: int, watched: Watched, script: Transcript
) -> None:
    at, last = len(script.lines), 5 + megabytes
    turns(script, 5, last, chars=1_000_000)
    append(watched.path, lines(script, at))
    end = time.monotonic() + 60 + megabytes
    while len(watched.ids) < last and time.monotonic() < end:
        time.sleep(0.05)
    watched.shows(0, last)
    assert watched.bad == []


def test_a_file_system_that_has_to_be_polled_is_followed(
    script: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "true")
    watched = Watched(script.write(tmp_path))
    watched.shows(0, 5)
    at = len(script.lines)
    turns(script, 5, 8)
    append(watched.path, lines(script, at))
    watched.shows(0, 8)
    watched.feed.stop()


def test_without_file_system_events_the_clock_alone_follows(
    script: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    def exhausted(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", exhausted)
    watched = Watched(script.write(tmp_path))
    watched.shows(0, 5)
    at = len(script.lines)
    turns(script, 5, 8)
    append(watched.path, lines(script, at))
    watched.shows(0, 8)
    watched.feed.stop()


def test_a_sub_agent_that_cannot_be_read_costs_itself_only(
    script: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script.write(tmp_path)
    folder = tmp_path / SESSION / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-locked.jsonl").write_bytes(b"{}\n")
    real = os.open

    def locked(name: Any, *how: Any, **more: Any) -> int:
        if str(name).endswith("agent-locked.jsonl"):
            raise PermissionError(errno.EACCES, "Permission denied", str(name))
        return real(name, *how, **more)

    monkeypatch.setattr(os, "open", locked)
    with open_session(path) as session:
        assert len(session.timeline.tracked) == 5
        assert any("Permission denied" in finding.fact for finding in session.findings())


def test_a_full_disk_costs_the_scan_its_memory_only(
    script: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    from inspector.scan import scan
    from inspector.scan.memory import Memory

    path = script.write(tmp_path)

    class Full(sqlite3.Connection):
        def executemany(self, *_: Any) -> Any:
            raise sqlite3.OperationalError("database or disk is full")

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *how, **more: real(*how, **more, factory=Full))
    with Memory(tmp_path / "cache" / "scan.sqlite3") as memory:
        (row,) = scan([str(path)], memory, jobs=1)
        assert row.requests == 6
        assert "full" in memory.problem
    with Memory(Path("/proc/no/such")) as memory:
        assert memory.problem
    assert json.loads(path.read_bytes().splitlines()[0])
