"""The streams: a failed write is told in words, a reader that left is none of our business."""

import errno
import fcntl
import io
import json
import os
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from inspector.alphabet import Charset
from inspector.cli import main
from inspector.cli.output import Output, terminal_columns
from inspector.errors import UnwritableError
from inspector.report.json_text import json_text
from inspector.samples import stories

OWN_LOOP = Path(__file__).parent.parent.parent / "sample_sessions" / "own-loop" / "messages.json"


class Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    flush = None  # type: ignore[assignment] # never reached


@pytest.mark.parametrize("method", ["text", "data"])
def test_a_write_that_fails_is_told_in_words(method: str) -> None:
    with pytest.raises(UnwritableError, match="stdout: No space left on device"):
        getattr(Output(Full(), io.StringIO()), method)("x")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("command", [["report"], ["wire", "--all", "--full"], ["run", "--out", "-"]])
def test_a_full_stdout_ends_a_command_without_a_traceback(tmp_path: Path, command: list[str]) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    rest = ["--scratch", str(scratch)]
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [sys.executable, "-m", "inspector", *command, str(OWN_LOOP), *rest],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_numbers_that_json_cannot_say_become_null(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    session = tmp_path / "messages.json"
    session.write_text(
        '[{"role":"user","content":"go"},{"role":"assistant","content":'
        '[{"type":"tool_use","id":"a","name":"x","input":{"v":[NaN,-Infinity,1]}}]}]'
    )

    def fail(constant: str) -> None:
        raise AssertionError(constant)

    assert main(["run", str(session), "--scratch", str(tmp_path / "s"), "--out", "-"]) == 0
    messages = json.loads(capsysbinary.readouterr().out, parse_constant=fail)
    assert messages[1]["content"][0]["input"] == {"v": [None, None, 1]}
    assert json.loads(json_text({"v": [float("nan"), 1.5]}), parse_constant=fail) == {"v": [None, 1.5]}


TEXTS = [
    ["report", "{path}"],
    ["report", "{path}", "--filter", "size>0"],
    ["why", "{path}"],
    ["check", "{path}", "--fail-on", "info"],
    ["overflow", "{path}"],
    ["compare", "{path}", "--policy", "claude-code", "--policy", "documented"],
    ["list", "--root", "{folder}"],
    ["scan", "{folder}", "--no-cache", "--jobs", "1"],
    ["help", "tokens"],
    ["open", "--help"],
]
"""Every command that writes for people."""


@pytest.mark.parametrize("words", TEXTS, ids=" ".join)
def test_with_ascii_no_sign_of_ours_is_anything_else(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (story,) = (s for s in stories() if s.name == "parallel-blowup")
    places = {"path": str(story.path), "folder": str(story.folder)}
    assert main([*(word.format(**places) for word in words), "--ascii"]) in {0, 1}
    said = capsys.readouterr()
    told = set(story.path.read_text(encoding="utf-8"))
    assert not {sign for sign in said.out + said.err if not sign.isascii()} - told
    assert said.out


def test_a_sessions_own_text_keeps_its_signs() -> None:
    out = io.StringIO()
    output = Output(out, io.StringIO())
    output.charset = Charset(ascii=True)
    output.text("▲ → ours")
    output.text("▲ → theirs", own=False)
    assert out.getvalue() == "A > ours\n▲ → theirs\n"


def test_messages_are_in_ascii_too() -> None:
    err = io.StringIO()
    output = Output(io.StringIO(), err)
    output.charset = Charset(ascii=True)
    output.say("“x” …")
    assert err.getvalue() == '"x" ~\n'


def test_the_width_is_that_of_the_environment_or_of_the_terminal_or_of_neither(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "__stdout__", None)
    for columns in ("", "0", "-3", "wide"):
        monkeypatch.setenv("COLUMNS", columns)
        assert terminal_columns() == 80
    monkeypatch.setenv("COLUMNS", "132")
    assert terminal_columns() == 132
    monkeypatch.delenv("COLUMNS")
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal:
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 101, 0, 0))
        monkeypatch.setattr(sys, "__stdout__", terminal)
        assert terminal_columns() == 101
    os.close(ours)
