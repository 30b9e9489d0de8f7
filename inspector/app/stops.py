"""Break conditions: where `continue` stops. No widgets, so easy to judge.

A condition is asked of one request at a time, about what is new in it; so running on costs the
requests that are passed, in either direction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum

from inspector.figures import count_words, number
from inspector.model.findings import Finding
from inspector.model.policy import Unit
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.view import Event, SessionView


class StopKind(StrEnum):
    """What a condition looks at."""

    BUDGET = "budget"
    """A group that reaches a share of the turn's budget, in percent."""
    SIZE = "size"
    """A new result that is larger than this, in the policy's unit."""
    BREAK = "prefix break"
    """An unplanned one."""
    REPAIR = "repair"
    TOOL = "tool"
    """A new result of this tool."""
    FINDING = "finding"
    """A finding of this kind that shows first here."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One condition."""

    kind: StopKind
    value: int | str = ""
    """Percent, a size in the policy's unit, a tool's name, a kind of finding; nothing for the others."""

    def words(self, unit: Unit) -> str:
        """The condition for people.

        Args:
            unit: What sizes are counted in.
        """
        match self.kind:
            case StopKind.BUDGET:
                return f"budget of a turn from {self.value} %"
            case StopKind.SIZE:
                return f"result over {number(int(self.value))} {UNIT_WORDS[unit]}"
            case StopKind.TOOL:
                return f"tool {self.value}"
            case StopKind.FINDING:
                return f"finding {self.value}"
        return self.kind.value


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a run stopped, and why."""

    request: int
    reason: str
    result: int | None = None
    """The result that made it stop, by index."""
    id: str = ""
    """Its id, where only that is known."""


class Run:
    """A search for the next request in which a condition holds."""

    def __init__(self, view: SessionView, stops: Collection[Stop], findings: Collection[Finding]) -> None:
        """Args:
        view: The session.
        stops: Conditions; any of them stops.
        findings: Findings of the conversation shown.
        """
        self._view = view
        self._unit = UNIT_WORDS[view.policy.unit]
        self._stops = stops
        kinds = {stop.value for stop in stops if stop.kind is StopKind.FINDING}
        self._findings: dict[int, Finding] = {}
        for finding in findings:
            if finding.request is not None and finding.kind in kinds:
                self._findings.setdefault(finding.request, finding)

    def next(self, request: int, step: int, stopped: Callable[[], bool] = lambda: False) -> Hit | None:
        """The next request in which a condition holds.

        Args:
            request: Where to start; this one is passed over.
            step: 1 forwards, -1 backwards.
            stopped: Asked for each request; true gives up.

        Returns:
            None past the ends, or where it was given up.
        """
        n = request + step
        while 1 <= n <= self._view.request_count and not stopped():
            hit = self.hit(n)
            if hit is not None:
                return hit
            n += step
        return None

    def hit(self, n: int) -> Hit | None:
        """Whether a condition holds at a request, and which."""
        for stop in self._stops:
            hit = self._check(stop, n)
            if hit is not None:
                return hit
        return None

    def _check(self, stop: Stop, n: int) -> Hit | None:
        view = self._view
        match stop.kind:
            case StopKind.BREAK:
                return Hit(n, "prefix break") if view.request(n).events & Event.BREAK else None
            case StopKind.REPAIR:
                repairs = view.request(n).repairs
                return Hit(n, count_words(repairs, "repair")) if repairs else None
            case StopKind.FINDING:
                finding = self._findings.get(n)
                if finding is None or finding.kind != stop.value:
                    return None
                return Hit(n, f"{finding.kind}: {finding.fact}", id=finding.shown_id)
            case StopKind.BUDGET:
                return self._budget(int(stop.value), n)
        return self._result(stop, n)

    def _new_turns(self, n: int) -> range:
        """Turns that request n is the first to know."""
        return range((self._view.turn_count(n - 1) if n > 1 else 0) + 1, self._view.turn_count(n) + 1)

    def _budget(self, percent: int, n: int) -> Hit | None:
        for t in self._new_turns(n):
            turn = self._view.turn(t, n)
            if turn.limit and turn.counted * 100 >= turn.limit * percent:
                share = turn.counted * 100 // turn.limit
                held = f"{number(turn.counted)} of {number(turn.limit)} {self._unit}"
                return Hit(n, f"turn {t} at {share} % of its budget: {held}")
        return None

    def _result(self, stop: Stop, n: int) -> Hit | None:
        for t in self._new_turns(n):
            for index in self._view.turn_results(t, n):
                row = self._view.result(index, n)
                if stop.kind is StopKind.TOOL and row.tool == stop.value:
                    return Hit(n, f"tool {row.tool}", index)
                if stop.kind is StopKind.SIZE and (row.chars or 0) > int(stop.value):
                    return Hit(n, f"{row.tool} returned {number(row.chars)} {self._unit}", index)
        return None
