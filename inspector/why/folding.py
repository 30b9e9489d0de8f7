"""Findings that follow from another one are told under it: a person acts on the cause, once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from inspector.model.findings import Finding

_PAIRING_FAULTS = frozenset({"missing_result", "orphan_result", "duplicate_tool_use"})


def _same_ids(cause: Finding, effect: Finding) -> bool:
    return bool(set(cause.ids) & set(effect.ids))


def _same_request(cause: Finding, effect: Finding) -> bool:
    return cause.request is not None and cause.request == effect.request


def _lost_line(cause: Finding, effect: Finding) -> bool:
    """Pairing says in its own words that a line was lost behind the call."""
    line = cause.data.get("line")
    return (
        bool(cause.data.get("lost", True)) and isinstance(line, int) and "could not be read" in effect.cause
    )


def _same_line(cause: Finding, effect: Finding) -> bool:
    return cause.data.get("line") is not None and cause.data.get("line") == effect.data.get("line")


def _in_chain(cause: Finding, effect: Finding) -> bool:
    return set(effect.ids) <= set(cause.ids)


def _is_compaction(cause: Finding, effect: Finding) -> bool:
    return _same_request(cause, effect)


Rule = tuple[str, frozenset[str], Callable[[Finding, Finding], bool]]

RULES: Sequence[Rule] = (
    ("bad_line", frozenset({"missing_result", "orphan_result", "unanswered_call_dropped"}), _lost_line),
    ("nul_run", frozenset({"missing_result", "orphan_result"}), _lost_line),
    *(
        (kind, frozenset({"unanswered_call_dropped"}), _same_line)
        for kind in (
            "bad_line",
            "nul_run",
            "control_characters",
            "invalid_utf8",
            "lone_surrogate",
            "huge_line",
        )
    ),
    ("duplicate_tool_use", frozenset({"duplicate_result", "missing_result"}), _same_ids),
    ("id_reused", frozenset({"duplicate_result"}), _same_ids),
    ("missing_result", frozenset({"unanswered_call_dropped"}), _same_ids),
    ("missing_result", frozenset({"message_emptied", "prefix_break"}), _same_request),
    ("displaced_result", frozenset({"off_chain_result", "order_violation"}), _same_ids),
    ("over_turn_budget", frozenset({"accepted_overage", "cannot_fit", "context_jump"}), _same_request),
    ("over_turn_budget", frozenset({"not_applied", "over_result_limit"}), _same_ids),
    ("base64_text", frozenset({"image_result", "context_jump"}), _same_ids),
    ("overflow_reread_loop", frozenset({"overflow_reread"}), _in_chain),
    ("overflow_missing", frozenset({"overflow_reread"}), _same_ids),
    ("compaction", frozenset({"prefix_break", "cold_cache", "context_jump"}), _is_compaction),
    ("replacement_lost", frozenset({"prefix_break", "cold_cache", "context_jump"}), _same_request),
    ("cold_cache", frozenset({"prefix_break"}), _same_request),
    ("cleared_without_copy", frozenset({"read_again_after_clear"}), _same_ids),
)
"""Kind of the cause → kinds of what follows from it, and when. The first rule that fits decides."""


def fold(findings: Sequence[Finding]) -> list[tuple[Finding, list[Finding]]]:
    """Put every finding under its cause.

    Args:
        findings: Of one session, in any order.

    Returns:
        Causes in the order given, each with what follows from it, at any depth.
    """
    by_kind: dict[str, list[int]] = {}
    for at, finding in enumerate(findings):
        by_kind.setdefault(finding.kind, []).append(at)
    parents: dict[int, int] = {}
    for at, effect in enumerate(findings):
        parent = _parent(at, effect, findings, by_kind)
        if parent is not None:
            parents[at] = parent
    out: dict[int, tuple[Finding, list[Finding]]] = {
        at: (finding, []) for at, finding in enumerate(findings) if at not in parents
    }
    for at in parents:
        top = at
        while top in parents:
            top = parents[top]
        out[top][1].append(findings[at])
    return list(out.values())


def _parent(
    at: int, effect: Finding, findings: Sequence[Finding], by_kind: dict[str, list[int]]
) -> int | None:
    for kind, effects, fits in RULES:
        if effect.kind not in effects:
            continue
        for cause in by_kind.get(kind, ()):
            if cause != at and findings[cause].thread == effect.thread and fits(findings[cause], effect):
                return cause
    # Findings of the file itself belong to no conversation, but explain those of any.
    for kind in ("bad_line", "nul_run"):
        if effect.thread and effect.kind in _PAIRING_FAULTS:
            for cause in by_kind.get(kind, ()):
                if _lost_line(findings[cause], effect):
                    return cause
    return None


def summed(findings: Sequence[Finding], key: str) -> int:
    """Sum of one figure over findings that have it."""
    values: list[Any] = [f.data.get(key) for f in findings]
    return sum(v for v in values if isinstance(v, int))
