"""`inspector scan`: many sessions, one row each."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from inspector.cli.named import needs_directory
from inspector.cli.output import Output
from inspector.errors import UnwritableError, UsageError
from inspector.reading.home import home_directory
from inspector.reading.locate import known_places, list_sessions
from inspector.report.json_text import json_text
from inspector.scan import scan as scan_paths
from inspector.scan.formats import parquet_bytes, scan_csv, scan_data, scan_text
from inspector.scan.memory import Memory, cache_file
from inspector.whole_files import write_output


def scan(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector scan`: one row for each session below a directory."""
    if arguments.format == "parquet" and arguments.out is None:
        raise UsageError("--format parquet needs --out FILE")
    root: Path = arguments.directory
    needs_directory(root)
    found = list_sessions(known_places({}, home_directory(), root))
    for problem in found.problems:
        output.say(f"inspector: {problem}")
    if not found.sessions:
        raise UsageError(f"{root}: no sessions found")
    paths = sorted(str(session.path) for session in found.sessions)
    with Memory(None if arguments.no_cache else cache_file(os.environ, home_directory())) as memory:
        rows = scan_paths(
            paths,
            memory,
            jobs=max(1, arguments.jobs) if arguments.jobs else None,
            progress=lambda done, of: output.progress(f"{100 * done // of:3} %  {done} of {of} sessions"),
        )
        output.progress("")
        if memory.problem:
            output.say(f"inspector: {memory.problem}")
    if arguments.format == "parquet":
        _write(arguments.out, parquet_bytes(rows))
        return 0
    makers = {"json": lambda: json_text(scan_data(rows)), "csv": lambda: scan_csv(rows)}
    text = makers.get(arguments.format, lambda: scan_text(rows, root))()
    if arguments.out is not None:
        _write(arguments.out, f"{text}\n".encode("utf-8", "backslashreplace"))
    elif arguments.format == "text":
        output.text(text)
    else:
        output.data(text)
    return 0


def _write(path: Path, data: bytes) -> None:
    try:
        write_output(path, data)
    except OSError as error:
        raise UnwritableError(f"{path}: {error.strerror or error}") from None
