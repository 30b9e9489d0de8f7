"""Holes in a file: passed over unread, with all that stands before and behind them."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from inspector.model.transcript import BadLine
from inspector.reading.apart import read_apart
from inspector.reading.cutter import Cutter, read_block
from inspector.reading.follow import Batch, Follower
from inspector.reading.holes import HOLE_BYTES
from inspector.reading.lines import RawLine
from inspector.reading.source import open_source
from inspector.reading.tickets import FilePart
from tests.reading.test_holes import TERABYTES, sparse

FIRST, TORN, LAST = b'{"type":"a"}\n', b'{"type":"torn', b'{"type":"b"}\n'


@pytest.fixture
def read_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each read asked for."""
    asked: list[int] = []
    real = os.pread

    def noted(descriptor: int, length: int, start: int) -> bytes:
        asked.append(length)
        return real(descriptor, length, start)

    monkeypatch.setattr(os, "pread", noted)
    return asked


def polled(follower: Follower) -> tuple[list[RawLine], Batch]:
    lines = []
    for _ in range(100):
        batch = follower.poll()
        lines += batch.lines
        if batch.at_end:
            return lines, batch
    raise AssertionError(f"not at the end: {batch}")


def test_terabytes_of_a_hole_cost_two_blocks_and_no_line(tmp_path: Path, read_bytes: list[int]) -> None:
    path = sparse(tmp_path / "s.jsonl", FIRST, TERABYTES, b"\n" + LAST)
    (first, hole, last), batch = polled(Follower(path))
    assert (first.data, last.data, last.number) == (FIRST[:-1], LAST[:-1], 3)
    assert (hole.number, hole.start, hole.end) == (2, len(FIRST), len(FIRST) + TERABYTES)
    assert (hole.oversized, hole.is_hole, hole.data) == (True, True, b"")
    assert batch.position == batch.size == path.stat().st_size
    assert sum(read_bytes) < 4 * HOLE_BYTES


def test_what_stands_before_and_behind_a_hole_on_its_line_is_told_apart(tmp_path: Path) -> None:
    path = sparse(tmp_path / "s.jsonl", FIRST, TORN, TERABYTES, LAST, FIRST)
    lines, _ = polled(Follower(path))
    assert [line.number for line in lines] == [1, 2, 2, 2, 3]
    before, hole, behind = lines[1:4]
    assert before.data.rstrip(b"\0") == TORN
    assert before.end == hole.start
    assert hole.end == behind.start
    assert behind.data == LAST[:-1]


def test_many_holes_cost_no_more_than_what_is_stored(tmp_path: Path, read_bytes: list[int]) -> None:
    path = sparse(tmp_path / "s.jsonl", *[(200 << 20), b"\n" + LAST] * 50)
    lines, _ = polled(Follower(path))
    assert len([line for line in lines if line.data.lstrip(b"\0") == LAST[:-1]]) == 50
    assert sum(read_bytes) < 50 * 4 * HOLE_BYTES


def test_a_small_hole_is_read_as_what_it_says(tmp_path: Path) -> None:
    path = sparse(tmp_path / "s.jsonl", TORN, HOLE_BYTES // 2, LAST)
    (only,), _ = polled(Follower(path))
    assert only.data == TORN + bytes(HOLE_BYTES // 2) + LAST[:-1]


def test_a_file_that_grows_behind_a_hole_is_followed(tmp_path: Path) -> None:
    path = sparse(tmp_path / "s.jsonl", FIRST, TERABYTES)
    follower = Follower(path)
    lines, batch = polled(follower)
    assert [line.is_hole for line in lines] == [False, True]
    assert batch.partial == 0
    with path.open("ab") as file:
        file.write(b"\n" + LAST)
    (last,), _ = polled(follower)
    assert (last.data, last.number) == (LAST[:-1], 3)


def test_a_hole_that_is_written_to_later_starts_the_file_over(tmp_path: Path) -> None:
    path = sparse(tmp_path / "s.jsonl", FIRST, TERABYTES)
    follower = Follower(path)
    polled(follower)
    with path.open("r+b") as file:
        file.seek(-30, os.SEEK_END)
        file.write(b"\n" + LAST)
    batch = follower.poll()
    assert batch.restarted
    assert batch.lines[0].data == FIRST[:-1]


def test_what_a_file_system_wrongly_calls_a_hole_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sparse(tmp_path / "s.jsonl", FIRST * 100_000, 2 * HOLE_BYTES)
    real = os.lseek

    def wrong(descriptor: int, position: int, how: int) -> int:
        return path.stat().st_size if how == os.SEEK_DATA else real(descriptor, position, how)

    monkeypatch.setattr(os, "lseek", wrong)
    lines, _ = polled(Follower(path))
    assert len([line for line in lines if line.data == FIRST[:-1]]) == 100_000


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_a_file_system_that_knows_of_no_holes_has_its_nuls_read(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sparse(tmp_path / "s.jsonl", FIRST, 2 * HOLE_BYTES, b"\n" + LAST)

    def refuse(*_: Any) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "lseek", refuse)
    lines, _ = polled(Follower(path))
    assert [len(line.data) for line in lines] == [len(FIRST) - 1, 2 * HOLE_BYTES, len(LAST) - 1]


def test_another_process_passes_over_the_same_hole(tmp_path: Path) -> None:
    path = sparse(tmp_path / "s.jsonl", FIRST, TERABYTES, b"\n" + LAST, TERABYTES)
    source = open_source(path)
    bad: list[BadLine] = []
    for piece in read_apart(source, FilePart(0, 0, source.size), ""):
        bad += piece.reading.bad_lines
    assert piece.position == source.size
    assert piece.reading.lines == 4
    assert [(line.kind, line.line) for line in bad] == [("nul_run", 2), ("nul_run", 4)]
    source.close()


def test_nothing_is_read_behind_the_end(tmp_path: Path) -> None:
    source = open_source(sparse(tmp_path / "s.jsonl", TERABYTES))
    cutter = Cutter()
    collected: list[RawLine] = []

    class Taker:
        def take(self, number: int, start: int, data: bytes) -> None:
            raise AssertionError("no line is there")

        def take_odd(self, line: RawLine) -> None:
            collected.append(line)

    assert read_block(source, cutter, Taker(), source.size)
    assert not read_block(source, cutter, Taker(), source.size)
    assert (cutter.read, len(collected)) == (TERABYTES, 1)
    source.close()
