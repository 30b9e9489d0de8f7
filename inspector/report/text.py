"""The report for people: what the session is, request by request, and what to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from inspector.errors import UsageError
from inspector.figures import count_words, number
from inspector.model.findings import Finding
from inspector.replay.diagnose.budget import groups_over
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.view import Event
from inspector.report.accounts import unseen_words
from inspector.report.facts import SIGNS, by_severity, facts, severity_words
from inspector.report.why import cause_line
from inspector.session.policy_words import assumptions
from inspector.text import printable_line
from inspector.why import why

if TYPE_CHECKING:
    from inspector.replay.accounting import Account
    from inspector.replay.timeline import Timeline
    from inspector.session import Session
    from inspector.why import Why

_SHOWN_FINDINGS = 60
_SHOWN_GROUPS = 40
_CAUSES = 3
_MARKS = (
    (Event.OVER, "▲"),
    (Event.COMPACTION, "▼"),
    (Event.BREAK, "╎"),
    (Event.REPAIR, "±"),
    (Event.DIFFERS, "≠"),
)


def text_report(session: Session, answer: Why | None = None) -> str:
    """The whole analysis as text. Every text of the session in it is printable.

    Args:
        session: Read to its end.
        answer: Of `inspector.why.why`; None: made here, without advice.
    """
    return "\n".join(_lines(session, answer or why(session, with_advice=False)))


def _lines(session: Session, answer: Why) -> Iterator[str]:
    yield f"{printable_line(session.title)} · {session.source_words}"
    for name, value in facts(session):
        yield f"  {name:9} {printable_line(value)}"
    for assumption in assumptions(session):
        yield f"            {assumption}"
    yield ""
    yield "Why:"
    for place, cause in enumerate(answer.causes[:_CAUSES], 1):
        yield f"  {place} {SIGNS[cause.severity]} {cause_line(cause, session)}"
    yield ""
    yield from _findings(session.findings())
    for key in session.timelines:
        yield ""
        title = session.thread_title(key) if key else "main conversation"
        yield from _thread(title, session, key)


def _findings(findings: list[Finding]) -> Iterator[str]:
    if not findings:
        yield "No findings."
        return
    yield f"Findings: {severity_words(findings)}"
    ordered = by_severity(findings)
    for finding in ordered[:_SHOWN_FINDINGS]:
        where = f" [{printable_line(finding.see)}]" if finding.see else ""
        yield f"  {SIGNS[finding.severity]} {finding.kind}: {printable_line(finding.fact)}{where}"
        if finding.cause:
            doubt = "" if finding.certain else "likely: "
            yield f"      {doubt}{printable_line(finding.cause)}"
    if len(ordered) > _SHOWN_FINDINGS:
        yield f"  and {len(ordered) - _SHOWN_FINDINGS} more (--format json shows all)"


def _thread(title: str, session: Session, key: str) -> Iterator[str]:
    timeline = session.timelines[key]
    unit = UNIT_WORDS[timeline.policy.unit]
    yield f"{printable_line(title)}: {count_words(len(timeline.requests), 'request')}"
    for request, group in islice(groups_over(timeline.requests), _SHOWN_GROUPS):
        yield (
            f"  request {request.n}: {count_words(group.counted, 'result')} hold{'s' * (group.counted == 1)} "
            f"{number(group.total)} of {number(group.limit)} {unit}; "
            f"{len(group.replaced)} replaced, {number(group.decision.remaining)} remain"
        )
    yield from _table(timeline, session.accounts(key), unit)


def _table(timeline: Timeline, accounts: Sequence[Account], unit: str) -> Iterator[str]:
    yield (
        f"  {'request':>7}  {'on the wire, ' + unit:>26}  {'tokens':>10}  {'unseen':>9}  "
        f"{'cache read':>10}  events"
    )
    for request, account in zip(timeline.requests, accounts, strict=True):
        read = number(request.usage.cache_read) if request.usage else "—"
        rest = f"≈ {number(account.remainder)}" if account.remainder is not None else "—"
        chars = ("≈ " if request.estimated else "") + number(request.wire_chars)
        marks = " ".join(sign for event, sign in _MARKS if request.events & event)
        name = f"{request.n}{'*' if request.pending else ''}"
        line = f"  {name:>7}  {chars:>26}  {number(account.tokens):>10}  {rest:>9}  {read:>10}  {marks}"
        yield line.rstrip()
        if said := unseen_words(account):
            yield f"           {printable_line(said)}"


def agent_report(session: Session, agent: str) -> str:
    """One sub-agent as text: who it is, its findings, its requests.

    Args:
        session: Read to its end.
        agent: The sub-agent's id.

    Raises:
        UsageError: There is no such sub-agent.
    """
    if agent not in session.timelines:
        raise UsageError(f"there is no sub-agent {agent!r} in this session")
    call = session.agent_calls.call_of(agent)
    name = f"sub-agent {agent}" if session.is_claude_code else session.part_name(agent)
    head = [f"{printable_line(session.title)} · {printable_line(name)}"]
    if call:
        head.append(f"  started by {printable_line(call)}")
    findings = [f for f in session.findings() if f.thread == agent]
    title = session.thread_title(agent)
    return "\n".join([*head, "", *_findings(findings), "", *_thread(title, session, agent)])
