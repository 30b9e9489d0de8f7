"""Pairing repair as ChatCLI did it until mid 2026: by two sets of ids over the whole history (§2.4).

It is the variant that seed 000 describes, with what its code adds: position plays no role, and an
id used in two messages is counted as a duplicate on every call although nothing is changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import msgspec

from inspector.model.chatcli import Message
from inspector.pipeline.chatcli.pairing import PairingReport, PairingRun, synthetic_result


@dataclass(frozen=True, slots=True)
class _Ids:
    """What the collecting phase knows."""

    uses: Mapping[str, None]
    """Ids of calls, in order of first appearance."""
    repeated: tuple[str, ...]
    """Every later appearance of a call id, anywhere."""
    last_result: Mapping[str, int]
    """Result id → place of the last message that carries it."""


def repair_pairing_globally(messages: Sequence[Message]) -> PairingRun:
    """Repair a history by the older rules.

    ChatCLI lists ids in random order; here they stand in history order.

    Args:
        messages: The history.

    Returns:
        The run; its messages are the given ones where nothing was counted.
    """
    ids = _collect(messages)
    missing = [call_id for call_id in ids.uses if call_id not in ids.last_result]
    orphans = [result_id for result_id in ids.last_result if result_id not in ids.uses]
    report = PairingReport(
        synthetic_results_injected=len(missing),
        orphan_results_removed=len(orphans),
        duplicate_tool_use_pruned=len(ids.repeated),
        missing_tool_use_ids=tuple(missing),
        orphan_tool_result_ids=tuple(orphans),
    )
    if not report.has_repairs:
        return PairingRun(tuple(messages), report, tuple(range(len(messages))))
    dropped = {ids.last_result[result_id] for result_id in orphans}
    return _rebuild(messages, report, dropped, set(missing), ids.repeated)


def _collect(messages: Sequence[Message]) -> _Ids:
    uses: dict[str, None] = {}
    repeated: list[str] = []
    last_result: dict[str, int] = {}
    for at, message in enumerate(messages):
        if message.role == "assistant":
            for call in message.tool_calls:
                if call.id in uses:
                    repeated.append(call.id)
                elif call.id:
                    uses[call.id] = None
        elif message.role == "tool" and message.tool_call_id:
            last_result[message.tool_call_id] = at
    return _Ids(uses, tuple(repeated), last_result)


def _rebuild(
    messages: Sequence[Message],
    report: PairingReport,
    dropped: Set[int],
    missing: Set[str],
    repeated: tuple[str, ...],
) -> PairingRun:
    out: list[Message] = []
    origins: list[int | None] = []
    for at, message in enumerate(messages):
        if at in dropped:
            continue
        if repeated and message.opens_block:
            message = _without_repetitions(message)
        out.append(message)
        origins.append(at)
        if message.opens_block:
            for call in message.tool_calls:
                if call.id in missing:
                    out.append(synthetic_result(call.id, flagged=False))
                    origins.append(None)
    return PairingRun(tuple(out), report, tuple(origins), pruned_ids=repeated)


def _without_repetitions(message: Message) -> Message:
    """Each id once inside this message; empty ids all stay."""
    seen: set[str] = set()
    kept = []
    for call in message.tool_calls:
        if call.id and call.id in seen:
            continue
        seen.add(call.id)
        kept.append(call)
    return msgspec.structs.replace(message, tool_calls=tuple(kept))
