"""What every report for people says first: the session in a few facts, in one wording for all formats."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from inspector.figures import count_words, number, size_words
from inspector.model.findings import Finding, Severity
from inspector.model.transcript import COMMENT
from inspector.replay.sentences import UNIT_WORDS
from inspector.session.policy_words import policy_changes, policy_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.session import Session

SIGNS = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.INFO: "·"}
"""Sign of a severity, for reports in which colour may be missing."""


def facts(session: Session) -> list[tuple[str, str]]:
    """Name and value of each fact. Values hold text of the session as it stands; the format gates it."""
    counts, main = session.counts, session.timeline
    changes = policy_changes(session)
    changed = f", {count_words(changes, 'field')} changed" if changes else ""
    comments = sum(line.kind == COMMENT for line in counts.bad_lines)
    bad = f", {number(len(counts.bad_lines) - comments)} bad" if len(counts.bad_lines) > comments else ""
    bad += f", {count_words(comments, 'comment')}" if comments else ""
    out = [
        ("file", f"{session.path}, {size_words(session.size_bytes)}"),
        (
            "lines",
            f"{number(counts.lines)} read, {count_words(counts.parsed, 'record')}{_aside(session)}{bad}",
        ),
    ]
    if counts.versions:
        out.append(("client", ", ".join(counts.versions)))
    out.append(("policy", f"{session.policy.name}{changed}; {policy_note(session)}"))
    peak = max(main.requests, key=lambda r: r.wire_chars, default=None)
    if peak is not None:
        tokens = max((r.usage.context for r in main.requests if r.usage), default=None)
        words = f"; {number(tokens)} tokens at most (usage)" if tokens is not None else ""
        mark = "≈ " if peak.estimated else ""
        unit = UNIT_WORDS[session.policy.unit]
        out.append(("context", f"{mark}{number(peak.wire_chars)} {unit} at most, in request {peak.n}{words}"))
    results = sum(1 for t in main.tracked if t.entry.result)
    out.append(("requests", f"{number(len(main.requests))}, results {number(results)}"))
    agents = len(session.timelines) - 1
    if agents:
        row = max((row for row in session.thread_rows() if row.id), key=lambda row: (row.peak_chars, row.id))
        mark = "≈ " if row.peak_estimated else ""
        most = f"{mark}{number(row.peak_chars)} {UNIT_WORDS[session.policy.unit]}"
        largest = f"the largest context {most}, of {session.part_name(row.id)}"
        label = "agents" if session.is_claude_code else "others"
        out.append((label, f"{number(agents)}, {largest}"))
    return out


def _aside(session: Session) -> str:
    """How many records no history holds, where they are most of a file: it is large, its context is not."""
    parsed = session.counts.parsed - session.counts.duplicate_records
    aside = parsed - sum(timeline.records for timeline in session.timelines.values())
    if not session.is_claude_code or 2 * aside <= parsed:
        return ""
    return f", {number(aside)} of them no part of the conversation (progress, snapshots, state)"


def severity_words(findings: Sequence[Finding]) -> str:
    """How many of each severity: `2 errors, 1 warning`; `none`."""
    counts = Counter(f.severity for f in findings)
    nouns = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    return ", ".join(count_words(counts[s], nouns[s]) for s in Severity if counts[s]) or "none"


def by_severity(findings: Sequence[Finding]) -> list[Finding]:
    """Loudest first, otherwise in the order given."""
    return sorted(findings, key=lambda f: list(Severity).index(f.severity))
