"""Which limit would have helped: the same records replayed under changed policies, and compared.

Nothing here is guessed. Sizes are those of the replay; tokens follow from the measured ratio of each
request; the price is counted in the results that the limit takes away, in those of them that the
session itself asked for a second time, and in prefix breaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from inspector.figures import number
from inspector.model.ledger import Level
from inspector.model.policy import DOCUMENTED, Ageing, BudgetMode, Policy

if TYPE_CHECKING:
    from inspector.replay.accounting import Account
    from inspector.replay.timeline import Timeline
    from inspector.session import Session

_SMALLEST_LIMIT = 10_000
_RESULT_LIMIT = 20_000
"""Pass 1 of seed 000."""
_SHORT = (Level.PREVIEW, Level.TRUNCATED, Level.SUMMARIZED, Level.CLEARED)


class Trial(msgspec.Struct, frozen=True):
    """One changed policy, and what it would have done."""

    name: str
    """What was changed, in words."""
    fields: dict[str, str]
    """Dotted name of a policy field → its value, ready for `--set`."""
    peak_chars: int
    peak_tokens: int
    """≈ tokens of the fullest request."""
    saved_at_peak_tokens: int
    """≈ tokens that the fullest request would be smaller by than the fullest one now; below 0: larger."""
    saved_tokens: int
    """≈ tokens that all requests together would have been smaller by; below 0: larger."""
    shortened: int
    """Results that are sent shorter than in the session: each may have to be read again."""
    shortened_chars: int
    """What reading all of them again once would bring back."""
    asked_again: int
    """Of these, results whose very call the session repeated later, although it had the text."""
    breaks: int
    """Requests whose prefix breaks; each is a cache miss from there on."""

    @property
    def helps(self) -> bool:
        """Whether it makes something smaller and nothing larger."""
        saved = (self.saved_at_peak_tokens, self.saved_tokens)
        return min(saved) >= 0 and max(saved) > 0

    @property
    def worse_words(self) -> str:
        """How a trial that makes something larger does so; empty where it does not."""
        peak, whole = -self.saved_at_peak_tokens, -self.saved_tokens
        if peak <= 0:
            return f"all requests together get ≈ {number(whole)} tokens larger" if whole > 0 else ""
        said = f"the fullest request gets ≈ {number(peak)} tokens larger"
        if whole > 0:
            return f"{said}, all requests together ≈ {number(whole)}"
        return f"{said}, although all together are ≈ {number(-whole)} smaller" if whole else said


class Advice(msgspec.Struct, frozen=True):
    """The trials, and which of them is the mildest that is enough."""

    under_tokens: int
    """What every request was to stay below."""
    peak_tokens: int
    """≈ what it is as things stand."""
    trials: tuple[Trial, ...]
    """From mild to strict."""
    enough: str
    """Name of the first trial that helps and stays below; empty where none does."""

    @property
    def helping(self) -> list[Trial]:
        """Trials that make something smaller and nothing larger, from mild to strict: those that make
        the fullest request smaller stand in front of those that only save elsewhere."""
        found = [t for t in self.trials if t.helps]
        return sorted(found, key=lambda t: t.saved_at_peak_tokens == 0)

    @property
    def worsening(self) -> list[Trial]:
        """Trials under which the fullest request, or all together, would be larger."""
        return [t for t in self.trials if t.saved_at_peak_tokens < 0 or t.saved_tokens < 0]


def advise(session: Session, accounts: Sequence[Account], under_tokens: int | None) -> Advice | None:
    """Try other limits on the main conversation.

    Args:
        session: Read to its end.
        accounts: Accounts of its main conversation.
        under_tokens: The aim; None: half of the peak.

    Returns:
        None where there is nothing to shorten.
    """
    peak = max((a.tokens or a.shown_tokens for a in accounts), default=0)
    if not any(row.entry.result for row in session.timeline.tracked):
        return None
    aim = under_tokens if under_tokens is not None else max(1, peak // 2)
    repeated = _repeated(session.timeline)
    trials = [_try(session, accounts, name, p, repeated) for name, p in _candidates(session.policy)]
    enough = next((t.name for t in trials if t.helps and t.peak_tokens < aim), "")
    return Advice(aim, peak, tuple(trials), enough)


def _candidates(policy: Policy) -> Iterator[tuple[str, Policy]]:
    """Changed policies, from mild to strict; those that change nothing are left out."""
    on = policy.with_field("budget.mode", BudgetMode.ON)
    limit = policy.budget.turn_limit
    ages = replace(DOCUMENTED.microcompact, truncate_turns=2, summarize_turns=4)
    out = [(f"budget on, {limit:,} a message", on)]
    for part in (2, 4):
        smaller = limit // part
        if smaller >= _SMALLEST_LIMIT:
            out.append((f"budget on, {smaller:,} a message", on.with_field("budget.turn_limit", smaller)))
    every = on.with_field("budget.skip_tools", frozenset())
    if policy.budget.skip_tools:
        out.append(
            (
                f"budget on for every tool, {limit // 4:,} a message",
                every.with_field("budget.turn_limit", limit // 4),
            )
        )
    if policy.budget.result_limit is None or policy.budget.result_limit > _RESULT_LIMIT:
        every = every.with_field("budget.result_limit", _RESULT_LIMIT)
        out.append((f"budget on for every tool, {_RESULT_LIMIT:,} a result", every))
    if policy.microcompact.variant in (Ageing.RECORDED, Ageing.OFF):
        out.append(("ageing after 2 and 4 answers", replace(policy, microcompact=ages)))
        out.append((f"ageing, and {_RESULT_LIMIT:,} a result", replace(every, microcompact=ages)))
    for name, changed in out:
        if changed != policy:
            yield name, changed


def _try(
    session: Session, accounts: Sequence[Account], name: str, policy: Policy, repeated: frozenset[int]
) -> Trial:
    timeline = session.replayed(policy)
    base = session.timeline
    peak_tokens = saved = 0
    for account, before, after in zip(accounts, base.requests, timeline.requests, strict=True):
        less = account.tokens_of(before.wire_chars - after.wire_chars)
        saved += less
        peak_tokens = max(peak_tokens, (account.tokens or account.shown_tokens) - less)
    shorter = [
        row
        for row, old in zip(timeline.tracked, base.tracked, strict=True)
        if any(s.level in _SHORT for s in row.spans) and not any(s.level in _SHORT for s in old.spans)
    ]
    old_fields = session.policy.flat()
    peak = max((a.tokens or a.shown_tokens for a in accounts), default=0)
    return Trial(
        name=name,
        fields={k: _words(v) for k, v in policy.flat().items() if v != old_fields[k]},
        peak_chars=max(r.wire_chars for r in timeline.requests),
        peak_tokens=peak_tokens,
        saved_at_peak_tokens=peak - peak_tokens,
        saved_tokens=saved,
        shortened=len(shorter),
        shortened_chars=sum(row.full for row in shorter),
        asked_again=sum(1 for row in shorter if row.entry.index in repeated),
        breaks=sum(1 for r in timeline.requests if r.break_ is not None and r.break_.cause != "compaction"),
    )


def _words(value: object) -> str:
    if isinstance(value, frozenset):
        return ",".join(sorted(value))
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _repeated(timeline: Timeline) -> frozenset[int]:
    """Rows whose call, by tool and argument, comes again later in the session."""
    last: dict[tuple[str, str], int] = {}
    out: set[int] = set()
    for row in timeline.tracked:
        if not row.entry.argument:
            continue
        key = (row.entry.tool, row.entry.argument)
        if key in last:
            out.add(last[key])
        last[key] = row.entry.index
    return frozenset(out)
