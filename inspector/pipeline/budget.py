"""Which fresh results of a group are replaced at one request: sizes in, choice out.

One function serves both seeds because they differ in two switches only: whether single results
have a limit of their own (`result_limit`), and whether the previews that replacing leaves behind
count (`count_previews`). Texts, files and groups are the business of others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from inspector.model.policy import BudgetSettings


class Item(msgspec.Struct, frozen=True, gc=False):
    """A fresh candidate of a group."""

    key: int
    """The caller's name for it."""
    size: int
    """Full size in the policy's unit."""
    skipped: bool
    """Its tool has an unlimited cap: marked seen, neither counted nor chosen."""
    preview_size: int
    """What would stay on the wire if it were replaced, in the policy's unit."""


class Decision(msgspec.Struct, frozen=True):
    """What one request decides about one group."""

    replace: tuple[int, ...]
    """Keys in order of choice."""
    frozen: tuple[int, ...]
    """Keys that stay in full from now on, in message order."""
    skipped: tuple[int, ...]
    """Keys that are marked seen without being counted, in message order."""
    total: int
    """Frozen and fresh counted results at full size."""
    remaining: int
    """What counts against the limit after the choice."""
    over: bool
    """Whether the group was over its limit before the choice."""
    accepted: bool
    """Still over, and nothing is left to replace."""
    cannot_fit: bool
    """Still over although fresh results are left: replacing them would not shrink them."""
    over_after_limit: bool = False
    """Whether the group was still over once single results over `result_limit` were replaced."""


def decide(
    fresh: Sequence[Item], frozen_total: int, previews_total: int, settings: BudgetSettings
) -> Decision:
    """Choose the fresh results of a group to replace.

    First, where `result_limit` is set, every result over it (seed 000, pass 1). Then, while the sum
    is strictly over `turn_limit`, the largest (seed 001 §2.6; seed 000, pass 2): equal sizes in
    message order, the full size subtracted. Where previews count, what replacing leaves behind is
    added back and a result that would not shrink is passed over (`documented.md`, Budget).

    Args:
        fresh: Candidates that no request has seen, in message order.
        frozen_total: Sum of the group's results that were sent in full before.
        previews_total: Sum of the previews in force of the group's replaced results.
        settings: Limits and switches.

    Returns:
        The decision; `accepted` tells that the group stays over its limit.
    """
    counted = [item for item in fresh if not item.skipped]
    total = frozen_total + sum(item.size for item in counted)
    before = total + (previews_total if settings.count_previews else 0)
    limit = settings.turn_limit
    chosen, remaining = _over_result_limit(counted, before, settings)
    over_after_limit = remaining > limit
    taken = {item.key for item in chosen}
    passed_over = False
    if over_after_limit:
        rest = sorted((item for item in counted if item.key not in taken), key=lambda item: -item.size)
        for item in rest:
            if remaining <= limit:
                break
            if not _shrinks(item, settings):
                passed_over = True
                continue
            chosen.append(item)
            remaining -= _saving(item, settings)
    taken = {item.key for item in chosen}
    return Decision(
        replace=tuple(item.key for item in chosen),
        frozen=tuple(item.key for item in counted if item.key not in taken),
        skipped=tuple(item.key for item in fresh if item.skipped),
        total=total,
        remaining=remaining,
        over=before > limit,
        accepted=remaining > limit,
        cannot_fit=remaining > limit and passed_over,
        over_after_limit=over_after_limit,
    )


def kept_in_full(
    decision: Decision, failed: Collection[int], fresh: Sequence[Item], settings: BudgetSettings
) -> Decision:
    """The decision once some of the chosen results turn out not to go to a file: these are frozen.

    Args:
        decision: Of `decide`.
        failed: Keys of chosen results.
        fresh: As for `decide`.
        settings: As for `decide`.
    """
    if not failed:
        return decision
    remaining = decision.remaining + sum(_saving(item, settings) for item in fresh if item.key in failed)
    frozen = {*decision.frozen, *failed}
    return msgspec.structs.replace(
        decision,
        replace=tuple(key for key in decision.replace if key not in failed),
        frozen=tuple(item.key for item in fresh if item.key in frozen),
        remaining=remaining,
        accepted=remaining > settings.turn_limit,
    )


def _over_result_limit(
    counted: Sequence[Item], before: int, settings: BudgetSettings
) -> tuple[list[Item], int]:
    """The results over the limit for single ones, in message order, and the sum that is left."""
    if settings.result_limit is None:
        return [], before
    limit = settings.result_limit
    chosen = [item for item in counted if item.size > limit and _shrinks(item, settings)]
    return chosen, before - sum(_saving(item, settings) for item in chosen)


def _shrinks(item: Item, settings: BudgetSettings) -> bool:
    # Seed 001 subtracts the full size and never looks at the preview, so there any result will do.
    return not settings.count_previews or item.preview_size < item.size


def _saving(item: Item, settings: BudgetSettings) -> int:
    return item.size - item.preview_size if settings.count_previews else item.size
