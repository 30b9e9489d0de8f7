"""`python -m tests.bench`: how fast the inspector is, as ratios against work that anybody can do.

Nothing here is part of the test run: a timed test fails on a busy machine. Sessions are made in a
directory of their own, once, and used again by the next run with the same `--data`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from tests.bench import generator, table
from tests.bench.peers import peer_rows
from tests.bench.start import command_rows, start_rows
from tests.bench.terminal import first_screen_rows

ROWS = ("index", "small", "append", "what-if", "move", "text", "idle", "start", "commands", "screen")


def main() -> int:
    """Measure the rows that were asked for and print them.

    Returns:
        1 where a row misses its mark, else 0.
    """
    arguments = _arguments()
    rows: list[table.Row] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as made:
        data = arguments.data or Path(made)
        for row in _rows(arguments, data):
            rows.append(row)
            sys.stderr.write(table.table([row]) + "\n")
    sys.stdout.write(table.table(rows) + "\n")
    if arguments.json:
        arguments.json.write_bytes(orjson.dumps([row.as_data() for row in rows], option=orjson.OPT_INDENT_2))
    return int(not all(row.good for row in rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--data", type=Path, help="directory for the sessions; kept for the next run")
    parser.add_argument("--sizes", default="100,500", help="megabytes of the generated sessions")
    parser.add_argument("--scale", type=float, default=1.0, help="share of all other sizes")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", default=",".join(ROWS), help=f"of {', '.join(ROWS)}")
    parser.add_argument("--real", type=Path, help="directory of real transcripts, joined to 60 MB and more")
    parser.add_argument(
        "--also", type=Path, action="append", default=[], help="a session to index too; again for more"
    )
    parser.add_argument(
        "--peers", action="store_true", help="also install peers and run them on the same files"
    )
    parser.add_argument("--json", type=Path, help="write the rows there as JSON")
    return parser.parse_args()


def _rows(arguments: argparse.Namespace, data: Path) -> Iterator[table.Row]:
    wanted = set(arguments.rows.split(","))
    repeats, scale = arguments.repeats, arguments.scale
    sizes = [float(size) for size in arguments.sizes.split(",") if size]
    mixed = [_made(data, f"mixed-{size:g}", lambda p, s=size: generator.mixed(p, s)) for size in sizes]
    if "index" in wanted:
        for size, path in zip(sizes, mixed, strict=True):
            row = table.index_row(f"{size:g} MB", path, 1.5, repeats)
            yield row
            yield table.memory_row(f"{size:g} MB", row)
            yield table.reopened_row(f"{size:g} MB", path, repeats)
        for label, path in _shapes(data, scale):
            yield table.index_row(label, path, 1.5, repeats)
        for path in arguments.also:
            label = f"{path.stem[:8]} of {path.stat().st_size / 1e6:.0f} MB"
            yield table.index_row(label, path, 1.5, repeats)
        if arguments.real:
            parts = sorted(arguments.real.glob("cc-*.jsonl"))
            path = _made(data, "real", lambda p: generator.joined(p, parts, 60))
            yield table.index_row("real transcripts joined", path, 1.5, repeats)
    if wanted & {"small", "append", "move", "idle"}:
        yield from _rows_of_small(data, wanted, scale, repeats)
    if "what-if" in wanted:
        yield from table.what_if_rows(mixed[0], repeats)
    if "text" in wanted:
        yield table.text_row(mixed[-1])
    if "start" in wanted:
        yield from start_rows(_made(data, "tiny", lambda p: generator.mixed(p, 0.2)), repeats)
    if "commands" in wanted:
        yield from command_rows(f"{sizes[0]:g} MB", mixed[0], min(repeats, 3))
    if "screen" in wanted:
        yield from first_screen_rows(f"{sizes[-1]:g} MB", mixed[-1], repeats)
        yield table.pauses_row(f"{sizes[-1]:g} MB", mixed[-1], min(repeats, 3))
        live = data / "live" / "live.jsonl"  # nothing else may change in the directory that is watched
        live.parent.mkdir(exist_ok=True)
        yield from table.painted_rows(generator.mixed(live, 2), min(repeats, 2))
        results = int(100_000 * scale)
        many = _made(data, f"small-{results}", lambda p: generator.small_results(p, results))
        yield table.app_move_row(many, 1)
        yield table.app_idle_row(f"{results:,} results", many)
    if arguments.peers:
        yield from peer_rows(mixed, data / "peers", repeats)


def _rows_of_small(data: Path, wanted: set[str], scale: float, repeats: int) -> Iterator[table.Row]:
    """Rows about very many small records."""
    results = int(100_000 * scale)
    small = _made(data, f"small-{results}", lambda p: generator.small_results(p, results))
    if "small" in wanted:
        yield table.index_row(f"{results:,} small results", small, 2.5, min(repeats, 3))
    if "append" in wanted:
        few, many = data / "append-few.jsonl", data / "append-many.jsonl"
        generator.small_results(few, max(1, int(400 * scale)))
        generator.small_results(many, int(45_000 * scale))
        yield table.append_row(few, many, 1)
        yield table.append_row(few, many, 1, "append_findings")
    if "move" in wanted:
        yield table.move_row(small, 2)
    if "idle" in wanted:
        agents = _made(data, "agents", lambda p: generator.many_agents(p, int(400 * scale)))
        yield table.idle_row(f"{results:,} results", small)
        yield table.idle_row(f"{int(400 * scale)} sub-agents", agents)


def _shapes(data: Path, scale: float) -> Iterator[tuple[str, Path]]:
    yield (
        "99 % progress",
        _made(data, "progress", lambda p: generator.mostly_progress(p, int(100_000 * scale))),
    )
    yield "a line of 15 MB", _made(data, "huge", lambda p: generator.one_huge_line(p, 15 * scale))
    calls = int(2_000 * scale)
    yield (
        f"{calls:,} parallel results",
        _made(data, "parallel", lambda p: generator.parallel_results(p, calls)),
    )
    agents = int(400 * scale)
    yield f"{agents} sub-agents", _made(data, "agents", lambda p: generator.many_agents(p, agents))


def _made(data: Path, name: str, make: Callable[[Path], Path]) -> Path:
    """The session of that name, made if it is not there yet."""
    path = data / name / f"{name}.jsonl"
    done = path.with_name("done")
    if not done.exists():
        make(path)
        done.touch()
    return path


if __name__ == "__main__":
    sys.exit(main())
