"""Names of scratch files, and originals by key."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from inspector.errors import UnreadableError
from inspector.reading.chatcli_scratch import ScratchKind, match_names, read_original


def test_name_is_matched_to_the_id_that_gives_it() -> None:
    names = ["budget_a_1_2.txt", "budget_a_1.txt", "budget_a_b_3.txt", "result_read_1.txt", "notes.txt"]
    entries = match_names(names, ["a", "a_1", "a/b"])
    assert [(e.kind, e.number, e.ids) for e in entries] == [
        (ScratchKind.BUDGET, 1, ("a",)),
        (ScratchKind.BUDGET, 2, ("a_1",)),
        (ScratchKind.BUDGET, 3, ("a/b",)),
        (ScratchKind.WORKER, 1, ()),
    ]


def test_ids_that_give_the_same_name_are_all_told() -> None:
    (entry,) = match_names(["budget_a_b_1.txt"], ["a/b", "a_b", "a/b"])
    assert entry.ids == ("a/b", "a_b")


@pytest.mark.parametrize(
    "name", ["budget_a_.txt", "budget_1.txt", "budget_a_1.txt.tmp", "budget_a_" + "9" * 40 + ".txt"]
)
def test_other_names_are_left_out(name: str) -> None:
    assert match_names([name], ["a"]) == []


def store(directory: Path, content: bytes) -> str:
    """Put one original into a store."""
    key = hashlib.sha256(content).hexdigest()[:16]
    (directory / f"{key}.ccr").write_bytes(content)
    return key


def test_original_is_read_by_its_key(tmp_path: Path) -> None:
    assert read_original(tmp_path, store(tmp_path, b"\xffabc")) == b"\xffabc"


@pytest.mark.parametrize(
    "key", ["", "../../etc/passwd", "0123456789ABCDEF", "0123456789abcde\0", "0123456789abcdef\n"]
)
def test_anything_but_a_key_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(UnreadableError, match="hexadecimal"):
        read_original(tmp_path, key)


def test_altered_large_absent_and_linked_originals_are_refused(tmp_path: Path) -> None:
    key = store(tmp_path, b"abc")
    with pytest.raises(UnreadableError, match="larger"):
        read_original(tmp_path, key, limit_bytes=2)
    (tmp_path / f"{key}.ccr").write_bytes(b"other")
    with pytest.raises(UnreadableError, match="not the one"):
        read_original(tmp_path, key)
    with pytest.raises(UnreadableError, match=r"\.ccr: "):
        read_original(tmp_path, "0" * 16)
    other = tmp_path / "elsewhere"
    other.mkdir()
    linked = store(other, b"secret")
    (tmp_path / f"{linked}.ccr").symlink_to(other / f"{linked}.ccr")
    with pytest.raises(UnreadableError):
        read_original(tmp_path, linked)
    os.mkfifo(tmp_path / f"{'1' * 16}.ccr")
    with pytest.raises(UnreadableError, match="ordinary"):
        read_original(tmp_path, "1" * 16)
