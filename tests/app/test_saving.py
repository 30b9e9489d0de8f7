"""Files are new, named harmlessly, and not beside the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.saving import default_directory, file_name, free_path, save_new
from inspector.errors import UsageError


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("Bash", "ab12", "wire"), "Bash-ab12-wire.txt"),
        (("../../etc/passwd", "\x1b[31m"), "etc_passwd-31m.txt"),
        (("", "..."), "text.txt"),
        (("語" * 300,), "text.txt"),
        (("a" * 300,), "a" * 60 + ".txt"),
    ],
)
def test_names_hold_nothing_that_a_shell_or_a_directory_minds(words: tuple[str, ...], name: str) -> None:
    assert file_name(*words, ending=".txt") == name


def test_a_free_path_is_free(tmp_path: Path) -> None:
    assert free_path(tmp_path, "a.txt") == tmp_path / "a.txt"
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "a-2.txt").symlink_to("nowhere")
    assert free_path(tmp_path, "a.txt") == tmp_path / "a-3.txt"


def test_the_sessions_own_directory_is_no_default(tmp_path: Path) -> None:
    home = Path("/home/a")
    assert default_directory(str(tmp_path / "s.jsonl"), tmp_path, home) == home
    assert default_directory(str(tmp_path / "x" / "s.jsonl"), tmp_path, home) == tmp_path
    assert default_directory("", tmp_path, home) == tmp_path


def test_nothing_is_overwritten_not_even_through_a_link(tmp_path: Path) -> None:
    save_new(tmp_path / "a", b"one")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    for name in ("a", "link"):
        with pytest.raises(UsageError, match="nothing was overwritten"):
            save_new(tmp_path / name, b"two")
    assert (tmp_path / "a").read_bytes() == b"one"
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize("path", ["missing/a", "a\0b"])
def test_what_cannot_be_written_says_why(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        save_new(tmp_path / path, b"")
