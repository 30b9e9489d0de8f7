"""The overflow files of a session, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from inspector.app.sources.files import OpenedText


class FileState(StrEnum):
    """How an overflow file stands to the result that it belongs to."""

    OK = "ok"
    MISSING = "missing"
    SIZE_DIFFERS = "size differs"
    PREVIEW_DIFFERS = "preview differs"
    ELSEWHERE = "found elsewhere"
    NO_OWNER = "no owner"
    READ_AGAIN = "read again"
    """In order, and a later call read it: paid twice."""


@dataclass(frozen=True, slots=True)
class OverflowRow:
    """One file of the scratch directory, or one that should be there."""

    name: str
    """File name; untrusted."""
    path: str
    """Where it is, or was stated to be; untrusted."""
    size_bytes: int | None
    """Size on disk; None where there is no such file."""
    state: FileState
    state_words: str = ""
    """What to say instead of the state's own word, such as `121,300 stated` or `read in 62`."""
    owner: str = ""
    """Whose text it is, such as `turn 37 Bash`; empty where nobody is known."""
    request: int | None = None
    """Request in which the result was replaced."""
    result: int | None = None
    """Ordinal of the result in the session."""
    facts: Sequence[tuple[str, str]] = ()
    """Label and sentence, for the facts below the list; untrusted."""


class OverflowSource(Protocol):
    """The scratch directory of one session."""

    @property
    def directory(self) -> str:
        """Path of the directory; empty where the session has none."""

    def rows(self) -> Sequence[OverflowRow]:
        """Files and missing files, those that results own first.

        Raises:
            InspectorError: The directory cannot be read.
        """

    def open(self, row: OverflowRow) -> OpenedText:
        """Read a file, up to a bound.

        Args:
            row: A row of `rows`.

        Raises:
            InspectorError: It is gone, no plain file, or outside the directory.
        """
