"""How long a command takes to start, against an interpreter that only imports what it needs."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.table import ROOT, Row

_MODULES = "import sys, {parts}; print(*[m for m in sys.modules if not m.startswith('inspector')])"
_VERSION = ("-m", "inspector", "--version")


def start_rows(session: Path, repeats: int) -> Iterator[Row]:
    """`inspector --version` and `inspector report` of a small file.

    Args:
        session: The small file.
        repeats: Runs of each; the shortest counts.
    """
    report = ("-m", "inspector", "report", str(session))
    for label, command in (("--version", _VERSION), ("report of a small file", report)):
        bare = ("-c", f"import {', '.join(_foreign(command))}")
        ours, theirs = _shortest((command, bare), repeats * 2)
        yield Row(
            f"inspector {label}", "python -c import of the same libraries", ours / theirs, 1.2, ours, theirs
        )


def command_rows(label: str, session: Path, repeats: int) -> Iterator[Row]:
    """Whole commands on a large session, from the start of the process to its last output.

    Args:
        label: What the session is called.
        session: The file.
        repeats: Runs of each; the shortest counts.
    """
    bare = ("-m", "tests.bench.work", "floor", str(session))
    for words in (("report",), ("report", "--format", "json"), ("check",), ("why",)):
        command = ("-m", "inspector", words[0], str(session), *words[1:])
        ours, theirs = _shortest((command, bare), repeats)
        name = f"inspector {' '.join(words)}, {label}"
        yield Row(name, "a process that parses its lines", ours / theirs, None, ours, theirs)


def _foreign(command: Sequence[str]) -> list[str]:
    """Modules that a command loads and that are not the inspector's own."""
    code = (
        "import runpy, sys, io, atexit\n"
        "out, sys.stdout, sys.argv = sys.stdout, io.StringIO(), ['inspector', *sys.argv[1:]]\n"
        "atexit.register(lambda: print(*sys.modules, file=out))\n"
        "runpy.run_module('inspector', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command[2:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    mine = ("inspector", "runpy", "__main__", "__mp_main__", "atexit")
    return [m for m in done.stdout.split() if m.split(".")[0] not in mine and m.isidentifier()]


def _shortest(commands: Sequence[Sequence[str]], repeats: int) -> list[float]:
    """Wall seconds of each command, run in turns; the shortest run counts."""
    took: list[list[float]] = [[] for _ in commands]
    for _ in range(repeats):
        for at, command in enumerate(commands):
            began = time.perf_counter()
            subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, check=False)
            took[at].append(time.perf_counter() - began)
    return [min(of) for of in took]
