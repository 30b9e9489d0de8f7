from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import UnreadableError
from inspector.reading import scratch as scratch_module
from inspector.reading.scratch import OverflowFile, Scratch, scratch_roots


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "projects" / "-home-demo"
    project.mkdir(parents=True)
    (project / "s1.jsonl").touch()
    return project


def found(scratch: Scratch, path: Path) -> OverflowFile | None:
    inside = scratch.parts_inside(str(path))
    looked_at = scratch.look(*inside) if inside is not None else None
    return looked_at[0] if looked_at is not None else None


def make(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_own_folder_comes_before_the_one_beside_the_file(project: Path) -> None:
    own = make(project / "s1" / "tool-results" / "a.txt").parent
    beside = make(project / "tool-results" / "a.txt").parent
    assert scratch_roots(project / "s1.jsonl") == [own, beside]
    assert scratch_roots(project / "s1.jsonl.gz") == [own, beside]


@pytest.mark.parametrize("below", ["subagents", "subagents/workflows/wf_1"])
def test_sub_agent_has_its_parents_directory(project: Path, below: str) -> None:
    own = make(project / "s1" / "tool-results" / "a.txt").parent
    agent = make(project / "s1" / below / "agent-1.jsonl")
    assert scratch_roots(agent) == [own]


def test_sub_agent_beside_its_session_is_led_by_the_session_id(project: Path) -> None:
    own = make(project / "s1" / "tool-results" / "a.txt").parent
    agent = make(project / "agent-1.jsonl")
    assert scratch_roots(agent) == []
    assert scratch_roots(agent, session_ids=["s1", "", "..", "../x", "/"]) == [own]


def test_given_directory_is_the_only_one(project: Path, tmp_path: Path) -> None:
    make(project / "s1" / "tool-results" / "a.txt")
    other = make(tmp_path / "other" / "b.txt").parent
    assert scratch_roots(project / "s1.jsonl", given=other) == [other]
    assert scratch_roots(project / "s1.jsonl", given=tmp_path / "none") == []


def test_linked_scratch_or_session_directory_is_not_taken(project: Path, tmp_path: Path) -> None:
    outside = make(tmp_path / "outside" / "tool-results" / "a.txt").parent
    (project / "tool-results").symlink_to(outside)
    (project / "s1").symlink_to(outside.parent)
    assert scratch_roots(project / "s1.jsonl") == []


def test_listing_is_oldest_first_and_enters_folders(tmp_path: Path) -> None:
    for number, name in enumerate(("late.txt", "pdf-1/page-01.jpg", "early.txt")):
        path = make(tmp_path / name)
        os.utime(path, (100 - number, 100 - number))
    listing = Scratch([tmp_path]).listing()
    assert [file.name for file in listing.files] == ["early.txt", "pdf-1/page-01.jpg", "late.txt"]
    assert not listing.cut
    assert not listing.skipped


def test_listing_names_what_it_skips(tmp_path: Path) -> None:
    root = tmp_path / "tool-results"
    make(root / "a.txt")
    os.mkfifo(root / "fifo")
    (root / "link").symlink_to("/etc/passwd")
    os.link(make(tmp_path / "other"), root / "hard")
    listing = Scratch([root]).listing()
    assert [file.name for file in listing.files] == ["a.txt"]
    reasons = {entry.name: entry.reason for entry in listing.skipped}
    assert set(reasons) == {"fifo", "link", "hard"}
    assert "hard link" in reasons["hard"]


def test_listing_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch_module, "MAX_FILES", 3)
    for number in range(6):
        make(tmp_path / f"{number}.txt")
    listing = Scratch([tmp_path]).listing()
    assert (len(listing.files), listing.cut) == (3, True)


def test_absent_root_is_a_skipped_entry_not_a_fault(tmp_path: Path) -> None:
    listing = Scratch([tmp_path / "none"]).listing()
    assert listing.files == ()
    assert len(listing.skipped) == 1


def test_reading_outside_the_roots_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "tool-results"
    make(root / "a.txt")
    secret = make(tmp_path / "secret.txt")
    (root / "link.txt").symlink_to(secret)
    scratch = Scratch([root])
    for path in (
        secret,
        root / "link.txt",
        root / ".." / "secret.txt",
        Path("/proc/self/environ"),
        Path("a.txt"),
    ):
        with pytest.raises(UnreadableError):
            scratch.read_bytes(path, 10)
        with pytest.raises(UnreadableError):
            scratch.read_lines(path, 1, 2)
        assert found(scratch, path) is None


def test_bytes_are_bounded(tmp_path: Path) -> None:
    path = make(tmp_path / "a.txt", "0123456789")
    assert Scratch([tmp_path]).read_bytes(path, 4) == b"0123"


LINES = st.lists(st.text(st.sampled_from("ab\r"), max_size=5), max_size=30)


@given(LINES, st.booleans(), st.integers(1, 32), st.integers(0, 32), st.integers(1, 9))
def test_lines_are_those_of_a_split(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    ended: bool,
    first: int,
    count: int,
    block: int,
) -> None:
    directory = tmp_path_factory.mktemp("lines")
    text = "\n".join(lines) + ("\n" if ended and lines else "")
    path = directory / "a.txt"
    path.write_bytes(text.encode())
    whole = text.split("\n")
    if whole[-1] == "":
        whole.pop()
    last = first + count - 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scratch_module, "BLOCK_BYTES", block)
        found = Scratch([directory]).read_lines(path, first, last)
    assert list(found.lines) == whole[first - 1 : last]
    assert found.more == (last < len(whole))
    assert not found.cut


def test_long_line_is_cut_and_said_to_be(tmp_path: Path) -> None:
    path = make(tmp_path / "a.txt", "x" * 5_000 + "\nnext\n")
    found = Scratch([tmp_path]).read_lines(path, 1, 2, limit_bytes=100)
    assert found.lines[0] == "x" * 100
    assert found.cut


@given(st.text(st.characters(codec="utf-8")), st.integers(1, 7))
def test_sizes_are_those_of_the_text(tmp_path_factory: pytest.TempPathFactory, text: str, block: int) -> None:
    directory = tmp_path_factory.mktemp("size")
    path = directory / "a.txt"
    path.write_bytes(text.encode())
    scratch = Scratch([directory])
    file = found(scratch, path)
    assert file is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scratch_module, "BLOCK_BYTES", block)
        size = scratch.text_size(file)
    assert (size.bytes, size.chars) == (len(text.encode()), len(text))
    assert size.utf16 == len(text.encode("utf-16-le")) // 2
    assert size.lines == len(text.split("\n")) - (text == "" or text.endswith("\n"))


def test_size_is_taken_again_when_the_file_changes(tmp_path: Path) -> None:
    path = make(tmp_path / "a.txt", "12345")
    scratch = Scratch([tmp_path])
    file = found(scratch, path)
    assert file is not None
    assert scratch.text_size(file).chars == 5
    path.write_text("123")
    changed = found(scratch, path)
    assert changed is not None
    assert scratch.text_size(changed).chars == 3


def test_paths_that_cannot_be_looked_at_have_no_scratch_directory(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "loop" / "s.jsonl", tmp_path / ("x" * 5_000) / "s.jsonl"):
        assert scratch_roots(path) == []
        assert scratch_roots(path, given=path) == []
