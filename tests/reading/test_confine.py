from __future__ import annotations

import os
from pathlib import Path

import pytest

from inspector.errors import UnreadableError
from inspector.reading.confine import bases_of, is_real_directory, last_names, open_inside, parts_inside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tool-results"
    (root / "pages").mkdir(parents=True)
    (root / "a.txt").write_text("inside")
    (root / "pages" / "b.txt").write_text("below")
    (tmp_path / "secret.txt").write_text("outside")
    return root


def test_file_below_the_root_opens(root: Path) -> None:
    with open_inside(root, ("a.txt",)) as file:
        assert file.read() == b"inside"
    with open_inside(root, ("pages", "b.txt")) as file:
        assert file.read() == b"below"


@pytest.mark.parametrize(
    "parts", [(), ("..", "secret.txt"), ("pages/../../secret.txt",), ("",), (".",), ("a\0",)]
)
def test_what_is_no_plain_name_is_refused(root: Path, parts: tuple[str, ...]) -> None:
    with pytest.raises(UnreadableError, match="plain"):
        open_inside(root, parts)


def test_link_as_file_or_as_folder_is_refused(root: Path) -> None:
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "inner.txt").symlink_to(root / "a.txt")
    (root / "up").symlink_to(root.parent)
    for parts in (("link.txt",), ("inner.txt",), ("up", "secret.txt")):
        with pytest.raises(UnreadableError):
            open_inside(root, parts)


def test_hard_link_is_refused(root: Path) -> None:
    os.link(root.parent / "secret.txt", root / "hard.txt")
    with pytest.raises(UnreadableError, match="hard link"):
        open_inside(root, ("hard.txt",))


def test_fifo_and_folder_are_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "fifo.txt")
    for name in ("fifo.txt", "pages"):
        with pytest.raises(UnreadableError, match="ordinary"):
            open_inside(root, (name,))


def test_root_may_be_reached_by_a_link(root: Path) -> None:
    link = root.parent / "scratch"
    link.symlink_to(root)
    with open_inside(link, ("a.txt",)) as file:
        assert file.read() == b"inside"


@pytest.mark.parametrize(
    "stated",
    [
        "{root}/../secret.txt",
        "{root}/pages/../../secret.txt",
        "{root}",
        "{root}-other/a.txt",
        "/etc/passwd",
        "/proc/self/environ",
        "a.txt",
        "../a.txt",
        "",
        "{root}/a\0.txt",
        "\\\\server\\share\\a.txt",
        "C:\\x\\a.txt",
    ],
)
def test_path_that_is_not_below_the_root_lies_outside(root: Path, stated: str) -> None:
    assert parts_inside(stated.format(root=root), bases_of([root])) is None


def test_path_below_the_root_gives_its_parts(root: Path) -> None:
    assert parts_inside(f"{root}/pages/b.txt", bases_of([root])) == (root, ("pages", "b.txt"))
    assert parts_inside(f"{root}/none\n.txt", bases_of([root])) == (root, ("none\n.txt",))


def test_path_stated_through_a_link_to_the_root_lies_inside(root: Path) -> None:
    link = root.parent / "scratch"
    link.symlink_to(root)
    assert parts_inside(f"{root}/a.txt", bases_of([link])) == (link, ("a.txt",))
    assert parts_inside(f"{link}/a.txt", bases_of([link])) == (link, ("a.txt",))


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ("/home/u/tool-results/toolu_1.txt", ("toolu_1.txt",)),
        ("toolu_1.txt", ("toolu_1.txt",)),
        (r"C:\Users\u\tool-results\toolu_1.txt", (r"C:\Users\u\tool-results\toolu_1.txt", "toolu_1.txt")),
        (r"\\server\share\x\toolu_1.txt", (r"\\server\share\x\toolu_1.txt", "toolu_1.txt")),
        ("C:/Users/u/toolu_1.txt", ("toolu_1.txt",)),
        ("/a/b/..", ()),
        ("/", ()),
        ("", ()),
        ("..\\..", ("..\\..",)),
        ("/a/x\ny.txt", ("x\ny.txt",)),
    ],
)
def test_last_part_in_both_readings(stated: str, names: tuple[str, ...]) -> None:
    assert last_names(stated) == names


def test_link_to_a_directory_is_no_real_one(root: Path) -> None:
    link = root.parent / "scratch"
    link.symlink_to(root)
    assert is_real_directory(root)
    assert not is_real_directory(link)
    assert not is_real_directory(root / "a.txt")
    assert not is_real_directory(root / "none")
