"""`WireViews`: any request of a conversation as a `WireView`, predicted or recorded, against any other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from inspector.errors import UsageError
from inspector.model.transcript import Flag
from inspector.replay.prefix import CAUSES
from inspector.replay.sentences import UNIT_WORDS
from inspector.session.texts import SessionTexts
from inspector.session.wire_builder import WireBuilder
from inspector.session.wire_view import (
    BlockRows,
    Body,
    Side,
    WireView,
    block_text,
    blocks_of,
    body_chars,
)

if TYPE_CHECKING:
    from inspector.model.transcript import Record
    from inspector.replay.requests import Request
    from inspector.session.session import Session


class WireViews:
    """Views of one conversation's requests; keeps the builder, so that stepping on is cheap."""

    def __init__(self, session: Session, thread: str = "") -> None:
        """Args:
        session: Read as far as it will be asked for.
        thread: The conversation.
        """
        self._session = session
        self._thread = thread
        self.timeline = session.timelines[thread]
        self._builder = WireBuilder(session, thread)

    def view(self, n: int, against: int | None = None, side: Side = Side.PREDICTED) -> WireView:
        """Request n beside another one and beside its own other form.

        Args:
            n: From 1.
            against: The request to compare with; None: the one before, of recorded ones the newest before.
            side: Predicted, or recorded: then what it is compared with is a recorded one too.

        Raises:
            UsageError: There is no such request, or it was not recorded.
        """
        predicted, recorded = self._builder.body(n), self._recorded(n)
        now = self._body(n, side)
        other = recorded if side is Side.PREDICTED else predicted
        against = self._against(n, side) if against is None else against
        before = self._body(against, side) if against else []
        request = self.timeline.requests[n - 1]
        unit = self._session.policy.unit
        maker = BlockRows(unit, now, before, other, self._named, self._in_transcript)
        rows = maker.rows()
        kept = sum(row.before is not None for row in rows)
        bare = now
        if self.timeline.new_client and side is Side.PREDICTED:
            bare = self._builder.body(n, reminders=False)
        view = WireView(
            request=n,
            against=against or None,
            rows=rows,
            break_at=maker.break_at,
            break_words=self._cause(request) if against == n - 1 and side is Side.PREDICTED else "",
            gone=sum(len(blocks_of(m)) for m in before) - kept,
            unit=UNIT_WORDS[unit],
            resumed=self._builder.is_resumed(n),
            is_recorded=recorded is not None,
            other_chars=None if other is None else body_chars(other, unit),
            side=side,
            reminder_chars=body_chars(now, unit) - body_chars(bare, unit),
            resume_chars=self._resume_chars(n, side),
            estimated=request.estimated and side is Side.PREDICTED,
            ends_at=maker.ends_at,
            gone_at=maker.gone_at,
        )
        if view.estimated and view.chars != request.wire_chars:
            return replace(view, ledger_chars=request.wire_chars)
        return view

    def _resume_chars(self, n: int, side: Side) -> int:
        """What loading a finished session again adds to its last request, reminders left out."""
        if side is Side.RECORDED or not self._builder.is_resumed(n):
            return 0
        unit = self._session.policy.unit
        loaded = self._builder.body(n, reminders=False)
        return body_chars(loaded, unit) - body_chars(self._builder.body_as_it_ends(n), unit)

    def text(
        self,
        n: int,
        message: int,
        block: int,
        side: Side,
        against: int | None = None,
        form: Side = Side.PREDICTED,
    ) -> str | None:
        """The text of a block; None where that side has no such block.

        On any other side, a call or result is found by its id: it may stand elsewhere there.

        Args:
            n: From 1.
            message: Index of its message in the form shown.
            block: Its index in the message.
            side: Whose text.
            against: As in `view`.
            form: The form shown.
        """
        now = self._body(n, form)
        unit = self._session.policy.unit
        if side is Side.BEFORE:
            against = self._against(n, form) if against is None else against
            before = self._body(against, form) if against else []
            old = BlockRows(unit, now, before, None, self._named).old(message, block)
            return block_text(old) if old is not None else None
        if side is not form:
            found = BlockRows(unit, now, [], self._body(n, side), self._named).other(message, block)
            return block_text(found) if found is not None else None
        blocks = blocks_of(now[message]) if message < len(now) else []
        return block_text(blocks[block]) if block < len(blocks) else None

    def record_of(self, n: int, message: int, block: int, form: Side = Side.PREDICTED) -> Record | None:
        """The record that a block was made from; None where no record has its text.

        Calls and results are found by their id, other blocks by their text, the newest record first.

        Args:
            n: From 1.
            message: Index of its message in the form shown.
            block: Its index in the message.
            form: The form shown.
        """
        body = self._body(n, form)
        blocks = blocks_of(body[message]) if message < len(body) else []
        if block >= len(blocks):
            return None
        found = blocks[block]
        if found.get("type") in ("tool_use", "tool_result"):
            is_call = found["type"] == "tool_use"
            entries = [
                row.entry for row in self.timeline.rows_of(str(found.get("id" if is_call else "tool_use_id")))
            ]
            records = [entry.call_record if is_call else entry.result_record for entry in entries]
            return next((record for record in records if record is not None), None)
        request = self.timeline.requests[n - 1]
        text, texts = block_text(found), SessionTexts(self._session, self._thread)
        for record in reversed(self._session.records(self._thread)):
            known = request.pending or record.index < request.first_record
            if known and text in _texts_of(record, texts, len(text)):
                return record
        return None

    def _body(self, n: int, side: Side) -> Body:
        """One form of a request."""
        if not 1 <= n <= len(self.timeline.requests):
            raise UsageError(f"There is no request {n}; the conversation has {len(self.timeline.requests)}.")
        if side is Side.PREDICTED:
            return self._builder.body(n)
        recorded = self._recorded(n)
        if recorded is None:
            raise UsageError(f"Request {n} was not recorded.")
        return recorded

    def _against(self, n: int, side: Side) -> int:
        """The request to compare with where nobody says; 0 for none."""
        if side is Side.PREDICTED:
            return n - 1
        return next((m for m in range(n - 1, 0, -1) if self._recorded(m) is not None), 0)

    def _recorded(self, n: int) -> Body | None:
        found = self._session.recorded_request(self._thread, self.timeline.requests[n - 1].request_ref)
        return [m.message or {} for m in found.messages] if found is not None else None

    def _cause(self, request: Request) -> str:
        broken = request.break_
        if broken is None:
            return ""
        words = CAUSES.get(broken.cause, broken.cause)
        return f"{self._named(broken.tool_use_id)}: {words}" if broken.tool_use_id else words

    def _in_transcript(self, tool_use_id: str) -> int | None:
        """Size of a result as its record has it."""
        rows = self.timeline.rows_of(tool_use_id)
        return rows[0].full if rows and rows[0].entry.result is not None else None

    def _named(self, tool_use_id: str) -> str:
        """A call, told by its tool and the one argument that tells calls apart."""
        for row in self.timeline.rows_of(tool_use_id):
            return f"{row.entry.tool or '(no call)'} {row.entry.argument or tool_use_id}"
        return tool_use_id


def _texts_of(record: Record, texts: SessionTexts, chars: int) -> Iterator[str]:
    """Texts of a record, where one of them may have a size; its line is read only then."""
    if any(block.size.chars == chars for block in record.blocks):
        yield from (block_text(block) for block in blocks_of({"content": texts.content(record)}))
    if record.flags & Flag.REMINDER:
        yield from texts.reminders(record)[0]
