"""The exact text that stands in place of a result, made from its own text and the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.model.ledger import Level, Span
from inspector.model.policy import Preview
from inspector.model.transcript import Candidate
from inspector.pipeline import microcompact, previews
from inspector.session.texts import SessionTexts

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
        return timeline.stored_text(row, span.start)
    if policy.budget.preview is Preview.PERSISTED:
        return persisted_text(SessionTexts(session, thread), row, sizing.path(row.entry)) or None
    text = session.result_text(row, thread)
    return previews.budget_preview(text, sizing.path(row.entry), policy.budget, policy.unit)


def persisted_text(texts: SessionTexts, row: Tracked, path: str) -> str:
    """What Claude Code puts in place of a result that goes to a file; empty where its content is gone.

    A list goes to the file as JSON, so that is what the preview begins with (`claude-code.md` §1).

    Args:
        texts: Contents of the result's conversation.
        row: The result.
        path: The file.
    """
    record, result = row.entry.result_record, row.entry.result
    if record is None or result is None:
        return ""
    blocks, at = texts.content(record), row.entry.result_block
    block = blocks[at] if isinstance(blocks, list) and at < len(blocks) else None
    content = block.get("content") if isinstance(block, dict) else None
    if isinstance(content, list):
        return previews.persisted_preview(previews.pretty_json(content), path, split_pairs=True)
    if not isinstance(content, str):
        return ""
    return previews.persisted_preview(content, path, result.size.utf16, split_pairs=True)
