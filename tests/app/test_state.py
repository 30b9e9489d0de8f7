"""What is remembered between runs, and what happens where nothing can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.state import LARGEST_BYTES, StateStore, state_directory


def test_state_belongs_where_the_desktop_says() -> None:
    home = Path("/home/me")
    assert state_directory({"XDG_STATE_HOME": "/state"}, home) == Path("/state/inspector")
    assert state_directory({}, home) == home / ".local/state/inspector"
    assert state_directory({"XDG_STATE_HOME": "not/absolute"}, home) == home / ".local/state/inspector"


def test_value_outlives_the_run_and_leaves_no_draft(tmp_path: Path) -> None:
    StateStore(tmp_path).write("a/b", {"n": 1})
    assert StateStore(tmp_path).read("a/b") == {"n": 1}
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["b.json"]


@pytest.mark.parametrize("data", [b"{", b"\xff", b"[" * 100_000, b" " * (LARGEST_BYTES + 1)])
def test_file_that_cannot_be_read_is_told_and_never_overwritten(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    store = StateStore(tmp_path)
    assert store.read("a") is None
    assert "cannot be read" in store.problem
    store.write("a", 1)
    assert store.read("a") == 1
    assert path.read_bytes() == data


def test_place_that_cannot_be_written_is_told_and_memory_serves(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = StateStore(tmp_path / "file")
    store.write("a", 1)
    assert "cannot be written" in store.problem
    assert store.read("a") == 1


def test_without_a_directory_nothing_lasts() -> None:
    store = StateStore(None)
    store.write("a", 1)
    assert (store.lasts, store.read("a"), store.read("b")) == (False, 1, None)
