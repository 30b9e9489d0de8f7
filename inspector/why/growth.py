"""Causes that are about size: messages over their budget, the largest results, what nobody recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from inspector.model.findings import Severity, counted
from inspector.replay.accounting import JUMP_TOKENS
from inspector.replay.sentences import UNIT_WORDS
from inspector.why.cause import Cause

if TYPE_CHECKING:
    from inspector.model.findings import Finding
    from inspector.replay.accounting import Account
    from inspector.replay.growers import Grower
    from inspector.replay.timeline import Timeline

GROWERS = 5
"""Single results that get a line of their own."""
_LEAST_SHARE = 0.01
"""Part of all input below which only the largest result is worth a line."""


def growth_causes(
    timeline: Timeline,
    accounts: Sequence[Account],
    ranked: Sequence[Grower],
    folded: Sequence[tuple[Finding, list[Finding]]],
    thread: str,
) -> list[Cause]:
    """Causes of growth in one conversation, by what they cost in all requests together.

    Args:
        timeline: The conversation.
        accounts: Its accounts.
        ranked: Its growers, largest first.
        folded: Findings about size, each with what follows from it.
        thread: Its key.
    """
    by_id = {grower.id: grower for grower in ranked}
    out = [_of_finding(timeline, finding, also, by_id, thread) for finding, also in folded]
    out += _uncounted(timeline, by_id, thread)
    told = {i for cause in out if cause.kind != "context_jump" for i in cause.ids}
    others = [g for g in ranked if g.id not in told]
    singles = [g for at, g in enumerate(others[:GROWERS]) if not at or g.share >= _LEAST_SHARE]
    out += [_single(timeline, g, thread) for g in singles]
    out += _unseen(accounts, thread)
    named = {i for cause in out if cause.kind != "context_jump" for i in cause.ids}
    out = [c for c in out if c.kind != "context_jump" or not set(c.ids) <= named or not c.ids]
    out.sort(key=lambda c: (-c.cost_tokens, c.request or 0))
    return out


def _of_finding(
    timeline: Timeline,
    finding: Finding,
    also: Sequence[Finding],
    by_id: Mapping[str, Grower],
    thread: str,
) -> Cause:
    members = [by_id[i] for i in dict.fromkeys(finding.ids) if i in by_id]
    if finding.kind == "over_turn_budget":
        sentence = _group_sentence(timeline, finding, members)
    elif members and finding.kind == "image_result":
        stayed = counted(members[0].stayed, "request")
        sentence = f"{finding.fact} It stayed {stayed}; images are in no size that is told here."
    elif members and finding.kind == "base64_text":
        sentence = f"{finding.fact} It {_stay_words(members[0])}"
    else:
        sentence = finding.fact
    return Cause(
        kind=finding.kind,
        severity=finding.severity,
        sentence=sentence,
        brief=_group_brief(timeline, finding, members),
        weight=50,
        growth=True,
        request=finding.request,
        ids=finding.ids,
        shown_id=largest.id if (largest := _largest(finding, members)) else finding.shown_id,
        cost_tokens=sum(m.carry_tokens for m in members),
        share=0.0 if finding.kind == "image_result" else min(1.0, sum(m.share for m in members)),
        cause=finding.cause,
        certain=finding.certain,
        see=finding.see,
        thread=thread,
        also=tuple(f.fact for f in also),
        also_kinds=tuple(f.kind for f in also),
    )


def _group_sentence(timeline: Timeline, finding: Finding, members: Sequence[Grower]) -> str:
    unit = UNIT_WORDS[timeline.policy.unit]
    exempt = _exempt(timeline, finding)
    limit = timeline.policy.budget.turn_limit
    count = len(finding.ids) - len(exempt)
    held = counted(count, "parallel result" if count > 1 else "result")
    sent = [m for m in members if m.id not in exempt]
    named = _tools_of(sent) or "no longer sent"
    if sent and len(sent) < count:
        named += f", {count - len(sent)} of them not sent"
    also = _tools_of([m for m in members if m.id in exempt])
    head = (
        f"request {finding.request}: {held} ({named}), "
        f"{finding.data['total']:,} {unit} in one message of {limit:,}" + f", and {also} beside" * bool(also)
    )
    largest = _largest(finding, members)
    if largest is None:
        return head + "."
    share = min(1.0, sum(m.share for m in members))
    head += f"; together ≈ {share * 100:.0f} % of all input since" * (len(members) > 1)
    applied = any(row.applied for row in timeline.rows_of(largest.id))
    was = "was replaced and " * (applied and largest.id in finding.data.get("replace", ()))
    words = f"{was}{_stay_words(largest)}{_preview_words(largest)}"
    return f"{head}. The largest, {largest.tool} {largest.id}, {words}"


def _exempt(timeline: Timeline, finding: Finding) -> frozenset[str]:
    """Results of a group over budget that the budget does not count."""
    groups = timeline.requests[finding.request - 1].groups if finding.request else ()
    return frozenset(i for group in groups if group.ids == finding.ids for i in group.skipped)


def _tools_of(members: Sequence[Grower]) -> str:
    """Tools and how often each was called, all of them: the figures add up to the number before them."""
    tools = Counter(m.tool for m in members)
    return " + ".join(f"{n} {tool}" if n > 1 else tool for tool, n in tools.most_common())


def _group_brief(timeline: Timeline, finding: Finding, members: Sequence[Grower]) -> str:
    largest = _largest(finding, members)
    if finding.kind != "over_turn_budget" or largest is None:
        return ""
    limit = timeline.policy.budget.turn_limit
    held = counted(len(finding.ids) - len(_exempt(timeline, finding)), "result holds", "results hold")
    return f"{held} {finding.data['total']:,} of {limit:,}; largest {_named(largest)}"


def _named(grower: Grower) -> str:
    return f"{grower.tool} {grower.argument}".rstrip()


def _largest(finding: Finding, members: Sequence[Grower]) -> Grower | None:
    """The largest result of a finding, of those that the budget chose where it chose some."""
    replaced = frozenset(finding.data.get("replace", ()))
    chosen = [m for m in members if m.id in replaced]
    return max(chosen or members, key=lambda m: m.chars, default=None)


def _uncounted(timeline: Timeline, by_id: Mapping[str, Grower], thread: str) -> Iterator[Cause]:
    """Messages larger than the budget that the budget does not see, for most of it is exempt."""
    unit = UNIT_WORDS[timeline.policy.unit]
    for request in timeline.requests:
        for group in request.groups:
            if group.visible_total <= group.limit or group.decision.over:
                continue
            ids = [e.id for e in timeline.calls.turns[group.turn].results]
            members = [by_id[i] for i in dict.fromkeys(ids) if i in by_id]
            if not members:
                continue
            largest = max(members, key=lambda m: m.chars)
            share = min(1.0, sum(m.share for m in members))
            brought = counted(len(members), "result brings", "results bring")
            tools = ", ".join(sorted({m.tool for m in members if m.id in group.skipped}))
            yield Cause(
                kind="uncounted",
                severity=Severity.INFO,
                sentence=f"request {request.n}: {brought} {group.visible_total:,} {unit} "
                f"in one message of {group.limit:,}, of which the budget counts {group.total:,}"
                + (f" ({tools} is exempt)" if tools else "")
                + f"; together ≈ {share * 100:.0f} % of all input since. "
                f"The largest, {largest.tool} {largest.id}, {_stay_words(largest)}",
                brief=f"{brought} {group.visible_total:,}, of which the budget counts "
                f"{group.total:,}; largest {_named(largest)}",
                weight=1,
                growth=True,
                request=request.n,
                ids=tuple(m.id for m in members),
                shown_id=largest.id,
                cost_tokens=sum(m.carry_tokens for m in members),
                share=share,
                see=f"request {request.n}",
                thread=thread,
            )


def _stay_words(grower: Grower) -> str:
    return f"stayed {counted(grower.stayed, 'request')}: ≈ {grower.share * 100:.0f} % of all input since."


def _preview_words(grower: Grower) -> str:
    if grower.preview_chars is None or 2 * grower.preview_chars > grower.chars:
        return ""  # too little to speak of: it is a preview already, or hardly longer than one
    return f" As a preview it would be {grower.preview_chars:,} instead of {grower.chars:,}."


def _single(timeline: Timeline, grower: Grower, thread: str) -> Cause:
    unit = UNIT_WORDS[timeline.policy.unit]
    argument = f" ({grower.argument})" if grower.argument else ""
    caused = f" It caused {grower.caused_chars:,} more (read again)." if grower.caused_chars else ""
    return Cause(
        kind="grower",
        severity=Severity.INFO,
        sentence=f"request {grower.request}: {grower.tool} {grower.id}{argument} brought {grower.chars:,} "
        f"{unit} (≈ {counted(grower.tokens, 'token')}) and {_stay_words(grower)}"
        f"{_preview_words(grower)}{caused}",
        brief=f"{grower.chars:,} in {counted(grower.stayed, 'request')}: {_named(grower)}",
        weight=1,
        growth=True,
        request=grower.request,
        ids=(grower.id,),
        shown_id=grower.id,
        cost_tokens=grower.carry_tokens,
        share=grower.share,
        see=f"line {grower.line}",
        thread=thread,
    )


def _unseen(accounts: Sequence[Account], thread: str) -> Iterator[Cause]:
    """Jumps of what no record shows."""
    total = sum(a.tokens or 0 for a in accounts)
    for account in accounts:
        stayed = len(accounts) - account.n + 1
        if account.jump >= JUMP_TOKENS and not account.cut_tokens:
            cost = account.jump * stayed
            yield Cause(
                kind="unseen_growth",
                severity=Severity.INFO,
                sentence=f"request {account.n}: ≈ {account.jump:,} tokens more than the records show.",
                weight=1,
                growth=True,
                request=account.n,
                cost_tokens=cost,
                share=min(1.0, cost / max(1, total)),
                cause=account.cause,
                certain=account.certain,
                see=f"request {account.n}",
                thread=thread,
            )
