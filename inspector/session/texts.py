"""Contents of messages for the wire, read again by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from inspector.model.transcript import Flag, Record
from inspector.reading.detect import FileKind
from inspector.reading.lenient import read_line
from inspector.reading.texts import content_in
from inspector.session.kinds import MESSAGE_LISTS

if TYPE_CHECKING:
    from inspector.pipeline.wire.messages import Texts
    from inspector.session.session import Session


class SessionTexts:
    """The `Texts` of one conversation (`pipeline.wire.messages`)."""

    def __init__(self, session: Session, thread: str) -> None:
        self._session = session
        self._thread = thread

    def content(self, record: Record) -> str | list[Any]:
        """`message.content` in Anthropic's form, whatever the source's own form is."""
        if self._session.is_claude_code:
            content = content_in(self._session.raw_record(record, self._thread))
            return [] if content is None else content
        if self._session.kind in MESSAGE_LISTS:
            from inspector.reading.message_content import content_of

            return content_of(self._session.raw_record(record, self._thread), record.blocks)
        if self._session.kind is FileKind.CODEX_ROLLOUT:
            from inspector.reading.message_content import codex_content_of

            return codex_content_of(self._session.raw_record(record, self._thread), record.blocks)
        from inspector.reading.made_block import block_made

        texts = self._session.texts(record, self._thread)
        return [block_made(block, text) for block, text in zip(record.blocks, texts, strict=False)]

    def reminders(self, record: Record) -> tuple[Sequence[str], bool]:
        """Rendered texts of an attachment, and whether they stand beside the result."""
        if not record.flags & Flag.REMINDER:
            return (), False
        value = self._object(record)
        rendered = value.get("rendered")
        texts = [
            item["content"]
            for item in (rendered if isinstance(rendered, list) else ())
            if isinstance(item, dict) and isinstance(item.get("content"), str)
        ]
        return texts, value.get("renderedBesideToolResult") is True

    def _object(self, record: Record) -> dict[str, Any]:
        pieces = read_line(self._session.raw_record(record, self._thread)).pieces
        return pieces[0].value if pieces else {}


KEPT_BYTES = 64 << 20
"""Most bytes of records whose contents `KeptTexts` holds."""


class KeptTexts:
    """Contents that are asked for again with every request, read once.

    Each request asks for all of them from the beginning. So what came first is kept and nothing is put
    out for what comes later: it would be put out itself before it is asked for again.
    """

    def __init__(self, texts: Texts) -> None:
        """Args:
        texts: Who reads them.
        """
        self._texts = texts
        self._kept: dict[int, str | list[Any]] = {}
        self._room = KEPT_BYTES

    def content(self, record: Record) -> str | list[Any]:
        """`message.content` of a user or assistant record; whoever gets it does not change it."""
        found = self._kept.get(record.index)
        if found is None:
            found = self._texts.content(record)
            self._room -= record.end - record.start
            if self._room >= 0:
                self._kept[record.index] = found
        return found

    def reminders(self, record: Record) -> tuple[Sequence[str], bool]:
        """As whoever reads them gives them: they are few."""
        return self._texts.reminders(record)
