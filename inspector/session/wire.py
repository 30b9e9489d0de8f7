"""The wire of requests as data: predicted from the records, or as the transcript recorded it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from inspector.errors import UsageError
from inspector.pipeline.wire.recorded import compare
from inspector.session.body_blocks import in_blocks
from inspector.session.texts import KeptTexts, SessionTexts
from inspector.session.wire_builder import NOT_RECORDED, ResumeAs, WireBuilder

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.session.session import Session

SCHEMA = "inspector-wire/1"


def one_request(
    session: Session, n: int, *, agent: str = "", recorded: bool = False, how: ResumeAs | None = None
) -> dict[str, Any]:
    """One request as plain data.

    Args:
        session: Read to its end.
        n: Request number, from 1.
        agent: A sub-agent's id; empty: the main conversation.
        recorded: What the transcript holds of it, instead of the prediction.
        how: How a finished session is resumed, for its pending request.

    Raises:
        UsageError: There is no such request or agent, or it was not recorded.
    """
    timeline = _timeline(session, agent)
    if not 1 <= n <= len(timeline.requests):
        raise UsageError(f"there is no request {n}; the session has 1 to {len(timeline.requests)}")
    request = timeline.requests[n - 1]
    if recorded:
        return _recorded_data(session, agent, request, WireBuilder(session, agent))
    builder = WireBuilder(session, agent)
    head = {**_head(request, "predicted"), "resumed": builder.is_resumed(n)}
    return {**head, "messages": builder.body(n, how=how)}


def all_requests(
    session: Session, *, agent: str = "", recorded: bool = False, full: bool = False
) -> Iterator[dict[str, Any]]:
    """Every request in order, one item each.

    Args:
        session: Read to its end.
        agent: A sub-agent's id; empty: the main conversation.
        recorded: What the transcript holds; requests that it does not hold are left out.
        full: Whole bodies; else `keep` (messages that stay from the request before) and `tail`.

    Raises:
        UsageError: There is no such agent.
    """
    builder = WireBuilder(session, agent, texts=KeptTexts(SessionTexts(session, agent)))
    before: list[dict[str, Any]] = []
    for request in _timeline(session, agent).requests:
        if recorded and session.recorded.request(agent, request.request_ref) is None:
            continue
        if recorded:
            head = _recorded_data(session, agent, request, builder)
            messages = head.pop("messages")
        else:
            head = {**_head(request, "predicted"), "resumed": builder.is_resumed(request.n)}
            messages = builder.body(request.n)
        if full:
            yield {**head, "messages": messages}
            continue
        keep = 0
        while keep < min(len(before), len(messages)) and before[keep] == messages[keep]:
            keep += 1
        yield {**head, "keep": keep, "tail": messages[keep:]}
        before = messages


def _timeline(session: Session, agent: str) -> Timeline:
    if agent not in session.timelines:
        raise UsageError(f"there is no sub-agent {agent!r} in this session")
    return session.timelines[agent]


def _head(request: Request, source: str) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "request": request.n,
        "message_id": request.message_id or None,
        "pending": request.pending,
        "source": source,
    }


def _recorded_data(session: Session, agent: str, request: Request, builder: WireBuilder) -> dict[str, Any]:
    """What the transcript holds of a request, and where the prediction is another one.

    Raises:
        UsageError: It was not recorded.
    """
    found = session.recorded.request(agent, request.request_ref)
    if found is None:
        raise UsageError(NOT_RECORDED.format(request.n))
    messages = [m.message or {"role": "unknown", "hash": m.hash, "content": None} for m in found.messages]
    predicted = in_blocks(builder.body(request.n))
    return {
        **_head(request, "recorded"),
        "rebuilt": found.rebuilt,
        "verified": found.verified,
        "differences": [msgspec.to_builtins(d) for d in compare(predicted, messages)],
        "messages": messages,
    }
