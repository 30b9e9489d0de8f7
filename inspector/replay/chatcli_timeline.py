"""ChatCLI's policy over one conversation: every request is a run of its real stages.

No decision is kept between requests, so a lifeline cannot be derived from one; what each run did is
written down instead. Everything else (requests, rows, findings, screens) is the timeline's own.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, NamedTuple

from inspector.model.chatcli import Message, Order
from inspector.model.ledger import Level, Span, State
from inspector.model.policy import Policy, Unit
from inspector.model.transcript import Block, Flag, Record, Role
from inspector.pipeline.chatcli.archive import Archive
from inspector.pipeline.chatcli.budget import Cut
from inspector.pipeline.chatcli.dispatch import truncate_output
from inspector.pipeline.chatcli.microcompact import Step
from inspector.pipeline.chatcli.overflow import AssumedSink
from inspector.pipeline.chatcli.quirks import Sighting, sightings
from inspector.pipeline.chatcli.run import Carried
from inspector.pipeline.chatcli.settings import settings_of
from inspector.pipeline.wire.parts import UNIT_PLACES, text_in
from inspector.replay.chatcli_fold import MADE, Fold, MessageSource, Piece, Ran, Ref
from inspector.replay.chatcli_groups import GroupKey, group_decisions
from inspector.replay.chatcli_repairs import held_back, made_of, repairs_of
from inspector.replay.chatcli_saved import Saved
from inspector.replay.chatcli_scale import Scale
from inspector.replay.chatcli_sizing import ChatcliSizing
from inspector.replay.chatcli_wires import Change, Sent, Wires
from inspector.replay.requests import AnyGroup, Break, Request
from inspector.replay.timeline import Timeline
from inspector.replay.tracked import Tracked
from inspector.replay.view import Repair

if TYPE_CHECKING:
    pass

DIRECTORY = "tool-results"
"""Directory that predicted previews name where the real one is not known."""
_ARCHIVE_BYTES = 256 * 1024 * 1024
_LEVELS = {Step.TRUNCATED: Level.TRUNCATED, Step.SUMMARIZED: Level.SUMMARIZED}


class Seen(NamedTuple):
    """A quirk that showed in a request."""

    request: int
    sighting: Sighting


class Counters(NamedTuple):
    """ChatCLI's own counters of one request, as its log has them."""

    cut: int
    """`results_truncated`."""
    saved_bytes: int
    """`bytes_saved_to_disk`: what pass 2 saved."""
    original_bytes: int
    final_bytes: int
    aged: tuple[int, int, int]
    """`truncated`, `summarized`, `chars_saved`."""


class ChatcliTimeline(Timeline):
    """One conversation under ChatCLI's stages."""

    def __init__(
        self,
        policy: Policy,
        source: MessageSource,
        *,
        linear: bool = True,
        live: bool = False,
        directory: str = DIRECTORY,
    ) -> None:
        """Start empty.

        Args:
            policy: The rules in force.
            source: Gives the messages of records.
            linear: As for `Timeline`.
            live: The session is being written: a call of its last message is pending, not missing.
            directory: What predicted previews name as the overflow directory.
        """
        super().__init__(policy, linear=linear, live=live)
        settings = settings_of(policy)
        archive = Archive(settings.archive.mode, _ARCHIVE_BYTES) if policy.archive else None
        self.sizing = ChatcliSizing(policy, directory, self)
        self.saved = Saved()
        """What the messages say of themselves."""
        self._fold = Fold(settings, AssumedSink(directory), Carried(0, archive))
        self._source = source
        self.wires = Wires(self._fold)
        """What each request sent."""
        self._answer_refs: dict[str, Ref] = {}
        self._scale = Scale(policy)
        self._last: Ran | None = None
        self._seen: list[Seen] = []
        self._seen_now: list[Seen] = []
        self._counters: list[Counters] = []
        self._counters_now: list[Counters] = []
        self._told: set[tuple[Repair, Ref, str]] = set()
        self._decided: set[GroupKey] = set()
        self._made: dict[int, Tracked] = {}
        """Rows with a result that pairing made, by index."""

    @property
    def counters(self) -> list[Counters]:
        """ChatCLI's counters, request by request."""
        return self._counters + self._counters_now

    @property
    def seen(self) -> list[Seen]:
        """Quirks of all requests, in order."""
        return self._seen + self._seen_now

    @property
    def order(self) -> Order:
        """The order of the stages in force."""
        return self._fold.settings.order

    def content_of(self, row: Tracked, n: int) -> bytes | None:
        """What of a result is in request n; None where nothing of it is sent."""
        return self.wires.content_of(_ref_of(row), n)

    def removed(self, n: int) -> list[tuple[Record, int, Repair]]:
        """Results and calls that pairing has taken out of what request n is made from, in order.

        Returns:
            The record, which of its blocks, and what was done to it.
        """
        sent, request = set(self.wires.refs(n)), self.requests[n - 1]
        start = max((r.index for at, r in self.boundaries if at <= n and r.role is Role.BOUNDARY), default=-1)
        found: list[tuple[Record, int, Repair]] = []
        for row in self.tracked:
            done = {repair for at, repair in row.repairs if at <= n}
            entry, call = row.entry, row.entry.call_record
            if Repair.ORPHAN in done and entry.result_record is not None and _ref_of(row) not in sent:
                found.append((entry.result_record, entry.result_block, Repair.ORPHAN))
            if Repair.DUPLICATE in done and call is not None and entry.call_block is not None:
                found.append((call, _place_of(entry.call_block, call), Repair.DUPLICATE))
        known = [item for item in found if start < item[0].index < request.first_record]
        return sorted(known, key=lambda item: (item[0].index, item[1]))

    # -- feeding ---------------------------------------------------------------------------------

    def feed(self, record: Record) -> None:
        """Take one record; a new answer decides the request that it answers."""
        super().feed(record)
        if record.flags & Flag.DUPLICATE:
            return
        if record.role is Role.BOUNDARY:
            self._fold.clear()
        for piece in self._source.messages(record):
            self._take(record, piece)

    def _take(self, record: Record, piece: Piece) -> None:
        message, ref = piece.message, Ref(record.index, piece.block)
        if not piece.counted:
            self._scale.leave_out(record)
        if message.role == "assistant":
            self._scale.note_calls(record, message.tool_calls, piece.inputs)
            known = self._answer_refs.get(record.message_id) if record.message_id else None
            self.saved.note(record, message)
            if known is not None and self._fold.extend_answer(known, message.content, message.tool_calls):
                return
            self._answer_refs[record.message_id] = ref
        else:
            self.saved.note(record, message)
            if message.role == "tool" and self.policy.dispatch.enabled:
                message = self._capped(message, ref)
        self._fold.append(message, ref)

    def _capped(self, message: Message, ref: Ref) -> Message:
        """What-if: the cap of its tool, applied again to a result that is no error."""
        row, dispatch = self._result_at(ref), self.policy.dispatch
        if message.is_error or row is None:
            return message
        name = row.entry.tool.removeprefix("@")
        cap = dispatch.caps.get(f"@{name}", dispatch.caps.get(name, dispatch.default_cap))
        return message.with_content(truncate_output(message.content, cap))

    def _take_back(self) -> None:
        if self._undo is not None:
            self.wires.take_back()
            self._seen_now = []
            self._counters_now = []
        super()._take_back()

    # -- one request -----------------------------------------------------------------------------

    def _decide(self, request: Request, answer: Record | None) -> None:  # noqa: ARG002 - no chain here
        self.requests.append(request)
        request.loop_turn = self.saved.next_turn
        ran = self._fold.run(request.loop_turn)
        held = held_back(ran, self.waiting_ids, all_wait=self.live) if request.pending else frozenset()
        for told in repairs_of(ran, held):
            self._tell(*told, request)
        self._note_made(made_of(ran, held), request)
        kept = [at for at in range(len(ran.refs)) if at not in held]
        sent = Sent(
            ran.start,
            ran.settled,
            tuple(ran.run.outgoing[at] for at in kept),
            tuple(ran.refs[at] for at in kept),
        )
        self.wires.add(sent)
        self._write_rows(ran, request)
        self._note_groups(ran, request)
        request.answers = self._answers
        request.turns = len(self.calls.turns)
        request.figures = self._scale.figures(sent)
        request.wire_chars = text_in(request.figures, UNIT_PLACES[Unit.BYTES])
        request.break_ = self._first_change(ran, request)
        self._mark(request)
        before = self._last.run if self._last is not None else None
        seen = [Seen(request.n, sighting) for sighting in sightings(ran.run, before)]
        if self._journal is None:
            self._counters.append(self._count(ran))
            self._go_on(ran, seen)
        else:
            self._counters_now = [self._count(ran)]
            self._seen_now = seen

    def _go_on(self, ran: Ran, seen: list[Seen]) -> None:
        self._seen += seen
        self._last = ran
        self.saved.begin_turn()
        self._fold.accept(ran)
        self._scale.settle(self._fold.settled, self._fold.settled_refs)
        self._unsettled = []
        self._fresh = {}
        self._compaction = None
        self._other_head = False

    def _count(self, ran: Ran) -> Counters:
        budget, ageing = ran.run.budget.report, ran.run.microcompact.report
        _, settled = self._fold.settled_results
        return Counters(
            budget.results_truncated,
            budget.bytes_saved_to_disk,
            budget.total_original_chars + settled,
            budget.total_final_chars + settled,
            (ageing.truncated, ageing.summarized, ageing.chars_saved),
        )

    # -- repairs ---------------------------------------------------------------------------------------

    def _tell(self, repair: Repair, ref: Ref, tool_use_id: str, request: Request) -> None:
        key = (repair, ref, tool_use_id)
        if self._fold.repairs_copy and key in self._told:
            return  # the copy is repaired anew in each request; only the first time is news
        if self._journal is None:
            self._told.add(key)
        row = self._row_at(ref, tool_use_id, repair)
        if row is not None:
            self._say(row, repair, request, new=repair is not Repair.PENDING)
            if repair is Repair.ORPHAN:
                self._put(row, request, State.PENDING, Level.GONE, 0)
        elif repair is not Repair.PENDING:
            request.note_repair(repair, tool_use_id)

    def _note_made(self, made: Mapping[tuple[Ref, str], int], request: Request) -> None:
        """Note what is sent for calls without result; what has settled stays as it was."""
        now: dict[int, Tracked] = {}
        for (ref, tool_use_id), size in made.items():
            row = self._row_at(ref, tool_use_id, Repair.SYNTHETIC)
            if row is not None:
                now[row.entry.index] = row
                self._make(row, size, request)
        stays = self._compaction is None and not self._fold.repairs_copy
        for index, row in self._made.items():
            if index not in now:
                if stays:
                    now[index] = row
                else:
                    self._make(row, 0, request)
        if self._journal is None:
            self._made = now

    def _row_at(self, ref: Ref, tool_use_id: str, repair: Repair) -> Tracked | None:
        """The row of a result, or of the call in a certain answer."""
        if ref.block >= 0:
            return self.row_at(ref.record, ref.block)
        rows = [
            r
            for r in self.rows_of(tool_use_id)
            if r.entry.call_record is not None and self._answer_of(r.entry.call_record) == ref
        ]
        return (rows[-1] if repair is Repair.DUPLICATE else rows[0]) if rows else None

    def _answer_of(self, record: Record) -> Ref:
        return self._answer_refs.get(record.message_id, Ref(record.index, -1))

    # -- rows ------------------------------------------------------------------------------------

    def _write_rows(self, ran: Ran, request: Request) -> None:
        aged_refs = ran.given if self.order is Order.LOOP else ran.refs
        aged = {aged_refs[a.at]: a for a in ran.run.microcompact.aged}
        cuts = {cut.at: cut for cut in ran.run.budget.cuts}
        on_wire: set[tuple[int, int]] = set()
        for at, ref in enumerate(ran.refs):
            row = self._result_at(ref)
            if row is None:
                continue
            on_wire.add((ref.record, ref.block))
            self._touch(row)
            row.anew, row.on_wire = True, True
            row.request = row.request or request.n
            size = len(ran.run.outgoing[at].content)
            step = aged.get(ref)
            if step is not None and step.after_bytes != step.before_bytes:
                row.aged = _LEVELS[step.step]
            self._write_row(row, request, size, cuts.get(at), aged_now=step is not None)
        if self._compaction is not None:
            self._leave(on_wire, request)

    def _leave(self, on_wire: Container[tuple[int, int]], request: Request) -> None:
        """A compaction: what stands in front of it is not sent any more."""
        for row in self.tracked:
            ref = _ref_of(row)
            if row.spans and row.level is not Level.GONE and (ref.record, ref.block) not in on_wire:
                self._touch(row)
                row.on_wire = False
                self._put(row, request, State.PENDING, Level.GONE, 0)

    def _write_row(
        self, row: Tracked, request: Request, size: int, cut: Cut | None, *, aged_now: bool
    ) -> None:
        ages_last = self.order is Order.SEED
        if cut is not None:
            row.preview, row.applied = cut.after_bytes, True
            level = row.aged if ages_last and row.aged else Level.PREVIEW
            self._put(row, request, State.REPLACED, level, size, decided=True)
            return
        kept = ages_last and row.applied
        state = State.MUST_REAPPLY if kept else State.PENDING
        level = row.aged or (Level.PREVIEW if kept else Level.FULL)
        row.applied = kept
        self._put(row, request, state, level, size, decided=aged_now)

    def _put(
        self,
        row: Tracked,
        request: Request,
        state: State,
        level: Level,
        size: int,
        *,
        decided: bool = False,
    ) -> None:
        self._touch(row)
        row.anew = True
        row.request = row.request or request.n
        row.state, row.level, row.chars = state, level, size
        last = row.spans[-1] if row.spans else None
        same = last is not None and (last.state, last.level, last.chars) == (state, level, size)
        if same and state is not State.REPLACED:
            return
        row.spans.append(Span(request.n, state, level, size, decided))

    def _note_groups(self, ran: Ran, request: Request) -> None:
        groups: list[AnyGroup] = []
        for key, group in group_decisions(ran, self._result_at, self.policy.budget.turn_limit, self._decided):
            if self._journal is None:
                self._decided.add(key)
            groups.append(group)
            request.over_by = max(request.over_by, group.total - group.limit)
        request.groups = groups

    def _result_at(self, ref: Ref) -> Tracked | None:
        return self.row_at(ref.record, ref.block) if ref.block >= 0 else None

    # -- sizes and the prefix --------------------------------------------------------------------

    def _first_change(self, ran: Ran, request: Request) -> Break | None:
        if request.n < 2:
            return None
        if self._compaction is not None:
            return Break("compaction", planned=False, message=0)
        if self._other_head:
            return Break("head", planned=False, message=0)
        change = self.wires.first_change()
        return None if change is None else self._cause(ran, change)

    def _cause(self, ran: Ran, change: Change) -> Break:
        stands = change.now == change.before
        row = self._result_at(change.now) if stands else None
        if row is None:
            aged_refs = ran.given if self.order is Order.LOOP else ran.refs
            if stands and any(aged_refs[a.at] == change.now for a in ran.run.microcompact.aged):
                return Break("ageing", planned=True, message=change.message)
            return Break("repair", planned=False, message=change.message)
        span, older = row.spans[-1], row.spans[-2] if len(row.spans) > 1 else None
        if span.level is Level.PREVIEW and older is not None and older.level is Level.PREVIEW:
            return Break("unstable preview", planned=False, tool_use_id=row.entry.id)
        if span.level in (Level.TRUNCATED, Level.SUMMARIZED):
            return Break("ageing", planned=True, tool_use_id=row.entry.id)
        return Break("replacement", planned=False, tool_use_id=row.entry.id)


def _place_of(block: Block, record: Record) -> int:
    """Ordinal of a call among the blocks of its record: the very object, since ids may come twice."""
    return next(at for at, known in enumerate(record.blocks) if known is block)


def _ref_of(row: Tracked) -> Ref:
    record = row.entry.result_record
    return Ref(record.index, row.entry.result_block) if record is not None else MADE
