from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from inspector.model.transcript import Record
from inspector.reading import apart, reader
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.cutter import Cutter
from inspector.reading.joined import Joined
from inspector.reading.reader import Reader, processors
from inspector.reading.source import ByteSource, open_source
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


def taken(found: Reader) -> tuple[list[Record], int]:
    joined, records, position = Joined(), [], 0
    while (frame := found.next()) is not None:
        records += joined.take(frame)
        position = frame.position
    return records, position


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_other_processes_read_what_this_one_would(path: Path, parts: int) -> None:
    data = session(path)
    source = open_source(path)
    assert taken(Reader(source, "", parts)) == (whole(data), len(data))


def test_half_last_line_is_left_for_this_process(path: Path) -> None:
    data = session(path, tail=b'{"type":"us')
    assert taken(Reader(open_source(path), "", 2)) == (whole(data), len(data))


def test_open_file_is_read_though_another_one_has_its_name(path: Path) -> None:
    data = session(path)
    source = open_source(path)
    path.unlink()
    path.write_bytes(b"{}\n")
    assert taken(Reader(source, "", 2))[0] == whole(data)


def test_process_that_dies_leaves_what_came_before(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = session(path)
    start = reader._START.replace(
        "apart.main(sys.argv[1:5])", "sys.argv[3] == '1' or apart.main(sys.argv[1:5])"
    )
    monkeypatch.setattr(reader, "_START", start)
    records, position = taken(Reader(open_source(path), "", 2))
    assert 0 < position < len(data)
    assert records == whole(data[:position])


@pytest.mark.parametrize(
    "said", ["import os; os.write(1, b'nonsense ' * 99)", "raise SystemExit(3)", "1 / 0"]
)
def test_process_that_says_anything_else_is_not_believed(
    path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    session(path)
    monkeypatch.setattr(reader, "_START", said)
    assert taken(Reader(open_source(path), "", 1)) == ([], 0)


def test_closing_ends_the_processes(path: Path) -> None:
    session(path, 4_000)
    found = Reader(open_source(path), "", 2)
    found.close()
    assert found.next() is None
    assert [process.returncode is not None for process in found._processes.values()] == [True]


def test_file_without_a_line_end_is_one_part(path: Path) -> None:
    path.write_bytes(b"x" * 400)
    assert reader._cuts(open_source(path), 400, 4) == [0, 400]


def test_parts_begin_with_a_line(path: Path) -> None:
    data = session(path)
    cuts = reader._cuts(open_source(path), len(data), 4)
    assert len(cuts) == 5
    assert all(data[cut - 1 : cut] == b"\n" for cut in cuts[1:])


def test_without_an_interpreter_this_process_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    assert processors() == 1


def test_what_cannot_be_packed_ends_the_other_process(path: Path) -> None:
    path.write_bytes(json.dumps(assistant(1, [call("t", command="\ud800")])).encode() + b"\n")
    source = ByteSource(os.open(path, os.O_RDONLY))
    with pytest.raises(UnicodeEncodeError):
        list(apart.read_apart(source, 0, source.size, 0, ""))
    assert taken(Reader(source, "", 1)) == ([], 0)


def test_what_cannot_be_packed_in_this_part_ends_the_reading(path: Path) -> None:
    odd = json.dumps(assistant(900, [call("t", command="\ud800")])).encode() + b"\n"
    path.write_bytes(odd + session(path))
    assert taken(Reader(open_source(path), "", 2)) == ([], 0)


def test_readiness_says_whether_somebody_would_have_to_wait(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = session(path)
    monkeypatch.setattr(reader, "_START", f"import time; time.sleep(0.5); {reader._START}")
    found = Reader(open_source(path), "", 1)
    assert not found.is_ready(0)
    assert found.is_ready(60)
    assert taken(found) == (whole(data), len(data))
    assert found.is_ready(0)


def test_first_of_several_parts_is_read_in_this_process(path: Path) -> None:
    session(path)
    found = Reader(open_source(path), "", 3)
    assert [*found._processes] == [1, 2]
    found.close()
