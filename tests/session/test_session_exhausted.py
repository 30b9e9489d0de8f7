"""Real limits of real processes: no room for files, no room on the disk, no descriptors."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.app.terminal import Terminal
from tests.hostile import snapshot
from tests.transcript import begun

ROOT = Path(__file__).parents[2]
MAIN = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    "from inspector.session import large\n"
    "large.KEPT_FROM_BYTES = 10_000\n"  # a reading is kept of small files, too
    "from inspector.cli import main\n"
    "sys.exit(max(main(words.split('|')) for words in sys.argv[1:]))\n"
)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    script = begun()
    for n in range(30):
        script.turn(f"toolu_{n}", chars=9_000)
    folder = tmp_path / "project"
    folder.mkdir()
    return script.write(folder)


def ran(
    calls: Sequence[str], environment: Mapping[str, str], before: str = "", through: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run commands in one process.

    Args:
        calls: Each with its words joined by `|`.
        environment: Beside the process's own.
        before: Code that takes something away first.
        through: What starts the interpreter.
    """
    done = subprocess.run(
        [*through, sys.executable, "-c", before + MAIN, *calls],
        env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert "fault in the inspector" not in done.stderr
    return done


def small_files(limit_bytes: int) -> str:
    return f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit_bytes}, {limit_bytes}))\n"


def run_of(session: Path, scratch: Path) -> str:
    """A run that has to save results."""
    limits = "--set|budget.mode=on|--set|budget.turn_limit=2000"
    return f"run|{session}|--scratch|{scratch}|--policy|documented|{limits}"


@cache
def can_mount() -> bool:
    try:
        done = subprocess.run([*on_a_small_disk("/tmp"), "true"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def on_a_small_disk(folder: Path | str, size: str = "32k") -> tuple[str, ...]:
    """What starts a program for which a directory is a disk of its own."""
    start = f'mount -t tmpfs -o size={size} tmpfs "$0" && exec "$@"'
    return ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", start, str(folder))


def test_a_limit_of_file_sizes_costs_the_kept_reading_and_the_memory_of_the_scan_only(
    session: Path, tmp_path: Path
) -> None:
    calls = [f"report|{session}|--format|json", f"why|{session}"]
    plain = ran(calls, {"INSPECTOR_CACHE": "off"})
    cache_ = tmp_path / "cache"
    before = snapshot(session.parent)
    places = {"XDG_CACHE_HOME": str(cache_), "HOME": str(tmp_path)}
    for _ in range(2):
        limited = ran(calls, places, small_files(600))
        assert (limited.returncode, limited.stdout) == (plain.returncode, plain.stdout)
    assert [path for path in cache_.rglob("*") if path.is_file()] == []
    scanned = ran([f"scan|{session.parent}|--jobs|1"], places, small_files(600))
    assert scanned.returncode == 0
    assert "1 session" in scanned.stdout
    assert "scan results are not remembered" in scanned.stderr
    assert snapshot(session.parent) == before
    again = ran(calls, places)
    assert again.stdout == plain.stdout
    assert list(cache_.rglob("*.frames")), "it is kept where there is room"


def test_a_limit_of_file_sizes_leaves_no_half_output(session: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    scratch = tmp_path / "scratch"
    scan = f"scan|{session.parent}|--no-cache|--jobs|1|--format|json|--out|{out / 's'}"
    for call in (f"{run_of(session, scratch)}|--out|{out / 'o'}", scan):
        done = ran([call], {}, small_files(200))
        assert done.returncode == 2, done.stderr
        assert "File too large" in done.stderr
    done = ran([run_of(session, scratch)], {}, small_files(2_000))
    assert done.returncode == 1
    assert "stays in full" in done.stderr
    assert [*out.iterdir()] == []
    assert [path for path in scratch.rglob("*") if path.is_file()] == []


def test_a_full_disk_costs_what_was_to_be_written_only(session: Path, tmp_path: Path) -> None:
    if not can_mount():
        pytest.skip("no file system can be mounted here, even in a namespace of its own")
    disk = tmp_path / "disk"
    disk.mkdir()
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(session.read_bytes()))
    places = {"XDG_CACHE_HOME": str(disk), "XDG_STATE_HOME": str(disk), "TMPDIR": str(disk)}
    fill = f"open({str(disk / 'fill')!r}, 'wb', buffering=0).write(bytes(31_000))\n"
    plain = ran([f"report|{session}|--format|json"], {"INSPECTOR_CACHE": "off"})
    done = ran([f"report|{session}|--format|json"], places, fill, on_a_small_disk(disk))
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    done = ran([f"{run_of(session, disk / 's')}|--out|{disk / 'o'}"], places, fill, on_a_small_disk(disk))
    assert done.returncode == 2, done.stderr
    assert "No space left" in done.stderr
    done = ran([f"report|{packed}"], places, fill, on_a_small_disk(disk))
    assert done.returncode == 0 or "No space left" in done.stderr
    done = ran([f"scan|{session.parent}|--jobs|1"], places, fill, on_a_small_disk(disk))
    assert done.returncode == 0
    assert "1 session" in done.stdout


def test_whatever_number_of_files_may_be_open_there_is_an_answer(session: Path) -> None:
    calls = [
        f"report|{session}",
        f"why|{session}",
        f"wire|{session}|--all",
        f"scan|{session.parent}|--jobs|2",
    ]
    codes = []
    for limit in (4, 6, 8, 12, 24):
        few = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {limit}))\n"
        codes.append(ran(calls, {"INSPECTOR_CACHE": "off"}, few).returncode)
    assert set(codes) <= {0, 2}
    assert codes[-1] == 0


@pytest.mark.parametrize("limit", [8, 12])
def test_the_app_goes_on_with_hardly_a_file_to_open(limit: int, session: Path, tmp_path: Path) -> None:
    script = begun()
    path = script.write(tmp_path)
    few = ("sh", "-c", f'ulimit -n {limit} && exec "$@"', "sh")
    terminal = Terminal(["open", str(path)], {"HOME": str(tmp_path)}, through=few)
    try:
        terminal.wait_for("1 of 1", 20)
        at = len(script.lines)
        for n in range(4):
            script.turn(f"toolu_{n}", argument=f"step-{n:04d}-mark")
        with path.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in script.lines[at:]))
        terminal.wait_for("step-0003-mark", 20)
        terminal.press("i", "escape", "o", "escape", "v", "escape", "y", "escape", "c", "C", "enter")
        terminal.press("ctrl+q")
        assert terminal.leave() == 0
    finally:
        terminal.close()


def read_only(folder: Path) -> tuple[str, ...]:
    """What starts a program for which a directory is a file system that nobody writes to, root neither."""
    start = 'mount -t tmpfs -o ro tmpfs "$0" && exec "$@"'
    return ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", start, str(folder))


def test_a_home_that_cannot_be_written_costs_what_is_remembered_only(session: Path, tmp_path: Path) -> None:
    if not can_mount():
        pytest.skip("no file system can be mounted here, even in a namespace of its own")
    home = tmp_path / "home"
    home.mkdir()
    places = {"HOME": str(home), "XDG_CACHE_HOME": "", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""}
    plain = ran([f"report|{session}|--format|json"], {"INSPECTOR_CACHE": "off"})
    for _ in range(2):
        done = ran([f"report|{session}|--format|json"], places, through=read_only(home))
        assert (done.returncode, done.stdout) == (0, plain.stdout)
    done = ran([f"scan|{session.parent}|--jobs|1", "list"], places, through=read_only(home))
    assert done.returncode == 0
    assert "scan results are not remembered" in done.stderr
    terminal = Terminal(["open", str(session)], places, through=read_only(home))
    try:
        terminal.wait_for("31 of 31", 20)
        terminal.press("b", "a note", "enter", "'", "escape")
        terminal.wait_for("cannot be", 20)
        terminal.press("ctrl+q")
        assert terminal.leave() == 0
    finally:
        terminal.close()
