"""What the stages need of the disk: a directory's name, and whether writing worked.

The outcome of a write decides what stands in the history, so the stages must ask; they do it
through this protocol and stay free of files themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Outcome(StrEnum):
    """What became of one attempt to keep a text on disk."""

    WRITTEN = "written"
    DIRECTORY_FAILED = "directory could not be created"
    WRITE_FAILED = "file could not be written"


class OverflowSink(Protocol):
    """Where full texts go."""

    @property
    def directory(self) -> str:
        """The directory as it is to be named in previews."""

    def prepare(self) -> bool:
        """Make sure that the directory exists; False where that failed."""

    def write(self, path: str, content: bytes) -> bool:
        """Write one file in full; False where that failed.

        Args:
            path: Path of the file, cleaned, starting with the directory.
            content: What it shall hold.
        """


@dataclass(frozen=True, slots=True)
class AssumedSink:
    """A sink for predictions: nothing is written and every write succeeds."""

    directory: str

    def prepare(self) -> bool:
        """Always succeeds."""
        return True

    def write(self, path: str, content: bytes) -> bool:  # noqa: ARG002 - the protocol's arguments
        """Always succeeds, writes nothing."""
        return True


def join_cleaned(directory: str, name: str) -> str:
    """The path of a file, without empty, `.` and `..` steps, as Go's `filepath.Join` gives it.

    Args:
        directory: Any path; may be empty.
        name: File name; where it holds slashes, steps back up are taken literally.
    """
    path = f"{directory}/{name}" if directory else name
    rooted = path.startswith("/")
    steps: list[str] = []
    for step in path.split("/"):
        if step in ("", "."):
            continue
        if step == ".." and steps and steps[-1] != "..":
            steps.pop()
        elif step != ".." or not rooted:
            steps.append(step)
    return ("/" if rooted else "") + "/".join(steps) or "."


def in_utf8(text: str) -> bytes:
    """Bytes of a path or id.

    A path that was read from the file system keeps its raw bytes; any other lone surrogate becomes
    three bytes instead of an error.

    Args:
        text: Untrusted text.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
