"""Files of terabytes of nothing, and pipes where a file should be: a sentence, in bounded time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.terminal import run
from tests.hostile import overflow_text
from tests.transcript import SESSION, Transcript, begun, call, result

ROOT = Path(__file__).parents[2]
TERABYTES = 4 << 40
CPU_S = 25
"""Reading one terabyte of a hole takes minutes."""
MEMORY_BYTES = 3 << 30
BOUNDED = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({CPU_S}, {CPU_S}))
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY_BYTES}, {MEMORY_BYTES}))
sys.path.insert(0, {str(ROOT)!r})
from inspector.cli import main
for words in sys.argv[1:]:
    print('code', main(words.split('|')), flush=True)
"""
COMMANDS = (
    ("report",), ("report", "--format", "json"), ("check",), ("why",), ("wire", "--all", "--recorded"),
    ("compare", "--policy", "documented"), ("overflow", "--json"), ("overflow", "toolu_1.txt"),
    ("overflow", "toolu_1.txt", "--lines", "1:2"),
)  # fmt: skip


def all_commands(path: Path) -> tuple[list[int], str]:
    """The exit codes of every command on a session, and what they said."""
    calls = ["|".join((name, str(path), *more)) for name, *more in COMMANDS]
    calls += [f"list|--root|{path.parent}", f"scan|{path.parent}|--no-cache|--jobs|1"]
    done = subprocess.run(
        [sys.executable, "-c", BOUNDED, *calls],
        env={**os.environ, "INSPECTOR_CACHE": "off"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    codes = [int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("code ")]
    assert done.returncode == 0, (codes, done.stderr[-2_000:])
    assert len(codes) == len(calls)
    assert max(codes) <= 2, done.stderr[-2_000:]
    return codes, done.stdout + done.stderr


def told() -> Transcript:
    script = begun()
    script.answer(call("toolu_1"))
    script.results(result("toolu_1", "small"))
    return script


def whole(folder: Path) -> Path:
    return folder / f"{SESSION}.jsonl"


def nothing_else(folder: Path) -> Path:
    whole(folder).touch()
    os.truncate(whole(folder), TERABYTES)
    return whole(folder)


def at_the_end(folder: Path) -> Path:
    os.truncate(told().write(folder), TERABYTES)
    return whole(folder)


def in_the_middle(folder: Path) -> Path:
    script = told()
    path = script.write(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0])
    os.truncate(path, TERABYTES)
    with path.open("ab") as file:
        file.write(b"\n" + b"".join(lines[1:]))
    return path


def of_a_rollout(folder: Path) -> Path:
    path = folder / "rollout-2026-01-05T09-00-00-x.jsonl"
    path.write_text('{"type":"session_meta","payload":{"id":"s-1","cli_version":"0.139.0"}}\n')
    os.truncate(path, TERABYTES)
    return path


def of_messages(folder: Path) -> Path:
    path = folder / "messages.jsonl"
    path.write_text('{"role":"user","content":"go"}\n{"role":"assistant","content":"done"}\n')
    os.truncate(path, TERABYTES)
    return path


def beside(folder: Path) -> Path:
    """The sub-agent, what is said about it, and the overflow file."""
    script = begun()
    scratch, agents = folder / SESSION / "tool-results", folder / SESSION / "subagents"
    script.answer(call("toolu_1"))
    script.results(result("toolu_1", overflow_text("x", str(scratch), "toolu_1")))
    for path in (scratch / "toolu_1.txt", agents / "agent-a.jsonl", agents / "agent-a.meta.json"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
        os.truncate(path, TERABYTES)
    return script.write(folder)


def document(folder: Path) -> Path:
    path = folder / "messages.json"
    path.write_bytes(b'[{"role":"user","content":"x"},')
    os.truncate(path, TERABYTES)
    return path


WORDS = {
    nothing_else: "a hole of 4,398,046,511,104 bytes in the file",
    at_the_end: "bytes in the file: nothing is stored there",
    in_the_middle: "bytes in the file: nothing is stored there",
    of_a_rollout: "bytes in the file: nothing is stored there",
    of_messages: "bytes in the file: nothing is stored there",
    beside: "print a part of it with --lines",
    document: "too large for one JSON document",
}
"""What is made → words that say so."""


@pytest.mark.parametrize("make", WORDS, ids=lambda make: make.__name__)
def test_a_file_of_terabytes_of_nothing_is_said_by_every_command(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = make(tmp_path)
    _, said = all_commands(path)
    assert WORDS[make] in said
    if make in (in_the_middle, at_the_end):
        assert "requests  2, results 1" in said, "what stands behind or before is read"


@pytest.mark.parametrize("kind", ["pipe", "endless", "huge", "directory", "deep"])
def test_a_file_that_is_named_on_the_command_line_is_never_waited_for(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, odd = told().write(tmp_path), tmp_path / "odd"
    if kind == "pipe":
        os.mkfifo(odd)
    elif kind == "endless":
        odd.symlink_to("/dev/zero")
    elif kind == "huge":
        odd.touch()
        os.truncate(odd, TERABYTES)
    elif kind == "directory":
        odd.mkdir()
    else:
        odd.write_text(json.dumps({"schema": "inspector-check/1"})[:-1] + ',"files":' + "[" * 100_000)
    for arguments in (
        ["check", str(session), "--baseline", str(odd)],
        ["report", str(session), "--policy", str(odd)],
        ["compare", str(session), "--policy", str(odd)],
        ["wire", str(session), "--scratch", str(odd)],
        ["report", str(odd)],
        ["scan", str(odd)],
        ["list", "--root", str(odd)],
    ):
        code, out, err = run(arguments, monkeypatch, terminal=False)
        assert code in (
            (0, 1, 2) if arguments[0] in ("scan", "list", "wire") or kind == "directory" else (2,)
        )
        assert b"Traceback" not in out + err
        assert b"fault in the inspector" not in err, (arguments, err)
