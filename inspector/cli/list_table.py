"""`inspector list` for a person at a terminal: heads, titles, columns as wide as what stands in them.

A pipe gets the plain rows that `commands` writes: scripts cut them at blanks and know no heads.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspector.figures import age_words, size_words
from inspector.reading.locate import KnownSession
from inspector.reading.title import read_title
from inspector.text import cells, fit

_LEAST_TITLE = 16
_ID_CHARS = 12
"""Of an id: its beginning is enough for `inspector open`, which says so where it is not."""
_PROJECT_CELLS = 28
_HEADS = ("age", "size", "source", "id", "project", "title")


def list_table(rows: Sequence[KnownSession], now: float, width: int) -> list[str]:
    """The sessions as lines; titles are cut to the width, nothing else is.

    Args:
        rows: Newest first.
        now: Seconds since the epoch.
        width: Cells of the terminal.
    """
    table = [_HEADS, *(_row(row, now) for row in rows)]
    widths = [max(cells(line[at]) for line in table) for at in range(len(_HEADS) - 1)]
    room = max(_LEAST_TITLE, width - sum(widths) - 2 * len(widths))
    return [_line(line, widths, room) for line in table]


def _row(row: KnownSession, now: float) -> tuple[str, ...]:
    return (
        age_words(max(0.0, now - row.modified)),
        size_words(row.size_bytes),
        row.kind.value,
        fit(row.id[:_ID_CHARS], _ID_CHARS),
        fit(row.project, _PROJECT_CELLS, "end"),
        read_title(row.path) or "—",
    )


def _line(line: Sequence[str], widths: Sequence[int], room: int) -> str:
    *columns, title = line
    out = []
    for at, (text, width) in enumerate(zip(columns, widths, strict=True)):
        blank = " " * (width - cells(text))
        out.append(blank + text if at < 2 else text + blank)
    return "  ".join([*out, fit(title, room)]).rstrip()
