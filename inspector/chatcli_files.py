"""The directory that takes ChatCLI's overflow files: the one place where that policy writes.

File names come from ids in a transcript, so every write is checked to stay inside the directory;
one that would leave it counts as failed, which the stages know how to deal with.
"""

from __future__ import annotations

import os
from pathlib import Path

FILE_MODE = 0o600
DIRECTORY_MODE = 0o700


class DirectorySink:
    """Writes overflow files into one directory, as ChatCLI does (`chatcli.md` §3.4)."""

    def __init__(self, directory: str) -> None:
        """Name the directory; it is made when the first file needs it.

        Args:
            directory: The path as previews shall name it, absolute or relative.
        """
        self._directory = directory

    @property
    def directory(self) -> str:
        """The directory as previews name it."""
        return self._directory

    def prepare(self) -> bool:
        """Create the directory and what is missing above it, for the owner only."""
        try:
            _make_directories(Path(self._directory))
        except (OSError, ValueError):
            return False
        return True

    def write(self, path: str, content: bytes) -> bool:
        """Write one file for the owner only; an existing one is replaced.

        Args:
            path: Path of the file; refused where it is not inside the directory. A name that the
                file system cannot hold (too long, with a NUL, no valid text) fails like a full disk.
            content: Its bytes.
        """
        try:
            if not Path(path).parent.resolve().is_relative_to(Path(self._directory).resolve()):
                return False
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(path, flags, FILE_MODE), "wb") as file:
                file.write(content)
        except (OSError, ValueError):
            return False
        return True


def _make_directories(path: Path) -> None:
    """Like `mkdir -p`, with the same narrow mode for every level."""
    for level in (*reversed(path.parents), path):
        if not level.is_dir():
            level.mkdir(DIRECTORY_MODE, exist_ok=True)
