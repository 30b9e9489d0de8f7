"""One measured piece of work in a process of its own: `python -m tests.bench.work NAME PATH …`.

A process for each measurement keeps the heaps apart, so that the peak of memory is that of the work
alone. Imports are done before the clock starts. The result is one JSON object on stdout.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from inspector.cli.collector import collect_for_screens, collect_rarely
from inspector.model.policy import PRESETS
from inspector.reading.subagents import find_subagents
from inspector.replay.conversation import Conversation
from inspector.session import Session, open_session

APPENDED = 200
"""Records appended one by one to learn what one costs."""
MOVES = 200
"""Requests that are visited to learn what a move costs."""
ROWS_ON_SCREEN = 40

Figures = dict[str, float]


def floor(path: Path) -> Figures:
    """Parse every line of the session and of its sub-agents with orjson, and keep nothing."""
    files = [path, *(agent.path for agent in find_subagents(path).agents)]
    began = time.perf_counter()
    for file in files:
        with file.open("rb", buffering=1 << 20) as lines:
            for line in lines:
                try:
                    orjson.loads(line)
                except ValueError:
                    continue
    return {"seconds": time.perf_counter() - began}


def index(path: Path) -> Figures:
    """What `report` does before it prints: index, replay, findings."""
    began = time.perf_counter()
    session = _opened(path, with_findings=True)
    read = time.perf_counter()
    findings = session.findings()
    done = time.perf_counter()
    return {
        "seconds": done - began,
        "findings_seconds": done - read,
        "findings": len(findings),
        "records": session.counts.parsed,
        "results": sum(1 for row in session.all_rows() if row.entry.result),
        "requests": len(session.timeline.requests),
    }


def reopened(path: Path) -> Figures:
    """Index, replay and findings of a session whose reading was kept when it was opened before."""
    with tempfile.TemporaryDirectory(prefix="kept-") as made:
        kept = Path(made)
        began = time.perf_counter()
        _opened(path, kept=kept).close()
        cold = time.perf_counter()
        session = _opened(path, kept=kept, with_findings=True)
        session.findings()
        return {
            "seconds": time.perf_counter() - cold,
            "cold_seconds": cold - began,
            "kept_bytes": sum(file.stat().st_size for file in kept.iterdir()),
        }


def what_if(path: Path) -> Figures:
    """The same records under another policy, against the first index.

    Other limits leave pairing as it is, so which records a request holds need not be worked out
    again; a policy that pairs by other rules starts from the records.
    """
    began = time.perf_counter()
    session = _opened(path)
    first = time.perf_counter()
    session.replayed(session.policy.with_field("budget.turn_limit", 100_000))
    limits = time.perf_counter()
    session.replayed(PRESETS["documented"])
    return {
        "seconds": limits - first,
        "other_pairing_seconds": time.perf_counter() - limits,
        "first_seconds": first - began,
    }


def append_findings(path: Path) -> Figures:
    """The findings after each of some appended records, in a session that is followed."""
    session = _opened(path, live=True)
    session.findings()
    records = session.counts.parsed
    took = []
    with path.open("ab", buffering=0) as file:
        for line in fresh_lines(path, APPENDED):
            file.write(line)
            session.poll(1 << 20)
            began = time.perf_counter()
            session.findings()
            took.append(time.perf_counter() - began)
    took.sort()
    return {"seconds": took[len(took) // 2], "p95_seconds": took[-len(took) // 20], "records": records}


def append(path: Path) -> Figures:
    """One record after another appended to a session that is followed; its last records repeat."""
    session = _opened(path, live=True)
    records = session.counts.parsed
    lines = fresh_lines(path, APPENDED)
    took = []
    with path.open("ab", buffering=0) as file:
        for line in lines:
            file.write(line)
            began = time.perf_counter()
            session.poll(1 << 20)
            took.append(time.perf_counter() - began)
    took.sort()
    return {"seconds": took[len(took) // 2], "p95_seconds": took[-len(took) // 20], "records": records}


def idle(path: Path) -> Figures:
    """Polls of a session in which nothing changes: what one costs."""
    session = _opened(path, live=True)
    began = time.process_time()
    for _ in range(100):
        session.poll(1 << 20)
    return {"seconds": (time.process_time() - began) / 100}


def one_text(path: Path) -> Figures:
    """The texts of single results, and how much of the file is read for each."""
    session = _opened(path)
    rows = [row for row in session.timeline.tracked if row.entry.result][:: max(1, MOVES // 4)]
    reads: list[int] = []
    pread = os.pread

    def counted(fd: int, length: int, offset: int) -> bytes:
        data = pread(fd, length, offset)
        reads.append(len(data))
        return data

    os.pread = counted  # type: ignore[assignment]
    began = time.perf_counter()
    line_bytes = 0
    for row in rows:
        session.result_text(row)
        record = row.entry.result_record
        assert record is not None
        line_bytes += record.end - record.start
    seconds = time.perf_counter() - began
    os.pread = pread
    return {
        "seconds": seconds / len(rows),
        "reads": len(reads) / len(rows),
        "read_bytes": sum(reads) / line_bytes,
    }


def move(path: Path) -> Figures:
    """What a screenful of rows costs at requests from the first to the last."""
    session = _opened(path)
    conversation = Conversation(session.timeline)
    last = conversation.request_count
    places = [1 + step * (last - 1) // (MOVES - 1) for step in range(MOVES)]
    took = []
    for n in places:
        began = time.perf_counter()
        conversation.request(n)
        left = ROWS_ON_SCREEN
        for turn in range(conversation.turn_count(n), 0, -1):
            conversation.turn(turn, n)
            for result in conversation.turn_results(turn, n)[:left]:
                conversation.result(result, n)
                left -= 1
            left -= 1
            if left <= 0:
                break
        took.append(time.perf_counter() - began)
    early, late = sorted(took[10 : MOVES // 4]), sorted(took[-MOVES // 4 :])
    return {"seconds": late[len(late) // 2], "early_seconds": early[len(early) // 2], "requests": last}


def _opened(
    path: Path, *, live: bool = False, kept: Path | None = None, with_findings: bool = False
) -> Session:
    return open_session(path, live=live, index_directory=kept, with_findings=with_findings)


def fresh_lines(path: Path, count: int) -> list[bytes]:
    """Last lines of a session with new ids, hung one on the other."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - (4 << 20)))
        lines = file.read().splitlines(keepends=True)[1:]
    records = [orjson.loads(line) for line in lines]
    records = [r for r in records if r.get("type") in ("user", "assistant")][-50:]
    made: list[bytes] = []
    parent = records[-1]["uuid"]
    for number in range(count):
        record = dict(records[number % len(records)])
        record["parentUuid"], record["uuid"] = parent, f"appended-{number}"
        parent = record["uuid"]
        mark = f"_{number // len(records)}".encode()
        line = orjson.dumps(record)
        for old in (b'"toolu_', b'"msg_', b'"req_'):
            line = line.replace(old, old[:-1] + mark + b"_")
        made.append(line + b"\n")
    return made


def cpu_seconds() -> float:
    """Time that this process and those it started, and that have ended, took of any core."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def peak_bytes() -> int:
    """Most memory that this process has had resident, its imports included."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


WORKS: dict[str, Callable[[Path], Figures]] = {
    "floor": floor,
    "index": index,
    "reopened": reopened,
    "what_if": what_if,
    "append": append,
    "append_findings": append_findings,
    "idle": idle,
    "one_text": one_text,
    "move": move,
}


SCREENS = ("bare_pauses", "app_pauses", "bare_append", "app_append", "app_move", "app_idle")
"""Works of `tests.bench.screens`, which load Textual."""


def main(name: str, path: str) -> None:
    """Do one piece of work and print what it cost."""
    collect_rarely()  # as every command of the inspector does
    if name in SCREENS:
        from tests.bench import screens

        collect_for_screens()
        WORKS[name] = getattr(screens, name)
    before = peak_bytes()
    cpu = cpu_seconds()
    figures = WORKS[name](Path(path))
    figures |= {
        "cpu_seconds": cpu_seconds() - cpu,
        "peak_bytes": peak_bytes(),
        "start_bytes": before,
    }
    sys.stdout.write(orjson.dumps(figures).decode() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
