"""State lasts where it can be written, and never costs what is there already."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector.app.marks import LAST_REQUEST, Mark, Marks
from inspector.app.saving import save_new
from inspector.app.state import LARGEST_BYTES, StateStore, state_directory
from inspector.errors import InspectorError
from inspector.model.policy import DOCUMENTED
from inspector.session.policy_file import save_policy


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
    assert store.problem.startswith("kept for this run only: ")


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


FAULTS = [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EROFS]


def fail_with(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nothing new can be written."""
    called = "open" if number in (errno.EMFILE, errno.ENFILE, errno.EROFS) else "write"
    real = getattr(os, called)

    def fail(*how: Any, **more: Any) -> Any:
        if called == "write" or how[1] & os.O_CREAT:
            raise OSError(number, os.strerror(number))
        return real(*how, **more)

    monkeypatch.setattr(os, called, fail)


@pytest.mark.parametrize("number", FAULTS, ids=errno.errorcode.get)
def test_a_full_disk_leaves_what_was_kept_and_nothing_half_written(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    StateStore(tmp_path).write("marks/x", {"n": 1})
    fail_with(number, monkeypatch)
    store = StateStore(tmp_path)
    store.write("marks/x", {"n": 2})
    store.write("greeted", True)
    assert store.problem.startswith(f"kept for this run only: {os.strerror(number)}")
    assert store.read("marks/x") == {"n": 2}
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["x.json"]
    assert StateStore(tmp_path).read("marks/x") == {"n": 1}


@pytest.mark.parametrize("number", FAULTS, ids=errno.errorcode.get)
def test_no_other_writer_leaves_half_a_file(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_with(number, monkeypatch)
    for write in (
        lambda path: save_new(path, b"x" * 9_000),
        lambda path: save_policy(DOCUMENTED, path),
    ):
        with pytest.raises(InspectorError, match=re.escape(os.strerror(number))):
            write(tmp_path / "file.toml")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "device"])
def test_what_is_no_file_of_ours_is_neither_waited_for_nor_replaced(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else "nowhere")
    before = path.lstat()
    store = StateStore(tmp_path)
    assert store.read("x") is None
    assert "cannot be read" in store.problem
    store.write("x", 1)
    assert path.lstat() == before


KEYS = st.sampled_from(["marks", "request", "id", "note", "thread"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS | st.text(), inner),
    max_leaves=12,
)


@given(value=ANYTHING)
@example(
    value={"marks": [{"request": 10**4_000, "id": "\ud800"}, {"request": True}, {"request": 1, "note": 3}]}
)
@example(value={"marks": {"request": 1}})
def test_marks_of_any_kind_are_marks_or_nothing(
    value: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    name = hashlib.sha256(b"/s").hexdigest()[:32]
    folder = tmp_path_factory.getbasetemp() / "any"
    (folder / "marks").mkdir(parents=True, exist_ok=True)
    (folder / "marks" / f"{name}.json").write_text(json.dumps(value))
    marks = Marks(StateStore(folder), "/s")
    assert all(0 < mark.request <= LAST_REQUEST for mark in marks.all())
    marks.put(Mark(1))
    assert Mark(1) in marks.all()
