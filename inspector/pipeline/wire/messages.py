"""The exact messages of one request: references become texts, and the view-only rules are applied.

The order is that of rule 35: what History already did (chain, load, grouping, edge), then the budget's
replacements (27), cleared results (12, 29) and the client's reminders (16, 30, 31). Reminders are
kept apart from the text that they are glued to, so that both can be shown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from inspector.model.transcript import Flag, Record
from inspector.pipeline.wire.clearing import CLEARED_TEXT, GapSettings, cleared_by_boundaries, cleared_by_gap
from inspector.pipeline.wire.facts import ClientFacts
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.parts import MADE_TEXTS, Part, WireBlock
from inspector.pipeline.wire.reminders import Reminder, place_reminders

JS_BLANKS = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What the client's trimming takes off at both ends."""

_REMINDER_HEAD, _REMINDER_TAIL = "<system-reminder>\n", "\n</system-reminder>"
"""What the client puts round the text of a notification."""


class Texts(Protocol):
    """Gives the texts of records back."""

    def content(self, record: Record) -> str | list[Any]:
        """`message.content` of a user or assistant record."""

    def reminders(self, record: Record) -> tuple[Sequence[str], bool]:
        """`rendered[].content` of an attachment, and its `renderedBesideToolResult`."""


class BodyBlock(msgspec.Struct):
    """One block of a request."""

    content: dict[str, Any]
    """The block without what was glued on, as the API takes it."""
    source: WireBlock | None = None
    """Where it comes from; None for a reminder."""
    glued: tuple[str, ...] = ()
    """Reminders that are glued to this result, in order."""
    reminder: bool = False
    """The block is itself one of the client's reminders."""
    replaced: bool = False
    """The content is the budget's replacement, or a cleared result's."""


class BodyMessage(msgspec.Struct):
    """One message of a request."""

    role: str
    """`user`, `assistant` or `system`."""
    blocks: list[BodyBlock]


def build_messages(
    history: History,
    facts: ClientFacts,
    texts: Texts,
    *,
    replaced: Mapping[str, str] | None = None,
    gap: GapSettings | None = None,
) -> list[BodyMessage]:
    """The messages of the request that the history was last cut for.

    Args:
        history: Positioned on the request by `History.cut`.
        facts: Mode and generation of the client.
        texts: Where texts come from.
        replaced: tool_use id → text that stands for a result; None: what the records say, on the
            screen only (rule 27).
        gap: The time gate of the old client (rule 29); None: off.
    """
    builder = _Builder(history, facts, texts)
    if replaced is None:
        replaced = history.replaced() if facts.screen else {}
    messages = [
        BodyMessage("assistant" if message.assistant else "user", [builder.block(b) for b in message.blocks])
        for message in history.wire()
    ]
    entries = history.entries()
    cleared = cleared_by_boundaries(entries) | cleared_by_gap(entries, builder.results(messages), facts, gap)
    _swap(messages, replaced, cleared)
    return builder.with_reminders(messages)


def api_messages(messages: Sequence[BodyMessage], *, reminders: bool = True) -> list[dict[str, Any]]:
    """Messages as the API takes them.

    Args:
        messages: Of `build_messages`.
        reminders: Whether the client's reminders are in it. Without them, results stand as the
            tools gave them, and a notification as its record has it.
    """
    out = []
    for message in messages:
        blocks = [
            glue(block.content, block.glued) if reminders else _as_recorded(block)
            for block in message.blocks
            if reminders or not block.reminder or block.source is not None
        ]
        if blocks:
            out.append({"role": message.role, "content": blocks})
    return out


def _as_recorded(block: BodyBlock) -> dict[str, Any]:
    """A block without what the client puts round the text of a notification (rule 16)."""
    if not block.reminder:
        return block.content
    text, _, feed = block.content["text"].removeprefix(_REMINDER_HEAD).rpartition(_REMINDER_TAIL)
    return {**block.content, "text": text + feed}


def glue(content: Mapping[str, Any], reminders: Sequence[str]) -> dict[str, Any]:
    """A result with reminders glued on (rule 30).

    Args:
        content: The result as the tool gave it.
        reminders: Texts, in order; none: the result stays as it is.
    """
    if not reminders:
        return dict(content)
    inner = content.get("content")
    if isinstance(inner, list):
        items = [dict(item) if isinstance(item, dict) else item for item in inner]
        texts = [item for item in items if isinstance(item, dict) and item.get("type") == "text"]
        if texts:
            texts[-1]["text"] = f"{texts[-1].get('text', '')}\n"
        return {**content, "content": items + [{"type": "text", "text": text} for text in reminders]}
    trimmed = inner.strip(JS_BLANKS) if isinstance(inner, str) else ""
    parts = [trimmed, *reminders] if trimmed else list(reminders)
    return {**content, "content": "\n\n".join(parts)}


class _Builder:
    """Loads blocks and puts the client's own texts in."""

    def __init__(self, history: History, facts: ClientFacts, texts: Texts) -> None:
        self._history = history
        self._facts = facts
        self._texts = texts
        self._content: dict[int, list[Any]] = {}

    def block(self, source: WireBlock) -> BodyBlock:
        """The block behind a reference."""
        if source.part is Part.MISSING:
            made = {
                "type": "tool_result",
                "content": MADE_TEXTS[source.part],
                "is_error": True,
                "tool_use_id": source.id,
            }
            return BodyBlock(made, source)
        if source.part is not Part.RECORD:
            filler: dict[str, Any] = {"type": "text", "text": MADE_TEXTS[source.part]}
            if source.part is Part.INTERRUPTED:
                filler["citations"] = []
            return BodyBlock(filler, source)
        record = self._history.record(source.record)
        content = self._loaded(record)[source.block]
        if not isinstance(content, dict):  # a bare text; anything else holds none
            content = {"type": "text", "text": content if isinstance(content, str) else ""}
        content = dict(content)
        notified = self._facts.new and bool(record.flags & Flag.NOTIFICATION)
        if content.get("type") == "text" and notified:
            content["text"] = f"{_REMINDER_HEAD}{content.get('text', '')}{_REMINDER_TAIL}"
        if source.joint:
            content["text"] = f"{content.get('text', '')}\n"
        return BodyBlock(content, source, reminder=notified and content.get("type") == "text")

    def results(self, messages: Sequence[BodyMessage]) -> list[tuple[str, str]]:
        """id and tool of every result, in order."""
        tools = {
            str(b.content.get("id")): str(b.content.get("name"))
            for m in messages
            for b in m.blocks
            if b.content.get("type") == "tool_use"
        }
        return [
            (str(b.content.get("tool_use_id")), str(tools.get(str(b.content.get("tool_use_id")))))
            for m in messages
            for b in m.blocks
            if b.content.get("type") == "tool_result"
        ]

    def with_reminders(self, messages: list[BodyMessage]) -> list[BodyMessage]:
        """Rules 30 and 31."""
        if not self._facts.new:
            return messages
        entries = self._history.entries()
        placement = place_reminders(entries, self._history.places(), len(messages))
        positions = {record.index: n for n, record in enumerate(entries)}
        out: list[BodyMessage] = []
        for place in range(len(messages) + 1):
            alone = self._reminders(placement.between.get(place, ()))
            if alone:
                out.append(self._alone(alone))
            if place == len(messages):
                break
            out.append(messages[place])
            found = self._reminders(placement.at.get(place, ()))
            if found and self._facts.system_reminders:
                out.append(self._alone(found))
            elif found:
                _attach(messages[place], found, positions)
        return out

    def _alone(self, reminders: Sequence[_Text]) -> BodyMessage:
        """A message of nothing but reminders."""
        role = "system" if self._facts.system_reminders else "user"
        return BodyMessage(role, [_reminder(r.text) for r in reminders])

    def _reminders(self, reminders: Sequence[Reminder]) -> list[_Text]:
        found: list[_Text] = []
        for reminder in reminders:
            texts, beside = self._texts.reminders(reminder.record)
            found.extend(_Text(text, beside, reminder.behind) for text in texts)
        return found

    def _loaded(self, record: Record) -> list[Any]:
        if record.index not in self._content:
            content = self._texts.content(record)
            self._content[record.index] = (
                [{"type": "text", "text": content}] if isinstance(content, str) else content
            )
        return self._content[record.index]


class _Text(msgspec.Struct, frozen=True):
    """One reminder, loaded."""

    text: str
    beside: bool
    behind: int | None


def _attach(message: BodyMessage, reminders: Sequence[_Text], positions: Mapping[int, int]) -> None:
    """Rule 30: on the last result in front of it; in a message without results, in front of its texts."""
    results = [b for b in message.blocks if b.content.get("type") == "tool_result"]
    for reminder in reminders if results else ():
        if not reminder.beside:
            host = _host(results, reminder.behind, positions)
            host.glued = (*host.glued, reminder.text)
    alone = [_reminder(r.text) for r in reminders if r.beside or not results]
    if results:
        place = message.blocks.index(results[-1]) + 1
        message.blocks[place:place] = alone
        return
    if any(b.source and b.source.part is Part.NO_CONTENT for b in message.blocks):
        message.blocks.extend(alone)
        return
    if message.blocks and message.blocks[0].content.get("type") == "text":
        alone[-1].content["text"] += "\n"
    message.blocks[:0] = alone


def _host(results: Sequence[BodyBlock], behind: int | None, positions: Mapping[int, int]) -> BodyBlock:
    """The last result that stands in front of a reminder; two answers may share one message."""
    for result in reversed(results):
        source = result.source
        if behind is None or (source and positions.get(source.record, behind) < behind):
            return result
    return results[-1]


def _reminder(text: str) -> BodyBlock:
    return BodyBlock({"type": "text", "text": text}, reminder=True)


def _swap(messages: Sequence[BodyMessage], replaced: Mapping[str, str], cleared: Collection[str]) -> None:
    """Rules 12, 27 and 29: other contents under the same id and is_error.

    The budget comes before the API edge (rule 35): what the edge makes up is never replaced.
    """
    for message in messages:
        for block in message.blocks:
            tool_use_id = block.content.get("tool_use_id")
            if block.content.get("type") != "tool_result" or not isinstance(tool_use_id, str):
                continue
            is_made = block.source is not None and block.source.part is Part.MISSING
            text = None if is_made else replaced.get(tool_use_id)
            if tool_use_id in cleared:
                text = CLEARED_TEXT
            if text is not None:
                block.content["content"] = text
                block.replaced = True
