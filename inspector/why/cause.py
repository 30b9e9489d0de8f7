"""`Cause`: one ranked line of `why`; and how loudly each kind of finding speaks there."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from inspector.model.findings import Severity


class Cause(msgspec.Struct, frozen=True):
    """One reason, told in a sentence that a person can act on."""

    kind: str
    """A kind of finding, or `grower`, `uncounted`, `would_age`, `disk_only`, `unseen_growth`, `nothing`."""
    severity: Severity
    sentence: str
    """What happened, where, and what it cost. Untrusted text passes the gate when it is drawn."""
    brief: str = ""
    """The same for a row of a list, without ids and request; empty where `sentence` is short."""
    weight: int = 0
    """Rank among faults, 0 to 100; growth is ranked by `cost_tokens`."""
    growth: bool = False
    """Whether it is about size rather than about something being wrong."""
    request: int | None = None
    ids: tuple[str, ...] = ()
    shown_id: str = ""
    """The one of `ids` to go to: the result that the sentence is about."""
    cost_tokens: int = 0
    """≈ tokens that it put into all requests together."""
    share: float = 0.0
    """≈ its part of all input since it began, 0 to 1."""
    cause: str = ""
    """Why, in one sentence; empty where nothing is known."""
    certain: bool = True
    see: str = ""
    thread: str = ""
    also: tuple[str, ...] = ()
    """Facts that follow from this one and are not told again elsewhere."""
    also_kinds: tuple[str, ...] = ()
    """Kinds of the findings folded under it."""


WEIGHTS: Mapping[str, int] = {
    "missing_result": 96,
    "orphan_result": 95,
    "duplicate_tool_use": 94,
    "bad_line": 93,
    "overflow_missing": 92,
    "overflow_size_mismatch": 91,
    "recorded_repair": 90,
    "nul_run": 88,
    "replacement_lost": 80,
    "overflow_reread_loop": 78,
    "unsupported_source": 76,
    "result_before_call": 75,
    "displaced_result": 74,
    "order_violation": 73,
    "id_reused": 72,
    "duplicate_result": 71,
    "cold_cache": 70,
    "prefix_break": 68,
    "unstable_preview": 67,
    "cleared_without_copy": 66,
    "recall_without_store": 65,
    "unanswered_call_dropped": 64,
    "message_emptied": 63,
    "lone_surrogate": 62,
    "invalid_utf8": 61,
    "overflow_preview_mismatch": 60,
    "cut_at_return": 58,
    "counted_without_file": 57,
    "unexpected_replacement": 56,
    "cut_twice": 55,
    "negative_count": 54,
    "overflow_elsewhere": 52,
    "overflow_reread": 50,
    "read_again_after_clear": 49,
    "disk_only": 46,
    "error_shortened": 45,
    "pending_result": 44,
    "silent_reorder": 43,
    "partial_line": 42,
    "cleared_unrecorded": 41,
    "compaction": 40,
    "clearing": 38,
    "huge_line": 36,
    "off_chain_result": 34,
    "control_characters": 32,
    "usage_repeated": 30,
    "recorded_differs": 28,
    "would_age": 26,
    "text_mode_result": 24,
    "recorded_ageing": 22,
    "never_summarized": 20,
    "unknown_version": 14,
    "not_applied": 12,
    "resume": 11,
    "comment_line": 5,
    "fork": 11,
    "overflow_unreferenced": 10,
    "unknown_record": 8,
}
"""Rank of a kind among faults: what stops a session before what costs, what costs before what is odd.
Repeated usage is written by every client, so it speaks softly."""

GROWTH = frozenset(
    {
        "over_turn_budget", "accepted_overage", "cannot_fit", "over_result_limit", "context_jump",
        "base64_text", "image_result",
    }
)  # fmt: skip
"""Kinds that are about size."""
