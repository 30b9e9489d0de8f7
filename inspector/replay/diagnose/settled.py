"""What is told of single requests: that of requests which can no longer change is made once and kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from inspector.replay.timeline import Timeline

T = TypeVar("T")

LOOSE = 3
"""Newest requests that may still change: the provisional one, and those whose usage is completed."""


class Settled(Generic[T]):
    """What one rule gives, request by request: findings, or what findings are made of."""

    def __init__(self, timeline: Timeline, make: Callable[[Timeline, int, int], Iterable[T]]) -> None:
        """Args:
        timeline: The conversation.
        make: Goes over the requests from one index up to, not including, another one.
        """
        self._timeline = timeline
        self._make = make
        self._kept: list[T] = []
        self._done = 0
        self._under: Hashable = None

    def now(self, under: Hashable = None) -> list[T]:
        """All of it as things stand. O(requests that came since it was asked last).

        Args:
            under: What the settled part depends on beside its requests; another value makes all anew.
        """
        if under != self._under:
            self._kept, self._done, self._under = [], 0, under
        end = len(self._timeline.requests)
        settled = max(self._done, end - LOOSE)
        if settled > self._done:
            self._kept.extend(self._make(self._timeline, self._done, settled))
            self._done = settled
        return [*self._kept, *self._make(self._timeline, self._done, end)]
