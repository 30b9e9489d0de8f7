"""The answer of `inspector why` as text and as plain data (`inspector-why/1`).

The causes stand first, one line each, because the reader has little time; what follows from a cause,
what the fullest request holds and what other limits would do come behind them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from inspector.figures import estimate, number
from inspector.model.findings import counted
from inspector.replay.sentences import UNIT_WORDS
from inspector.report.accounts import account_data, shares
from inspector.report.facts import SIGNS
from inspector.text import printable_line

if TYPE_CHECKING:
    from inspector.replay.accounting import Account
    from inspector.session import Session
    from inspector.why import Cause, Why
    from inspector.why.advice import Advice

SCHEMA = "inspector-why/1"

_TOOLS = 8
"""Tools and states told below the results of a request."""
_ALSO = 4
"""Consequences told under one cause."""


def why_text(session: Session, answer: Why, *, limit: int = 10) -> str:
    """The answer for a person. Every text of the session in it is printable.

    Args:
        session: The session.
        answer: Of `inspector.why.why`.
        limit: Most causes; the others are counted.
    """
    return "\n".join(_lines(session, answer, limit))


def _lines(session: Session, answer: Why, limit: int) -> Iterator[str]:
    shown = answer.causes[:limit]
    for place, cause in enumerate(shown, 1):
        yield f"{place:>2} {SIGNS[cause.severity]} {cause_line(cause, session)}"
    if len(answer.causes) > len(shown):
        total = len(answer.causes)
        more = counted(total - len(shown), "smaller one")
        yield f"   and {more} (--limit {total} shows all)"
    yield from _details(shown)
    if answer.shown is not None:
        yield ""
        yield from _shown_lines(session, answer, answer.shown)
    if answer.advice is not None:
        yield ""
        yield from _advice_lines(answer.advice)


def cause_line(cause: Cause, session: Session) -> str:
    """One cause as one printable line: its kind, and the sentence."""
    where = f" [{session.part_name(cause.thread)}]" if cause.thread else ""
    return printable_line(f"{cause.kind}: {cause.sentence}{where}")


def _details(causes: tuple[Cause, ...]) -> Iterator[str]:
    told = False
    for place, cause in enumerate(causes, 1):
        lines = []
        if cause.cause:
            lines.append(("because" if cause.certain else "likely") + f": {cause.cause}")
        lines += [f"then: {fact}" for fact in cause.also[:_ALSO]]
        if len(cause.also) > _ALSO:
            lines.append(f"then: {len(cause.also) - _ALSO} more")
        if not lines:
            continue
        if not told:
            yield ""
            told = True
        for at, line in enumerate(lines):
            yield f"{place if not at else '':>2}   {printable_line(line)}"


def _shown_lines(session: Session, answer: Why, shown: Account) -> Iterator[str]:
    exact = shown.tokens is not None
    tokens = number(shown.tokens) if exact else estimate(shown.shown_tokens)
    unit = UNIT_WORDS[session.policy.unit]
    whose = " of the main conversation" if len(session.timelines) > 1 else ""
    fullest = f"The fullest request{whose} is" if shown is answer.peak else "Request"
    wire, thinking = shown.parts.chars - shown.parts.thinking, shown.parts.thinking
    about = "≈ " if session.timeline.requests[shown.n - 1].estimated else ""
    size = f"{about}{number(wire)} {unit} on the wire" + f" + {number(thinking)} of thinking" * bool(thinking)
    yield f"{fullest} {shown.n}: {tokens} tokens; records show {size}."
    if shown is answer.peak:
        yield from _fuller_agent(session, shown)
    total = max(1, shown.tokens or shown.shown_tokens)
    for word, chars, part in shares(shown):
        size = f"{number(chars)} {unit}" if chars else ""
        yield f"   ≈ {100 * part / total:3.0f} %  ≈ {number(part):>9} tokens  {word}  {size}".rstrip()
        if word == "results":
            for tool, state, each in answer.shown_results[:_TOOLS]:
                name = printable_line(f"{tool}, {state}")
                yield f"            ≈ {number(shown.tokens_of(each)):>9} tokens    {name}  {number(each)}"
    if shown.parts.images:
        yield f"   {counted(shown.parts.images, 'image is', 'images are')} part of it"


def _fuller_agent(session: Session, peak: Account) -> Iterator[str]:
    """The sub-agent whose fullest request is the fullest of all, if it is fuller than the main one's."""
    found = [
        (account.tokens or account.shown_tokens, account.n, key, account.tokens is not None)
        for key in session.timelines
        if key
        for account in session.accounts(key)
    ]
    tokens, n, key, exact = max(found, default=(0, 0, "", False))
    if tokens > (peak.tokens or peak.shown_tokens):
        size = number(tokens) if exact else estimate(tokens)
        yield printable_line(
            f"   Fuller: request {n} of {session.part_name(key)}, {size} tokens; its causes are above."
        )


def _advice_lines(advice: Advice) -> Iterator[str]:
    aim = f"Under {number(advice.under_tokens)} tokens (now ≈ {number(advice.peak_tokens)})"
    useful = advice.helping
    if not useful:
        yield f"{aim}: no limit that was tried makes it smaller."
        yield from _worse_lines(advice)
        return
    if advice.enough:
        verdict = f"the mildest limit is {advice.enough}"
    elif any(t.saved_at_peak_tokens for t in useful):
        verdict = "no limit that was tried is enough"
    else:
        verdict = "no limit that was tried makes the fullest request smaller"
    yield f"{aim}: {verdict}."
    yield (
        f"   {'limit':42} {'peak tokens':>13} {'saved in all':>13} {'shortened':>9} {'asked again':>11} "
        f"{'breaks':>6}"
    )
    for trial in useful:
        mark = "→" if trial.name == advice.enough else " "
        yield (
            f" {mark} {trial.name:42} {estimate(trial.peak_tokens):>13} {estimate(trial.saved_tokens):>13} "
            f"{trial.shortened:>9} {trial.asked_again:>11} {trial.breaks:>6}"
        )
    yield "   shortened: each may have to be read again; asked again: the session repeated that call anyway"
    yield from _worse_lines(advice)


def _worse_lines(advice: Advice) -> Iterator[str]:
    for trial in advice.worsening:
        yield f"   worse with {trial.name}: {trial.worse_words}"


def why_data(session: Session, answer: Why) -> dict[str, Any]:
    """The answer as plain data, ready for JSON."""
    advice = answer.advice
    return {
        "schema": SCHEMA,
        "path": str(session.path),
        "unit": session.policy.unit.value,
        "causes": [_cause_data(c) for c in answer.causes],
        "peak": account_data(answer.peak) if answer.peak is not None else None,
        "request": None
        if answer.shown is None
        else {
            **account_data(answer.shown),
            "results_by_tool": [
                {"tool": tool, "state": state, "chars": chars, "tokens": answer.shown.tokens_of(chars)}
                for tool, state, chars in answer.shown_results
            ],
        },
        "growers": [msgspec.structs.asdict(g) for g in answer.growers],
        "advice": None
        if advice is None
        else {
            "under_tokens": advice.under_tokens,
            "peak_tokens": advice.peak_tokens,
            "enough": advice.enough or None,
            "trials": [msgspec.structs.asdict(t) for t in advice.trials],
        },
    }


def _cause_data(cause: Cause) -> dict[str, Any]:
    return {
        **msgspec.structs.asdict(cause),
        "severity": cause.severity.value,
        "ids": list(cause.ids),
        "also": list(cause.also),
        "also_kinds": list(cause.also_kinds),
        "cause": cause.cause or None,
        "see": cause.see or None,
        "thread": cause.thread or None,
    }
