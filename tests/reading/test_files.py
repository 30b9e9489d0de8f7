from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from inspector.errors import UnreadableError
from inspector.reading.files import open_regular, read_head, read_tail, read_whole


def test_head_says_whether_it_is_all(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_head(path, 5).whole
    cut = read_head(path, 4)
    assert (cut.data, cut.whole, cut.compressed) == (b"1234", False, False)


def test_gzip_is_known_by_its_first_bytes_not_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(gzip.compress(b"text"))
    assert read_head(path, 100).compressed
    assert read_whole(path) == b"text"


def test_gzip_unpacks_no_further_than_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(30_000_000)))
    head = read_head(path, 1_000)
    assert (len(head.data), head.whole) == (1_000, False)
    with pytest.raises(UnreadableError, match="larger than"):
        read_whole(path, limit_bytes=1_000_000)


def test_gzip_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    packed = gzip.compress(os.urandom(50_000), 1)
    path.write_bytes(packed[: len(packed) // 2])
    head = read_head(path, 100_000)
    assert 0 < len(head.data) < 50_000
    assert "cut off" in head.damaged


def test_tail_of_a_plain_file_and_none_of_gzip(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a", tmp_path / "b"
    plain.write_bytes(b"0123456789")
    packed.write_bytes(gzip.compress(b"0123456789"))
    assert read_tail(plain, 3) == b"789"
    assert read_tail(packed, 3) == b""


def test_fifo_and_device_and_directory_are_refused_at_once(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (fifo, Path("/dev/zero"), tmp_path):
        with pytest.raises(UnreadableError, match="not an ordinary file"):
            open_regular(path)


def test_absent_file_is_told_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="No such file"):
        read_head(tmp_path / "none", 10)


def test_name_with_nul_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError):
        open_regular(tmp_path / "a\0b")
