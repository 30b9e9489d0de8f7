"""Figures of one conversation that every update shows, carried along as it grows.

They are sums and peaks over all requests and rows. A live session is updated with each appended
record, so they are folded once per request and not counted anew each time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

_LOOSE = 3
"""Newest requests that may still change: the provisional one, and those whose usage is completed."""
_LEAST_TOKENS = 1_000
"""Growth below this is too rough for a ratio."""
_LEAST_RATIO, _MOST_RATIO = 0.5, 20.0


class Standing:
    """What is known of one timeline so far."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._rows = 0
        self._unanswered: list[Tracked] = []
        self._settled = _Fold()
        self._requests = 0

    @property
    def results(self) -> int:
        """Rows that have a result."""
        rows = self._timeline.tracked
        fresh = rows[self._rows :]
        self._rows = len(rows)
        self._unanswered = [r for r in (*self._unanswered, *fresh) if r.entry.result is None]
        return self._rows - len(self._unanswered)

    @property
    def peak_chars(self) -> int:
        """Most characters on the wire in one request."""
        return self._now().peak

    @property
    def peak_estimated(self) -> bool:
        """Whether that is an estimate."""
        return self._now().peak_estimated

    @property
    def peak_tokens(self) -> int | None:
        """Most tokens of one request, by usage; None where no answer says what it used."""
        return self._now().peak_tokens or None

    @property
    def model(self) -> str:
        """The newest model named; empty where none is."""
        return self._now().model

    @property
    def chars_per_token(self) -> float | None:
        """Measured ratio: growth of the wire over growth of the tokens, across one stretch.

        The system prompt and the tools stand in the tokens but not in the chars, so the ratio is taken
        from differences. None where the usage does not allow it.
        """
        best = self._now().best
        if best is None:
            return None
        ratio = best[0] / best[1]
        return ratio if _LEAST_RATIO <= ratio <= _MOST_RATIO else None

    def _now(self) -> _Fold:
        requests = self._timeline.requests
        settled = max(self._requests, len(requests) - _LOOSE)
        self._settled.take(requests[self._requests : settled])
        self._requests = settled
        now = self._settled.copy()
        now.take(requests[settled:])
        return now


class _Fold:
    """The figures over a run of requests."""

    __slots__ = ("before", "best", "model", "peak", "peak_estimated", "peak_tokens", "start")

    def __init__(self) -> None:
        self.peak = self.peak_tokens = 0
        self.peak_estimated = False
        self.model = ""
        self.start: Request | None = None
        """First request of the stretch: since then the wire only grew."""
        self.before: Request | None = None
        self.best: tuple[int, int] | None = None
        """Growth in characters and in tokens across the longest stretch so far."""

    def copy(self) -> _Fold:
        other = _Fold()
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def take(self, requests: Iterable[Request]) -> None:
        for request in requests:
            if request.wire_chars > self.peak:
                self.peak, self.peak_estimated = request.wire_chars, request.estimated
            self.model = request.model or self.model
            if request.usage:
                self.peak_tokens = max(self.peak_tokens, request.usage.context)
            if request.usage and not request.estimated:
                self._measure(request)

    def _measure(self, now: Request) -> None:
        before, self.before = self.before, now
        shrunk = now.compaction is not None or (before is not None and now.wire_chars < before.wire_chars)
        if self.start is None or shrunk:
            self.start = now
        elif now.usage and self.start.usage:
            tokens = now.usage.context - self.start.usage.context
            if tokens >= _LEAST_TOKENS and (self.best is None or tokens > self.best[1]):
                self.best = (now.wire_chars - self.start.wire_chars, tokens)
