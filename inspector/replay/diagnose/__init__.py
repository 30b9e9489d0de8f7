"""Findings of one conversation: what a person should look at, family by family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.replay.diagnose.ageing import ageing_findings
from inspector.replay.diagnose.budget import budget_findings
from inspector.replay.diagnose.context import context_findings
from inspector.replay.diagnose.pairing import pairing_findings
from inspector.replay.diagnose.state import state_findings

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.model.findings import Finding
    from inspector.replay.timeline import Timeline
    from inspector.replay.tracked import Tracked

__all__ = ["diagnose"]


def diagnose(timeline: Timeline, *, is_gone: Callable[[Tracked], bool] = lambda _: False) -> list[Finding]:
    """All findings that the replay of one conversation gives, in the order of the families."""
    found = [
        *pairing_findings(timeline),
        *budget_findings(timeline),
        *state_findings(timeline),
        *ageing_findings(timeline, is_gone),
        *context_findings(timeline),
    ]
    if timeline.policy.is_chatcli:
        from inspector.replay.diagnose.chatcli import chatcli_findings

        found += chatcli_findings(timeline)
    return found
