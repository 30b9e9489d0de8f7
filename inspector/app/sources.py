"""What the overflow and session screens are fed with: protocols, and the rows that come through them.

Screens open no file and know no folder; whoever starts them hands in these sources. All methods are
called in worker threads, may read files, and raise `InspectorError` with a sentence for people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from inspector.model.policy import Policy
from inspector.replay.differences import Comparison


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


@dataclass(frozen=True, slots=True)
class OpenedText:
    """A file's content as far as it was read."""

    text: str
    """Decoded; bytes that are no UTF-8 stand as U+FFFD."""
    data: bytes
    """The bytes that were read, for the hex form."""
    total_bytes: int
    """Size of the file; more than `len(data)` where the reading was bounded."""
    note: str = ""
    """What should be said about the reading, such as `3 bytes are no UTF-8`."""


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


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One known session."""

    path: str
    """The transcript; untrusted, and unique among the rows."""
    name: str
    """Title, or what stands for one; untrusted."""
    project: str
    """Folder it belongs to, shortened for people; untrusted."""
    source: str
    """`Claude Code`, `ChatCLI`, …"""
    size_bytes: int
    modified: float
    """Seconds since the epoch."""
    live: bool = False
    """Whether it was written to lately."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """What reading a session tells. Costly, so it comes later than the row."""

    requests: int
    peak_chars: int
    peak_estimated: bool = False
    over: int = 0
    """Requests over the budget."""
    repairs: int = 0
    breaks: int = 0
    """Unplanned prefix breaks."""
    differs: int = 0
    """Requests in which recorded and predicted differ."""
    compactions: int = 0
    bad_lines: int = 0
    others: int = 0
    """Other findings of warning or error."""
    curve: Sequence[int] = ()
    """Chars on the wire, request by request."""
    window_chars: int | None = None
    """The model's context window by the measured ratio, where both are known."""
    problem: str = ""
    """Why the session could not be read; then the figures are empty."""


class SessionCatalog(Protocol):
    """All sessions that can be found."""

    @property
    def looked_in(self) -> Sequence[tuple[str, str]]:
        """What was looked for and where, such as `("Claude Code", "~/.claude/projects")`."""

    def sessions(self) -> Sequence[SessionRow]:
        """Sessions, newest first.

        Raises:
            InspectorError: A folder is there but cannot be read.
        """

    def summary(self, row: SessionRow) -> SessionSummary:
        """Read one session. Called for one after another while the picker is open.

        Args:
            row: A row of `sessions`.

        Raises:
            InspectorError: It cannot be read.
        """


class Policies(Protocol):
    """Whoever replays a session under other policies. `show` and `compare` run in worker threads."""

    @property
    def base(self) -> Policy:
        """What the session was opened under."""

    @property
    def current(self) -> Policy:
        """What is shown."""

    def choices(self) -> Sequence[Policy]:
        """Base, the edited one where there is one, the presets, and `recorded`."""

    def show(self, policy: Policy, keep_on: Callable[[], bool]) -> bool:
        """Show the session under another policy.

        Args:
            policy: The other one.
            keep_on: Asked now and then; False gives up.

        Returns:
            Whether it is shown now.
        """

    def compare(self, a: Policy, b: Policy, keep_on: Callable[[], bool]) -> Comparison | None:
        """Compare two policies over the session; None where it was given up."""

    def save(self, policy: Policy, name: str) -> str:
        """Write a policy file.

        Returns:
            Its path, for the person.

        Raises:
            InspectorError: It cannot be written there.
        """

    def load(self, name: str) -> Policy:
        """Read a policy file.

        Raises:
            InspectorError: It cannot be read, or holds no policy.
        """
