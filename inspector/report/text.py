"""The report for people: what the session is, request by request, and what to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from inspector.model.findings import Finding, Severity
from inspector.replay.sentences import UNIT_WORDS
from inspector.replay.view import Event
from inspector.text import number, printable_line, size_words

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.session import Session

_SHOWN_FINDINGS = 60
_SHOWN_GROUPS = 40
_SIGNS = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.INFO: "·"}
_MARKS = (
    (Event.OVER, "▲"),
    (Event.COMPACTION, "▼"),
    (Event.BREAK, "╎"),
    (Event.REPAIR, "±"),
    (Event.DIFFERS, "≠"),
)


def text_report(session: Session) -> str:
    """The whole analysis as text. Every text of the session in it is printable."""
    return "\n".join(_lines(session))


def _lines(session: Session) -> Iterator[str]:
    yield from _head(session)
    yield ""
    yield from _findings(session.findings())
    for key, timeline in session.timelines.items():
        yield ""
        title = session.thread_title(key) if key else "main conversation"
        yield from _thread(title, timeline)


def _head(session: Session) -> Iterator[str]:
    counts, main = session.counts, session.timeline
    yield f"{printable_line(session.title)} · {session.source_words}"
    yield f"  file      {printable_line(str(session.path))}, {size_words(session.size_bytes)}"
    yield (
        f"  lines     {number(counts.lines)} read, {number(counts.parsed)} records, "
        f"{number(len(counts.bad_lines))} bad"
    )
    if counts.versions:
        yield f"  client    {printable_line(', '.join(counts.versions))}"
    changed = f", {session.policy_changes} field(s) changed" if session.policy_changes else ""
    yield f"  policy    {session.policy.name}{changed}; {session.policy_note}"
    for assumption in session.assumptions():
        yield f"            {assumption}"
    unit = UNIT_WORDS[session.policy.unit]
    peak = max(main.requests, key=lambda r: r.wire_chars, default=None)
    if peak is not None:
        tokens = max((r.usage.context for r in main.requests if r.usage), default=None)
        words = f"; {number(tokens)} tokens at most (usage)" if tokens is not None else ""
        mark = "≈ " if peak.estimated else ""
        yield f"  context   {mark}{number(peak.wire_chars)} {unit} at most, in request {peak.n}{words}"
    results = sum(1 for t in main.tracked if t.entry.result)
    yield f"  requests  {number(len(main.requests))}, results {number(results)}"


def _findings(findings: list[Finding]) -> Iterator[str]:
    if not findings:
        yield "No findings."
        return
    by_severity = Counter(f.severity for f in findings)
    yield "Findings: " + ", ".join(f"{by_severity[s]} {s.value}" for s in Severity if by_severity[s])
    ordered = sorted(findings, key=lambda f: list(Severity).index(f.severity))
    for finding in ordered[:_SHOWN_FINDINGS]:
        where = f" [{printable_line(finding.see)}]" if finding.see else ""
        yield f"  {_SIGNS[finding.severity]} {finding.kind}: {printable_line(finding.fact)}{where}"
        if finding.cause:
            doubt = "" if finding.certain else "likely: "
            yield f"      {doubt}{printable_line(finding.cause)}"
    if len(ordered) > _SHOWN_FINDINGS:
        yield f"  and {len(ordered) - _SHOWN_FINDINGS} more (--format json shows all)"


def _thread(title: str, timeline: Timeline) -> Iterator[str]:
    unit = UNIT_WORDS[timeline.policy.unit]
    yield f"{printable_line(title)}: {len(timeline.requests)} requests"
    groups = [(r, g) for r in timeline.requests for g in r.groups if g.decision.over]
    for request, group in groups[:_SHOWN_GROUPS]:
        yield (
            f"  request {request.n}: {len(group.ids)} results hold {number(group.decision.total)} of "
            f"{number(group.limit)} {unit}; {len(group.replaced)} replaced, "
            f"{number(group.decision.remaining)} remain"
        )
    yield from _table(timeline.requests, unit)


def _table(requests: Iterable[Request], unit: str) -> Iterator[str]:
    yield f"  {'request':>7}  {'on the wire, ' + unit:>26}  {'tokens':>10}  {'cache read':>10}  events"
    for request in requests:
        usage = request.usage
        tokens = number(usage.context) if usage else "—"
        read = number(usage.cache_read) if usage else "—"
        chars = ("≈ " if request.estimated else "") + number(request.wire_chars)
        marks = " ".join(sign for event, sign in _MARKS if request.events & event)
        name = f"{request.n}{'*' if request.pending else ''}"
        yield f"  {name:>7}  {chars:>26}  {tokens:>10}  {read:>10}  {marks}".rstrip()
