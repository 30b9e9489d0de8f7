"""The wire of requests as data: predicted from the records, or as the transcript recorded it.

A request's texts are read again by position when it is asked for; what stands in place of a result
follows the lifelines, so the bodies and the figures on the screen cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inspector.errors import UsageError
from inspector.model.ledger import Level
from inspector.model.policy import Pairing
from inspector.model.transcript import Record
from inspector.pipeline.conversation import normalise, write_back
from inspector.pipeline.pairing import repair
from inspector.pipeline.wire.clearing import GapSettings
from inspector.pipeline.wire.facts import ClientFacts, facts_of
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.messages import BodyMessage, api_messages, build_messages
from inspector.reading.chatcli_session import message_data
from inspector.replay.chatcli_timeline import ChatcliTimeline
from inspector.replay.conversation import span_of
from inspector.session.replaced_text import text_on_wire
from inspector.session.texts import SessionTexts

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.replay.timeline import Timeline
    from inspector.session.session import Session

SCHEMA = "inspector-wire/1"


class WireBuilder:
    """Predicts the bodies of one conversation's requests; cheap when asked in order."""

    def __init__(self, session: Session, thread: str = "") -> None:
        """Args:
        session: Read as far as it will be asked for.
        thread: The conversation.
        """
        self._session = session
        self._thread = thread
        self._timeline: Timeline = session.timelines[thread]
        self._records: Sequence[Record] = session.records(thread)
        self._texts = SessionTexts(session, thread)
        self._client = session.policy.pairing.variant is Pairing.CLIENT
        self._reset()

    def _reset(self) -> None:
        self._history = History(linear=self._session.is_linear, edge=self._client)
        self._added = 0
        self._facts = ClientFacts(screen=True, new=False)

    def messages(self, n: int) -> list[BodyMessage]:
        """The messages of request n, with what was glued on kept apart."""
        request = self._timeline.requests[n - 1]
        self._advance(request)
        tip = None if request.pending else self._tip(request)
        self._history.cut(tip)
        return build_messages(
            self._history, self._facts, self._texts, replaced=self._replaced(n), gap=self._gap()
        )

    def body(self, n: int, *, reminders: bool = True) -> list[dict[str, Any]]:
        """The messages of request n as the API takes them; ChatCLI's in the form of its own files."""
        if isinstance(self._timeline, ChatcliTimeline):
            return [message_data(m) for m in self._timeline.outgoing(n)]
        messages = api_messages(self.messages(n), reminders=reminders)
        if self._client:
            return messages
        live = self._timeline.live and self._timeline.requests[n - 1].pending
        variant = self._session.policy.pairing.variant
        return write_back(repair(normalise(messages), variant, live=live).messages)

    def _advance(self, request: Request) -> None:
        limit = len(self._records) if request.pending else self._position(request)
        if limit < self._added:
            self._reset()
        for record in self._records[self._added : limit]:
            self._history.add(record)
        self._added = limit
        if self._session.is_claude_code:
            seen = self._records[: limit + 1] if not request.pending else self._records
            self._facts = facts_of(seen[-400:], model=request.model) if limit else self._facts

    def _position(self, request: Request) -> int:
        low, high = 0, len(self._records)
        while low < high:
            middle = (low + high) // 2
            if self._records[middle].index < request.first_record:
                low = middle + 1
            else:
                high = middle
        return low

    def _tip(self, request: Request) -> str:
        return self._records[self._position(request)].parent

    def _gap(self) -> GapSettings | None:
        settings = self._session.policy.microcompact
        if settings.clear_after_gap_minutes is None:
            return None
        return GapSettings(settings.clear_after_gap_minutes, settings.clear_keep)

    def _replaced(self, n: int) -> Mapping[str, str]:
        """What stands in place of results at request n."""
        out: dict[str, str] = {}
        for row in self._timeline.tracked:
            span = span_of(row, n) if row.spans else None
            if span is None or row.entry.result is None:
                continue
            if span.level in (Level.PREVIEW, Level.TRUNCATED, Level.SUMMARIZED):
                text = text_on_wire(self._session, row, span, self._thread)
                if text is not None:
                    out[row.entry.id] = text
        return out


def one_request(session: Session, n: int, *, agent: str = "", recorded: bool = False) -> dict[str, Any]:
    """One request as plain data.

    Args:
        session: Read to its end.
        n: Request number, from 1.
        agent: A sub-agent's id; empty: the main conversation.
        recorded: What the transcript holds of it, instead of the prediction.

    Raises:
        UsageError: There is no such request or agent, or it was not recorded.
    """
    timeline = _timeline(session, agent)
    if not 1 <= n <= len(timeline.requests):
        raise UsageError(f"there is no request {n}; the session has 1 to {len(timeline.requests)}")
    request = timeline.requests[n - 1]
    if recorded:
        return {**_head(request, "recorded"), "messages": _recorded(session, agent, request)}
    return {**_head(request, "predicted"), "messages": WireBuilder(session, agent).body(n)}


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
    builder = WireBuilder(session, agent)
    before: list[dict[str, Any]] = []
    for request in _timeline(session, agent).requests:
        if recorded and session.recorded_request(agent, request.request_ref) is None:
            continue
        if recorded:
            messages = _recorded(session, agent, request)
        else:
            messages = builder.body(request.n)
        head = _head(request, "recorded" if recorded else "predicted")
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


def _recorded(session: Session, agent: str, request: Request) -> list[dict[str, Any]]:
    found = session.recorded_request(agent, request.request_ref)
    if found is None:
        raise UsageError(f"the transcript does not record request {request.n}")
    return [m.message or {"role": "unknown", "hash": m.hash, "content": None} for m in found.messages]
