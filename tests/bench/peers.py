"""Other programs that read the same files, each installed in an environment of its own."""

from __future__ import annotations

import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.table import Row, interleaved

PEERS: dict[str, tuple[str, ...]] = {
    "claude-context-cost": ("bin/claude-context-cost", "--json", "{path}"),
    "ccviewer": (
        "bin/python", "-c",
        "import sys; from ccviewer.parser import parse_jsonl; parse_jsonl(sys.argv[1])", "{path}",
    ),
    "claude-measure-usage": (
        "bin/python", "-c",
        "import sys; from claude_measure_usage.parse import parse_transcript; parse_transcript(sys.argv[1])",
        "{path}",
    ),
}  # fmt: skip
"""Package → how it is run on one file, relative to its environment."""


def peer_rows(paths: Sequence[Path], place: Path, repeats: int) -> Iterator[Row]:
    """What peers take for a file, against the index of the same file.

    Args:
        paths: The files.
        place: Directory for the environments; those that are there are used again.
        repeats: Runs of each; the shortest counts.
    """
    for package, command in PEERS.items():
        home = place / package
        if not (home / "bin").exists():
            venv.create(home, with_pip=True)
            pip = [str(home / "bin/python"), "-m", "pip", "install", "--quiet", package]
            subprocess.run(pip, check=True, stdout=sys.stderr)
        for path in paths:
            (index,) = interleaved((("index", path),), repeats)
            theirs = min(_run(home, command, path) for _ in range(repeats))
            yield Row(
                f"index + replay + findings, {path.name}", package,
                index["seconds"] / theirs, None, index["seconds"], theirs,
            )  # fmt: skip


def _run(home: Path, command: Sequence[str], path: Path) -> float:
    words = [str(home / command[0]), *(word.format(path=path) for word in command[1:])]
    began = time.perf_counter()
    subprocess.run(words, check=True, capture_output=True, timeout=600)
    return time.perf_counter() - began
