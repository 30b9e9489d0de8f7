"""Which stretches of a file are passed over, and which are read after all."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from inspector.reading import holes
from inspector.reading.holes import HOLE_BYTES, hole_end
from inspector.reading.scratch import Scratch

TERABYTES = 4 << 40


def sparse(path: Path, *pieces: bytes | int) -> Path:
    """A file of bytes and of holes of so many bytes."""
    with path.open("wb") as file:
        for piece in pieces:
            if isinstance(piece, int):
                file.seek(piece, os.SEEK_CUR)
            else:
                file.write(piece)
        file.truncate()
    return path


def ends(path: Path, *starts: int) -> list[int]:
    with path.open("rb") as file:
        return [hole_end(file.fileno(), start) for start in starts]


def test_a_large_hole_ends_with_the_next_data_or_the_file(tmp_path: Path) -> None:
    path = sparse(tmp_path / "f", b"x" * 4096, TERABYTES, b"y" * 4096, TERABYTES)
    size = path.stat().st_size
    assert ends(path, 0, 4096, 9000) == [0, 4096 + TERABYTES, 4096 + TERABYTES]
    assert ends(path, 4096 + TERABYTES, size - TERABYTES, size) == [4096 + TERABYTES, size, size]


def test_nuls_that_are_stored_behind_a_hole_belong_to_it(tmp_path: Path) -> None:
    path = sparse(tmp_path / "f", TERABYTES, bytes(1000) + b"x")
    assert ends(path, 0) == [TERABYTES + 1000]


def test_a_small_hole_and_a_file_without_any_are_read(tmp_path: Path) -> None:
    assert ends(sparse(tmp_path / "f", b"x" * 4096, HOLE_BYTES - 1, b"y"), 4096) == [4096]
    assert ends(sparse(tmp_path / "f", bytes(2 * HOLE_BYTES)), 0) == [0]


def test_what_is_no_hole_after_all_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = sparse(tmp_path / "f", b"x" * HOLE_BYTES * 2, HOLE_BYTES)
    monkeypatch.setattr(os, "lseek", lambda *_: 3 * HOLE_BYTES)
    assert ends(path, 0) == [0]


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_where_nobody_knows_of_holes_everything_is_read(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sparse(tmp_path / "f", TERABYTES)

    def refuse(*_: Any) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, "lseek", refuse)
        assert ends(path, 0) == [0]
    monkeypatch.setattr(holes, "_SEEK_DATA", None)
    assert ends(path, 0) == [0]


@pytest.mark.parametrize("before", ["é\n".encode(), "é".encode()[:1], b"", "x\né".encode()])
def test_a_hole_counts_as_its_nuls_in_the_sizes_and_lines_of_an_overflow_file(
    before: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tool-results"
    folder.mkdir()
    path = sparse(folder / "a.txt", before.ljust(4096, b"z"), 3 * HOLE_BYTES, b"\nlast\n\xc3")
    with path.open("r+b") as file:
        file.seek(4096 - len(before))
        file.write(before)

    def figures() -> tuple[Any, ...]:
        scratch = Scratch((folder,))
        (file,) = scratch.listing().files
        return scratch.text_size(file), [scratch.read_lines(file.path, n, n + 1) for n in (1, 2, 3, 4)]

    passed_over = figures()
    monkeypatch.setattr(holes, "_SEEK_DATA", None)
    assert figures() == passed_over


def test_lines_behind_terabytes_of_a_hole_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "tool-results"
    folder.mkdir()
    path = sparse(folder / "a.txt", b"first\n", TERABYTES, b"\nlast\n")
    scratch = Scratch((folder,))
    assert scratch.read_lines(path, 3, 3).lines == ("last",)
    assert scratch.read_lines(path, 1, 1).lines == ("first",)
    assert scratch.read_lines(path, 2, 2, limit_bytes=100).cut
    (file,) = scratch.listing().files
    assert scratch.text_size(file).bytes == path.stat().st_size
    assert scratch.text_size(file).lines == 3
