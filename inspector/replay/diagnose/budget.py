"""Groups over their budget, and results the budget cannot touch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from inspector.model.findings import Finding, counted
from inspector.model.policy import BudgetMode
from inspector.model.transcript import Candidate
from inspector.replay.diagnose.pairing import finding
from inspector.replay.sentences import UNIT_WORDS

if TYPE_CHECKING:
    from inspector.replay.requests import AnyGroup, Request
    from inspector.replay.timeline import Timeline

_BASE64_FROM = 1_000
"""Base64-looking characters from which a text is pointed out."""
_LARGE_IMAGE_PX = 2_000
"""Longer sides than this are refused by the API when a request holds many images."""


def budget_findings(timeline: Timeline) -> Iterator[Finding]:
    """Findings of the budget family, by request."""
    for request in timeline.requests:
        for group in request.groups:
            yield from _group(timeline, request, group)
    yield from _over_result_limit(timeline)
    yield from _not_applied(timeline)
    yield from _unexpected(timeline)
    yield from _images(timeline)


def _group(timeline: Timeline, request: Request, group: AnyGroup) -> Iterator[Finding]:
    unit = UNIT_WORDS[timeline.policy.unit]
    decision = group.decision
    if not decision.over or group.again:
        return
    count = len(group.replaced)
    outcome = f"{count or 'none'} replaced, {decision.remaining:,} remain."
    if count and not any(row.applied for i in group.replaced for row in timeline.rows_of(i)):
        outcome = f"replacing {count} would leave {decision.remaining:,}, but no record shows it."
    yield finding(
        "over_turn_budget",
        f"Request {request.n}: {counted(group.counted, 'result')} hold{'s' * (group.counted == 1)} "
        f"{decision.total:,} of {group.limit:,} {unit}; {outcome}",
        request=request.n, ids=group.ids, see=f"request {request.n}",
        data={"total": decision.total, "remaining": decision.remaining, "replace": list(group.replaced)},
    )  # fmt: skip
    if not timeline.policy.budget.ledger:
        return  # ChatCLI's own findings say why a turn stays over
    if decision.accepted and decision.cannot_fit:
        yield finding(
            "cannot_fit",
            f"Request {request.n}: {decision.remaining:,} of {group.limit:,} {unit} remain; every result "
            "left is too small for a preview to save anything.",
            request=request.n, ids=group.ids, see=f"request {request.n}",
        )  # fmt: skip
    elif decision.accepted:
        yield finding(
            "accepted_overage",
            f"Request {request.n}: {decision.remaining:,} of {group.limit:,} {unit} remain; what was "
            "sent in full before stays as it is.",
            request=request.n, ids=group.ids, see=f"request {request.n}",
            cause="Changing a text that was sent already would break the prompt prefix.",
        )  # fmt: skip


def _over_result_limit(timeline: Timeline) -> Iterator[Finding]:
    limit = timeline.policy.budget.result_limit
    if limit is None:
        return
    for row in timeline.tracked:
        if row.entry.candidate is Candidate.YES and row.entry.result and row.full > limit:
            yield finding(
                "over_result_limit",
                f"{row.entry.tool or 'a result'} {row.entry.id} holds {row.full:,} of {limit:,} "
                f"{UNIT_WORDS[timeline.policy.unit]} that one result may have.",
                request=row.request or None, ids=(row.entry.id,), see=f"line {row.entry.line}",
                data={"chars": row.full},
            )  # fmt: skip


def _not_applied(timeline: Timeline) -> Iterator[Finding]:
    if timeline.policy.budget.mode is not BudgetMode.AUTO:
        return
    ids = [i for r in timeline.requests for g in r.groups for i in g.replaced if i not in timeline.stored]
    if ids:
        yield finding(
            "not_applied",
            f"The budget would have replaced {counted(len(ids), 'result')}; the session records no such "
            "replacement.",
            ids=tuple(ids), certain=False, data=_what_it_would_save(timeline, ids),
            cause="The budget is a switch of the account, and print mode never has it.",
        )  # fmt: skip


def _what_it_would_save(timeline: Timeline, ids: list[str]) -> dict[str, Any]:
    """What the wire would be without, had the budget been on."""
    rows = [row for i in ids for row in timeline.rows_of(i)[-1:]]
    requests = sorted({r.n for r in timeline.requests if any(g.replaced for g in r.groups)})
    return {"chars": sum(r.full - timeline.sizing.preview(r.entry).chars for r in rows), "requests": requests}


def _unexpected(timeline: Timeline) -> Iterator[Finding]:
    predicted = {i for r in timeline.requests for g in r.groups for i in g.replaced}
    for tool_use_id, record in timeline.stored.items():
        if tool_use_id not in predicted:
            known = bool(timeline.rows_of(tool_use_id))
            yield finding(
                "unexpected_replacement",
                f"Line {record.line} replaces {tool_use_id}, which the budget would have left in full."
                if known else f"Line {record.line} replaces {tool_use_id}, which is not in this session.",
                ids=(tool_use_id,), see=f"line {record.line}",
            )  # fmt: skip


def _images(timeline: Timeline) -> Iterator[Finding]:
    for row in timeline.tracked:
        block = row.entry.result
        if block is None:
            continue
        place = f"line {row.entry.line}"
        if block.base64_chars >= _BASE64_FROM:
            yield finding(
                "base64_text",
                f"{row.entry.tool} {row.entry.id} carries {block.base64_chars:,} chars of base64 as text.",
                request=row.request or None, ids=(row.entry.id,), see=place,
                data={"chars": block.base64_chars},
            )  # fmt: skip
        if block.images:
            large = [list(px) for px in block.images if max(px) > _LARGE_IMAGE_PX]
            yield finding(
                "image_result",
                f"{row.entry.tool} {row.entry.id} holds {len(block.images)} image(s); the budget neither "
                "counts nor replaces such a result.",
                request=row.request or None, ids=(row.entry.id,), see=place,
                data={"images": [list(px) for px in block.images], "over_2000_px": large},
            )  # fmt: skip
