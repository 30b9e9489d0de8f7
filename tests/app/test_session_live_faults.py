"""The whole program while its session's file goes through everything: it goes on, and says what happened."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.app.terminal import Terminal
from tests.inotify import LIMITS, used_up
from tests.transcript import Transcript, begun


def data(first: int, last: int, script: Transcript | None = None) -> bytes:
    script = script or begun()
    at = len(script.lines) if first else 0
    for n in range(first, last):
        script.turn(f"toolu_{n}", argument=f"step-{n:04d}-mark")
    return b"".join(line + b"\n" for line in script.lines[at:])


def test_an_open_session_outlives_every_fault_of_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    path = folder / "session.jsonl"
    script = begun()
    path.write_bytes(b"".join(line + b"\n" for line in script.lines) + data(1, 3, script))
    home = tmp_path / "home"
    home.mkdir()
    terminal = Terminal(["open", str(path)], {"HOME": str(home)})
    try:
        terminal.wait_for("step-0002-mark")
        more = data(3, 5, script)
        with path.open("ab") as file:
            file.write(more[:-40])
        terminal.rest(0.3)
        with path.open("ab") as file:
            file.write(more[-40:])
        terminal.wait_for("step-0004-mark")
        fresh = folder / "fresh"
        fresh.write_bytes(data(0, 1) + data(100, 102))
        fresh.replace(path)
        terminal.wait_for("replaced")
        terminal.wait_for("step-0101-mark")
        path.unlink()
        terminal.wait_for("deleted")
        path.mkdir()
        terminal.wait_for("unreadable")
        path.rmdir()
        path.write_bytes(data(0, 1) + data(200, 202))
        terminal.wait_for("step-0201-mark")
        os.truncate(path, 0)
        terminal.wait_for("truncated")
        last = begun()
        path.write_bytes(b"".join(line + b"\n" for line in last.lines) + data(300, 302, last))
        terminal.wait_for("step-0301-mark")
        away = folder.with_name("away")
        folder.rename(away)
        time.sleep(1.2)
        away.rename(folder)
        with path.open("ab") as file:
            file.write(data(400, 402, last))
        terminal.wait_for("step-0401-mark")
        terminal.press("ctrl+q")
        assert terminal.leave() == 0
    finally:
        terminal.close()


@pytest.mark.parametrize("limit", LIMITS)
def test_an_app_without_file_events_says_so_and_follows_all_the_same(limit: str, tmp_path: Path) -> None:
    script = begun()
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in script.lines) + data(1, 3, script))
    home = tmp_path / "home"
    home.mkdir()
    terminal = Terminal(["open", str(path)], {"HOME": str(home)}, through=used_up(limit))
    try:
        terminal.wait_for("step-0002-mark")
        terminal.wait_for("No file events")
        for first in (3, 10, 20):
            with path.open("ab") as file:
                file.write(data(first, first + 3, script))
            terminal.wait_for(f"step-{first + 2:04d}-mark")
        fresh = tmp_path / "fresh"
        fresh.write_bytes(data(0, 1) + data(100, 102))
        fresh.replace(path)
        terminal.wait_for("replaced")
        terminal.wait_for("step-0101-mark")
        terminal.press("ctrl+q")
        assert terminal.leave() == 0
    finally:
        terminal.close()
