"""The report as Markdown for an issue tracker.

Every text of the session stands in a code span: there a tracker makes neither links nor mentions nor
markup of it, whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.figures import number
from inspector.replay.sentences import UNIT_WORDS
from inspector.report.facts import SIGNS, by_severity, facts, severity_words
from inspector.report.why import cause_line
from inspector.text import printable_line
from inspector.why import why

if TYPE_CHECKING:
    from inspector.session import Session
    from inspector.why import Why

_FINDINGS, _CAUSES, _REQUESTS = 50, 5, 200
_RUNS = re.compile("`+")


def code(text: str) -> str:
    """A text as a code span that it cannot end, inside a table too."""
    line = printable_line(text).replace("|", "¦") or " "
    fence = "`" * (max((len(run) for run in _RUNS.findall(line)), default=0) + 1)
    pad = " " if line.startswith(("`", " ")) or line.endswith(("`", " ")) else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def markdown_report(session: Session, answer: Why | None = None) -> str:
    """The report.

    Args:
        session: Read to its end.
        answer: Of `inspector.why.why`; None: made here, without advice.
    """
    return "\n".join(_lines(session, answer or why(session, with_advice=False)))


def _lines(session: Session, answer: Why) -> Iterator[str]:
    yield f"## Context report: {code(session.title)}"
    yield ""
    for name, value in facts(session):
        yield f"- {name}: {code(value)}"
    yield ""
    yield "### Why"
    yield ""
    for place, cause in enumerate(answer.causes[:_CAUSES], 1):
        yield f"{place}. {SIGNS[cause.severity]} {code(cause_line(cause, session))}"
    yield ""
    yield from _findings(session)
    yield from _table(session)


def _findings(session: Session) -> Iterator[str]:
    findings = by_severity(session.findings())
    yield f"### Findings: {severity_words(findings)}"
    yield ""
    if findings:
        yield "| | kind | what | where |"
        yield "|---|---|---|---|"
    for finding in findings[:_FINDINGS]:
        cause = f" {'Because' if finding.certain else 'Likely'}: {finding.cause}" if finding.cause else ""
        where = code(finding.see) if finding.see else ""
        fact = code(finding.fact + cause)
        yield f"| {SIGNS[finding.severity]} | {finding.kind} | {fact} | {where} |"
    if len(findings) > _FINDINGS:
        yield ""
        yield f"and {len(findings) - _FINDINGS} more."
    yield ""


def _table(session: Session) -> Iterator[str]:
    requests = session.timeline.requests
    yield "<details><summary>Requests</summary>"
    yield ""
    yield f"| request | {UNIT_WORDS[session.policy.unit]} | tokens | cache read | over by | repairs |"
    yield "|---:|---:|---:|---:|---:|---:|"
    for request in requests[-_REQUESTS:]:
        usage = request.usage
        mark = "≈ " if request.estimated else ""
        over = number(request.over_by) if request.over_by else ""
        tokens, read = (number(usage.context), number(usage.cache_read)) if usage else ("—", "—")
        yield (
            f"| {request.n}{'*' if request.pending else ''} | {mark}{number(request.wire_chars)} | {tokens} "
            f"| {read} | {over} | {len(request.repairs) or ''} |"
        )
    if len(requests) > _REQUESTS:
        yield ""
        yield f"The last {_REQUESTS} of {len(requests)}."
    yield ""
    yield "</details>"
