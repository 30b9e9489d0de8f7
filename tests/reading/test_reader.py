from __future__ import annotations

import fcntl
import json
import os
import select
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from inspector.model.transcript import Record
from inspector.reading import apart, reader
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.cutter import Cutter
from inspector.reading.frames import frame_bytes
from inspector.reading.joined import Joined
from inspector.reading.kept import Keeper
from inspector.reading.reader import Reader
from inspector.reading.source import ByteSource, open_source
from inspector.reading.tickets import FilePart
from tests.reading.other_processes import WAYS, run_instead, start_by
from tests.reading.samples import assistant, call, user

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other processes read on POSIX systems only")


def session(path: Path, turns: int = 40, tail: bytes = b"") -> bytes:
    values: list[Any] = [user(1, "a")]
    for number in range(2, 2 + turns):
        values.append(assistant(number, [call(f"t{number}", command="ls " * 20)], number - 1))
    data = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    path.write_bytes(data + tail)
    return data


def whole(data: bytes) -> list[Record]:
    adapter = ClaudeCodeAdapter()
    Cutter().cut(data, adapter)
    return adapter.records


SMALL = 1_000
"""Bytes of a part in these tests."""


def reader_of(source: ByteSource, helpers: int = 1, part_bytes: int = SMALL) -> Reader:
    return Reader.of_file(source, "", helpers, part_bytes)


def taken(found: Reader) -> tuple[list[Record], int]:
    joined, records, position = Joined(), [], 0
    while (frame := found.next()) is not None:
        records += joined.take(frame)
        position = frame.position
    return records, position


@pytest.fixture(params=WAYS)
def path(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    start_by(request.param, monkeypatch)
    return tmp_path / "s.jsonl"


@pytest.mark.parametrize("helpers", [0, 1, 3])
@pytest.mark.parametrize("part_bytes", [SMALL, 1 << 20])
def test_several_processes_read_what_this_one_would(path: Path, helpers: int, part_bytes: int) -> None:
    data = session(path)
    assert taken(reader_of(open_source(path), helpers, part_bytes)) == (whole(data), len(data))


def test_half_last_line_is_left_for_this_process(path: Path) -> None:
    data = session(path, tail=b'{"type":"us')
    assert taken(reader_of(open_source(path))) == (whole(data), len(data))


def test_open_file_is_read_though_another_one_has_its_name(path: Path) -> None:
    data = session(path)
    source = open_source(path)
    path.unlink()
    path.write_bytes(b"{}\n")
    assert taken(reader_of(source))[0] == whole(data)


def after_its_first_ticket(then: str) -> str:
    """A process that takes a part, and does something else than to read it."""
    return f"import sys, os; os.read(int(sys.argv[1]), 24); {then}"


@pytest.mark.parametrize(
    "then",
    [
        "os.write(1, b'nonsense ' * 99)",
        "raise SystemExit(3)",
        "1 / 0",
        "os.kill(os.getpid(), 9)",
        "sys.exit(0)",
    ],
)
def test_process_that_fails_leaves_what_came_before(
    path: Path, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    data = session(path)
    run_instead(after_its_first_ticket(then), monkeypatch)
    found = reader_of(open_source(path))
    found._pipes and select.select(
        [p.stream for p in found._pipes], [], []
    )  # it has taken the second part by now
    records, position = taken(found)
    assert position > 0 < len(data)
    assert records == whole(data[:position])


def test_closing_ends_the_processes(path: Path) -> None:
    session(path, 4_000)
    found = reader_of(open_source(path), 2)
    found.close()
    assert found.next() is None
    assert found.is_ready(0)
    assert [other.wait() for other in found._others] == [-9, -9]


def test_what_cannot_be_packed_ends_the_other_process(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = session(path)
    odd = json.dumps(assistant(900, [call("t", command="\ud800")])).encode() + b"\n"
    path.write_bytes(data + odd)
    source = open_source(path)
    (piece,) = apart.read_apart(source, FilePart(0, 0, source.size), "")
    with pytest.raises(UnicodeEncodeError):
        frame_bytes(piece.frame())
    records, position = taken(reader_of(source, 1))  # this process may come to take the odd line itself
    assert position > 0
    assert records == whole((data + odd)[:position])


def test_what_cannot_be_packed_is_read_here_all_the_same_and_not_kept(path: Path, tmp_path: Path) -> None:
    odd = json.dumps(assistant(900, [call("t", command="\ud800")])).encode() + b"\n"
    data = odd + session(path)
    path.write_bytes(data)
    source = open_source(path)
    cache = tmp_path / "cache"
    found = Reader.of_file(source, "", 0, SMALL, Keeper(cache, path, source, ""))
    assert taken(found) == (whole(data), len(data))
    assert [*cache.iterdir()] == []


def test_waiting_is_spent_on_reading_what_nobody_has(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = session(path)
    run_instead("import time; time.sleep(60)", monkeypatch)
    found = reader_of(open_source(path))
    steps = 0
    while not found.is_ready(60) or found.next() is not None:
        steps += 1
    assert steps > len(data) // SMALL
    assert found._position == len(data)


def test_all_parts_are_taken_once(path: Path) -> None:
    data = session(path, 400)
    found = reader_of(open_source(path), 3)
    parts = []
    while (frame := found.next()) is not None:
        parts.append(frame.part)
    assert parts == [*range(len(parts))]
    assert len(parts) > len(data) // SMALL // 2


def test_half_last_line_is_not_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = session(path, tail=b'{"type":"us')
    run_instead("import time; time.sleep(60)", monkeypatch)
    assert taken(reader_of(open_source(path))) == (whole(data), len(data))


@pytest.mark.parametrize(
    "said", ["b''", "b'1234'", "b'1234' * 9"], ids=["nothing", "half a head", "half a frame"]
)
@pytest.mark.parametrize("patient", [True, False])
def test_process_that_is_stopped_is_not_waited_for_forever(
    path: Path, monkeypatch: pytest.MonkeyPatch, patient: bool, said: str
) -> None:
    data = session(path)
    monkeypatch.setattr(reader, "_SILENCE_S", 0.05)
    then = f"os.write(1, {said}); import time; time.sleep(60)"
    run_instead(after_its_first_ticket(then), monkeypatch)
    found = reader_of(open_source(path))
    tickets, given = found._tickets.descriptor, len(found._parts) - 1
    while fcntl.ioctl(tickets, termios.FIONREAD, b"1234") == (24 * given).to_bytes(4, sys.byteorder):
        os.sched_yield()  # until it has one
    while not patient and not found.is_ready(0.001):
        pass
    records, position = taken(found)
    assert position > 0 < len(data)
    assert records == whole(data[:position])
