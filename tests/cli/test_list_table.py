"""The list at a terminal: heads, aligned columns, titles cut to the width, no control characters."""

from __future__ import annotations

from pathlib import Path

from inspector.cli.list_table import list_table
from inspector.reading.locate import KnownSession, Origin, Place, list_sessions
from inspector.text import cells
from tests.builders import Transcript


def known(folder: Path) -> list[KnownSession]:
    for name, words in (("one", "fix the checkout"), ("two", "a\x1b[31m long " * 40)):
        script = Transcript(session=name)
        script.prompt(words)
        script.write(folder, f"{name}.jsonl")
    return list(list_sessions([Place(folder, Origin.OTHER)]).sessions)


def test_columns_stand_below_their_heads_and_titles_end_at_the_edge(tmp_path: Path) -> None:
    rows = known(tmp_path)
    lines = list_table(rows, rows[0].modified + 60, 80)
    assert lines[0].split() == ["age", "size", "source", "id", "project", "title"]
    at = lines[0].index("title")
    assert sorted(line[at : at + 7] for line in lines[1:]) == ["a␛[31m ", "fix the"]
    assert max(cells(line) for line in lines) <= 80
    assert "\x1b" not in "".join(lines)
