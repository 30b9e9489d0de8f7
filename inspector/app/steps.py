"""Where a step leads: turns, findings and changes as request numbers. No widgets, so easy to judge."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.model.findings import Finding, Severity
from inspector.model.ledger import Lifeline
from inspector.replay.view import SessionView


def turn_after(view: SessionView, request: int) -> int:
    """The request that decides the next turn; the newest where there is none.

    Args:
        view: The session.
        request: Where to start, from 1.
    """
    known = view.turn_count(request)
    for n in range(request + 1, view.request_count + 1):
        if view.turn_count(n) != known:
            return n
    return view.request_count


def turn_before(view: SessionView, request: int) -> int:
    """The first request that knows the current newest turn, or of the turn before where it is this one.

    Args:
        view: The session.
        request: Where to start, from 1.
    """
    n = max(1, request - 1)
    while n > 1 and view.turn_count(n - 1) == view.turn_count(n):
        n -= 1
    return n


def last_change(lifeline: Lifeline, request: int) -> int | None:
    """The request before this one in which a result last changed.

    Args:
        lifeline: Spans in order.
        request: Where to start; a change in this very request does not count, so that it can be repeated.

    Returns:
        The request, or None where the result was new at the earliest one already.
    """
    starts = [span.start for span in lifeline if span.start < request]
    return starts[-1] if starts else None


def next_change(lifeline: Lifeline, request: int) -> int | None:
    """The request after this one in which a result next changes.

    Args:
        lifeline: Spans in order.
        request: Where to start.

    Returns:
        The request, or None where it stays as it is as far as the session is known.
    """
    return next((span.start for span in lifeline if span.start > request), None)


def notable(findings: Sequence[Finding]) -> list[Finding]:
    """Findings that n and N stop at, in order of requests.

    Errors and warnings, those of the whole session first. Where there are none, the mere facts but
    planned steps, those of the whole session last: one of them may be what the person is looking for.
    """
    loud = [f for f in findings if f.severity is not Severity.INFO]
    if loud:
        return sorted(loud, key=lambda finding: finding.request or 0)
    facts = [f for f in findings if not f.data.get("planned")]
    return sorted(facts, key=lambda finding: (finding.request is None, finding.request or 0))


def next_finding(
    found: Sequence[Finding], request: int, current: int | None, step: int
) -> tuple[int, bool] | None:
    """Number of the finding after or before where one is; past the ends it begins at the other one.

    Args:
        found: Findings in order of requests.
        request: Request shown.
        current: Finding that was jumped to last; counts only while its request is still shown.
        step: 1 forwards, -1 backwards.

    Returns:
        An index into `found` and whether it went round; None where there are no findings.
    """
    wanted = _finding_beside(found, request, current, step)
    if wanted is not None:
        return wanted, False
    return (0 if step > 0 else len(found) - 1, True) if found else None


def _finding_beside(found: Sequence[Finding], request: int, current: int | None, step: int) -> int | None:
    if current is not None and current < len(found) and found[current].request in (None, request):
        wanted = current + step
        return wanted if 0 <= wanted < len(found) else None
    if step > 0:
        return next((i for i, f in enumerate(found) if (f.request or 0) > request), None)
    return next((i for i in range(len(found) - 1, -1, -1) if (found[i].request or 0) < request), None)
