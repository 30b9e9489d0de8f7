"""A change wakes, and so does the tick where no event comes."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.watch import wakeups
from tests.inotify import without_inotify

ROOT = Path(__file__).parent.parent
PATIENCE_S = 10.0


def first_event(paths: list[Path], act: Callable[[], None], *, tick_s: float = 0.2) -> bool:
    """Whether a change that happens after the first tick is told as an event."""
    stop = threading.Event()
    acted = False
    until = time.monotonic() + PATIENCE_S
    for told in wakeups(paths, stop, tick_s=tick_s):
        if told or time.monotonic() > until:
            stop.set()
            return told
        if not acted:
            act()
            acted = True
    return False


def test_append_wakes(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"one\n")
    assert first_event([path], lambda: path.write_bytes(b"one\ntwo\n") and None)


def test_file_that_is_put_in_place_of_another_wakes(tmp_path: Path) -> None:
    path, other = tmp_path / "s.jsonl", tmp_path / "new"
    path.write_bytes(b"one\n")
    other.write_bytes(b"two\n")
    assert first_event([path], lambda: other.replace(path) and None)


def test_tick_goes_on_where_no_watch_can_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no more watches")

    monkeypatch.setattr("watchfiles.watch", refuse)
    stop = threading.Event()
    told = []
    for word in wakeups([tmp_path / "s.jsonl"], stop, tick_s=0.01):
        told.append(word)
        if len(told) == 3:
            stop.set()
    assert told == [False, False, False]


USED_UP = """
import pathlib, sys, threading
from inspector.watch import wakeups
path, stop, said = pathlib.Path(sys.argv[1]), threading.Event(), []
for n, told in enumerate(wakeups([path], stop, tick_s=0.02, unwatched=said.append)):
    if n == 3:
        stop.set()
print(*said)
"""


@pytest.mark.parametrize(
    ("limit", "words"),
    [("max_inotify_watches", "all watches that"), ("max_inotify_instances", "all watchers that")],
)
def test_a_limit_of_the_system_that_is_used_up_is_told_and_the_tick_goes_on(
    limit: str, words: str, tmp_path: Path
) -> None:
    done = without_inotify(limit, [sys.executable, "-c", USED_UP, str(tmp_path / "s.jsonl")])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(words) == 1


def test_every_watcher_that_a_process_may_have_open_can_be_taken(tmp_path: Path) -> None:
    taken = "import os, resource; resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))\nimport watchfiles\n"
    taken += "files = []\ntry:\n    while True: files.append(os.open('/dev/null', os.O_RDONLY))\n"
    taken += "except OSError: os.close(files.pop())\n"
    done = subprocess.run(
        [sys.executable, "-c", taken + USED_UP, str(tmp_path / "s.jsonl")],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("all watchers that") == 1


def test_directory_that_may_not_be_watched_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("Permission denied")

    monkeypatch.setattr("watchfiles.watch", refuse)
    stop, said = threading.Event(), []
    for _ in wakeups([tmp_path / "s.jsonl"], stop, tick_s=0.01, unwatched=said.append):
        stop.set()
    assert said == ["the system refuses to watch its directory"]


def test_directory_that_is_not_there_yet_is_no_failure(tmp_path: Path) -> None:
    stop = threading.Event()
    for told in wakeups([tmp_path / "a" / "b" / "s.jsonl"], stop, tick_s=0.05):
        assert told is False
        stop.set()


def test_told_to_stop_ends_at_once(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    assert list(wakeups([tmp_path / "s.jsonl"], stop, tick_s=0.01)) == []
