from __future__ import annotations

import os
from pathlib import Path

import pytest

from inspector.reading import apart, cutter, kept
from inspector.reading.frames import Frame
from inspector.reading.home import index_directory
from inspector.reading.kept import Keeper, kept_reading
from inspector.reading.source import ByteSource, open_source
from inspector.reading.tickets import FilePart
from tests.reading.test_reader import session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    session(path, 600)
    return path


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "index"


def keep(directory: Path, path: Path, *, finish: bool = True) -> int:
    """Keep a reading; how many bytes it is about."""
    source = open_source(path)
    keeper = Keeper(directory, path, source, "")
    for piece in apart.read_apart(source, FilePart(0, 0, source.size), ""):
        keeper.add_piece(piece)
    if finish:
        keeper.finish(source.size)
    return source.size


def reading(directory: Path, path: Path, source: ByteSource | None = None) -> list[Frame] | None:
    found = kept_reading(directory, path, source or open_source(path), "")
    if found is None:
        return None
    frames = []
    while (frame := found.next()) is not None:
        frames.append(frame)
    found.close()
    assert found.next() is None
    return frames


def kept_file(directory: Path) -> Path:
    (file,) = directory.iterdir()
    return file


def test_what_was_kept_is_used_while_the_file_is_the_same(directory: Path, path: Path) -> None:
    assert reading(directory, path) is None
    size = keep(directory, path)
    frames = reading(directory, path)
    assert frames is not None
    assert frames[-1].position == size
    assert kept_reading(directory, path, open_source(path), "another thread") is None


def test_nobody_else_may_read_it(directory: Path, path: Path) -> None:
    keep(directory, path)
    assert directory.stat().st_mode & 0o777 == 0o700
    assert kept_file(directory).stat().st_mode & 0o777 == 0o600


def test_file_that_grew_keeps_its_beginning(directory: Path, path: Path) -> None:
    size = keep(directory, path)
    with path.open("ab") as file:
        file.write(b'{"type":"user"}\n')
    frames = reading(directory, path)
    assert frames is not None
    assert frames[-1].position == size


def test_file_that_grew_much_is_read_anew(directory: Path, path: Path) -> None:
    size = keep(directory, path)
    with path.open("ab") as file:
        file.write(b"{}\n" * size)
    assert reading(directory, path) is None


def test_truncated_replaced_and_edited_files_are_read_anew(directory: Path, path: Path) -> None:
    size = keep(directory, path)
    data = path.read_bytes()
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns

    def is_used() -> bool:
        return reading(directory, path) is not None

    with path.open("r+b") as file:  # one byte in the middle, and the time of change tells
        file.seek(size // 2 + 5_000)
        file.write(b"#")
    os.utime(path, ns=(times[0], times[1] + 1))
    assert not is_used()
    path.write_bytes(data)
    os.utime(path, ns=times)
    assert is_used()
    path.write_bytes(data[: size - 40])
    assert not is_used()
    path.write_bytes(data[:-9] + b"#" + data[-8:])  # the end was edited, the time of change set back
    os.utime(path, ns=times)
    assert not is_used()
    path.write_bytes(b"#" + data[1:] + b"{}\n")  # the head was edited, and the file grew
    assert not is_used()
    other = path.with_name("other")
    other.write_bytes(data)
    os.utime(other, ns=times)
    other.replace(path)  # the same bytes, but another file
    assert not is_used()


def test_edit_in_the_middle_of_a_file_that_grew_is_noticed_where_a_sample_lies(
    directory: Path, path: Path
) -> None:
    size = keep(directory, path)
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"#")
        file.seek(0, os.SEEK_END)
        file.write(b"{}\n")
    assert reading(directory, path) is None


def test_file_that_changed_while_it_was_read_is_not_taken_for_the_same(directory: Path, path: Path) -> None:
    source = open_source(path)
    keeper = Keeper(directory, path, source, "")
    os.utime(path, ns=(1, 1))
    keeper.finish(source.size)
    assert reading(directory, path) is None


@pytest.mark.parametrize("version", ["maker", "nothing", "half a header", "a link", "other bytes"])
def test_what_is_no_reading_of_ours_is_ignored(
    directory: Path, path: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(directory, path)
    file = kept_file(directory)
    data = file.read_bytes()
    if version == "maker":
        monkeypatch.setattr(kept, "_maker", lambda: "a newer one")
    elif version == "a link":
        file.rename(directory / "moved")
        file.symlink_to(directory / "moved")
    else:
        file.write_bytes({"nothing": b"", "half a header": data[:100]}.get(version, b"\xc1" * 9_000))
    assert reading(directory, path) is None


@pytest.mark.parametrize("fault", ["cut", "flipped"])
def test_damaged_rest_is_left_out(directory: Path, path: Path, fault: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart, "FRAME_BYTES", 10_000)
        patch.setattr(cutter, "BLOCK_BYTES", 10_000)
        size = keep(directory, path)
    file = kept_file(directory)
    data = bytearray(file.read_bytes())
    if fault == "cut":
        del data[-100:]
    else:
        data[-100] ^= 1
    file.write_bytes(bytes(data))
    frames = reading(directory, path)
    assert frames
    assert 0 < frames[-1].position < size


def test_reading_that_broke_off_is_not_kept(directory: Path, path: Path) -> None:
    source = open_source(path)
    keeper = Keeper(directory, path, source, "")
    keeper.add(b"half a frame")
    keeper.abandon()
    keeper.add(b"more")
    keeper.finish(source.size)
    assert [*directory.iterdir()] == []


@pytest.mark.parametrize("place", ["a file", "/proc/1/none", "a\0b"])
def test_directory_that_cannot_be_written_is_done_without(tmp_path: Path, path: Path, place: str) -> None:
    directory = tmp_path / place
    if place == "a file":
        directory.write_bytes(b"x")
    keep(directory, path)
    assert reading(directory, path) is None


def test_full_disk_is_done_without(directory: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = open_source(path)
    keeper = Keeper(directory, path, source, "")

    class Full:
        def write(self, _data: bytes) -> int:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            raise OSError(28, "No space left on device")

    assert keeper._file is not None
    keeper._file.close()
    monkeypatch.setattr(keeper, "_file", Full())
    keeper.add(b"frame")
    keeper.finish(source.size)
    assert [*directory.iterdir()] == []


def test_readings_not_used_for_longest_make_room(
    directory: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(directory, path)
    size = kept_file(directory).stat().st_size
    monkeypatch.setattr(kept, "MAX_BYTES", 2 * size + size // 2)
    names = [path]
    for number in range(3):
        os.utime(kept._place(directory, names[-1], ""), ns=(number, number))
        names.append(path.with_name(f"{number}.jsonl"))
        names[-1].write_bytes(path.read_bytes())
        keep(directory, names[-1])
    assert [reading(directory, name) is not None for name in names] == [False, False, True, True]


def test_drafts_of_killed_processes_are_removed_in_time(directory: Path, path: Path) -> None:
    directory.mkdir(parents=True)
    old, young = directory / ".a.frames.1", directory / ".b.frames.2"
    old.write_bytes(b"half")
    young.write_bytes(b"half")
    os.utime(old, (1, 1))
    keep(directory, path)
    assert (old.exists(), young.exists()) == (False, True)
    assert reading(directory, path) is not None


def test_place_follows_the_base_directory_rules() -> None:
    home = Path("/home/kim")
    assert index_directory({}, home) == home / ".cache/inspector/index"
    assert index_directory({"XDG_CACHE_HOME": "/var/c"}, home) == Path("/var/c/inspector/index")
    assert index_directory({"XDG_CACHE_HOME": "here"}, home) == home / ".cache/inspector/index"
    assert index_directory({"INSPECTOR_CACHE": "off"}, home) is None
