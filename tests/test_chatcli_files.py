"""The directory sink: what it makes, with which rights, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.chatcli_files import DirectorySink


def test_directories_and_files_are_for_the_owner_only(tmp_path: Path) -> None:
    sink = DirectorySink(str(tmp_path / "a" / "b"))
    assert sink.prepare()
    assert sink.write(f"{sink.directory}/f", b"\xff\x00")
    assert (tmp_path / "a" / "b" / "f").read_bytes() == b"\xff\x00"
    for path, mode in (("a", 0o700), ("a/b", 0o700), ("a/b/f", 0o600)):
        assert (tmp_path / path).stat().st_mode & 0o777 == mode


def test_existing_file_is_replaced_whole(tmp_path: Path) -> None:
    sink = DirectorySink(str(tmp_path))
    assert sink.write(f"{tmp_path}/f", b"long text")
    assert sink.write(f"{tmp_path}/f", b"x")
    assert (tmp_path / "f").read_bytes() == b"x"


def test_file_in_the_place_of_the_directory_fails(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    assert not DirectorySink(str(tmp_path / "a" / "b")).prepare()


@pytest.mark.parametrize("name", ["x" * 256, "a\0b", "\ud800", "missing/f", "a"])
def test_impossible_name_is_a_failed_write(tmp_path: Path, name: str) -> None:
    (tmp_path / "a").mkdir()
    assert not DirectorySink(str(tmp_path)).write(f"{tmp_path}/{name}", b"")


def test_nothing_is_written_outside_the_directory(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    outside = tmp_path / "out"
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    (inside / "file").symlink_to(outside / "target")
    sink = DirectorySink(str(inside))
    for path in (tmp_path / "f", outside / "f", inside / "link" / "f", inside / "file"):
        assert not sink.write(str(path), b"x"), path
    assert list(outside.iterdir()) == []
