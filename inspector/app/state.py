"""What the app remembers between runs: small JSON files under the user's state directory.

It is the only place of the app that writes without being told a file's name, and it never writes
beside a session. Where nothing can be written, everything is kept in memory, and `problem` says so.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspector.errors import UnreadableError

LARGEST_BYTES = 1 << 20
"""A larger file is none of ours."""


def state_directory(environ: Mapping[str, str], home: Path) -> Path:
    """Where state belongs: `$XDG_STATE_HOME/inspector`, else `~/.local/state/inspector`.

    Args:
        environ: Environment.
        home: The person's home directory.
    """
    stated = environ.get("XDG_STATE_HOME", "")
    # The base directory specification says to ignore a path that is not absolute.
    base = Path(stated) if stated.startswith("/") else home / ".local" / "state"
    return base / "inspector"


class StateStore:
    """Named values; each is a file."""

    def __init__(self, directory: Path | None) -> None:
        """Args:
        directory: Where the files are; None keeps everything in memory only.
        """
        self._directory = directory
        self._memory: dict[str, Any] = {}
        self.problem = ""
        """Why something is kept in memory only; empty while everything is well."""

    @property
    def lasts(self) -> bool:
        """Whether anything is kept beyond this run."""
        return self._directory is not None

    def read(self, name: str) -> Any:
        """A value.

        Args:
            name: File name without its ending, with `/` for folders.

        Returns:
            None where there is none, or none that can be read.
        """
        if name in self._memory or self._directory is None:
            return self._memory.get(name)
        path = self._path(name)
        if not os.path.lexists(path):
            return None
        import json

        from inspector.reading.files import read_whole  # not before the first picture

        try:
            value = json.loads(read_whole(path, LARGEST_BYTES))
        except (UnreadableError, ValueError, RecursionError):
            value = None
        if value is None:
            # What cannot be read is not overwritten either: it may be worth more than what is new.
            self._keep_in_memory(f"{path} cannot be read")
        return value

    def write(self, name: str, value: Any) -> None:
        """Keep a value; what goes wrong is said in `problem`, not raised.

        Args:
            name: As for `read`.
            value: Anything that JSON can hold.
        """
        self._memory[name] = value
        if self._directory is None or self.problem:
            return
        path = self._path(name)
        import json

        from inspector.whole_files import write_output

        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_output(path, json.dumps(value, indent=1).encode())
        except OSError as error:
            self._keep_in_memory(f"{error.strerror or error}, {path} cannot be written")

    def _keep_in_memory(self, reason: str) -> None:
        # What matters first: a line of the screen may have no room for a path.
        self.problem = self.problem or f"kept for this run only: {reason}"

    def _path(self, name: str) -> Path:
        assert self._directory is not None
        return self._directory / f"{name}.json"
