"""How long a command takes to start, against an interpreter that only imports what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.table import ROOT, Row, environment

# What the installed program does; `-m` would add the search for the module to be run.
_PROGRAM = "import sys; from inspector.cli import main; sys.exit(main())"
_OWN = ("inspector", "__main__", "__mp_main__", "atexit")


def start_rows(session: Path, repeats: int) -> Iterator[Row]:
    """`inspector --version` and `inspector report` of a small file.

    Each against imports of the same foreign modules, and for the report also against imports of all
    modules that it loads, its own ones too: what is left then is the work itself.

    Args:
        session: The small file.
        repeats: Runs of each; the shortest counts.
    """
    for label, words in (("--version", ["--version"]), ("report of a small file", ["report", str(session)])):
        ours = [_PROGRAM, *words]
        loaded = _loaded(ours)
        foreign = [name for name in loaded if name.partition(".")[0] not in _OWN]
        commands = [ours, [_imports(foreign)]]
        if label != "--version":
            commands.append([_imports([name for name in loaded if name not in _OWN[1:]])])
        walls, cores = _shortest(commands, repeats * 3)
        for at, against in enumerate(
            ("python -c import of the same libraries", "the same and our modules"), 1
        ):
            if at < len(commands):
                yield Row(
                    f"inspector {label}", against, walls[0] / walls[at], 1.2, walls[0], walls[at],
                    {"cpu_ratio": round(cores[0] / cores[at], 2), "modules": len(loaded) - len(foreign)},
                )  # fmt: skip


def command_rows(label: str, session: Path, repeats: int) -> Iterator[Row]:
    """Whole commands on a large session, from the start of the process to its last output.

    Args:
        label: What the session is called.
        session: The file.
        repeats: Runs of each; the shortest counts.
    """
    bare = ["from tests.bench.work import main; import sys; main(*sys.argv[1:])", "floor", str(session)]
    for words in (("report",), ("report", "--format", "json"), ("check",), ("why",)):
        command = [_PROGRAM, words[0], str(session), *words[1:]]
        walls, cores = _shortest([command, bare], repeats)
        yield Row(
            f"inspector {' '.join(words)}, {label}", "a process that parses its lines",
            walls[0] / walls[1], None, walls[0], walls[1], {"cpu_ratio": round(cores[0] / cores[1], 2)},
        )  # fmt: skip


def _imports(names: Sequence[str]) -> str:
    return f"import {', '.join(names)}" if names else "pass"


def _loaded(command: Sequence[str]) -> list[str]:
    """Modules that a program loads beyond those of an interpreter."""
    code = (
        "import sys; bare = {*sys.modules, 'atexit', 'io'}; import io, atexit\n"
        "out, sys.stdout = sys.stdout, io.StringIO()\n"
        "atexit.register(lambda: print(*(m for m in sys.modules if m not in bare), file=out))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + command[0], *command[1:]],
        cwd=ROOT, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    return [name for name in done.stdout.split() if all(part.isidentifier() for part in name.split("."))]


def _shortest(commands: Sequence[Sequence[str]], repeats: int) -> tuple[list[float], list[float]]:
    """Wall and processor seconds of each program, run in turns; the shortest run counts."""
    walls: list[list[float]] = [[] for _ in commands]
    cores: list[list[float]] = [[] for _ in commands]
    for _ in range(repeats):
        for at, command in enumerate(commands):
            began = time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, "-c", *command],
                cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            _, status, used = os.wait4(process.pid, 0)
            walls[at].append(time.perf_counter() - began)
            cores[at].append(used.ru_utime + used.ru_stime)
            process.returncode = os.waitstatus_to_exitcode(status)
    return [min(of) for of in walls], [min(of) for of in cores]
