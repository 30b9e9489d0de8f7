"""The whole answer: what the fullest request holds, causes in order, and what other limits would do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec

from inspector.errors import UsageError
from inspector.model.findings import Finding, Severity, counted
from inspector.replay.accounting import Account, results_by_tool
from inspector.replay.growers import Grower, growers
from inspector.replay.sentences import UNIT_WORDS
from inspector.why.cause import GROWTH, Cause
from inspector.why.faults import fault_causes
from inspector.why.folding import fold
from inspector.why.growth import growth_causes

if TYPE_CHECKING:
    from inspector.session import Session
    from inspector.why.advice import Advice

_LARGE_TOKENS = 20_000
"""Carry from which growth is worth the first lines of a session that has faults too."""
_LARGE_SHARE = 0.1
_PAID_TWICE = ("overflow_reread", "read_again_after_clear")


class Why(msgspec.Struct, frozen=True):
    """Why the context of a session is as large as it is."""

    peak: Account | None
    """The fullest request; None for a session without requests."""
    shown: Account | None
    """The request that is taken apart: the one asked for, else the fullest."""
    shown_results: tuple[tuple[str, str, int], ...]
    """Its results by tool and state, with characters on the wire; largest first."""
    causes: tuple[Cause, ...]
    """Most important first; never empty."""
    growers: tuple[Grower, ...]
    """Results of the main conversation by what they cost, largest first."""
    advice: Advice | None
    """What other limits would have done; None where it was not asked for."""


def why(
    session: Session,
    *,
    under_tokens: int | None = None,
    with_advice: bool = True,
    request: int | None = None,
) -> Why:
    """Explain a session.

    Args:
        session: Read to its end.
        under_tokens: Find the mildest limit that keeps every request below this; None: half the peak.
        with_advice: Whether to replay under other policies at all; each replay costs what reading the
            records through the fold once costs.
        request: The request to take apart; None: the fullest.

    Raises:
        UsageError: There is no such request.
    """
    folded = fold(session.findings())
    about_size = [pair for pair in folded if pair[0].kind in GROWTH]
    caused = _caused(session.findings())
    growth: list[Cause] = []
    main_accounts: Sequence[Account] = ()
    main_growers: list[Grower] = []
    for key, timeline in session.timelines.items():
        accounts = session.accounts(key)
        ranked = growers(timeline, accounts, caused)
        if not key:
            main_accounts, main_growers = accounts, ranked
        mine = [pair for pair in about_size if pair[0].thread == key]
        growth += growth_causes(timeline, accounts, ranked, mine, key)
    growth.sort(key=lambda c: -c.cost_tokens)
    faults = fault_causes(session, [pair for pair in folded if pair[0].kind not in GROWTH])
    causes = _ranked(growth, faults) or [_nothing(session)]
    advice: Advice | None = None
    if with_advice:
        from inspector.why.advice import advise

        advice = advise(session, main_accounts, under_tokens)
    peak = max(main_accounts, key=lambda a: (a.tokens or a.shown_tokens, a.n), default=None)
    shown = _asked(main_accounts, request) or peak
    by_tool = results_by_tool(session.timeline, shown.n) if shown is not None else {}
    parts = tuple((tool, state, chars) for (tool, state), chars in by_tool.items())
    return Why(peak, shown, parts, tuple(causes), tuple(main_growers), advice)


def _asked(accounts: Sequence[Account], request: int | None) -> Account | None:
    if request is None:
        return None
    if not 1 <= request <= len(accounts):
        raise UsageError(f"there is no request {request}; the session has 1 to {len(accounts)}")
    return accounts[request - 1]


def _caused(findings: Sequence[Finding]) -> dict[str, int]:
    """tool_use id → characters of later results that read it again."""
    sums: dict[str, int] = {}
    for finding in findings:
        if finding.kind in _PAID_TWICE and finding.ids:
            sums[finding.ids[0]] = sums.get(finding.ids[0], 0) + int(finding.data.get("chars", 0))
    return sums


def _ranked(growth: Sequence[Cause], faults: Sequence[Cause]) -> list[Cause]:
    """One order of both: large growth and faults take turns, so that neither hides the other.

    A person who asks why a session failed and one who asks why it is large both find their answer in
    the first two lines.
    """
    large = sorted((c for c in growth if _is_large(c)), key=lambda c: c.severity is Severity.INFO)
    small = [c for c in growth if not _is_large(c)]
    heavy = bool(faults) and faults[0].weight >= 90
    pairs = zip_longest(faults, large) if heavy else zip_longest(large, faults)
    return [cause for pair in pairs for cause in pair if cause is not None] + small


def _is_large(cause: Cause) -> bool:
    if cause.severity is not Severity.INFO:
        return True
    return cause.cost_tokens >= _LARGE_TOKENS and cause.share >= _LARGE_SHARE


def _nothing(session: Session) -> Cause:
    main = session.timeline
    unit = UNIT_WORDS[session.policy.unit]
    peak = max((r.wire_chars for r in main.requests), default=0)
    return Cause(
        kind="nothing",
        severity=Severity.INFO,
        sentence=f"Nothing is wrong and no result was sent: {counted(len(main.requests), 'request')}, "
        f"at most {peak:,} {unit}.",
        weight=0,
    )
