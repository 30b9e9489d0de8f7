from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from inspector.reading import tickets
from inspector.reading.source import open_source
from inspector.reading.tickets import MAX_PARTS, FilePart, Tickets, parts_of
from tests.counting import calls_of


def test_parts_begin_with_a_line_and_cover_the_file(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    data = b"".join(b"{" + b"x" * (n * 37 % 200) + b"}\n" for n in range(500))
    path.write_bytes(data)
    parts = parts_of(open_source(path), len(data), 1_000)
    assert len(parts) > 30
    assert [part.number for part in parts] == [*range(len(parts))]
    assert [parts[0].start, *(part.stop for part in parts)] == [*(part.start for part in parts), len(data)]
    assert all(data[part.start - 1 : part.start] == b"\n" for part in parts[1:])


def test_file_without_a_line_end_is_one_part(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"x" * 400)
    assert parts_of(open_source(path), 400, 100) == [FilePart(0, 0, 400)]


def test_line_longer_than_many_parts_is_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tickets, "_LOOK_BYTES", 64)
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"{}\n" + b"x" * 5_000 + b"\n{}\n{}\n")
    assert [part.start for part in parts_of(open_source(path), 5_010, 100)] == [0, 5_004]


def test_no_more_parts_than_a_pipe_holds(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"{}\n" * 5_000)
    parts = parts_of(open_source(path), 15_000, 3)
    assert MAX_PARTS // 2 < len(parts) <= MAX_PARTS
    taken = Tickets.of(parts)
    assert [taken.take() for _ in parts] == parts
    assert taken.take() is None


def test_each_part_is_taken_by_one(tmp_path: Path) -> None:
    parts = [FilePart(n, n * 10, n * 10 + 10) for n in range(1_000)]
    mine = Tickets.of(parts)
    other = Tickets(os.dup(mine.descriptor))
    taken: list[FilePart] = []
    threads = [
        threading.Thread(target=lambda t=t: [taken.append(p) for p in iter(t.take, None)])
        for t in (mine, other)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == parts
    mine.close()
    mine.close()
    other.close()
    assert mine.take() is None


def test_holes_are_not_looked_through(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"{}\n" * 300)
    os.truncate(path, 4 << 40)
    with path.open("ab") as file:
        file.write(b"\n" + b"{}\n" * 300)
    source = open_source(path)
    assert calls_of(lambda: parts_of(source, source.size, 4 << 20)) < 40
    parts = parts_of(source, source.size, 4 << 20)
    assert (parts[0].start, parts[-1].stop) == (0, source.size)


def test_a_line_that_does_not_end_is_looked_through_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tickets, "_LOOK_BYTES", 64)
    monkeypatch.setattr(tickets, "_LONGEST_STEP", 640)
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"x" * 64_000)
    source = open_source(path)
    assert calls_of(lambda: parts_of(source, 64_000, 64)) < 1.5 * calls_of(
        lambda: parts_of(source, 64_000, 640)
    )
