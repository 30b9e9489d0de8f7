"""State lasts where it can be written, and never costs what is there already."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.state import LARGEST_BYTES, StateStore, state_directory


@pytest.mark.parametrize(
    ("environ", "directory"),
    [
        ({}, "/home/a/.local/state/inspector"),
        ({"XDG_STATE_HOME": "/x"}, "/x/inspector"),
        ({"XDG_STATE_HOME": "not/absolute"}, "/home/a/.local/state/inspector"),
        ({"XDG_STATE_HOME": ""}, "/home/a/.local/state/inspector"),
    ],
)
def test_the_directory_is_the_users_state_directory(environ: dict[str, str], directory: str) -> None:
    assert state_directory(environ, Path("/home/a")) == Path(directory)


def test_what_is_written_is_read_by_the_next_run(tmp_path: Path) -> None:
    StateStore(tmp_path / "a").write("marks/x", {"n": 1})
    assert StateStore(tmp_path / "a").read("marks/x") == {"n": 1}
    assert [path.name for path in tmp_path.rglob("*.json")] == ["x.json"]
    assert not list(tmp_path.rglob(".*")), "no draft is left behind"
    assert (tmp_path / "a" / "marks").stat().st_mode & 0o077 == 0


def test_nothing_is_made_for_reading(tmp_path: Path) -> None:
    store = StateStore(tmp_path / "a")
    assert store.read("greeted") is None
    assert not list(tmp_path.iterdir())
    assert not store.problem


def test_a_directory_that_cannot_be_written_leaves_everything_in_memory(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("no directory")
    store = StateStore(tmp_path / "a")
    store.write("greeted", True)
    assert store.read("greeted") is True
    assert "cannot be written" in store.problem
    assert store.problem.endswith("kept for this run only")


@pytest.mark.parametrize("data", [b"{", b"\xff", b"[" * 100_000, b" " * (LARGEST_BYTES + 1), b"null"])
def test_a_file_that_cannot_be_read_is_not_overwritten(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.json").write_bytes(data)
    store = StateStore(tmp_path)
    assert store.read("x") is None
    assert "cannot be read" in store.problem
    store.write("x", 1)
    assert store.read("x") == 1
    assert (tmp_path / "x.json").read_bytes() == data


def test_without_a_directory_nothing_lasts() -> None:
    store = StateStore(None)
    store.write("x", 1)
    assert (store.read("x"), store.lasts, store.problem) == (1, False, "")
