"""Which results a filter leaves, found turn by turn so that a worker can be stopped between two.

Texts are read one after another and none is kept: only whether it matched, so that stepping through
requests under a filter reads nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from inspector.model.findings import Finding
from inspector.replay.filters import Facts, Filter, Term
from inspector.replay.view import ResultRow, SessionView


@dataclass(frozen=True, slots=True)
class Matches:
    """The results of a request that pass a filter."""

    filter: Filter
    request: int
    turns: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Turn and its results that pass, newest turn first; turns without any are left out."""
    looked_at: int = 0
    """Results that were asked: all that the request knows."""

    @property
    def count(self) -> int:
        """Results that pass."""
        return sum(len(results) for _, results in self.turns)


def kinds_by_id(findings: Iterable[Finding]) -> Mapping[str, set[str]]:
    """tool_use id → kinds of the findings that name it."""
    out: dict[str, set[str]] = {}
    for finding in findings:
        for id in finding.ids:
            out.setdefault(id, set()).add(finding.kind)
    return out


class TextMatches:
    """Whether texts hold what is searched for, remembered per result and word."""

    def __init__(self, read: Callable[[int, int], str]) -> None:
        """Args:
        read: Reads the text of a result, by index and request.
        """
        self._read = read
        self._known: dict[tuple[int, Term], bool] = {}

    def hold(self, terms: Sequence[Term], row: ResultRow, request: int) -> bool:
        """Whether a text passes all words.

        Args:
            terms: Words of the field `text`.
            row: The result.
            request: As of which request.
        """
        unknown = [term for term in terms if (row.index, term) not in self._known]
        if unknown:
            text = self._read(row.index, request)
            facts = Facts(row, text=lambda: text)
            self._known.update(((row.index, term), term.holds(facts)) for term in unknown)
        return all(self._known[row.index, term] for term in terms)


def match_rows(
    view: SessionView,
    request: int,
    filter_: Filter,
    texts: TextMatches,
    *,
    tell: Callable[[int], None] = lambda _looked_at: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Matches | None:
    """Ask all results of a request, newest turn first.

    Args:
        view: The session.
        request: As of which request; 0 where there is none.
        filter_: What must hold.
        texts: Reads texts.
        tell: Called with the number of results that were asked, before each.
        stopped: Asked for each result; true gives up.

    Returns:
        What passes; None where it was given up.
    """
    kinds = kinds_by_id(view.findings)
    quick = filter_.without_texts
    slow = [term for term in filter_.terms if term.field == "text"]
    turns: list[tuple[int, tuple[int, ...]]] = []
    looked_at = 0
    known = view.turn_count(request) if request else 0
    for turn in range(known, 0, -1):
        passed: list[int] = []
        for index in view.turn_results(turn, request):
            if stopped():
                return None
            tell(looked_at)
            looked_at += 1
            row = view.result(index, request)
            if quick.matches(Facts(row, kinds.get(row.id, ()))) and texts.hold(slow, row, request):
                passed.append(index)
        if passed:
            turns.append((turn, tuple(passed)))
    return Matches(filter_, request, tuple(turns), looked_at)
