"""What a ChatCLI replay takes for granted because no file says it, a sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.model.chatcli import Order
from inspector.model.policy import Pairing, Unit
from inspector.pipeline.chatcli.settings import settings_of, warnings_for
from inspector.reading.detect import CHATCLI_KINDS
from inspector.replay.chatcli_timeline import ChatcliTimeline

if TYPE_CHECKING:
    from inspector.session.session import Session


def chatcli_assumptions(session: Session) -> Iterator[str]:
    """The assumptions of the main conversation; none under another policy."""
    timeline = session.timeline
    if not isinstance(timeline, ChatcliTimeline):
        return
    policy = session.policy
    yield (
        "No file says when a run of the agent loop began: its turn counter is taken to start at 0 with the "
        "first request and with each request after an answer without calls, unless tool output in text mode "
        "or squad feedback follows that answer."
    )
    yield "Overflow files are numbered as if one process had made every request."
    if timeline.order is Order.LOOP:
        yield "The reminder that the loop puts behind each request is in no file and left out."
    if policy.budget.ledger:
        yield "ChatCLI's stages keep no ledger: budget.ledger has no effect here."
    if policy.pairing.variant not in (Pairing.POSITIONAL, Pairing.GLOBAL):
        yield "ChatCLI has no such pairing: its positional one is used."
    if policy.unit is not Unit.BYTES:
        yield "ChatCLI counts bytes whatever unit is set."
    if session.kind not in CHATCLI_KINDS:
        yield "Records are taken as ChatCLI messages in file order; branches of the session are not followed."
    if timeline.saved.aged:
        count = len(timeline.saved.aged)
        words = "1 result stands" if count == 1 else f"{count} results stand"
        yield f"{words} in the file in shortened form: requests before that sent more than is shown here."
    yield from warnings_for(settings_of(policy))
