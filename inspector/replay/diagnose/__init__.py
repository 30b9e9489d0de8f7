"""Findings of one conversation: what a person should look at, family by family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.replay.diagnose.ageing import ageing_findings
from inspector.replay.diagnose.budget import budget_findings
from inspector.replay.diagnose.chatcli import chatcli_findings
from inspector.replay.diagnose.context import context_findings
from inspector.replay.diagnose.pairing import pairing_findings
from inspector.replay.diagnose.state import state_findings

if TYPE_CHECKING:
    from inspector.model.findings import Finding
    from inspector.replay.timeline import Timeline

__all__ = ["diagnose"]


def diagnose(timeline: Timeline) -> list[Finding]:
    """All findings that the replay of one conversation gives, in the order of the families."""
    return [
        *pairing_findings(timeline),
        *budget_findings(timeline),
        *state_findings(timeline),
        *ageing_findings(timeline),
        *context_findings(timeline),
        *chatcli_findings(timeline),
    ]
