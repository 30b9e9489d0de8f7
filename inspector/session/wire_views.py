"""`WireViews`: any request of a conversation as a `WireView`, predicted or recorded, against any other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from inspector.errors import UsageError
from inspector.model.transcript import BlockKind, Flag
from inspector.pipeline.units import in_unit
from inspector.replay.conversation import repair_at
from inspector.replay.prefix import CAUSES
from inspector.replay.sentences import UNIT_WORDS, repair_sentence
from inspector.replay.view import Repair
from inspector.session.block_rows import BlockRows
from inspector.session.body_blocks import Body, block_text, blocks_of, body_chars
from inspector.session.texts import SessionTexts
from inspector.session.wire_builder import NOT_RECORDED, WireBuilder
from inspector.session.wire_unsent import Unsent, UnsentRow
from inspector.session.wire_view import Side, WireBlockRow, WireView

if TYPE_CHECKING:
    from inspector.model.transcript import Record
    from inspector.replay.calls import Entry
    from inspector.replay.requests import Request
    from inspector.replay.tracked import Tracked
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
        predicted, unsent = self._builder.body_and_unsent(n)
        recorded = self._recorded(n)
        now = self._body(n, side)
        other = recorded if side is Side.PREDICTED else predicted
        against = self._against(n, side) if against is None else against
        before = self._body(against, side) if against else []
        request = self.timeline.requests[n - 1]
        unit = self._session.policy.unit
        between = self.timeline.requests[min(against, n) : max(against, n)]
        is_other = any(r.break_ is not None and r.break_.cause == "head" for r in between)
        maker = BlockRows(unit, now, before, other, self._named, self._in_transcript, other_head=is_other)
        rows = maker.rows()
        bare = now
        if self.timeline.new_client and side is Side.PREDICTED:
            bare = self._builder.body(n, reminders=False)
        view = WireView(
            request=n,
            against=against or None,
            rows=rows,
            break_at=maker.break_at,
            break_words=self._cause(request) if against == n - 1 and side is Side.PREDICTED else "",
            gone=maker.gone,
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
            unsent=self._unsent_rows(unsent, rows, n) if side is Side.PREDICTED else (),
        )
        if view.estimated and view.chars != request.wire_chars:
            return replace(view, ledger_chars=request.wire_chars)
        return view

    def _unsent_rows(
        self, unsent: Sequence[Unsent], rows: Sequence[WireBlockRow], n: int
    ) -> Sequence[UnsentRow]:
        """What is not sent, at its places between the blocks."""
        places = [(row.message, row.block) for row in rows]
        unit, by_place = self._session.policy.unit, self.timeline.policy.is_chatcli
        callers = self._callers(unsent)
        out = []
        for found in unsent:
            block, why = found.block_of_record, found.why
            is_call = block.kind is BlockKind.TOOL_USE
            row = callers.get(id(block)) or self.timeline.row_at(found.record.index, found.block)
            if row is not None and why in (Repair.DROPPED, Repair.PENDING):
                said = repair_at(row, n)  # whether a call may still run is known to the ledger
                why = said if said in (Repair.DROPPED, Repair.PENDING) else why
            out.append(
                UnsentRow(
                    row=bisect_left(places, found.at),
                    record=found.record.index,
                    block=found.block,
                    role="assistant" if is_call else "tool" if by_place else "user",
                    kind="call" if is_call else "result",
                    words=_name_of(row.entry) if row is not None else self._named(block.id),
                    tool_use_id=block.id,
                    chars=in_unit(block.size, unit),
                    why=why,
                    sentence=repair_sentence(why, anew=by_place),
                    result=row.entry.index if row is not None else None,
                )
            )
        return out

    def _callers(self, unsent: Sequence[Unsent]) -> dict[int, Tracked]:
        """The ledger's rows of all calls with their ids, by `id()` of the block: an id may come often."""
        ids = {found.block_of_record.id for found in unsent}
        rows = [row for tool_use_id in ids for row in self.timeline.rows_of(tool_use_id)]
        return {id(row.entry.call_block): row for row in rows if row.entry.call_block is not None}

    def unsent_text(self, record: int, block: int) -> str | None:
        """The text of a call or result that is not sent, as the transcript has it.

        Args:
            record: `Record.index`.
            block: Ordinal among its blocks.

        Returns:
            The text; None where there is no such block.
        """
        found = self.record_at(record)
        if found is None:
            return None
        blocks = blocks_of({"content": SessionTexts(self._session, self._thread).content(found)})
        return block_text(blocks[block]) if block < len(blocks) else None

    def record_at(self, index: int) -> Record | None:
        """The conversation's record with this `index`; None where there is none."""
        records = self._session.records(self._thread)
        at = bisect_left(records, index, key=lambda record: record.index)
        return records[at] if at < len(records) and records[at].index == index else None

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
            raise UsageError(NOT_RECORDED.format(n))
        return recorded

    def _against(self, n: int, side: Side) -> int:
        """The request to compare with where nobody says; 0 for none."""
        if side is Side.PREDICTED:
            return n - 1
        return next((m for m in range(n - 1, 0, -1) if self._recorded(m) is not None), 0)

    def _recorded(self, n: int) -> Body | None:
        found = self._session.recorded.request(self._thread, self.timeline.requests[n - 1].request_ref)
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
            return _name_of(row.entry)
        return tool_use_id


def _name_of(entry: Entry) -> str:
    return f"{entry.tool or '(no call)'} {entry.argument or entry.id}"


def _texts_of(record: Record, texts: SessionTexts, chars: int) -> Iterator[str]:
    """Texts of a record, where one of them may have a size; its line is read only then."""
    if any(block.size.chars == chars for block in record.blocks):
        yield from (block_text(block) for block in blocks_of({"content": texts.content(record)}))
    if record.flags & Flag.REMINDER:
        yield from texts.reminders(record)[0]
