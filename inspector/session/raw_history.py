"""The histories of a conversation's requests before any stage: what an agent loop would have held.

A history shares its message objects with the one before it, so a whole run costs one reading of
every text, and the manager can tell by identity what it has seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_
from typing import TYPE_CHECKING, Any

from inspector.errors import UsageError
from inspector.model.transcript import Record
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.parts import WireMessage
from inspector.reading.lenient import decode_json
from inspector.session.kinds import MESSAGE_LISTS
from inspector.session.texts import SessionTexts

if TYPE_CHECKING:
    from inspector.replay.requests import Request
    from inspector.session.session import Session


def raw_histories(session: Session, thread: str = "") -> Iterator[list[Any]]:
    """The message list of every request, in order, results in full.

    A message list keeps its own form, Anthropic or OpenAI. Any other source gives Anthropic
    messages, whose answers carry `id` and `model` where the session has them: the stages ask for
    them, an API does not take them (see `sendable`). The client's reminders are not in it.

    Args:
        session: Read to its end.
        thread: The conversation; empty: the main one.

    Raises:
        UsageError: There is no such conversation.
    """
    if thread not in session.timelines:
        raise UsageError(f"there is no sub-agent {thread!r} in this session")
    if session.kind in MESSAGE_LISTS:
        return _listed(session, thread)
    return _Chained(session, thread).histories()


def sendable(session: Session, messages: list[Any]) -> list[Any]:
    """A history of this session as an API takes it.

    Args:
        session: The session that the history came from.
        messages: Of `raw_histories`, managed or not.
    """
    if session.kind in MESSAGE_LISTS:
        return messages
    return [{"role": message["role"], "content": message["content"]} for message in messages]


def _listed(session: Session, thread: str) -> Iterator[list[Any]]:
    records = session.records(thread)
    messages: list[Any] = []
    at = 0
    for request in session.timelines[thread].requests:
        while at < len(records) and _is_before(records[at], request):
            messages.append(decode_json(session.raw_record(records[at], thread)).value)
            at += 1
        yield list(messages)


def _is_before(record: Record, request: Request) -> bool:
    return request.pending or record.index < request.first_record


class _Chained:
    """Histories that follow a chain of parents, or ChatCLI's and Codex's own records."""

    def __init__(self, session: Session, thread: str) -> None:
        self._session = session
        self._thread = thread
        self._texts = SessionTexts(session, thread)
        self._history = History(linear=session.is_linear, edge=False)
        self._blocks: dict[int, list[Any]] = {}
        self._made: dict[WireMessage, dict[str, Any]] = {}
        self._last: tuple[tuple[WireMessage, ...], list[Any]] = ((), [])

    def histories(self) -> Iterator[list[Any]]:
        records = self._session.records(self._thread)
        at = 0
        for request in self._session.timelines[self._thread].requests:
            while at < len(records) and _is_before(records[at], request):
                self._history.add(records[at])
                at += 1
            self._history.cut(None if request.pending else records[at].parent)
            yield self._messages()

    def _messages(self) -> list[Any]:
        """The messages of the last cut; what stayed from the cut before is only copied."""
        wire, (before, messages) = self._history.wire(), self._last
        same = [*map(is_, wire, before), False].index(False)
        messages = messages[:same] + [self._message(message) for message in wire[same:]]
        self._last = wire, messages
        return list(messages)

    def _message(self, wire: WireMessage) -> dict[str, Any]:
        """The message behind references: the same object for the same references."""
        made = self._made.get(wire)
        if made is None:
            made = self._made[wire] = self._load(wire)
        return made

    def _load(self, wire: WireMessage) -> dict[str, Any]:
        content: list[Any] = []
        for block in wire.blocks:
            value = self._loaded(block.record)[block.block]
            if not isinstance(value, dict):
                value = {"type": "text", "text": str(value)}
            if block.joint:
                value = {**value, "text": f"{value.get('text', '')}\n"}
            content.append(value)
        if not wire.assistant:
            return {"role": "user", "content": content}
        record = self._history.record(wire.blocks[0].record)
        named = {"id": record.message_id, "model": record.model}
        return {"role": "assistant", "content": content, **{k: v for k, v in named.items() if v}}

    def _loaded(self, index: int) -> list[Any]:
        if index not in self._blocks:
            content = self._texts.content(self._history.record(index))
            self._blocks[index] = [{"type": "text", "text": content}] if isinstance(content, str) else content
        return self._blocks[index]
