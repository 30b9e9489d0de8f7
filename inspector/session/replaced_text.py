"""The exact text that stands in place of a result, made from its own text and the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.model.ledger import Level, Span
from inspector.model.policy import Preview
from inspector.model.transcript import Candidate
from inspector.pipeline import microcompact, previews

if TYPE_CHECKING:
    from inspector.replay.tracked import Tracked
    from inspector.session.session import Session


def text_on_wire(session: Session, row: Tracked, span: Span, thread: str = "") -> str | None:
    """What the model saw of a result over a stretch of requests.

    Args:
        session: The session.
        row: The result.
        span: The stretch.
        thread: Its conversation.

    Returns:
        The text; None where the result stands in full, or nothing of it is sent.
    """
    policy = session.policy
    timeline = session.timelines[thread]
    if policy.is_chatcli:
        from inspector.replay.chatcli_timeline import ChatcliTimeline

        assert isinstance(timeline, ChatcliTimeline)
        if span.level in (Level.FULL, Level.GONE):
            return None
        content = timeline.content_of(row, span.start)
        return None if content is None else content.decode("utf-8", "replace")
    sizing = timeline.sizing
    if span.level is Level.CLEARED:
        return microcompact.CLEARED
    if span.level is Level.TRUNCATED:
        text = microcompact.truncate(session.result_text(row, thread), policy.microcompact, policy.unit)
        return text + sizing.path_line(row)
    if span.level is Level.SUMMARIZED:
        return microcompact.summarize(session.result_text(row, thread), policy.unit) + sizing.path_line(row)
    if span.level is not Level.PREVIEW or row.entry.candidate is Candidate.PERSISTED:
        return None
    if row.stored is not None:
        return row.stored
    text = session.result_text(row, thread)
    if policy.budget.preview is Preview.PERSISTED:
        return previews.persisted_preview(text, sizing.path(row.entry))
    return previews.budget_preview(text, sizing.path(row.entry), policy.budget, policy.unit)
