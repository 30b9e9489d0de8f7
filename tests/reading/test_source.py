from __future__ import annotations

import gzip
import os
import socket
import tempfile
from pathlib import Path

import pytest

from inspector.errors import UnreadableError
from inspector.reading import source as source_module
from inspector.reading.source import ByteSource, open_source


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def test_bytes_are_read_by_position(path: Path) -> None:
    path.write_bytes(b"0123456789")
    source = open_source(path)
    assert (source.read(2, 5), source.read(8, 99), source.read(20, 30), source.read(5, 5)) == (
        b"234", b"89", b"", b"",
    )  # fmt: skip
    assert source.size == 10
    source.close()
    source.close()


def test_source_stays_with_the_file_it_opened(path: Path) -> None:
    path.write_bytes(b"old")
    source = open_source(path)
    other = path.with_suffix(".new")
    other.write_bytes(b"new")
    other.replace(path)
    assert source.read(0, 3) == b"old"
    source.close()


def test_absent_file_is_told_from_an_unreadable_one(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_source(path)


@pytest.mark.parametrize("kind", ["a named pipe", "a directory", "a socket", "a device"])
def test_what_is_no_regular_file_is_refused_without_waiting(path: Path, kind: str) -> None:
    server = socket.socket(socket.AF_UNIX)
    if kind == "a named pipe":
        os.mkfifo(path)
    elif kind == "a directory":
        path.mkdir()
    elif kind == "a socket":
        server.bind(os.path.relpath(path))
    else:
        path.symlink_to("/dev/zero")
    with server, pytest.raises(UnreadableError, match=kind):
        open_source(path)


def test_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(UnreadableError):
        open_source(Path("a\0b"))


def test_packed_file_is_read_by_position_and_leaves_no_file_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside, temporary = tmp_path / "session", tmp_path / "tmp"
    beside.mkdir()
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    path = beside / "s.jsonl.gz"
    path.write_bytes(gzip.compress(b"first\n" * 300_000) + gzip.compress(b"second"))
    source = open_source(path)
    assert (source.size, source.damage) == (1_800_006, "")
    assert source.read(1_799_994, 1_800_006) == b"first\nsecond"
    assert [*beside.iterdir(), *temporary.iterdir()] == [path]
    source.close()


@pytest.mark.parametrize("spoil", [lambda data: data[:-40], lambda data: data[:-40] + b"rubbish" * 9])
def test_damaged_packed_file_is_read_up_to_the_damage(path: Path, spoil: object) -> None:
    packed = path.with_suffix(".gz")
    data = os.urandom(200_000)
    packed.write_bytes(spoil(gzip.compress(data)))  # type: ignore[operator] # a lambda
    source = open_source(packed)
    assert source.damage
    assert source.size > 0
    assert data.startswith(source.read(0, 100_000))
    source.close()


def test_what_does_not_unpack_at_all_is_refused(path: Path) -> None:
    packed = path.with_suffix(".gz")
    packed.write_bytes(b"no gzip at all")
    with pytest.raises(UnreadableError, match="broken gzip data"):
        open_source(packed)


def test_unpacking_is_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_UNPACKED_BYTES", 2 * source_module.BLOCK_BYTES)
    packed = path.with_suffix(".gz")
    packed.write_bytes(gzip.compress(bytes(8 * source_module.BLOCK_BYTES)))
    source = open_source(packed)
    assert source.size <= source_module.MAX_UNPACKED_BYTES
    assert "more than" in source.damage
    source.close()


def test_short_reads_are_completed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(bytes(range(100)))
    source = open_source(path)
    whole = os.pread
    monkeypatch.setattr(os, "pread", lambda fd, length, start: whole(fd, min(length, 7), start))
    assert source.read(10, 60) == bytes(range(10, 60))
    assert source.read(90, 120) == bytes(range(90, 100))
    source.close()


def test_descriptor_is_owned(path: Path) -> None:
    path.write_bytes(b"x")
    descriptor = os.open(path, os.O_RDONLY)
    ByteSource(descriptor).close()
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(descriptor)


@pytest.mark.parametrize("name", ["s.jsonl", "s.jsonl.gz"])
def test_a_parked_source_holds_no_descriptor_and_reads_the_same_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    data = b"0123456789"
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    source = open_source(path)
    before, held = source.identity, open_descriptors()
    source.park()
    source.park()
    assert open_descriptors() == held - 1
    assert (source.read(2, 5), source.size, source.identity) == (b"234", 10, before)
    assert source.hole_end(3) == 3
    assert open_descriptors() == held - 1
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)
    assert source.size == 10
    with pytest.raises(UnreadableError, match="another file has taken its place"):
        source.read(2, 5)
    path.unlink()
    assert source.size == 10
    with pytest.raises(UnreadableError, match="the file is gone"):
        source.read(2, 5)
    os.mkfifo(path)
    with pytest.raises(UnreadableError, match="named pipe"):
        source.read(2, 5)
    assert open_descriptors() == held - 1
    source.close()


def test_a_parked_source_grows_with_its_file(path: Path) -> None:
    path.write_bytes(b"01")
    source = open_source(path)
    source.park()
    with path.open("ab") as file:
        file.write(b"23")
    assert (source.size, source.read(0, 9)) == (4, b"0123")


def test_a_source_without_a_path_is_never_parked(path: Path) -> None:
    path.write_bytes(b"01")
    source = ByteSource(os.open(path, os.O_RDONLY))
    source.park()
    assert source.read(0, 2) == b"01"
    source.close()


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
