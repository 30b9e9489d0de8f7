"""Findings: what a person should look at, as facts with a place."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec


class Severity(StrEnum):
    """How loudly a finding speaks."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(msgspec.Struct, frozen=True):
    """One observation about a session."""

    kind: str
    """A word of the table in `KINDS`."""
    severity: Severity
    fact: str
    """One sentence: what is so. May quote ids; the gate makes it printable when drawn."""
    request: int | None = None
    """The request in which it shows first; None for findings of the whole file."""
    ids: tuple[str, ...] = ()
    """tool_use ids concerned, in order."""
    cause: str = ""
    """One sentence: why, where that is certain; else empty."""
    certain: bool = True
    see: str = ""
    """Where to look: `line 12`, `request 5`, a file."""
    thread: str = ""
    """The conversation it belongs to; empty for the main one."""
    data: dict[str, Any] = {}
    """The kind's own figures; keys per kind in the report's schema."""

    @property
    def shown_id(self) -> str:
        """The result to go to: the one that was chosen in a turn over budget, else the first named."""
        chosen = self.data.get("replace") if self.kind == "over_turn_budget" else None
        return next(iter(chosen or self.ids), "")


def counted(n: int, noun: str, several: str = "") -> str:
    """A counted noun for a fact: `1 result`, `3 results`; with its verb where both are given."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {several or noun + 's'}"


KINDS: dict[str, tuple[str, Severity]] = {
    # pairing
    "missing_result": ("pairing", Severity.ERROR),
    "unanswered_call_dropped": ("pairing", Severity.WARNING),
    "message_emptied": ("pairing", Severity.WARNING),
    "pending_result": ("pairing", Severity.INFO),
    "orphan_result": ("pairing", Severity.ERROR),
    "duplicate_tool_use": ("pairing", Severity.ERROR),
    "duplicate_result": ("pairing", Severity.WARNING),
    "displaced_result": ("pairing", Severity.WARNING),
    "order_violation": ("pairing", Severity.WARNING),
    "id_reused": ("pairing", Severity.WARNING),
    "off_chain_result": ("pairing", Severity.INFO),
    "silent_reorder": ("pairing", Severity.WARNING),
    "result_before_call": ("pairing", Severity.WARNING),
    "recorded_repair": ("pairing", Severity.WARNING),
    "text_mode_result": ("pairing", Severity.INFO),
    # budget
    "over_result_limit": ("budget", Severity.INFO),
    "over_turn_budget": ("budget", Severity.WARNING),
    "accepted_overage": ("budget", Severity.WARNING),
    "cannot_fit": ("budget", Severity.WARNING),
    "not_applied": ("budget", Severity.INFO),
    "unexpected_replacement": ("budget", Severity.WARNING),
    "base64_text": ("budget", Severity.WARNING),
    "image_result": ("budget", Severity.INFO),
    "cut_at_return": ("budget", Severity.WARNING),
    "saving_not_counted": ("budget", Severity.INFO),
    "negative_count": ("budget", Severity.WARNING),
    "tie_by_sort": ("budget", Severity.INFO),
    "cut_twice": ("budget", Severity.WARNING),
    "counted_without_file": ("budget", Severity.WARNING),
    "preview_longer": ("budget", Severity.INFO),
    # state
    "prefix_break": ("state", Severity.WARNING),
    "unstable_preview": ("state", Severity.WARNING),
    "replacement_lost": ("state", Severity.WARNING),
    "cold_cache": ("state", Severity.WARNING),
    "resume": ("state", Severity.INFO),
    "fork": ("state", Severity.INFO),
    # overflow
    "overflow_missing": ("overflow", Severity.ERROR),
    "overflow_elsewhere": ("overflow", Severity.INFO),
    "overflow_size_mismatch": ("overflow", Severity.ERROR),
    "overflow_preview_mismatch": ("overflow", Severity.WARNING),
    "overflow_unreferenced": ("overflow", Severity.INFO),
    "overflow_reread": ("overflow", Severity.INFO),
    "overflow_reread_loop": ("overflow", Severity.WARNING),
    # ageing
    "cleared_without_copy": ("ageing", Severity.WARNING),
    "read_again_after_clear": ("ageing", Severity.INFO),
    "never_summarized": ("ageing", Severity.INFO),
    "clearing": ("ageing", Severity.INFO),
    "cleared_unrecorded": ("ageing", Severity.WARNING),
    "gate_closed": ("ageing", Severity.INFO),
    "straight_to_summary": ("ageing", Severity.INFO),
    "counted_but_unchanged": ("ageing", Severity.INFO),
    "error_shortened": ("ageing", Severity.WARNING),
    "recall_without_store": ("ageing", Severity.WARNING),
    "split_character": ("ageing", Severity.INFO),
    "recorded_ageing": ("ageing", Severity.INFO),
    # context
    "context_jump": ("context", Severity.INFO),
    "compaction": ("context", Severity.INFO),
    "usage_repeated": ("context", Severity.INFO),
    "recorded_differs": ("context", Severity.WARNING),
    # input
    "bad_line": ("input", Severity.ERROR),
    "comment_line": ("input", Severity.INFO),
    "nul_run": ("input", Severity.WARNING),
    "partial_line": ("input", Severity.INFO),
    "control_characters": ("input", Severity.INFO),
    "lone_surrogate": ("input", Severity.WARNING),
    "invalid_utf8": ("input", Severity.WARNING),
    "huge_line": ("input", Severity.INFO),
    "unknown_record": ("input", Severity.INFO),
    "unsupported_source": ("input", Severity.WARNING),
    "unknown_version": ("input", Severity.INFO),
}
"""kind → (family, default severity), in the order of `pipeline.md`."""
