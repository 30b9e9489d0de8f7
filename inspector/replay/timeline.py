"""The fold of a policy over one conversation: requests, states, lifelines, sizes on the wire.

A request is decided when its answer begins; the one after the last record is decided
provisionally by `settle` and taken back when more arrives. So an appended record costs what it
holds, and what request n looked like is read from lifelines that were written once.
"""

from __future__ import annotations

from collections.abc import Iterable

from inspector.model.ledger import Level
from inspector.model.policy import Ageing, Policy
from inspector.model.transcript import BlockKind, Boundary, Flag, Record, Role
from inspector.pipeline.wire.history import Cut
from inspector.pipeline.wire.parts import UNIT_PLACES, text_in
from inspector.replay.deciding import Deciding
from inspector.replay.gap import cleared_by_pause, pause_saves
from inspector.replay.otherwise import Otherwise
from inspector.replay.requests import NO_EVENT, Break, Request
from inspector.replay.rows import Rows
from inspector.replay.sizing import SIZES
from inspector.replay.tracked import Journal, Tracked, Undo
from inspector.replay.view import Event

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_ASSISTANT = Role.ASSISTANT
_BOUNDARY = Role.BOUNDARY
_CLEARING = Role.CLEARING
_REPLACEMENTS = Role.REPLACEMENTS
_USER = Role.USER
_DUPLICATE = Flag.DUPLICATE
_SALVAGED = Flag.SALVAGED
_THINKING = BlockKind.THINKING
_SUMMARIZED = Level.SUMMARIZED
_TRUNCATED = Level.TRUNCATED


class Timeline(Deciding):
    """One conversation under one policy."""

    def __init__(
        self, policy: Policy, *, linear: bool = False, live: bool = False, known: Rows | None = None
    ) -> None:
        """Start empty.

        Args:
            policy: The rules in force.
            linear: The source has no record chain: each record follows the one before.
            live: The session is being written: a call of its last message is pending, not missing.
            known: As for `Rows`: a timeline that is not fed past its end by this.
        """
        super().__init__(policy, linear=linear, live=live, known=known)
        self._size_in = SIZES[policy.unit]
        self._text_place = UNIT_PLACES[policy.unit]
        self._ages = policy.microcompact.variant is Ageing.AGES
        self.other_previews: list[tuple[str, int]] = []
        """Id and line of stored replacements that differ from an earlier one for the same result."""
        self._stored_before: dict[int, list[tuple[int, str]]] = {}
        """Row → its stored texts that another one has taken the place of, each with the line of that one."""
        self.boundaries: list[tuple[int, Record]] = []
        """Compactions and recorded clearings, with the request that they come before."""
        self.usage_records = 0
        """Records with usage; usage is repeated on each record of an answer."""
        self._first_of: dict[str, int] = {}
        """`message.id` → the first request that was answered by it."""
        self._others_of: dict[tuple[str, str], int] = {}
        """Of ids that answer several requests: `message.id` and request reference → the request."""
        self._last_pair = "", "", 0
        """The answer that was read last, and its request."""
        self._births: dict[int, list[Tracked]] = {}
        self._unsettled: list[Tracked] = []
        """Rows to look at again in the next request: a stored text, a repair, a late result."""
        self._to_clear: list[str] = []
        self._compaction: Boundary | None = None
        self.unreplaced: list[tuple[int, list[str]]] = []
        """Requests that sent results in full again, and the ids of these."""
        self.recorded_words: dict[str, str] = {}
        """Request reference → `same` or `differs`, where the transcript holds the request itself."""
        self.differing: dict[str, Otherwise] = {}
        """Calls and results that were recorded otherwise than predicted, and how."""
        self._applied_mode = True
        self._undo: Undo | None = None

    # -- feeding ---------------------------------------------------------------------------------

    def extend(self, records: Iterable[Record]) -> None:
        """Take more records of the conversation and decide the pending request anew."""
        for record in records:
            self.feed(record)
        self.settle()

    def feed(self, record: Record) -> None:
        """Take one record; a new answer decides the request that it answers."""
        if self._undo is not None:
            self._take_back()
        self._note(record)
        if record.flags & _DUPLICATE:
            return
        role = record.role
        if role is _ASSISTANT and record.is_answer:
            self._feed_answer(record)
        elif role is _REPLACEMENTS:
            self.replacements.append(record)
            for replacement in record.replacements:
                self._store(replacement.tool_use_id, replacement.text, record)
        elif role is _BOUNDARY or role is _CLEARING:
            self._feed_boundary(record)
        self.history.add(record)
        if role is _ASSISTANT or role is _USER:
            self._track(record)

    def settle(self) -> None:
        """Decide the pending request provisionally, as things stand."""
        self._take_back()
        self._journal = journal = Journal()
        deltas = self._delta, self._calls_delta, self._images_delta
        self._undo = Undo(journal, *deltas, self._inexact, self._fresh)
        request = Request(len(self.requests) + 1, "", "", self.last_line, self.newest_index + 1, pending=True)
        self._decide(request, None)
        self._journal = None

    def _take_back(self) -> None:
        if self._undo is None:
            return
        undo = self._undo
        self._delta, self._calls_delta, self._inexact = undo.delta, undo.calls_delta, undo.inexact
        self._images_delta, self._fresh = undo.images_delta, undo.fresh
        self._pairing.undo()
        for tracked, snapshot in undo.journal.tracked.values():
            tracked.restore(snapshot)
        self.requests.pop()
        self._undo = None

    def _feed_answer(self, record: Record) -> None:
        message_id, reference, n = self._last_pair
        if not n or message_id != record.message_id or reference != record.request_ref:
            n = self._request_of(record)
        request = self.requests[n - 1]
        for block in record.blocks:
            if block.kind is _THINKING:
                request.thinking_chars += self._size_in(block.size)
        if record.usage is not None:
            self.usage_records += 1
            request.usage = record.usage
        if not record.message_id or record.message_id not in self._seen_messages:
            self._seen_messages.add(record.message_id)
            self._answers += 1

    def _request_of(self, record: Record) -> int:
        """The request that an answer belongs to, decided now if this is the first that is read of it."""
        pair = record.message_id, record.request_ref
        first = self._first_of.get(record.message_id, 0) if record.message_id else 0
        n = first if first and self.requests[first - 1].request_ref == record.request_ref else 0
        if first and not n:
            n = self._others_of.get(pair, 0) or self._without_reference(record, first)
        if not n:
            n = len(self.requests) + 1
            if first:
                self._others_of[pair] = n
            elif record.message_id:
                self._first_of[record.message_id] = n
            request = Request(
                n, record.message_id, record.request_ref, record.line, record.index,
                time=record.time, model=record.model, gap_s=self._gap_s,
            )  # fmt: skip
            self._decide(request, record)
        self._last_pair = *pair, n if record.message_id else 0
        return n

    def _without_reference(self, record: Record, first: int) -> int:
        """The known request of a message, where it or a further record of its answer names none; 0: neither.

        Only two references that differ tell two requests of one message id apart.
        """
        if not record.request_ref:
            message_id, _, newest = self._last_pair
            return newest if newest and message_id == record.message_id else first
        request = self.requests[first - 1]
        if request.request_ref:
            return 0
        request.request_ref = record.request_ref
        return first

    def _feed_boundary(self, record: Record) -> None:
        self.boundaries.append((len(self.requests) + 1, record))
        if record.role is _BOUNDARY:
            self._compaction = record.boundary or Boundary()
        elif record.boundary is not None:
            self._to_clear.extend(record.boundary.cleared_ids)

    def _store(self, tool_use_id: str, text: str, record: Record) -> None:
        self.stored[tool_use_id] = record
        for tracked in self._meant(tool_use_id):
            if tracked.stored == text:
                continue
            if tracked.stored is not None:
                if self.other_previews[-1:] != [(tool_use_id, record.line)]:
                    self.other_previews.append((tool_use_id, record.line))
                self._stored_before.setdefault(tracked.entry.index, []).append((record.line, tracked.stored))
            tracked.stored = text
            self._unsettled.append(tracked)

    def _meant(self, tool_use_id: str) -> list[Tracked]:
        """The rows that a line means by an id: the newest, and where the id came again, those on the wire.

        The client looks for the id in what it sends, and another result may stand there than the newest.
        """
        rows = self.rows_of(tool_use_id)
        return [row for row in rows[:-1] if row.on_wire and not row.removed] + rows[-1:]

    def stored_text(self, tracked: Tracked, n: int) -> str | None:
        """The stored replacement of a result that request n knows: of several lines the last (rule 27)."""
        request = self.requests[n - 1]
        for line, text in self._stored_before.get(tracked.entry.index, ()):
            if not request.pending and request.line < line:
                return text
        return tracked.stored

    def _track(self, record: Record) -> None:
        for entry in self.calls.feed(record):
            if entry.index == len(self.tracked):
                tracked = Tracked(entry)
                self.tracked.append(tracked)
            else:
                tracked = self.tracked[entry.index]
            # A record that was saved from a broken line is in no request: its call needs no result, and
            # its result answers nothing.
            by_id = not self._as_client and not record.flags & _SALVAGED
            if entry.call_record is record and by_id:
                self._pairing.call(tracked)
            if entry.result_record is record:
                if by_id:
                    self._pairing.result(tracked)
                self._answered(tracked)

    def _answered(self, tracked: Tracked) -> None:
        entry = tracked.entry
        assert entry.result is not None and entry.result_record is not None
        self._unsettled.append(tracked)
        tracked.full = self._size_in(entry.result.size)
        tracked.birth = self._answers
        if self._ages:
            self._births.setdefault(tracked.birth, []).append(tracked)
        index, block = entry.result_record.index, entry.result_block
        self._by_result[(index, block) if block else index] = tracked
        if entry.turn in self._fresh:
            self._fresh[entry.turn].append(tracked)
        else:
            self._fresh[entry.turn] = [tracked]

    # -- one request -----------------------------------------------------------------------------

    def _decide(self, request: Request, answer: Record | None) -> None:
        self.requests.append(request)
        self._changed = []
        cut = self.history.cut(answer.parent if answer else None, provisional=answer is None)
        self._enter_and_leave(cut, request)
        self._repair(cut, request)
        if self._compaction is not None and not self._as_client:
            newest = next(record for _, record in reversed(self.boundaries) if record.role is _BOUNDARY)
            self._leave_behind(newest, request)
        if self.stored and self._applied_mode != (self.screen is not False):
            self._switch_mode(request)
        self._decide_groups(request)
        if self._ages:
            self._age(request)
        if self._to_clear:
            self._clear(request)
        for tracked in self._unsettled:
            if tracked.request != request.n:  # its group was decided just now, with all that is known
                self._refresh(tracked, request, "replacement")
        if self._journal is None:
            self._unsettled = []
            self._to_clear = []
            self._applied_mode = self.screen is not False
        request.answers = self._answers
        request.turns = len(self.calls.turns)
        request.wire_chars = text_in(cut.figures, self._text_place) + self._delta
        request.figures = cut.figures
        request.images_shift = self._images_delta
        request.calls_shift, request.results_shift = self._calls_delta, self._delta - self._calls_delta
        request.hidden_thinking, request.attachments = self._hidden_thinking, self._attachments
        request.estimated = self._inexact > 0
        request.break_ = self._find_break(cut)
        self._pause(request)
        self._mark(request)
        if self._journal is None:
            self._compaction = None
            self._hidden_thinking = self._attachments = 0
            self._other_head = False

    def _pause(self, request: Request) -> None:
        """Take off what a long pause clears in this one request."""
        cleared = cleared_by_pause(self, self._gap_s)
        if cleared:
            request.wire_chars -= pause_saves(cleared)
            request.results_shift -= pause_saves(cleared)
            whole = [row.entry.result for row in cleared if row.level is Level.FULL]
            request.images_shift -= sum(len(result.images) for result in whole if result is not None)
            if request.break_ is None:
                request.break_ = Break("clearing", planned=False, tool_use_id=cleared[0].entry.id)

    def _enter_and_leave(self, cut: Cut, request: Request) -> None:
        for refs, on_wire in ((cut.removed, False), (cut.added, True)):
            for record, block in refs:
                tracked = self._by_result.get((record, block) if block else record)
                if tracked is not None and tracked.on_wire != on_wire:
                    self._touch(tracked)
                    result = tracked.entry.result
                    images = len(result.images) if result is not None else 0
                    if images:
                        self._images_delta -= self._images_share(tracked, images)
                    tracked.on_wire = on_wire  # the history's own size holds it only while it is on
                    if images:
                        self._images_delta += self._images_share(tracked, images)
                    share = tracked.chars - tracked.full
                    self._delta += share if on_wire else -share
                    if tracked.request:  # a new one is looked at when its group is decided
                        self._refresh(tracked, request, cut.cause or "compaction")

    def _age(self, request: Request) -> None:
        settings = self.policy.microcompact
        born = {self._answers - settings.truncate_turns, self._answers - settings.summarize_turns}
        for birth in sorted(born):
            for tracked in self._births.get(birth, ()):
                age = self._answers - birth
                base = self.base_chars(tracked)
                level, _ = self.sizing.level(tracked.entry, age, base)
                if level is tracked.aged or level not in (_TRUNCATED, _SUMMARIZED):
                    continue
                if self.sizing.aged(tracked, level).chars < base:
                    self._touch(tracked)
                    tracked.aged = level
                    self._refresh(tracked, request, "ageing", decided=True)

    def _clear(self, request: Request) -> None:
        for tool_use_id in self._to_clear:
            for tracked in self._meant(tool_use_id):
                self._touch(tracked)
                tracked.cleared = True
                self._refresh(tracked, request, "clearing", decided=True)

    def _switch_mode(self, request: Request) -> None:
        """A session resumed in print mode sends in full again what the screen had replaced."""
        back = []
        for tool_use_id in self.stored:
            for tracked in self._meant(tool_use_id):
                was = tracked.applied
                self._refresh(tracked, request, "resume")
                if was and not tracked.applied and tracked.on_wire:
                    back.append(tool_use_id)
        if back and self._journal is None:
            self.unreplaced.append((request.n, back))

    # -- what follows ----------------------------------------------------------------------------

    def _find_break(self, cut: Cut) -> Break | None:
        if not self._changed and cut.first_changed is None and not self._other_head:
            return None
        if cut.first_changed is not None and cut.cause == "compaction":
            return Break("compaction", planned=False, message=cut.first_changed)
        if self._other_head:
            return Break("head", planned=False, message=0)
        first = min(
            self._changed,
            key=lambda c: (
                c[0].entry.result_record.index if c[0].entry.result_record else 0,
                c[0].entry.index,
            ),
            default=None,
        )
        if first is not None:
            tracked, cause = first
            return Break(cause, planned=cause == "ageing", tool_use_id=tracked.entry.id)
        if cut.first_changed is not None:
            return Break(cut.cause, planned=False, message=cut.first_changed)
        return None

    def _mark(self, request: Request) -> None:
        if not (request.over_by or self._compaction or request.repairs or request.break_):
            return
        events = NO_EVENT
        if request.over_by:
            events |= Event.OVER
        if self._compaction is not None:
            request.compaction = self._compaction
            events |= Event.COMPACTION
        if request.repairs:
            events |= Event.REPAIR
        if request.break_ is not None and request.break_.cause != "compaction":
            events |= Event.PLANNED_BREAK if request.break_.planned else Event.BREAK
        request.events = events
