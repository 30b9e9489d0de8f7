"""The rows of the benchmark: what is compared with what, and which ratio it must reach."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import orjson

ROOT = Path(__file__).parent.parent.parent


@dataclass
class Row:
    """One line of the table."""

    work: str
    against: str
    ratio: float
    must: float | None
    """Largest ratio that is good; None where there is no mark."""
    seconds: float
    against_seconds: float
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        """Whether it reaches its mark."""
        return self.must is None or self.ratio <= self.must

    def as_data(self) -> dict[str, Any]:
        """The row for JSON."""
        return {**asdict(self), "good": self.good}


@cache
def environment() -> dict[str, str]:
    """The environment of everything that is measured: modules are compiled, as installed ones are.

    A variable may forbid to keep compiled modules; installed libraries have theirs all the same, and
    then every start of ours would compile all of it anew beside them.
    """
    compiled = tempfile.mkdtemp(prefix="bench-compiled-")
    atexit.register(shutil.rmtree, compiled, ignore_errors=True)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": compiled}


def run_work(name: str, path: Path) -> dict[str, float]:
    """One measurement in a process of its own (`tests.bench.work`)."""
    command = [sys.executable, "-m", "tests.bench.work", name, str(path)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        others = _others_peak_bytes(process)
        output, said = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{said.decode()}")
    figures: dict[str, float] = orjson.loads(output)
    figures["peak_bytes"] = figures.get("peak_bytes", 0) + others
    return figures


def _others_peak_bytes(process: subprocess.Popen[bytes]) -> int:
    """The peaks of memory of all processes that a process starts, added up; waits for its end."""
    peaks: dict[str, int] = {}
    while process.poll() is None:
        for child in _children(process.pid):
            peaks[child] = max(peaks.get(child, 0), _peak_kib(child) * 1024)
        time.sleep(0.02)
    return sum(peaks.values())


def _children(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []


def _peak_kib(pid: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def best(runs: Iterable[Mapping[str, float]], key: str = "seconds") -> dict[str, float]:
    """The run with the least time: what the work costs when nothing else disturbs it."""
    return dict(min(runs, key=lambda run: run[key]))


def interleaved(
    works: Sequence[tuple[str, Path]], repeats: int, key: str = "seconds"
) -> list[dict[str, float]]:
    """The best figures of each work, run in turns so that a busy moment hits all alike."""
    runs: list[list[dict[str, float]]] = [[] for _ in works]
    for _ in range(repeats):
        for at, (name, path) in enumerate(works):
            runs[at].append(run_work(name, path))
    return [best(of, key) for of in runs]


def index_row(label: str, path: Path, must: float, repeats: int) -> Row:
    """Index, replay and findings of a session against parsing its lines."""
    floor, index = interleaved((("floor", path), ("index", path)), repeats)
    return Row(
        f"index + replay + findings, {label}",
        "orjson.loads of every line",
        index["seconds"] / floor["seconds"],
        must,
        index["seconds"],
        floor["seconds"],
        {
            "cpu_ratio": round(index["cpu_seconds"] / floor["cpu_seconds"], 2),
            "megabytes": round(path.stat().st_size / 1e6, 1),
            "peak_mb": round(index["peak_bytes"] / 1e6),
            "start_mb": round(index["start_bytes"] / 1e6),
            **{key: int(index[key]) for key in ("records", "results", "requests", "findings")},
            "findings_s": round(index["findings_seconds"], 3),
        },
    )


def reopened_row(label: str, path: Path, repeats: int) -> Row:
    """The same as an index row for a session that was opened before: its reading was kept."""
    floor, again = interleaved((("floor", path), ("reopened", path)), repeats)
    return Row(
        f"second opening, {label} (cached)", "orjson.loads of every line",
        again["seconds"] / floor["seconds"], None, again["seconds"], floor["seconds"],
        {"kept_mb": round(again["kept_bytes"] / 1e6, 1), "cold_s": round(again["cold_seconds"], 3)},
    )  # fmt: skip


def memory_row(label: str, index: Row) -> Row:
    """The peak of memory of an index row against 100 MB."""
    peak = index.facts["peak_mb"]
    return Row(f"peak memory, {label} (MB)", "100 MB", peak / 100, 1.0, peak, 100)


def append_row(small: Path, large: Path, repeats: int, work: str = "append") -> Row:
    """One appended record at a large session against a small one.

    Args:
        small: The small session; it is appended to.
        large: The large one; likewise.
        repeats: Runs of each.
        work: `append` reads and replays, `append_findings` finds what is to be said then.
    """
    few, many = interleaved(((work, small), (work, large)), repeats)
    name = {"append": "one appended record", "append_findings": "findings after one appended record"}[work]
    return Row(
        f"{name} at {int(many['records']):,} records",
        f"at {int(few['records']):,}",
        many["seconds"] / few["seconds"], 1.2, many["seconds"], few["seconds"],
        {"p95_ms": round(many["p95_seconds"] * 1e3, 2)},
    )  # fmt: skip


def what_if_rows(path: Path, repeats: int) -> Iterator[Row]:
    """Replays of what is in memory against the first index: other limits, and other rules of pairing."""
    (done,) = interleaved((("what_if", path),), repeats)
    for label, key in (("other limits", "seconds"), ("another pairing", "other_pairing_seconds")):
        yield Row(
            f"what-if: replay with {label}", "the first index",
            done[key] / done["first_seconds"], 0.2, done[key], done["first_seconds"],
        )  # fmt: skip


def move_row(path: Path, repeats: int) -> Row:
    """A screenful of rows at the last requests against the first ones."""
    (done,) = interleaved((("move", path),), repeats)
    return Row(
        f"rows of one screen, late among {int(done['requests']):,} requests", "early ones",
        done["seconds"] / done["early_seconds"], 1.2, done["seconds"], done["early_seconds"],
    )  # fmt: skip


def text_row(path: Path) -> Row:
    """Bytes that are read for one result's text against those of its line."""
    (done,) = interleaved((("one_text", path),), 1)
    return Row(
        "bytes read for one result's text", "the bytes of its line",
        done["read_bytes"], 1.0, done["seconds"], done["seconds"], {"reads": round(done["reads"], 2)},
    )  # fmt: skip


def idle_row(label: str, path: Path, polls_per_s: float = 1.0) -> Row:
    """Time of a core that polls with nothing changed take, at the watch's own tick."""
    (done,) = interleaved((("idle", path),), 2)
    return Row(
        f"idle, {label}: share of a core", "1 %",
        done["seconds"] * polls_per_s / 0.01, 1.0, done["seconds"] * polls_per_s, 0.01,
    )  # fmt: skip


def pauses_row(label: str, path: Path, repeats: int) -> Row:
    """The longest pause of the event loop from the first screen until all is read."""
    quiet, ours = interleaved((("bare_pauses", path), ("app_pauses", path)), repeats)
    return Row(
        f"longest pause while {label} are read (ms)", "50 ms",
        ours["seconds"] / 0.05, 1.0, ours["seconds"] * 1e3, 50,
        {
            "of_a_bare_app_ms": round(quiet["seconds"] * 1e3),
            "p99_ms": round(ours["p99_seconds"] * 1e3),
            "over_50_ms": int(ours["over"]),
            "read_in_s": round(ours["read_seconds"], 1),
        },
    )  # fmt: skip


def app_idle_row(label: str, path: Path) -> Row:
    """Time of a core that the whole app takes while nothing changes."""
    (done,) = interleaved((("app_idle", path),), 1)
    return Row(
        f"the app idle, {label}: share of a core", "1 %",
        done["seconds"] / 0.01, 1.0, done["seconds"], 0.01,
    )  # fmt: skip


def painted_rows(path: Path, repeats: int) -> Iterator[Row]:
    """From an appended line to its drawing."""
    bare, ours = interleaved((("bare_append", path), ("app_append", path)), repeats)
    for key, words in (("seconds", "p50"), ("p95_seconds", "p95")):
        yield Row(
            f"append to painted, {words}", "watch, read, message, one line of text",
            ours[key] / bare[key], 1.3, ours[key], bare[key],
        )  # fmt: skip


def app_move_row(path: Path, repeats: int) -> Row:
    """Any request to any other, until idle."""
    (done,) = interleaved((("app_move", path),), repeats)
    return Row(
        f"moving among {int(done['requests']):,} requests, to idle", "a repaint of the same screen",
        done["seconds"] / done["repaint_seconds"], 1.2, done["seconds"], done["repaint_seconds"],
        {
            "cpu_ms": round(done["core_seconds"] * 1e3, 1),
            "repaint_cpu_ms": round(done["repaint_core_seconds"] * 1e3, 1),
        },
    )  # fmt: skip


def table(rows: Sequence[Row]) -> str:
    """The rows as text."""
    out = []
    for row in rows:
        mark = "    " if row.must is None else "ok  " if row.good else "OVER"
        limit = "" if row.must is None else f"≤ {row.must:g}"
        facts = ", ".join(f"{key} {value}" for key, value in row.facts.items())
        out.append(
            f"{mark} {row.ratio:8.2f} {limit:>7}  {row.work}  against {row.against}  "
            f"({row.seconds:.4g} : {row.against_seconds:.4g}; {facts})"
        )
    return "\n".join(out)
