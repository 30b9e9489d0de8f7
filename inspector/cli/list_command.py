"""`inspector list`: the known sessions as a table or as JSON."""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from inspector.cli.named import needs_directory
from inspector.cli.output import Output, terminal_columns
from inspector.errors import UsageError
from inspector.figures import age_words, size_words
from inspector.reading.home import home_directory
from inspector.reading.locate import KnownSession, known_places, list_sessions
from inspector.text import printable_line


def list_sessions_(arguments: argparse.Namespace, output: Output) -> int:
    """`inspector list`: known sessions, newest first."""
    if arguments.limit < 0:
        raise UsageError("--limit wants a number of rows, or 0 for all")
    needs_directory(arguments.root)
    found = list_sessions(known_places(os.environ, home_directory(), arguments.root))
    rows = found.sessions[: arguments.limit or None]
    shown = len(rows)
    for problem in found.problems:
        output.say(f"inspector: {problem}")
    if arguments.json:
        from inspector.report.json_text import json_text

        output.data(json_text({"schema": "inspector-list/1", "sessions": [_session_data(r) for r in rows]}))
        return 0
    if not rows:
        output.say("inspector: no sessions found; --root DIR looks elsewhere")
        return 0
    now = time.time()
    if output.is_terminal:
        from inspector.cli.list_table import list_table

        for line in list_table(rows, now, terminal_columns()):
            output.text(line)
        rows = ()
    for row in rows:
        age = age_words(max(0.0, now - row.modified))
        project = printable_line(row.project)
        size, name = size_words(row.size_bytes), printable_line(row.id)
        output.text(f"{age:>8}  {size:>9}  {row.kind.value:12}  {name}  {project}")
    if shown < len(found.sessions):
        output.say(f"inspector: {len(found.sessions) - shown} more; --limit 0 shows all")
    return 0


def _session_data(row: KnownSession) -> dict[str, Any]:
    return {
        "id": row.id,
        "path": str(row.path),
        "kind": row.kind.value,
        "project": row.project,
        "size_bytes": row.size_bytes,
        "modified": row.modified,
    }
