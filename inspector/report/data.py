"""The report as plain data (`inspector-report/1`): the one form that JSON, tests and other programs read.

Keys are added, never renamed. Texts of the session stand in it unchanged; whoever prints it escapes.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any

from inspector.errors import UsageError
from inspector.model.ledger import State
from inspector.model.transcript import Candidate
from inspector.replay.calls import positional_repairs
from inspector.replay.conversation import Conversation, repair_at
from inspector.replay.differences import replaced_in_ledger, replaced_on_wire
from inspector.replay.prefix import PrefixRow, prefix_rows
from inspector.replay.resume import resume_state
from inspector.replay.usage_totals import usage_totals
from inspector.replay.view import Repair
from inspector.report.accounts import account_data
from inspector.session.policy_words import assumptions

if TYPE_CHECKING:
    from inspector.model.findings import Finding
    from inspector.model.transcript import Usage
    from inspector.replay.filters import Filter
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked
    from inspector.session import Session

SCHEMA = "inspector-report/1"

CANDIDATE_REASONS: dict[Candidate, str] = {
    Candidate.NO_CONTENT: "no content",
    Candidate.IMAGE: "contains an image block",
    Candidate.PERSISTED: "already persisted",
}
"""Why a result is no candidate of the budget."""


def report(
    session: Session, *, resume_after: int | None = None, agent: str = "", filter_: Filter | None = None
) -> dict[str, Any]:
    """The whole analysis of a session.

    Args:
        session: Read to its end.
        resume_after: A line number: add what a resume after it would do (`resume`).
        agent: A sub-agent's id: it stands in the place of the main conversation, and alone.
        filter_: Leaves only results that pass in `results` and `result_rows`.

    Returns:
        Plain data, ready for JSON.

    Raises:
        UsageError: There is no such sub-agent.
    """
    if agent not in session.timelines:
        raise UsageError(f"there is no sub-agent {agent!r} in this session")
    main = session.timelines[agent]
    shown = [agent] if agent else list(session.timelines)
    findings = session.findings()  # first: they mark requests that were recorded otherwise
    events = session.recorded_events()  # first: it marks the requests that the log speaks of
    accounts = session.accounts(agent)
    prefixes = list(prefix_rows(main))
    out: dict[str, Any] = {
        "schema": SCHEMA,
        "source": _source(session),
        "policy": _policy(session),
        "pairing": _pairing(session.timelines.values()),
        "recorded_events": events,
        "requests": [
            {**_request(main, r), "accounting": account_data(a), "cache": _cache(p)}
            for r, a, p in zip(main.requests, accounts, prefixes, strict=True)
        ],
        "groups": list(_groups(main)),
        "results": _results(session, agent, filter_),
        "calls_without_result": [_call(row) for row in main.tracked if row.entry.result is None],
        "findings": [finding_data(f) for f in findings if f.thread in shown],
        "totals": _totals(session, main, shown),
        "threads": [_thread(session, key, filter_) for key in shown if key and not agent],
    }
    if agent:
        out["agent"] = agent
    if filter_ is not None:
        out["filter"] = str(filter_)
    if resume_after is not None:
        out["resume"] = resume_state(main, resume_after)
    return out


def _results(session: Session, thread: str, filter_: Filter | None) -> list[dict[str, Any]]:
    rows: Iterable[Tracked] = session.timelines[thread].tracked
    if filter_ is not None:
        from inspector.session.filtered import SessionFilter

        rows = [row for row, _ in SessionFilter(session, filter_).rows(thread)]
    return [_result(session, thread, row) for row in rows if row.entry.result]


def _source(session: Session) -> dict[str, Any]:
    counts = session.counts
    return {
        "kind": session.kind,
        "path": str(session.path),
        "session_ids": counts.session_ids,
        "versions": counts.versions,
        "lines": counts.lines,
        "parsed": counts.parsed,
        "unique_uuids": counts.unique_uuids,
        "duplicate_records": counts.duplicate_records,
        "synthetic_error_records": sum(t.error_records for t in session.timelines.values()),
        "bad_lines": [
            {
                "line": bad.line,
                "bytes": [bad.start, bad.end],
                "kind": bad.kind,
                "reason": bad.reason,
                "saved": bad.saved,
                "lost": bad.lost,
            }
            for bad in counts.bad_lines
        ],
        "unknown_types": dict(counts.unknown_types),
        "partial_tail": session.partial_tail,
        "history": session.history_name,
        "recorded": _recorded(session),
    }


def _recorded(session: Session) -> dict[str, int] | None:
    """How many requests the transcript itself recorded, all conversations together; None: none."""
    checks = [check for key in session.timelines if (check := session.recorded.of(key)) is not None]
    if not checks:
        return None
    counted = [check.statistics() for check in checks]
    return {
        "requests": sum(c.requests for c in counted),
        "rebuilt": sum(c.rebuilt for c in counted),
        "verified": sum(c.verified for c in counted),
        "messages": sum(c.messages for c in counted),
        "messages_verified": sum(c.messages_verified for c in counted),
        "compared": sum(check.compared for check in checks),
        "differing": sum(len({n for d in check.differences for n in d.requests}) for check in checks),
    }


def _policy(session: Session) -> dict[str, Any]:
    policy = session.policy
    return {
        "name": policy.name,
        "fields": {path: _plain(value) for path, value in policy.flat().items()},
        "origin": dict(session.policy_origins),
        "assumptions": list(assumptions(session)),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(k): _plain(v) for k, v in value.items()}
    return value


def _pairing(timelines: Iterable[Timeline]) -> dict[str, Any]:
    """Both readings over the whole file, all conversations together, whatever the policy repairs."""
    out: dict[str, dict[str, list[str]]] = {
        "global": {"missing": [], "orphan": [], "duplicate": []},
        "positional": {"missing": [], "orphan": [], "duplicate": []},
    }
    pending: list[str] = []
    occurrences: dict[str, int] = {}
    for timeline in timelines:
        calls = timeline.calls
        out["global"]["missing"] += calls.global_missing
        out["global"]["orphan"] += calls.global_orphan
        out["global"]["duplicate"] += calls.global_duplicate
        for key, ids in positional_repairs(calls).items():
            out["positional"][key] += ids
        pending += timeline.pending_ids()
        occurrences |= {i: n for i, n in calls.uses.items() if n > 1}
    return {**out, "pending": pending, "occurrences": occurrences}


def _usage(usage: Usage | None) -> dict[str, int] | None:
    if usage is None:
        return None
    return {
        "input": usage.input,
        "cache_read": usage.cache_read,
        "cache_creation": usage.cache_creation,
        "output": usage.output,
    }


def _request(timeline: Timeline, request: Request) -> dict[str, Any]:
    broken = request.break_
    return {
        "n": request.n,
        "message_id": request.message_id,
        "request_ref": request.request_ref,
        "line": request.line,
        "live": request.pending,
        "wire_chars": request.wire_chars,
        "wire_chars_estimated": request.estimated,
        "usage": _usage(request.usage),
        "repairs": [{"kind": what.value, "id": i, "at": request.n} for what, i in request.repairs],
        "prefix_break": None
        if broken is None
        else {
            "id": broken.tool_use_id or None,
            "message": broken.message,
            "cause": broken.cause,
            "planned": broken.planned,
            "certain": broken.certain,
        },
        "recorded": timeline.recorded_words.get(request.request_ref or request.message_id, "absent"),
        "loop_turn": request.loop_turn,
    }


def _cache(row: PrefixRow) -> dict[str, Any]:
    """What usage says of the cache, beside the predicted break."""
    return {
        "read": row.cache_read,
        "creation": row.cache_creation,
        "fall": row.fall,
        "cold": row.cold,
        "gap_minutes": row.gap_minutes,
        "cause": row.cause or None,
        "certain": row.certain,
        "verdict": row.verdict or None,
    }


def _groups(timeline: Timeline) -> Iterable[dict[str, Any]]:
    for request in timeline.requests:
        for group in request.groups:
            decision = group.decision
            yield {
                "request": request.n,
                "turn": group.turn + 1,
                "ids": list(group.ids),
                "total": decision.total,
                "visible_total": group.visible_total,
                "skipped": list(group.skipped),
                "limit": group.limit,
                "frozen_total": group.frozen_total,
                "replace": list(group.replaced),
                "remaining": decision.remaining,
                "over": decision.over,
                "over_after_result_limit": decision.over_after_limit,
                "accepted": decision.accepted,
            }


def _result(session: Session, thread: str, row: Tracked) -> dict[str, Any]:
    timeline = session.timelines[thread]
    block = row.entry.result
    assert block is not None
    record = row.entry.result_record
    last = len(timeline.requests)
    view = Conversation(timeline).result(row.entry.index, last)
    overflow = session.overflow_of(row, thread)
    return {
        "id": row.entry.id,
        "index": row.entry.index,
        "line": row.entry.line,
        "tool": row.entry.tool,
        "request": row.request or None,
        "message_id": row.entry.call_record.message_id if row.entry.call_record else None,
        "chars": block.size.chars,
        "utf16": block.size.utf16,
        "bytes": block.size.bytes,
        "record_bytes": record.end - record.start if record else 0,
        "is_error": block.is_error,
        "candidate": CANDIDATE_REASONS.get(block.candidate, True),
        "state": row.state.value,
        "pairing": view.pairing.value,
        "ageing": _ageing(timeline, row),
        "lifeline": list(_lifeline(row, last)),
        "overflow": overflow.as_data() if overflow else None,
        "recorded": view.recorded or None,
        "replacement_file_ext": "json" if block.is_list else "txt",
        "lone_surrogates": row.is_halved,
    }


def _ageing(timeline: Timeline, row: Tracked) -> dict[str, Any] | None:
    """What ageing does at the newest request, and why it leaves what it leaves."""
    age = timeline.age_of(row)
    level, reason = timeline.sizing.level(row.entry, age, timeline.base_chars(row))
    return {"age": age, "level": level.value, "reason": reason or None}


def _lifeline(row: Tracked, last: int) -> Iterable[dict[str, Any]]:
    for at, span in enumerate(row.spans):
        end = row.spans[at + 1].start - 1 if at + 1 < len(row.spans) else last
        common = {"level": span.level.value, "chars": span.chars, "estimated": span.estimated}
        if row.anew or span.state is not State.REPLACED:
            yield {"from": span.start, "to": end, "state": span.state.value, **common}
        elif span.start <= row.request < end:
            yield {"from": span.start, "to": row.request, "state": State.REPLACED.value, **common}
            yield {"from": row.request + 1, "to": end, "state": State.MUST_REAPPLY.value, **common}
        elif span.start > row.request:
            yield {"from": span.start, "to": end, "state": State.MUST_REAPPLY.value, **common}
        else:
            yield {"from": span.start, "to": end, "state": span.state.value, **common}


def _call(row: Tracked) -> dict[str, Any]:
    repair = repair_at(row, 1 << 60)
    return {
        "id": row.entry.id,
        "index": row.entry.index,
        "line": row.entry.line,
        "tool": row.entry.tool,
        "pairing": repair.value if repair is not Repair.OK else None,
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """One finding as plain data."""
    return {
        "kind": finding.kind,
        "severity": finding.severity.value,
        "request": finding.request,
        "ids": list(finding.ids),
        "fact": finding.fact,
        "cause": finding.cause or None,
        "certain": finding.certain,
        "see": finding.see or None,
        "thread": finding.thread or None,
        "data": finding.data,
    }


def _totals(session: Session, main: Timeline, shown: Iterable[str]) -> dict[str, Any]:
    used = usage_totals(request for key in shown for request in session.timelines[key].requests)
    return {
        "requests": len(main.requests),
        "results": sum(1 for t in main.tracked if t.entry.result),
        "peak_chars": max((r.wire_chars for r in main.requests), default=0),
        "peak_tokens": max((r.usage.context for r in main.requests if r.usage), default=None),
        "replaced_in_ledger": replaced_in_ledger(main),
        "replaced_on_wire": replaced_on_wire(main),
        "overflow_bytes": session.files.size_bytes(),
        "usage": {
            "messages": used.answers,
            "input": used.input,
            "output": used.output,
            "cache_creation": used.cache_creation,
            "cache_read": used.cache_read,
        },
    }


def _thread(session: Session, key: str, filter_: Filter | None) -> dict[str, Any]:
    timeline = session.timelines[key]
    return {
        "thread": key,
        "title": session.thread_title(key),
        "requests": len(timeline.requests),
        "results": sum(1 for t in timeline.tracked if t.entry.result),
        "peak_chars": max((r.wire_chars for r in timeline.requests), default=0),
        "groups": list(_groups(timeline)),
        "result_rows": _results(session, key, filter_),
    }
