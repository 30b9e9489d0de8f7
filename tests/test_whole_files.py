"""Files that appear whole or not at all, whatever they are named and whoever dies meanwhile."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from inspector.whole_files import opened_directory, sweep, temporary_file, write_output


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.json"
    write_output(target, b"old")

    def fail(_: int) -> None:
        raise OSError("no space")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="no space"):
            write_output(target, b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.json", b"old")]
    write_output(target, b"new")
    assert target.read_bytes() == b"new"


def test_a_name_as_long_as_the_file_system_takes_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / ("é" * 127)
    write_output(target, b"data")
    assert target.read_bytes() == b"data"


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    for content in (b"one", b"two"):  # the first time the link leads nowhere yet
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        write_output(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content


def test_the_mode_of_an_old_file_stays_and_a_new_one_is_private(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_output(target, b"one")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    target.chmod(0o644)
    write_output(target, b"two")
    assert stat.S_IMODE(target.stat().st_mode) == 0o644


def test_a_pipe_is_written_to_and_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_output(pipe, b"data")
    reader.join(timeout=10)
    assert read == [b"data"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_is_written_to_and_never_replaced() -> None:
    write_output(Path(os.devnull), b"data")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


DYING = """
import os, signal, sys
from pathlib import Path
from inspector.whole_files import opened_directory, temporary_file
with opened_directory(Path(sys.argv[1])) as directory, temporary_file(directory, ".t-", b"x" * 1000):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_writer_left_is_swept_and_what_a_live_one_holds_is_not(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", DYING, str(tmp_path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    (tmp_path / ".t-foreign").write_text("precious")
    (left,) = (name for name in names(tmp_path) if name.endswith(".tmp"))
    with opened_directory(tmp_path) as directory, temporary_file(directory, ".t-", b"mine") as mine:
        sweep(directory, ".t-")
        assert names(tmp_path) == sorted([".t-foreign", mine])
    assert left != mine
    assert names(tmp_path) == [".t-foreign"]


def test_a_temporary_file_that_is_swept_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open
    swept: list[str] = []

    def open_and_sweep(path: str, flags: int, *rest: int, **options: int) -> int:
        descriptor = opened(path, flags, *rest, **options)
        if flags & os.O_EXCL and not swept:
            swept.append(path)
            os.unlink(path, dir_fd=options["dir_fd"])
        return descriptor

    with opened_directory(tmp_path) as directory:
        monkeypatch.setattr(os, "open", open_and_sweep)
        with temporary_file(directory, ".t-", b"data") as name:
            assert (tmp_path / name).read_bytes() == b"data"
            assert [name] != swept


def test_a_directory_that_cannot_be_listed_is_not_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> list[str]:
        raise OSError(errno.EIO, "I/O error")

    with opened_directory(tmp_path) as directory, temporary_file(directory, ".t-", b"") as name:
        with monkeypatch.context() as patch:
            patch.setattr(os, "listdir", fail)
            sweep(directory, ".t-")
        assert names(tmp_path) == [name]
