"""Scanning many files with worker processes; what did not change is taken from memory.

A worker that dies (a file too large for the machine) takes the pool with it, so the files that were
left are tried again in halves, and the one that kills its worker even alone becomes an error row.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from inspector.scan.memory import Memory, fingerprint
from inspector.scan.row import ScanRow, scan_file

_FEW = 4
"""So few files are read faster here than workers start."""
_SAVE_EVERY = 200

Progress = Callable[[int, int], None]
"""Told how many rows are done, and of how many."""


def scan(
    paths: Sequence[str],
    memory: Memory,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    work: Callable[[str], ScanRow] = scan_file,
) -> list[ScanRow]:
    """One row for each file, in the order given.

    Args:
        paths: The sessions.
        memory: Rows of earlier scans.
        jobs: Worker processes; None: one for each core.
        progress: Told after each row.
        work: What makes a row; it must be importable by the workers.
    """
    stamps: dict[str, str] = {}
    rows: dict[str, ScanRow] = {}
    for path in paths:
        try:
            stamps[path] = fingerprint(Path(path))
        except OSError as error:
            rows[path] = ScanRow(path, error=f"{path}: {error.strerror or error}")
    rows |= memory.known(stamps)
    fresh: list[tuple[str, ScanRow]] = []
    todo = [path for path in paths if path not in rows]
    for row in _rows(todo, jobs or os.cpu_count() or 1, work):
        rows[row.path] = row
        fresh.append((stamps[row.path], row))
        if len(fresh) >= _SAVE_EVERY:
            memory.remember(fresh)
            fresh.clear()
        if progress is not None:
            progress(len(rows), len(paths))
    memory.remember(fresh)
    return [rows[path] for path in paths]


def _rows(paths: Sequence[str], jobs: int, work: Callable[[str], ScanRow]) -> Iterator[ScanRow]:
    if jobs == 1 or len(paths) <= _FEW:
        yield from map(work, paths)
        return
    left = dict.fromkeys(paths)
    try:
        for row in _pooled(list(paths), jobs, work):
            del left[row.path]
            yield row
    except BrokenProcessPool:
        yield from _halved(list(left), jobs, work)


def _halved(paths: Sequence[str], jobs: int, work: Callable[[str], ScanRow]) -> Iterator[ScanRow]:
    """Rows of files among which one killed its worker."""
    if len(paths) == 1:
        path = paths[0]
        yield ScanRow(path, error=f"{path}: the process that read it died (out of memory?)")
        return
    middle = len(paths) // 2
    for half in (paths[:middle], paths[middle:]):
        left = dict.fromkeys(half)
        try:
            for row in _pooled(half, jobs, work):
                del left[row.path]
                yield row
        except BrokenProcessPool:
            # A file that was only beside the killer is tried again, the killer ends alone.
            yield from _halved(list(left), jobs, work)


def _pooled(paths: Sequence[str], jobs: int, work: Callable[[str], ScanRow]) -> Iterator[ScanRow]:
    # Spawned, not forked: a worker then owns nothing that the caller had open.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(paths)), mp_context=context) as pool:
        for future in as_completed([pool.submit(work, path) for path in paths]):
            yield future.result()
