"""The fold of a policy over one conversation: requests, states, lifelines, sizes on the wire.

A request is decided when its answer begins; the one after the last record is decided
provisionally by `settle` and taken back when more arrives. So an appended record costs what it
holds, and what request n looked like is read from lifelines that were written once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from inspector.model.ledger import Level, Span, State
from inspector.model.policy import Ageing, BudgetMode, Pairing, Policy, Stage
from inspector.model.transcript import BlockKind, Boundary, Candidate, Flag, Record, Role
from inspector.pipeline.budget import Decision, Item, decide
from inspector.pipeline.wire.history import Cut, History
from inspector.pipeline.wire.parts import UNIT_PLACES, RepairKind, WireRepair, text_in
from inspector.replay.calls import Calls, Entry, Turn
from inspector.replay.gap import cleared_by_pause, pause_saves
from inspector.replay.noted import Noted
from inspector.replay.pairing_fold import Act, PairingFold
from inspector.replay.requests import NO_EVENT, Break, GroupDecision, Request, UnderLimit
from inspector.replay.sizing import SIZES, SYNTHETIC_CHARS, Sizing
from inspector.replay.tracked import Journal, Tracked, Undo
from inspector.replay.view import Event, Repair

# A member looked up on its enum costs ten times what a name costs, and these are asked for per record.
_ASSISTANT = Role.ASSISTANT
_BOUNDARY = Role.BOUNDARY
_BRIDGE = Role.BRIDGE
_CLEARING = Role.CLEARING
_REPLACEMENTS = Role.REPLACEMENTS
_REQUEST = Role.REQUEST
_USER = Role.USER
_API_ERROR = Flag.API_ERROR
_DUPLICATE = Flag.DUPLICATE
_INTERRUPT = Flag.INTERRUPT
_THINKING = BlockKind.THINKING
_FULL = Level.FULL
_GONE = Level.GONE
_SUMMARIZED = Level.SUMMARIZED
_TRUNCATED = Level.TRUNCATED
_FROZEN = State.FROZEN
_NOT_CANDIDATE = State.NOT_CANDIDATE
_REPLACED = State.REPLACED
_SKIPPED = State.SKIPPED
_YES = Candidate.YES

_REPAIRS: dict[RepairKind, Repair] = {
    RepairKind.SYNTHETIC: Repair.SYNTHETIC,
    RepairKind.DROPPED: Repair.DROPPED,
    RepairKind.PENDING: Repair.PENDING,
    RepairKind.ORPHAN: Repair.ORPHAN,
    RepairKind.DUPLICATE: Repair.DUPLICATE,
    RepairKind.EMPTIED: Repair.EMPTIED,
    RepairKind.MOVED: Repair.MOVED,
}


_UNANSWERED = frozenset({Repair.SYNTHETIC, Repair.DROPPED, Repair.PENDING})
"""What the client does about a call without result."""


class Timeline(Noted):
    """One conversation under one policy."""

    def __init__(self, policy: Policy, *, linear: bool = False, live: bool = False) -> None:
        """Start empty.

        Args:
            policy: The rules in force.
            linear: The source has no record chain: each record follows the one before.
            live: The session is being written: a call of its last message is pending, not missing.
        """
        super().__init__()
        self.policy = policy
        self.live = live
        self.calls = Calls()
        self._as_client = policy.pairing.variant is Pairing.CLIENT
        self.history = History(linear=linear, edge=self._as_client)
        self.sizing = Sizing(policy)
        order = policy.order
        self._size_in = SIZES[policy.unit]
        self._text_place = UNIT_PLACES[policy.unit]
        self._ages = policy.microcompact.variant is Ageing.AGES
        self._pairs_first = order.index(Stage.PAIRING) < order.index(Stage.BUDGET)
        """Whether the budget sees only what pairing has left."""
        self.requests: list[Request] = []
        self.tracked: list[Tracked] = []
        self.stored: dict[str, Record] = {}
        """Id → the line with its stored replacement."""
        self.other_previews: list[tuple[str, int]] = []
        """Id and line of stored replacements that differ from an earlier one for the same result."""
        self.boundaries: list[tuple[int, Record]] = []
        """Compactions and recorded clearings, with the request that they come before."""
        self.usage_records = 0
        """Records with usage; usage is repeated on each record of an answer."""
        self._answers = 0
        self._pairs: dict[tuple[str, str], int] = {}
        self._last_pair = "", "", 0
        """The answer that was read last, and its request."""
        self._by_result: dict[int | tuple[int, int], Tracked] = {}
        """Record index (and position among its blocks, where that is not 0) of a result → its row."""
        self._fresh: dict[int, list[Tracked]] = {}
        """Turn → results that no request has decided."""
        self._births: dict[int, list[Tracked]] = {}
        self._pairing = PairingFold()
        self._unsettled: list[Tracked] = []
        """Rows to look at again in the next request: a stored text, a repair, a late result."""
        self._to_clear: list[str] = []
        self._compaction: Boundary | None = None
        self._delta = 0
        """What the stages add to (mostly: take from) the size of the history on the wire."""
        self._calls_delta = 0
        """The part of `_delta` that is inputs of calls which pairing takes out."""
        self._inexact = 0
        """Results on the wire whose size is an estimate."""
        self.unreplaced: list[tuple[int, list[str]]] = []
        """Requests that sent results in full again, and the ids of these."""
        self.bad_lines: list[int] = []
        """Numbers of lines that were lost, in order; set by whoever reads the file."""
        self.recorded_words: dict[str, str] = {}
        """Request reference → `same` or `differs`, where the transcript holds the request itself."""
        self.differing_ids: dict[str, int] = {}
        """Calls and results that were recorded otherwise than predicted, and the first such request."""
        self._applied_mode = True
        self._journal: Journal | None = None
        self._undo: Undo | None = None
        self._changed: list[tuple[Tracked, str]] = []

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
        self._undo = Undo(journal, self._delta, self._calls_delta, self._inexact, self._fresh)
        request = Request(len(self.requests) + 1, "", "", self.last_line, self.newest_index + 1, pending=True)
        self._decide(request, None)
        self._journal = None

    def _take_back(self) -> None:
        if self._undo is None:
            return
        undo = self._undo
        self._delta, self._calls_delta, self._inexact = undo.delta, undo.calls_delta, undo.inexact
        self._fresh = undo.fresh
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
        pair = (record.message_id, record.request_ref)
        n = self._pairs.get(pair) if record.message_id else None
        if n is None:
            n = len(self.requests) + 1
            self._pairs[pair] = n
            request = Request(
                n, record.message_id, record.request_ref, record.line, record.index,
                time=record.time, model=record.model, gap_s=self._gap_s,
            )  # fmt: skip
            self._decide(request, record)
        self._last_pair = *pair, n if record.message_id else 0
        return n

    def _feed_boundary(self, record: Record) -> None:
        self.boundaries.append((len(self.requests) + 1, record))
        if record.role is _BOUNDARY:
            self._compaction = record.boundary or Boundary()
        elif record.boundary is not None:
            self._to_clear.extend(record.boundary.cleared_ids)

    def _store(self, tool_use_id: str, text: str, record: Record) -> None:
        self.stored.setdefault(tool_use_id, record)
        for tracked in self.rows_of(tool_use_id)[-1:]:
            if tracked.stored is None:
                tracked.stored = text
                self._unsettled.append(tracked)
            elif tracked.stored != text:
                self.other_previews.append((tool_use_id, record.line))

    def _track(self, record: Record) -> None:
        for entry in self.calls.feed(record):
            if entry.index == len(self.tracked):
                tracked = Tracked(entry)
                self.tracked.append(tracked)
            else:
                tracked = self.tracked[entry.index]
            if entry.call_record is record and not self._as_client:
                self._pairing.call(tracked)
            if entry.result_record is record:
                if not self._as_client:
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
        request.calls_shift, request.results_shift = self._calls_delta, self._delta - self._calls_delta
        request.hidden_thinking, request.attachments = self._hidden_thinking, self._attachments
        request.estimated = self._inexact > 0
        request.break_ = self._find_break(cut)
        self._pause(request)
        self._mark(request)
        if self._journal is None:
            self._compaction = None
            self._hidden_thinking = self._attachments = 0

    def _pause(self, request: Request) -> None:
        """Take off what a long pause clears in this one request."""
        cleared = cleared_by_pause(self, self._gap_s)
        if cleared:
            request.wire_chars -= pause_saves(cleared)
            request.results_shift -= pause_saves(cleared)
            if request.break_ is None:
                request.break_ = Break("clearing", planned=False, tool_use_id=cleared[0].entry.id)

    def _enter_and_leave(self, cut: Cut, request: Request) -> None:
        for refs, on_wire in ((cut.removed, False), (cut.added, True)):
            for record, block in refs:
                tracked = self._by_result.get((record, block) if block else record)
                if tracked is not None and tracked.on_wire != on_wire:
                    self._touch(tracked)
                    tracked.on_wire = on_wire  # the history's own size holds it only while it is on
                    share = tracked.chars - tracked.full
                    self._delta += share if on_wire else -share
                    if tracked.request:  # a new one is looked at when its group is decided
                        self._refresh(tracked, request, "compaction")

    def _repair(self, cut: Cut, request: Request) -> None:
        if self._as_client:
            self._repair_as_client(cut, request)
            return
        running = self._may_run if request.pending else None
        for act, tracked in self._pairing.step(running):
            self._repaired_by_id(act, tracked, request)

    def _may_run(self, tracked: Tracked) -> bool:
        """Whether an unanswered call is the last thing in a session that is being written."""
        return self.live and self._is_newest(tracked.entry)

    def _repaired_by_id(self, act: Act, tracked: Tracked, request: Request) -> None:
        if act is Act.WAIT:
            self._say(tracked, Repair.PENDING, request, new=False)
        elif act is Act.ANSWER:
            self._say(tracked, Repair.SYNTHETIC, request)
            self._delta += SYNTHETIC_CHARS
        elif act is Act.LATE:
            self._say(tracked, Repair.OK, request, new=False)
            self._delta -= SYNTHETIC_CHARS
            self._changed.append((tracked, "late result"))
        elif act is Act.DROP_CALL:
            self._say(tracked, Repair.DUPLICATE, request)
            self._drop_call(tracked)
            self._inexact += 1  # a message that it leaves empty gets a filler, which no record shows
        elif act is Act.RETURN:
            self._say(tracked, Repair.OK, request, new=False)
            tracked.removed = False
            self._inexact -= 1
            if tracked.request:
                self._fresh = {**self._fresh, tracked.entry.turn: [tracked]}
                self._changed.append((tracked, "late result"))
        else:
            self._say(tracked, Repair.ORPHAN if act is Act.ORPHAN else Repair.DUPLICATE, request)
            tracked.removed = True
            self._inexact += 1  # likewise

    def _repair_as_client(self, cut: Cut, request: Request) -> None:
        for repair in cut.ended:
            self._answered_after_all(repair, request)
        for repair in cut.repairs:
            self._repaired_by_client(repair, request)

    def _repaired_by_client(self, repair: WireRepair, request: Request) -> None:
        what = _REPAIRS[repair.kind]
        if repair.kind is RepairKind.PENDING and not self.live:
            what = Repair.SYNTHETIC if self.new_client else Repair.DROPPED
        if what is Repair.EMPTIED or not repair.id:
            request.repairs = [*request.repairs, (what, repair.id)]
            return
        rows = self.rows_of(repair.id)
        row = next((r for r in rows if self._stands_at(r, repair)), rows[-1] if rows else None)
        if row is None:
            return
        if what in _UNANSWERED and request.pending and self._may_run(row):
            what = Repair.PENDING
        self._say(row, what, request, new=what is not Repair.PENDING)

    def _answered_after_all(self, repair: WireRepair, request: Request) -> None:
        """A repair that is no longer needed because the result has come."""
        for row in self.rows_of(repair.id):
            said = row.repairs[-1][1] if row.repairs else Repair.OK
            if said in _UNANSWERED and row.entry.result is not None and row.on_wire:
                self._say(row, Repair.OK, request, new=False)

    @staticmethod
    def _stands_at(row: Tracked, repair: WireRepair) -> bool:
        entry = row.entry
        return any(
            r is not None and r.index == repair.record for r in (entry.call_record, entry.result_record)
        )

    def _drop_call(self, tracked: Tracked) -> None:
        """Take the input of a pruned call off the wire."""
        size = self.sizing.call(tracked.entry)
        self._delta -= size
        self._calls_delta -= size

    def _say(self, tracked: Tracked, repair: Repair, request: Request, *, new: bool = True) -> None:
        self._touch(tracked)
        tracked.repairs = [*tracked.repairs, (request.n, repair)]
        if new:
            request.repairs = [*request.repairs, (repair, tracked.entry.id)]

    def _decide_groups(self, request: Request) -> None:
        fresh, self._fresh = self._fresh, {}
        for index, results in fresh.items():
            turn = self.calls.turns[index]
            if not self._is_under_limit(turn, results, request):
                self._decide_group(turn, results, request)

    def _is_under_limit(self, turn: Turn, fresh: list[Tracked], request: Request) -> bool:
        """Decide a group in which nothing has to be chosen, as nearly all are; False: it is not one."""
        settings = self.policy.budget
        most, skip_tools = settings.result_limit, settings.skip_tools
        total = visible = 0
        skipped: list[Tracked] = []
        for row in fresh:
            result, call, full = row.entry.result, row.entry.call_block, row.full
            if result is None or result.candidate is not _YES or row.request:
                return False
            if not row.on_wire or row.removed or row.stored is not None:
                return False
            visible += full
            if call is not None and call.name in skip_tools:
                skipped.append(row)
                continue
            if most is not None and full > most:
                return False
            total += full
        if total > settings.turn_limit or len(turn.results) != len(fresh):
            return False
        n, journal = request.n, self._journal
        for row in fresh:
            if journal is not None:
                journal.note(row)
            state = _SKIPPED if skipped and row.entry.tool in skip_tools else _FROZEN
            full = row.full
            self._delta += full - row.chars
            row.request, row.state, row.level, row.chars = n, state, _FULL, full
            row.spans = [Span(n, state, _FULL, full, True)]
        group = UnderLimit(turn.index, fresh, tuple(skipped), (total, visible), settings.turn_limit)
        request.groups = (*request.groups, group) if request.groups else (group,)
        return True

    def _decide_group(self, turn: Turn, fresh: list[Tracked], request: Request) -> None:
        settings = self.policy.budget
        items = []
        earlier = [t for e in turn.results if (t := self.tracked[e.index]).request]
        for tracked in fresh:
            self._touch(tracked)
            tracked.request = request.n
            if tracked.removed and self._pairs_first:
                continue
            if tracked.entry.candidate is not _YES:
                tracked.state = _NOT_CANDIDATE
                continue
            skipped = tracked.entry.tool in settings.skip_tools
            preview = self.sizing.preview(tracked.entry)
            items.append(Item(tracked.entry.index, tracked.full, skipped, preview.chars))
        frozen = sum(t.full for t in earlier if t.state in (_FROZEN, _SKIPPED))
        previews = sum(t.preview for t in earlier if t.state is _REPLACED)
        decision = decide(items, frozen, previews, settings)
        for keys, state in (
            (decision.frozen, _FROZEN),
            (decision.skipped, _SKIPPED),
            (decision.replace, _REPLACED),
        ):
            for key in keys:
                self.tracked[key].state = state
        for key in decision.replace:
            chosen = self.tracked[key]
            chosen.preview, chosen.preview_estimated = self.sizing.preview(chosen.entry)
        for tracked in fresh:
            self._refresh(tracked, request, "replacement", decided=True)
        if items:
            self._note_group(turn, decision, frozen, request)

    def _note_group(self, turn: Turn, decision: Decision, frozen: int, request: Request) -> None:
        known = [t for e in turn.results if (t := self.tracked[e.index]).request]
        if self._pairs_first:
            known = [t for t in known if not t.removed]
        candidates = [t for t in known if t.entry.candidate is _YES]
        limit = self.policy.budget.turn_limit
        group = GroupDecision(
            turn.index,
            ids=tuple(t.entry.id for t in candidates),
            decision=decision,
            frozen_total=frozen,
            visible_total=sum(t.full for t in known),
            skipped=tuple(t.entry.id for t in candidates if t.state is _SKIPPED),
            replaced=tuple(self.tracked[key].entry.id for key in decision.replace),
            limit=limit,
        )
        request.groups = (*request.groups, group)
        if decision.total > limit:
            request.over_by = max(request.over_by, decision.total - limit)

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

    def base_chars(self, tracked: Tracked) -> int:
        """The text as it stood before ageing: the preview where one is in force."""
        return tracked.preview if tracked.applied else tracked.full

    def _clear(self, request: Request) -> None:
        for tool_use_id in self._to_clear:
            for tracked in self.rows_of(tool_use_id)[-1:]:
                self._touch(tracked)
                tracked.cleared = True
                self._refresh(tracked, request, "clearing", decided=True)

    # -- one row ---------------------------------------------------------------------------------

    def _touch(self, tracked: Tracked) -> None:
        if self._journal is not None:
            self._journal.note(tracked)

    @staticmethod
    def _share(tracked: Tracked) -> int:
        return tracked.chars - tracked.full if tracked.on_wire else 0

    def _is_applied(self, tracked: Tracked) -> bool:
        """Whether the preview is on the wire: by the ledger, or (`auto`) by the session's own line."""
        mode = self.policy.budget.mode
        if mode is BudgetMode.ON:
            return tracked.state is _REPLACED
        return mode is BudgetMode.AUTO and tracked.stored is not None and self.screen is not False

    def _refresh(self, tracked: Tracked, request: Request, cause: str, *, decided: bool = False) -> None:
        """Compute what of a result is on the wire, and write a span where that changed."""
        self._touch(tracked)
        tracked.applied = self._is_applied(tracked)
        if tracked.applied and tracked.stored is not None:
            tracked.preview, tracked.preview_estimated = self.sizing.text(tracked.stored), False
        level, size = self.sizing.on_wire(tracked)
        before = (tracked.level, tracked.chars)
        self._delta -= self._share(tracked)
        self._inexact += size.estimated - tracked.estimated
        tracked.level, tracked.chars, tracked.estimated = level, size.chars, size.estimated
        self._delta += self._share(tracked)
        if not tracked.request:
            return
        span = Span(request.n, tracked.state, level, size.chars, decided, size.estimated)
        last = tracked.spans[-1] if tracked.spans else None
        if last is None or (last.state, last.level, last.chars) != (span.state, span.level, span.chars):
            if last is not None and last.start == request.n:
                tracked.spans[-1] = span
            else:
                tracked.spans.append(span)
            if last is not None and tracked.request < request.n and before[0] is not _GONE:
                self._changed.append((tracked, cause))

    def _switch_mode(self, request: Request) -> None:
        """A session resumed in print mode sends in full again what the screen had replaced."""
        back = []
        for tool_use_id in self.stored:
            for tracked in self.rows_of(tool_use_id)[-1:]:
                was = tracked.applied
                self._refresh(tracked, request, "resume")
                if was and not tracked.applied and tracked.on_wire:
                    back.append(tool_use_id)
        if back and self._journal is None:
            self.unreplaced.append((request.n, back))

    # -- questions of the findings ---------------------------------------------------------------

    def rows_of(self, tool_use_id: str) -> list[Tracked]:
        """Rows of an id, in file order."""
        return [self.tracked[entry.index] for entry in self.calls.of(tool_use_id)]

    def row_at(self, record: int, block: int) -> Tracked | None:
        """The row of a result, by its record's index and its position among the blocks."""
        return self._by_result.get((record, block) if block else record)

    def request_after(self, entry: Entry) -> int:
        """The first request that could hold an entry."""
        record = entry.result_record or entry.call_record
        return self.request_after_record(record) if record else 1

    def request_after_record(self, record: Record) -> int:
        """The first request that could hold a record."""
        at = bisect_right(self.requests, record.index, key=lambda r: r.first_record)
        return min(at, len(self.requests) - 1) + 1

    def bad_lines_between(self, line: int) -> bool:
        """Whether a line behind this one was lost before the next answer."""
        at = bisect_right(self.bad_lines, line)
        if at == len(self.bad_lines):
            return False
        following = next((r.line for r in self.requests if r.line > line), None)
        return following is None or self.bad_lines[at] < following

    def interrupted_after(self, index: int) -> bool:
        """Whether the user interrupted between this record and the next answer."""
        at = bisect_right(self._interrupts, index)
        if at == len(self._interrupts):
            return False
        following = bisect_right(self.requests, index, key=lambda r: r.first_record)
        return following >= len(self.requests) or self._interrupts[at] < self.requests[following].first_record

    def pending_ids(self, missing: Iterable[str] | None = None) -> list[str]:
        """Calls of the last answer that have no result yet (whether the session is live or not).

        Args:
            missing: Ids without a result, where they are known; None: they are looked for. O(rows)
        """
        last = len(self.calls.turns) - 1
        rows = [self.rows_of(i)[0] for i in (self.calls.global_missing if missing is None else missing)]
        return [r.entry.id for r in rows if r.entry.turn == last and self._is_newest(r.entry)]

    def _is_newest(self, entry: Entry) -> bool:
        return entry.call_record is not None and entry.call_record.index >= self._last_message_index

    def age_of(self, tracked: Tracked) -> int:
        """Distinct answers of the model that stand after a result."""
        return self._answers - tracked.birth

    def off_chain_ids(self) -> list[str]:
        """Results that are on the wire although the parent chain passes them by."""
        return [t.entry.id for ref in self.history.siblings() if (t := self.row_at(*ref))]

    # -- what follows ----------------------------------------------------------------------------

    def _find_break(self, cut: Cut) -> Break | None:
        if not self._changed and cut.first_changed is None:
            return None
        if cut.first_changed is not None and cut.cause == "compaction":
            return Break("compaction", planned=False, message=cut.first_changed)
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
