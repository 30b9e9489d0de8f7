"""Soak: a session that grows by a million records, and by hundreds of megabytes at once."""

from __future__ import annotations

import json
import os
import resource
import time
from pathlib import Path

import pytest

from inspector.session import open_session

pytestmark = pytest.mark.soak

RECORDS = int(os.environ.get("INSPECTOR_SOAK_RECORDS", "1000000"))
MEGABYTES = int(os.environ.get("INSPECTOR_SOAK_MB", "200"))
BATCH = 4_000
BYTES_A_RECORD = 2_500
"""Most memory that one more record may cost: an index entry, never its text."""


def resident_bytes() -> int:
    """Memory that the process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def batch(first: int, count: int, text: str) -> bytes:
    out = []
    for n in range(first, first + count):
        head = {
            "uuid": f"u{n}",
            "parentUuid": f"u{n - 1}" if n else None,
            "sessionId": "s",
            "isSidechain": False,
        }
        if n % 4 == 0:
            message = {"role": "user", "content": f"step {n}"}
        elif n % 4 == 1:
            call = {"type": "tool_use", "id": f"toolu_{n}", "name": "Bash", "input": {"command": "ls"}}
            message = {"id": f"m{n}", "role": "assistant", "model": "m", "content": [call]}
        elif n % 4 == 2:
            message = {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": f"toolu_{n - 1}", "content": text}],
            }
        else:
            message = {
                "id": f"m{n}",
                "role": "assistant",
                "model": "m",
                "content": [{"type": "text", "text": "ok"}],
            }
        kind = "assistant" if message["role"] == "assistant" else "user"
        out.append(json.dumps({"type": kind, **head, "message": message}))
    return ("\n".join(out) + "\n").encode()


def test_a_million_appended_records_cost_their_index_and_bounded_time(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(batch(0, 4, "x"))
    with open_session(path, live=True) as session:
        begin = first = resident_bytes()
        done, times, marks = 4, [], []
        while done < RECORDS:
            with path.open("ab") as file:
                file.write(batch(done, BATCH, "y" * 200))
            done += BATCH
            start = time.perf_counter()
            while session.poll(1 << 20).more:
                pass
            times.append(time.perf_counter() - start)
            marks.append(resident_bytes())
            if len(marks) == 5:
                first = marks[-1]
        grown = len(session.records())
        last = marks[-1]
    tenth = max(1, len(times) // 10)
    early, late = sum(times[:tenth]) / tenth, sum(times[-tenth:]) / tenth
    print(
        f"{grown} records in {sum(times):.1f} s; memory {begin / 1e6:.0f} MB, "
        f"{first / 1e6:.0f} MB after 5 batches, "
        f"{last / 1e6:.0f} MB at the end: {(last - first) / max(1, done - 5 * BATCH):.0f} bytes a record; "
        f"{1e3 * early:.0f} ms a batch at first, {1e3 * late:.0f} ms at last"
    )
    assert grown == done
    assert (last - first) / max(1, done) < BYTES_A_RECORD
    assert late < 5 * early + 0.1


def test_hundreds_of_megabytes_at_once_are_read_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(batch(0, 4, "x"))
    with open_session(path, live=True) as session:
        first = resident_bytes()
        piece, done = "z" * 1_000_000, 4
        with path.open("ab") as file:
            while file.tell() < MEGABYTES * 1_000_000:
                file.write(batch(done, 4, piece))
                done += 4
        start = time.perf_counter()
        highest = first
        while session.poll(1 << 20).more:
            highest = max(highest, resident_bytes())
        took = time.perf_counter() - start
        assert len(session.records()) == done
    print(f"{MEGABYTES} MB in {took:.1f} s; memory {first / 1e6:.0f} MB, at most {highest / 1e6:.0f} MB")
    assert highest - first < 100_000_000
