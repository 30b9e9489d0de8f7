"""Groups over their budget, and results the budget cannot touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from inspector.model.findings import Finding, counted
from inspector.model.policy import BudgetMode
from inspector.replay.diagnose.noticed import BASE64_FROM
from inspector.replay.diagnose.pairing import finding
from inspector.replay.diagnose.settled import Settled
from inspector.replay.requests import UnderLimit
from inspector.replay.sentences import UNIT_WORDS

if TYPE_CHECKING:
    from inspector.replay.diagnose.noticed import Noticed
    from inspector.replay.requests import AnyGroup, Request
    from inspector.replay.timeline import Timeline

_CHOSEN_NAMED = 2
"""Chosen results that one sentence names."""
_LARGE_IMAGE_PX = 2_000
"""Longer sides than this are refused by the API when a request holds many images."""


class BudgetFindings:
    """Findings of the budget family of one conversation."""

    def __init__(self, timeline: Timeline, noticed: Noticed) -> None:
        self._timeline = timeline
        self._noticed = noticed
        self._groups = Settled(timeline, _groups)
        self._replaced = Settled(timeline, _replaced)
        self._saving_of: tuple[list[tuple[int, str]], int] = ([], 0)
        self._would_save: dict[str, Any] = {}

    def now(self, again: int) -> list[Finding]:
        """Those of groups by request, the others by row.

        Args:
            again: How often settled requests have changed after all.
        """
        timeline = self._timeline
        # Whether a replacement was applied is told by the lines stored so far, and by the client.
        out = self._groups.now((again, len(timeline.stored), timeline.screen))
        out += _over_result_limit(timeline, self._noticed)
        replaced = self._replaced.now(again)
        out += self._not_applied(replaced)
        out += _unexpected(timeline, replaced)
        out += _images(self._noticed)
        return out

    def _not_applied(self, replaced: list[tuple[int, str]]) -> Iterator[Finding]:
        timeline = self._timeline
        if timeline.policy.budget.mode is not BudgetMode.AUTO:
            return
        unapplied = [(n, i) for n, i in replaced if i not in timeline.stored]
        if self._saving_of != (replaced, len(timeline.stored)):
            self._saving_of = replaced, len(timeline.stored)
            self._would_save = _what_it_would_save(timeline, unapplied, [n for n, _ in replaced])
        if unapplied:
            yield finding(
                "not_applied",
                f"The budget would have replaced {counted(len(unapplied), 'result')}; the session records no "
                "such replacement.",
                ids=tuple(i for _, i in unapplied), certain=False, data=self._would_save,
                cause=_why_not_applied(timeline),
            )  # fmt: skip


def _why_not_applied(timeline: Timeline) -> str:
    if not timeline.stored:
        return "The budget is a switch of the account, and print mode never has it."
    line = min(record.line for record in timeline.stored.values())
    return (
        f"Line {line} stores a replacement, so the budget was on there: the session was in print mode here, "
        "or the account's switch was off."
    )


def groups_over(requests: Iterable[Request]) -> Iterator[tuple[Request, AnyGroup]]:
    """Groups that were over their budget, each with its request."""
    for request in requests:
        for group in request.groups:
            if not isinstance(group, UnderLimit) and group.decision.over:
                yield request, group


def _groups(timeline: Timeline, start: int, end: int) -> Iterator[Finding]:
    for request, group in groups_over(timeline.requests[start:end]):
        if not group.again:
            yield from _group(timeline, request, group)


def _replaced(timeline: Timeline, start: int, end: int) -> list[tuple[int, str]]:
    """Requests, and results that their budget replaces."""
    return [(r.n, i) for r in timeline.requests[start:end] for g in r.groups for i in g.replaced]


def _group(timeline: Timeline, request: Request, group: AnyGroup) -> Iterator[Finding]:
    unit = UNIT_WORDS[timeline.policy.unit]
    decision = group.decision
    count = len(group.replaced)
    outcome = f"{count or 'none'} replaced, {decision.remaining:,} remain."
    # By what is known now: what a row itself says was last looked at when a request concerned it.
    if count and not any(timeline.is_applied(row) for i in group.replaced for row in timeline.rows_of(i)):
        chosen = _chosen(timeline, group.replaced)
        outcome = f"replacing {chosen} would leave {decision.remaining:,}, but no record shows it."
    yield finding(
        "over_turn_budget",
        f"Request {request.n}: {counted(group.counted, 'result')} hold{'s' * (group.counted == 1)} "
        f"{decision.total:,} of {group.limit:,} {unit}; {outcome}",
        request=request.n, ids=group.ids, see=f"request {request.n}",
        cause=_why_still_over(timeline, group) if decision.remaining > group.limit else "",
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


def _chosen(timeline: Timeline, ids: Sequence[str]) -> str:
    """What the budget would take, largest first: by name and size where it is little, else as a number."""
    if len(ids) > _CHOSEN_NAMED:
        return f"{len(ids):,}"
    rows = [row for i in ids for row in timeline.rows_of(i)[-1:]]
    return " and ".join(f"{row.entry.tool} {row.entry.id} ({row.full:,})".lstrip() for row in rows)


def _why_still_over(timeline: Timeline, group: AnyGroup) -> str:
    """What no budget can help: a file keeps nothing but text (seed 001 §2.7)."""
    mixed = [row for i in group.ids for row in timeline.rows_of(i) if row.entry.is_mixed]
    if not mixed:
        return ""
    row = max(mixed, key=lambda row: row.full)
    return f"{row.entry.tool} {row.entry.id} holds more than text, which {_NO_FILE}."


_NO_FILE = "no overflow file can keep: it stays in full"


def _over_result_limit(timeline: Timeline, noticed: Noticed) -> Iterator[Finding]:
    limit = timeline.policy.budget.result_limit
    for row in noticed.large:
        yield finding(
            "over_result_limit",
            f"{row.entry.tool or 'a result'} {row.entry.id} holds {row.full:,} of {limit:,} "
            f"{UNIT_WORDS[timeline.policy.unit]} that one result may have.",
            cause=f"It holds more than text, which {_NO_FILE}." if row.entry.is_mixed else "",
            request=row.request or None, ids=(row.entry.id,), see=f"line {row.entry.line}",
            data={"chars": row.full},
        )  # fmt: skip


def _what_it_would_save(
    timeline: Timeline, unapplied: list[tuple[int, str]], requests: list[int]
) -> dict[str, Any]:
    """What the wire would be without, had the budget been on."""
    rows = [row for _, i in unapplied for row in timeline.rows_of(i)[-1:]]
    chars = sum(r.full - timeline.sizing.preview(r.entry).chars for r in rows)
    return {"chars": chars, "requests": sorted(set(requests))}


def _unexpected(timeline: Timeline, replaced: list[tuple[int, str]]) -> Iterator[Finding]:
    predicted = {i for _, i in replaced} if timeline.stored else ()
    for tool_use_id, record in timeline.stored.items():
        if tool_use_id not in predicted:
            known = bool(timeline.rows_of(tool_use_id))
            yield finding(
                "unexpected_replacement",
                f"Line {record.line} replaces {tool_use_id}, which the budget would have left in full."
                if known else f"Line {record.line} replaces {tool_use_id}, which is not in this session.",
                ids=(tool_use_id,), see=f"line {record.line}",
            )  # fmt: skip


def _images(noticed: Noticed) -> Iterator[Finding]:
    for row in noticed.media:
        block = row.entry.result
        assert block is not None
        place = f"line {row.entry.line}"
        if block.base64_chars >= BASE64_FROM:
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
                f"{row.entry.tool} {row.entry.id} holds {counted(len(block.images), 'image')}; "
                "the budget neither "
                "counts nor replaces such a result.",
                request=row.request or None, ids=(row.entry.id,), see=place,
                data={"images": [list(px) for px in block.images], "over_2000_px": large},
            )  # fmt: skip
