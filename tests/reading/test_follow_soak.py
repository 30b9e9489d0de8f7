"""Soak: what following a file costs itself, whatever is made of its lines, does not grow with it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from inspector.reading.follow import Follower
from inspector.reading.lines import RawLine
from tests.session.test_session_soak import BATCH, RECORDS, batch, resident_bytes

pytestmark = pytest.mark.soak

STEP_BYTES = 1 << 20


class Counting:
    """Takes lines and keeps nothing but their number, and whether each began where the last one ended."""

    def __init__(self) -> None:
        self.lines = self.end = 0
        self.in_order = True

    def restart(self) -> None:
        raise AssertionError("the file only grew")

    def take(self, number: int, start: int, data: bytes) -> None:
        self.count(number, start, start + len(data))

    def take_odd(self, line: RawLine) -> None:
        self.count(line.number, line.start, line.end + 1)  # one whose halves came apart

    def count(self, number: int, start: int, end: int) -> None:
        self.in_order &= (number, start) == (self.lines + 1, self.end)
        self.lines, self.end = number, end


def test_following_a_million_lines_takes_no_more_memory_than_following_a_thousand(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.touch()
    follower, taker = Follower(path), Counting()
    done, took, first = 0, [], 0
    with path.open("ab", buffering=0) as file:
        while done < RECORDS:
            data = batch(done, BATCH, "y" * 200)
            cut = len(data) // 2  # in the middle of a line, as a rule
            done += BATCH
            began = time.perf_counter()
            for piece in (data[:cut], data[cut:]):
                file.write(piece)
                while not follower.poll_into(taker, STEP_BYTES).at_end:
                    pass
            took.append(time.perf_counter() - began)
            if len(took) == 5:
                first = resident_bytes()
    last = resident_bytes()
    follower.close()
    tenth = max(1, len(took) // 10)
    early, late = sum(took[:tenth]) / tenth, sum(took[-tenth:]) / tenth
    print(
        f"{taker.lines} lines, {path.stat().st_size / 1e6:.0f} MB in {sum(took):.1f} s; memory "
        f"{first / 1e6:.1f} MB after 5 batches, {last / 1e6:.1f} MB at the end; "
        f"{1e3 * early:.1f} ms a batch at first, {1e3 * late:.1f} ms at last"
    )
    assert taker.lines == done
    assert taker.in_order
    assert last - first < 4_000_000
    assert late < 3 * early + 0.01
