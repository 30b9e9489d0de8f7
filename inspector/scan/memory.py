"""What earlier scans found, in one SQLite file of the user's cache directory.

A row counts as long as the file, its head and what lies beside it look the same. The cache is never
needed: one that cannot be opened, or whose rows other code made, is done without.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType

import msgspec

from inspector import __version__
from inspector.scan.row import ScanRow

_HEAD_BYTES = 4_096
_BESIDE_MAX = 20_000
"""Files beside a session that are looked at; more are beyond any real one."""
_MAKERS = ("model", "pipeline", "reading", "replay", "scan", "session")
"""Parts of the program that a row depends on."""


def cache_file(environment: Mapping[str, str], home: Path) -> Path:
    """Where the memory lies.

    Args:
        environment: `XDG_CACHE_HOME` is asked for.
        home: The home directory.
    """
    named = environment.get("XDG_CACHE_HOME", "")
    root = Path(named) if named and Path(named).is_absolute() else home / ".cache"
    return root / "inspector" / "scan.sqlite3"


def fingerprint(path: Path) -> str:
    """Size, time of change and head of a file, with sizes and times of what lies beside it.

    Args:
        path: The session.

    Raises:
        OSError: It cannot be read.
    """
    stat = path.stat()
    with path.open("rb") as file:
        head = hashlib.blake2b(file.read(_HEAD_BYTES), digest_size=12).hexdigest()
    beside = path.with_name(path.name.split(".json")[0])
    count = size = newest = 0
    for folder in (beside, path.parent / "tool-results"):
        for directory, _, names in os.walk(folder):
            for name in names[: _BESIDE_MAX - count]:
                try:
                    each = Path(directory, name).lstat()
                except OSError:
                    continue
                count, size, newest = count + 1, size + each.st_size, max(newest, each.st_mtime_ns)
    return f"{stat.st_size}:{stat.st_mtime_ns}:{head}:{count}:{size}:{newest}"


@cache
def maker() -> str:
    """What makes a row: code that reads, replays or judges otherwise may come to another one."""
    found = hashlib.blake2b(digest_size=12)
    package = Path(__file__).parent.parent
    for source in sorted(path for part in _MAKERS for path in (package / part).rglob("*.py")):
        with suppress(OSError):
            found.update(source.read_bytes())
    return f"{__version__}/{found.hexdigest()}"


class Memory:
    """Remembered rows. Without a file it remembers nothing."""

    def __init__(self, path: Path | None) -> None:
        """Args:
        path: The SQLite file; None: no memory.
        """
        self.problem = ""
        """Why there is no memory, for a person; empty where there is one, or none was wanted."""
        self._connection: sqlite3.Connection | None = None
        self._maker = maker()
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._connection = sqlite3.connect(path, timeout=5)
                self._connection.execute(
                    "CREATE TABLE IF NOT EXISTS rows "
                    "(path TEXT PRIMARY KEY, stamp TEXT, maker TEXT, row BLOB)"
                )
            except (OSError, sqlite3.Error) as error:
                self._give_up(f"{path}: {error}")

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            self._connection.close()

    def known(self, stamps: Mapping[str, str]) -> dict[str, ScanRow]:
        """Rows that still count, by path.

        Args:
            stamps: Path → fingerprint of now.
        """
        if self._connection is None:
            return {}
        out: dict[str, ScanRow] = {}
        try:
            rows = self._connection.execute(
                "SELECT path, stamp, row FROM rows WHERE maker = ?", (self._maker,)
            )
            for path, stamp, row in rows:
                if stamps.get(path) == stamp:
                    out[path] = msgspec.json.decode(row, type=ScanRow)
        except (sqlite3.Error, msgspec.DecodeError) as error:
            self._give_up(str(error))
            return {}
        return out

    def remember(self, rows: Iterable[tuple[str, ScanRow]]) -> None:
        """Keep rows, each with its fingerprint."""
        if self._connection is None:
            return
        values = [
            (row.path, stamp, self._maker, data) for stamp, row in rows if (data := _encoded(row)) is not None
        ]
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?)", values)
        except sqlite3.Error as error:
            self._give_up(str(error))

    def _give_up(self, problem: str) -> None:
        self.problem = f"scan results are not remembered: {problem}"
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _encoded(row: ScanRow) -> bytes | None:
    """A row as JSON; None where a name in it is no UTF-8: such a file is read anew each time."""
    try:
        return msgspec.json.encode(row)
    except UnicodeEncodeError:
        return None
