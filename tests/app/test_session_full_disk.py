"""The whole program where no file can grow: what cannot be kept is said, and nothing ends."""

from __future__ import annotations

from pathlib import Path

from tests.app.terminal import Terminal
from tests.transcript import begun

FULL = ("/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh")
"""Every write to a file fails, as on a full disk."""


def test_marks_policies_texts_and_pictures_that_cannot_be_written_are_said(tmp_path: Path) -> None:
    script = begun()
    for n in range(3):
        script.turn(f"toolu_{n}", argument=f"step-{n}-mark")
    (tmp_path / "project").mkdir()
    path = script.write(tmp_path / "project")
    home = tmp_path / "home"
    home.mkdir()
    environment = {"HOME": str(home), "XDG_STATE_HOME": ""}
    terminal = Terminal(["open", str(path)], environment, home, through=FULL)
    try:
        terminal.wait_for("step-2-mark")
        terminal.rest(0.3)
        terminal.press("b", "a note", "enter")
        terminal.wait_for("kept for this run only")
        terminal.press("'")
        terminal.wait_for("a note")
        terminal.press("escape", "down", "C", "enter")
        terminal.wait_for("File too large")
        terminal.press("w")
        terminal.wait_for("What-if")
        begin = len(terminal.written)
        terminal.press("S", "enter")
        terminal.rest(0.3)
        assert b"File too large" in terminal.written[begin:]
        terminal.press("escape", "escape")
        begin = len(terminal.written)
        terminal.press("ctrl+p", "export view as svg", "enter")
        terminal.rest(0.5)
        assert b"large" in terminal.written[begin:], "a message of several lines"
        terminal.press("ctrl+q")
        assert terminal.leave() == 0
    finally:
        terminal.close()
    assert [file for file in home.rglob("*") if file.is_file()] == []
