"""Whatever path a transcript names, only files below its own directories are ever opened."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.app.details import SessionDetails
from inspector.app.feed import Tab
from inspector.app.overflow_rows import SessionOverflow
from inspector.app.session import SessionFeed
from inspector.errors import InspectorError
from inspector.session import open_session
from tests.cli.terminal import run
from tests.hostile import overflow_text, snapshot
from tests.transcript import SESSION, begun, call, result

SECRET = "the-secret-that-must-not-be-read"
_opened: list[str] | None = None


def _note_opened(event: str, arguments: tuple[Any, ...]) -> None:
    if _opened is not None and event == "open" and isinstance(arguments[0], str | bytes):
        _opened.append(os.fsdecode(arguments[0]))


sys.addaudithook(_note_opened)


class Trap:
    """A session whose every named path leads out of it."""

    def __init__(self, tmp: Path) -> None:
        self.outside = tmp / "outside"
        self.outside.mkdir()
        self.secret = self.outside / "secret.txt"
        self.secret.write_text(SECRET * 2_000)
        self.project = tmp / "project"
        self.folder = self.project / SESSION / "tool-results"
        self.folder.mkdir(parents=True)
        (self.folder / "link.txt").symlink_to(self.secret)
        (self.folder / "up").symlink_to(self.outside)
        (self.folder / "proc.txt").symlink_to("/proc/self/environ")
        (self.folder / "zero.txt").symlink_to("/dev/zero")
        (self.folder / "circle.txt").symlink_to("circle.txt")
        os.link(self.secret, self.folder / "hard.txt")
        os.mkfifo(self.folder / "pipe.txt")
        (self.folder / "two\nlines.txt").write_text("harmless")
        subagents = self.project / SESSION / "subagents"
        subagents.mkdir()
        (subagents / "agent-link.jsonl").symlink_to(self.secret)
        os.link(self.secret, subagents / "agent-hard.jsonl")
        os.mkfifo(subagents / "agent-pipe.jsonl")
        (subagents / "deeper").symlink_to(self.outside)
        self.names = [
            "../../../outside/secret.txt", "../../outside/secret", str(self.secret),
            str(self.secret)[:-4],
            f"{self.folder}/../../../outside/secret.txt", f"{self.folder}/up/secret.txt", "up/secret", "up",
            "link", "link.txt", "hard", "hard.txt", "pipe", "pipe.txt", "proc", "zero", "circle",
            "two\nlines",
            "/proc/self/environ", "/proc/self/fd/0", "/dev/zero", "/dev/stdin", "/etc/passwd",
            "~/.ssh/id_rsa",
            "$HOME/secret", "file:///etc/passwd", "C:\\..\\..\\outside\\secret.txt",
            "\\\\host\\share\\secret",
            "\\\\?\\C:\\secret", "..\\..\\..\\outside\\secret.txt", "secret\0.txt", "", ".", "..", "/", "//",
            "%2e%2e/outside/secret.txt", "a/" * 400, "x" * 5_000, "link.txt/", "./link.txt",
            "CON", "nul.txt:x",
        ]  # fmt: skip
        self.path = self._write()

    def _write(self) -> Path:
        script = begun()
        for n, name in enumerate(self.names):
            for id, text in (
                (name, overflow_text("x", str(self.folder), name)),
                (f"toolu_{n}", overflow_text("x", name.rpartition("/")[0], name.rpartition("/")[2])),
                (f"<<ccr:{n:016x}>>{name}", f"a\n[full output saved to {name}]"),
            ):
                script.answer(call(id, "Read", name))
                script.results(result(id, text))
            kept = [
                {
                    "kind": "tool-result",
                    "toolUseId": f"toolu_{n}",
                    "replacement": overflow_text("x", name, name),
                }
            ]
            script.record("content-replacement", replacements=kept)
        for number, name in enumerate(("../../outside", "..", str(self.outside), "/etc")):
            script.raw(
                json.dumps(
                    {
                        "type": "user", "uuid": f"u{number}", "sessionId": name, "cwd": name,
                        "message": {"role": "user", "content": "x"},
                    }
                ).encode()
            )  # fmt: skip
        return script.write(self.project)

    def escapes(self) -> list[str]:
        """Files opened that lie outside."""
        bad = []
        for name in _opened or ():
            real = os.path.realpath(name)
            if real.startswith((str(self.outside), "/proc/", "/dev/zero", "/dev/stdin", "/etc/passwd")):
                bad.append(name)
        return bad


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Trap]:
    global _opened
    out = Trap(tmp_path)
    _opened = []
    yield out
    _opened = None


def test_no_command_follows_a_path_out_of_the_session(trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    global _opened
    before = snapshot(trap.project), snapshot(trap.outside)
    _opened = []
    path = str(trap.path)
    calls = [["report", path, "--format", form] for form in ("text", "json", "html", "markdown")]
    calls += [["why", path], ["check", path, "--json"], ["wire", path, "--all"], ["overflow", path, "--json"]]
    calls += [["scan", str(trap.project), "--no-cache", "--jobs", "1"], ["list", "--root", str(trap.project)]]
    calls += [
        ["overflow", path, name.replace("\0", "")] for name in trap.names if not name.startswith("-") and name
    ]
    calls += [["overflow", path, f"toolu_{n}"] for n in range(0, len(trap.names), 3)]
    for arguments in calls:
        code, out, err = run(arguments, monkeypatch, terminal=False)
        assert code in (0, 1, 2), err
        assert SECRET.encode() not in out + err, arguments
    assert trap.escapes() == []
    assert (snapshot(trap.project), snapshot(trap.outside)) == before


def test_no_screen_reads_a_path_out_of_the_session(trap: Trap) -> None:
    session = open_session(trap.path)
    feed = SessionFeed(session, follow=False)
    details, files = SessionDetails(feed), SessionOverflow(feed)
    tried = read = 0
    for row in files.rows():
        tried += 1
        try:
            read += 1
            assert SECRET not in files.open(row).text, row
        except InspectorError:
            read -= 1
    count = len(session.timeline.requests)
    for index in range(len(session.timeline.tracked)):
        for tab in Tab:
            tried += 1
            with contextlib.suppress(InspectorError):
                assert SECRET not in details.text(tab, index, count).text
    assert read, "the harmless file can be read"
    assert tried > 300
    assert trap.escapes() == []
    session.close()


def test_a_session_behind_a_pipe_or_device_is_refused(trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    circle, pipe, folder = trap.project / "circle", trap.folder / "pipe.txt", trap.project
    circle.symlink_to(circle)
    for path in (
        "/dev/zero",
        "/dev/tty",
        str(pipe),
        str(circle),
        "/proc/self/mem",
        str(folder),
        "/nowhere/x",
        "x" * 999,
    ):
        for command in ("report", "check", "overflow"):
            code, out, err = run([command, path], monkeypatch, terminal=False)
            assert code in (0, 2), path
            assert code == 2 or path == str(folder)
            assert b"Traceback" not in err + out
            assert b"fault" not in err


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_the_files_of_another_user_are_read_and_what_may_not_be_read_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        home.chmod(0o755)
        script = begun()
        script.answer(call("toolu_1"))
        script.results(result("toolu_1", overflow_text("x", str(home / SESSION / "tool-results"), "toolu_1")))
        path = script.write(home)
        closed = home / SESSION / "tool-results"
        closed.mkdir(parents=True)
        (closed / "toolu_1.txt").write_text("x")
        agents = home / SESSION / "subagents"
        agents.mkdir()
        (agents / "agent-a.jsonl").write_bytes(script.lines[0] + b"\n")
        (agents / "agent-a.jsonl").chmod(0o600)
        closed.chmod(0o700)
        before = snapshot(home)
        monkeypatch.setenv("HOME", str(home))
        os.seteuid(65_534)
        try:
            for command in ("report", "why", "check", "overflow"):
                code, out, err = run([command, str(path)], monkeypatch, terminal=False)
                assert code in (0, 1), err
                assert b"Traceback" not in out + err
            with open_session(path) as session:
                facts = "\n".join(finding.fact for finding in session.findings())
                assert len(session.timeline.tracked) == 1
                assert "agent-a.jsonl" in facts and "Permission denied" in facts
            os.seteuid(0)
            path.chmod(0o600)
            os.seteuid(65_534)
            code, _, err = run(["report", str(path)], monkeypatch, terminal=False)
            assert code == 2
            assert b"Permission denied" in err
        finally:
            os.seteuid(0)
        path.chmod(stat.S_IMODE(before[str(path)][0]))
        after = snapshot(home)
        # A change of rights, which was ours, has moved the time of the change of state.
        assert {name: state[:5] + state[6:] for name, state in after.items()} == {
            name: state[:5] + state[6:] for name, state in before.items()
        }
