"""Causes that are about something being wrong: one line for each kind, with where to look first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inspector.model.findings import Finding, Severity, counted
from inspector.model.ledger import Level
from inspector.model.policy import DOCUMENTED, Ageing
from inspector.replay.sizing import aged_level
from inspector.why.cause import WEIGHTS, Cause

if TYPE_CHECKING:
    from inspector.replay.timeline import Timeline
    from inspector.session import Session

_NAMED = 3
_FAULTS_OF_A_REQUEST = frozenset({"missing_result", "orphan_result", "duplicate_tool_use", "order_violation"})
"""What an API refuses with an error."""
_DISK_ONLY_BYTES = 100_000
_DISK_ONLY_TIMES = 10


def fault_causes(session: Session, folded: Sequence[tuple[Finding, list[Finding]]]) -> list[Cause]:
    """One cause for each kind, heaviest first.

    Args:
        session: Read to its end.
        folded: Findings that are not about size, each with what follows from it.
    """
    by_kind: dict[str, list[tuple[Finding, list[Finding]]]] = {}
    for finding, also in folded:
        by_kind.setdefault(finding.kind, []).append((finding, also))
    out = [_of_kind(session, kind, members) for kind, members in by_kind.items()]
    out += [*_disk_only(session), *_would_age(session)]
    out.sort(key=lambda c: -c.weight)
    return out


def _of_kind(session: Session, kind: str, members: Sequence[tuple[Finding, list[Finding]]]) -> Cause:
    findings = [finding for finding, _ in members]
    first = min(findings, key=lambda f: (list(Severity).index(f.severity), f.request or 0))
    rest = [f for f in findings if f is not first]
    more = f" And {len(rest)} more like it{_places(rest)}." if rest else ""
    effects = [f for _, also in members for f in also]
    also = [*(f.fact for f in effects), *_refusals(session, kind, findings)]
    weight = WEIGHTS.get(kind, 5)
    if kind == "prefix_break" and all(f.severity is Severity.INFO for f in findings):
        weight = 18  # planned by the policy, or a compaction's own
    elif kind == "bad_line" and all(f.severity is not Severity.ERROR for f in findings):
        weight = WEIGHTS["nul_run"]
    elif any(f.data.get("lost") for f in findings):
        weight = WEIGHTS["bad_line"]  # whatever is wrong with the line, it was lost
    return Cause(
        kind=kind,
        severity=first.severity,
        sentence=first.fact + more,
        weight=weight,
        request=first.request,
        ids=tuple(dict.fromkeys(i for f in findings for i in f.ids)),
        shown_id=first.shown_id,
        cause=first.cause,
        certain=first.certain,
        see=first.see,
        thread=first.thread,
        also=tuple(also),
        also_kinds=tuple(f.kind for f in effects),
    )


def _places(findings: Sequence[Finding]) -> str:
    words = [f.see or (f"request {f.request}" if f.request else ", ".join(f.ids[:1])) for f in findings]
    words = list(dict.fromkeys(w for w in words if w))
    return (": " if words else "") + ", ".join(words[:_NAMED]) + (" …" if len(words) > _NAMED else "")


def _refusals(session: Session, kind: str, findings: Sequence[Finding]) -> Iterator[str]:
    """API errors that the client noted behind a fault in the history: a consequence, not a cause."""
    if kind not in _FAULTS_OF_A_REQUEST:
        return
    for key, timeline in session.timelines.items():
        starts = [_first_index(timeline, f) for f in findings if f.thread == key]
        behind = [line for line, index in timeline.error_lines if starts and index >= min(starts)]
        if behind:
            lines = ", ".join(map(str, behind[:_NAMED])) + (" …" if len(behind) > _NAMED else "")
            word = "line" if len(behind) == 1 else "lines"
            stand = counted(len(behind), "API error stands", "API errors stand")
            yield f"{stand} behind it ({word} {lines}): most likely its consequence."


def _first_index(timeline: Timeline, finding: Finding) -> int:
    rows = [row for i in finding.ids for row in timeline.rows_of(i)[:1]]
    records = [row.entry.call_record or row.entry.result_record for row in rows]
    return min((r.index for r in records if r is not None), default=1 << 60)


def _disk_only(session: Session) -> Iterator[Cause]:
    """Records that are large on disk and small for the model: not what filled the context."""
    large = []
    for row in session.all_rows():
        record, block = row.entry.result_record, row.entry.result
        if record is None or block is None or len(record.blocks) != 1:
            continue
        size = record.end - record.start
        seen = block.size.bytes + block.image_chars
        if size >= _DISK_ONLY_BYTES and size > _DISK_ONLY_TIMES * seen:
            large.append((size, seen, row))
    if not large:
        return
    size, seen, row = max(large, key=lambda item: item[0])
    yield Cause(
        kind="disk_only",
        severity=Severity.INFO,
        sentence=f"{row.entry.tool} {row.entry.id} takes {size:,} bytes of the file (line {row.entry.line}), "
        f"but the model saw {seen:,} bytes of it: the file is large, the context is not"
        + (f" ({len(large)} such results)." if len(large) > 1 else "."),
        weight=WEIGHTS["disk_only"],
        request=row.request or None,
        ids=tuple(r.entry.id for _, _, r in large),
        shown_id=row.entry.id,
        see=f"line {row.entry.line}",
    )


def _would_age(session: Session) -> Iterator[Cause]:
    """What ageing by turns would have taken by now, where the policy in force has none."""
    timeline, rules = session.timeline, DOCUMENTED.microcompact
    if timeline.policy.microcompact.variant in (Ageing.AGES, Ageing.CHATCLI):
        return
    taken = []
    for row in timeline.tracked:
        block = row.entry.result
        if block is None or not row.on_wire or row.cleared:
            continue
        age = timeline.age_of(row)
        level, _ = aged_level(row.entry, age, row.full, rules)
        if level in (Level.TRUNCATED, Level.SUMMARIZED):
            taken.append((age, row))
    if not taken:
        return
    age, oldest = max(taken, key=lambda item: item[0])
    named = ", ".join(f"{r.entry.tool} {r.entry.id}" for _, r in taken[:_NAMED])
    yield Cause(
        kind="would_age",
        severity=Severity.INFO,
        sentence=f"Ageing after {rules.truncate_turns} and {rules.summarize_turns} answers would have "
        f"shortened {counted(len(taken), 'result')} ({named}{' …' if len(taken) > _NAMED else ''}); "
        f"{oldest.entry.id} is {age} answers old, and nothing keeps a copy of it.",
        weight=WEIGHTS["would_age"],
        request=oldest.request or None,
        ids=tuple(r.entry.id for _, r in taken),
        shown_id=oldest.entry.id,
        see=f"line {oldest.entry.line}",
    )
