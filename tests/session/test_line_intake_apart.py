"""Large files that other processes read, or that were kept: the same records, nothing lost or doubled."""

from __future__ import annotations

import json
import select
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import UnreadableError
from inspector.model.transcript import Record
from inspector.reading import apart, others, reader
from inspector.reading.detect import FileKind
from inspector.reading.follow import FileState
from inspector.reading.frames import Piece
from inspector.reading.source import ByteSource
from inspector.reading.tickets import FilePart
from inspector.session import large, open_session
from inspector.session.line_intake import LineIntake
from tests.counting import calls_of
from tests.reading.other_processes import WAYS, run_instead, start_by
from tests.reading.samples import assistant, call, result, user


def lines(first: int, last: int) -> bytes:
    values: list[Any] = []
    for number in range(first, last, 2):
        values.append(assistant(number, [call(f"t{number}", command="ls")], number - 1))
        values.append(user(number + 1, [result(f"t{number}", "out\n" * 40)], number))
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(json.dumps(user(1, "Hi.")).encode() + b"\n{broken\n" + lines(2, 300))
    return path


@pytest.fixture(autouse=True, params=WAYS)
def any_size(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    for name in ("KEPT_FROM_BYTES", "APART_FROM_BYTES", "COPIED_FROM_BYTES"):
        monkeypatch.setattr(large, name, 1)
    monkeypatch.setattr(large, "PART_BYTES", 20_000)
    monkeypatch.setattr(others, "processors", lambda: 2)
    start_by(request.param, monkeypatch)


def read(found: LineIntake, max_bytes: int | None = None) -> list[Record]:
    records: list[Record] = []
    while True:
        taken = found.poll(max_bytes)
        records += taken.records
        if not taken.more:
            return records


def in_one(path: Path, monkeypatch: pytest.MonkeyPatch, *, live: bool = False) -> LineIntake:
    with monkeypatch.context() as patch:
        patch.setattr(others, "processors", lambda: 1)
        found = LineIntake(path, FileKind.CLAUDE_CODE, live=live)
        found.poll(0)
    return found


@pytest.mark.parametrize("max_bytes", [None, 1, 10_000])
def test_other_processes_give_what_this_one_would(
    path: Path, max_bytes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, shared = in_one(path, monkeypatch), LineIntake(path, FileKind.CLAUDE_CODE)
    assert read(shared, max_bytes) == read(alone)
    assert shared.counts == alone.counts
    assert len(shared.counts.bad_lines) == 1


def test_work_is_shared(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(lines(2, 4_000))
    alone = in_one(path, monkeypatch)
    shared, slow = (LineIntake(path, FileKind.CLAUDE_CODE) for _ in range(2))
    shared.poll(0)
    assert isinstance(shared._frames, reader.Reader)
    select.select([pipe.stream for pipe in shared._frames._pipes], [], [])  # the other one is at work
    expected = calls_of(alone.poll)
    assert calls_of(shared.poll) < expected
    run_instead("import time; time.sleep(60)", monkeypatch)
    assert len(read(slow)) == 3_998
    slow.close()


def test_lines_that_follow_are_read_here(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = in_one(path, monkeypatch, live=True)
    shared = LineIntake(path, FileKind.CLAUDE_CODE, live=True)
    records, expected = read(shared), read(alone)
    more = lines(300, 310)
    for piece in (more[:50], more[50:], lines(308, 310)):  # half a line first, and copies at the end
        with path.open("ab") as file:
            file.write(piece)
        records += read(shared)
        expected += read(alone)
    assert records == expected
    assert shared.counts == alone.counts
    assert shared.counts.duplicate_records == 2


def test_last_line_without_line_feed_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with path.open("ab") as file:
        file.write(lines(300, 302)[:-1])
    alone, shared = in_one(path, monkeypatch), LineIntake(path, FileKind.CLAUDE_CODE)
    assert read(shared) == read(alone)
    assert shared.counts == alone.counts


@pytest.mark.parametrize("start", ["raise SystemExit(1)", "print('x' * 10_000)"])
def test_faulty_process_costs_nothing_but_time(
    path: Path, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = in_one(path, monkeypatch)
    run_instead(start, monkeypatch)
    shared = LineIntake(path, FileKind.CLAUDE_CODE)
    assert read(shared) == read(alone)
    assert shared.counts == alone.counts


def test_process_that_ends_in_the_middle_loses_and_doubles_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = in_one(path, monkeypatch)
    read_apart = apart.read_apart

    def up_to_a_part(source: ByteSource, part: FilePart, thread: str) -> Iterator[Piece]:
        if part.number > 1:
            raise UnreadableError("the disk is gone")
        return read_apart(source, part, thread)

    monkeypatch.setattr(apart, "read_apart", up_to_a_part)
    shared = LineIntake(path, FileKind.CLAUDE_CODE)
    assert read(shared) == read(alone)
    assert shared.counts == alone.counts


def test_no_process_to_be_had_is_no_fault(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = in_one(path, monkeypatch)

    def refuse(*_arguments: object, **_more: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("subprocess.Popen", refuse)
    monkeypatch.setattr("os.fork", refuse)
    assert read(LineIntake(path, FileKind.CLAUDE_CODE)) == read(alone)


def test_copies_in_another_part_are_found(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with path.open("ab") as file:
        file.write(lines(2, 6))
    alone, shared = in_one(path, monkeypatch), LineIntake(path, FileKind.CLAUDE_CODE)
    assert read(shared) == read(alone)
    assert shared.counts.duplicate_records == alone.counts.duplicate_records == 4


def test_file_exchanged_meanwhile_is_read_from_its_start(path: Path) -> None:
    found = LineIntake(path, FileKind.CLAUDE_CODE, live=True)
    assert found.poll(1).more
    path.write_bytes(json.dumps(user(1, "Other.")).encode() + b"\n")
    taken = found.poll()
    assert taken.reset
    assert taken.state is FileState.TRUNCATED
    assert [r.line for r in taken.records] == [1]
    assert found.counts.lines == 1


def test_closing_in_the_middle_ends_the_processes(path: Path) -> None:
    found = LineIntake(path, FileKind.CLAUDE_CODE)
    found.poll(1)
    frames = found._frames
    found.close()
    assert isinstance(frames, reader.Reader)
    assert [other.wait() for other in frames._others] == [-9]


def test_whoever_reads_in_steps_does_not_wait_for_another_process(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = in_one(path, monkeypatch)
    found = LineIntake(path, FileKind.CLAUDE_CODE)
    asked: list[float] = []

    def not_yet(_self: reader.Reader, timeout_s: float) -> bool:
        asked.append(timeout_s)
        return len(asked) > 5

    monkeypatch.setattr(reader.Reader, "is_ready", not_yet)
    for _ in range(5):
        taken = found.poll(1 << 20)
        assert (taken.records, taken.more) == ([], True)
    assert read(found, 1 << 20) == read(alone)
    assert max(asked) <= 0.05


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_second_opening_reads_nothing_but_what_was_appended(
    path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = LineIntake(path, FileKind.CLAUDE_CODE, index_directory=kept)
    records = read(first)
    with path.open("ab") as file:
        file.write(lines(300, 304))
    run_instead("raise SystemExit(1)", monkeypatch)
    parts: list[tuple[int, int]] = []
    pread = ByteSource.read

    def noted(self: ByteSource, start: int, end: int) -> bytes:
        parts.append((start, end))
        return pread(self, start, end)

    monkeypatch.setattr(ByteSource, "read", noted)
    alone, second = in_one(path, monkeypatch), LineIntake(path, FileKind.CLAUDE_CODE, index_directory=kept)
    expected = read(alone)
    parts.clear()
    assert read(second) == expected
    assert second.counts == alone.counts
    assert expected[: len(records)] == records
    blocks = [end - start for start, end in parts if end == path.stat().st_size]
    assert blocks == [len(lines(300, 304))]


def test_reading_of_this_process_is_kept_too(path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(others, "processors", lambda: 1)
    first = LineIntake(path, FileKind.CLAUDE_CODE, index_directory=kept)
    records = read(first, 5_000)
    with path.open("ab") as file:
        file.write(lines(300, 302))
    second = LineIntake(path, FileKind.CLAUDE_CODE, index_directory=kept)
    alone = in_one(path, monkeypatch)
    assert read(second) == read(alone) == records + read(first)
    assert second.counts == alone.counts == first.counts


def test_file_exchanged_while_it_is_kept_is_not_kept(
    path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(others, "processors", lambda: 1)
    found = LineIntake(path, FileKind.CLAUDE_CODE, index_directory=kept)
    found.poll(5_000)
    path.write_bytes(json.dumps(user(1, "Other.")).encode() + b"\n")
    assert found.poll().reset
    assert [*kept.iterdir()] == []


@pytest.mark.parametrize("damage", ["cut", "gone wrong"])
def test_damaged_reading_is_completed_from_the_file(
    path: Path, kept: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = in_one(path, monkeypatch)
    read(LineIntake(path, FileKind.CLAUDE_CODE, index_directory=kept))
    (file,) = kept.iterdir()
    data = file.read_bytes()
    file.write_bytes(data[:-200] if damage == "cut" else data[:-200] + b"?" * 200)
    second = LineIntake(path, FileKind.CLAUDE_CODE, index_directory=kept)
    assert read(second) == read(alone)
    assert second.counts == alone.counts


def test_half_a_reading_is_not_kept(path: Path, kept: Path) -> None:
    found = LineIntake(path, FileKind.CLAUDE_CODE, index_directory=kept)
    found.poll(1)
    found.close()
    assert [*kept.iterdir()] == []


def test_session_says_the_same_of_a_kept_reading(path: Path, kept: Path) -> None:
    with open_session(path, index_directory=kept) as first, open_session(path, index_directory=kept) as again:
        assert [*kept.iterdir()]
        assert again.all_records() == first.all_records()
        assert again.findings() == first.findings()
        assert again.counts == first.counts
