"""What a session says of its policy in words: what `auto` decided, and what is taken for granted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.model.policy import PRESETS, BudgetMode, Pairing
from inspector.reading.detect import FileKind

if TYPE_CHECKING:
    from inspector.session.session import Session


def policy_changes(session: Session) -> int:
    """How many fields differ from the preset of that name."""
    from inspector.model.policy_fields import changed_fields

    base = PRESETS.get(session.policy.name.rstrip("*"))
    return len(changed_fields(base, session.policy)) if base is not None else 0


def policy_note(session: Session) -> str:
    """What `auto` decided and why."""
    policy = session.policy
    if policy.is_chatcli:
        from inspector.replay.chatcli_timeline import ChatcliTimeline

        assert isinstance(session.timeline, ChatcliTimeline)
        pairing = "global" if policy.pairing.variant is Pairing.GLOBAL else "positional"
        mode = "on" if policy.budget.mode is BudgetMode.ON else "off"
        return f"{session.timeline.order.value} order, {pairing} pairing, budget {mode}, no ledger"
    if policy.budget.mode is not BudgetMode.AUTO:
        return f"budget {policy.budget.mode.value}"
    if any(t.stored for t in session.timelines.values()):
        return "budget on (replacement records prove it)"
    if session.timeline.screen is False:
        return "budget off (print mode never has it)"
    return "budget off (assumed: no replacement record)"


def assumptions(session: Session) -> list[str]:
    """What is taken for granted because the records do not say it, a sentence each."""
    out = []
    if session.kind is FileKind.CLAUDE_CODE and session.timeline.screen is None:
        out.append("No record says whether it ran on a screen or in print mode: screen is assumed.")
    if session.policy.budget.mode is BudgetMode.AUTO and policy_note(session).startswith("budget off"):
        out.append("The ledger shows what the budget would do; the wire is without it.")
    out += session.recorded.notes()
    if session.policy.is_chatcli:
        from inspector.session.chatcli_notes import chatcli_assumptions

        out += chatcli_assumptions(session)
    return out
