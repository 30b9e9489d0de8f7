"""One occurrence of a quirk, in words for a person; and what a rule that finds them looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from inspector.pipeline.chatcli.run import RequestRun


@dataclass(frozen=True, slots=True)
class Sighting:
    """A quirk seen in one request."""

    quirk: str
    """Name of the quirk."""
    turn: int
    """Turn of the agent loop, from 0."""
    sentence: str
    """What happened here, with figures. Quotes no id and no content."""
    ids: tuple[str, ...] = ()
    """Tool call ids concerned, in history order. Untrusted text."""
    data: Mapping[str, int] = field(default_factory=dict)
    """The figures of the sentence."""


def counted(count: int, one: str, many: str) -> str:
    """A number and what it counts: `1 result is`, `3 results are`.

    Args:
        count: How many.
        one: The words behind 1.
        many: The words behind any other number.
    """
    return f"{count:,} {one if count == 1 else many}"


Rule = Callable[[RequestRun, RequestRun | None], Iterable[Sighting]]
"""Finds sightings in a request, given the one before it (None for the first)."""
