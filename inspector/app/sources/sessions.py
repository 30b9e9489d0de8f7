"""The sessions that are known, as the list of them shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from inspector.model.policy import Unit


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
    unit: Unit = Unit.CODE_POINTS
    """What sizes are counted in."""
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
