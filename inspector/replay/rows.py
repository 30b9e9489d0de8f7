"""The rows of one conversation under a policy: what of each result is on the wire, and since when.

A row changes only through `_refresh`, which writes its lifeline, or through a caller that writes it
just as fully; what a provisional request changes is noted first, so that it can be taken back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from inspector.model.ledger import Level, Span, State
from inspector.model.policy import BudgetMode, Pairing, Policy, Stage
from inspector.model.transcript import Record
from inspector.pipeline.wire.again import CutAgain
from inspector.pipeline.wire.history import History
from inspector.replay.calls import Calls, Entry
from inspector.replay.group_sums import GroupSums
from inspector.replay.noted import Noted
from inspector.replay.requests import Request
from inspector.replay.sizing import Sizing
from inspector.replay.tracked import Journal, Tracked

_GONE = Level.GONE
_PENDING = State.PENDING
_REPLACED = State.REPLACED
_WHOLE = frozenset({Level.FULL, Level.EXEMPT})


class Rows(Noted):
    """Calls and results of one conversation, with what a policy has made of them so far."""

    def __init__(
        self, policy: Policy, *, linear: bool = False, live: bool = False, known: Rows | None = None
    ) -> None:
        """Start empty.

        Args:
            policy: The rules in force.
            linear: The source has no record chain: each record follows the one before.
            live: The session is being written: a call of its last message is pending, not missing.
            known: Rows that were fed the very same records to their end under another policy, which
                paired them by the same rules: their history is not worked out again.
        """
        super().__init__()
        self.policy = policy
        self.live = live
        self.waiting_ids: AbstractSet[str] = frozenset()
        """Calls that are known to be open (a parked run), whether it is live or not; set by whoever
        reads the file."""
        self.calls = Calls()
        self._as_client = policy.pairing.variant is Pairing.CLIENT
        self.history: History | CutAgain
        if known is not None and known.may_lend_history(policy):
            assert isinstance(known.history, History)
            self.history = CutAgain(known.history)
        else:
            self.history = History(linear=linear, edge=self._as_client)
        self.sizing = Sizing(policy)
        self._pairs_first = policy.order.index(Stage.PAIRING) < policy.order.index(Stage.BUDGET)
        """Whether the budget sees only what pairing has left."""
        self.requests: list[Request] = []
        self.tracked: list[Tracked] = []
        self.replacements: list[Record] = []
        """Lines that store replacements."""
        self.stored: dict[str, Record] = {}
        """Id → the last line with its stored replacement."""
        self.bad_lines: list[int] = []
        """Numbers of lines that were lost, in order; set by whoever reads the file."""
        self._answers = 0
        self._by_result: dict[int | tuple[int, int], Tracked] = {}
        """Record index (and position among its blocks, where that is not 0) of a result → its row."""
        self._fresh: dict[int, list[Tracked]] = {}
        """Turn → results that no request has decided."""
        self._groups: dict[int, GroupSums] = {}
        """Turn → its members so far, where several requests brought some."""
        self._delta = 0
        """What the stages add to (mostly: take from) the size of the history on the wire."""
        self._images_delta = 0
        """Pictures in results that are on the history's wire and not sent in full, as a negative number."""
        self._calls_delta = 0
        """The part of `_delta` that is inputs of calls which pairing takes out."""
        self._inexact = 0
        """Results on the wire whose size is an estimate."""
        self._journal: Journal | None = None
        self._changed: list[tuple[Tracked, str]] = []
        """Rows that this request sends otherwise than the one before, each with the cause."""

    def may_lend_history(self, policy: Policy) -> bool:
        """Whether the cuts of this history are those of another policy as well.

        A pause that clears results asks for the entries of each request, which are not kept.
        """
        return (
            isinstance(self.history, History)
            and self.history.pending is not None
            and policy.pairing.variant is self.policy.pairing.variant
            and policy.microcompact.clear_after_gap_minutes is None
        )

    # -- one row ---------------------------------------------------------------------------------

    def _touch(self, tracked: Tracked) -> None:
        if self._journal is not None:
            self._journal.note(tracked)

    @staticmethod
    def _share(tracked: Tracked) -> int:
        return tracked.chars - tracked.full if tracked.on_wire else 0

    @staticmethod
    def _images_share(tracked: Tracked, images: int) -> int:
        """The part of `_images_delta` that is of one row: what stands for a result has no pictures."""
        return 0 if not tracked.on_wire or tracked.level in _WHOLE else -images

    def is_applied(self, tracked: Tracked) -> bool:
        """Whether the preview is on the wire: by the ledger, or (`auto`) by the session's own line."""
        mode = self.policy.budget.mode
        if mode is BudgetMode.ON:
            return tracked.state is _REPLACED
        return mode is BudgetMode.AUTO and tracked.stored is not None and self.screen is not False

    def base_chars(self, tracked: Tracked) -> int:
        """The text as it stood before ageing: the preview where one is in force."""
        return tracked.preview if tracked.applied else tracked.full

    def _refresh(self, tracked: Tracked, request: Request, cause: str, *, decided: bool = False) -> None:
        """Compute what of a result is on the wire, and write a span where that changed."""
        self._touch(tracked)
        tracked.applied = self.is_applied(tracked)
        if tracked.applied and tracked.stored is not None:
            tracked.preview, tracked.preview_estimated = self.sizing.text(tracked.stored), False
            self._groups.pop(tracked.entry.turn, None)  # what it was added up with
        level, size = self.sizing.on_wire(tracked)
        before = (tracked.level, tracked.chars)
        self._delta -= self._share(tracked)
        result = tracked.entry.result
        images = len(result.images) if result is not None else 0
        if images:  # of few rows: all others are spared the calls
            self._images_delta -= self._images_share(tracked, images)
        self._inexact += size.estimated - tracked.estimated
        tracked.level, tracked.chars, tracked.estimated = level, size.chars, size.estimated
        self._delta += self._share(tracked)
        if images:
            self._images_delta += self._images_share(tracked, images)
        if not tracked.request:
            return
        state = tracked.state
        if level is _GONE and all(earlier.level is _GONE for earlier in tracked.spans):
            # A client whose budget comes before its pairing counts it as seen, but it was never sent.
            state = _PENDING
        span = Span(request.n, state, level, size.chars, decided, size.estimated)
        last = tracked.spans[-1] if tracked.spans else None
        if last is None or (last.state, last.level, last.chars) != (span.state, span.level, span.chars):
            if last is not None and last.start == request.n:
                tracked.spans[-1] = span
            else:
                tracked.spans.append(span)
            if last is not None and tracked.request < request.n and before[0] is not _GONE:
                self._changed.append((tracked, cause))

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
        following = bisect_right(self.requests, line, key=lambda r: r.line)
        return following == len(self.requests) or self.bad_lines[at] < self.requests[following].line

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

    def may_run(self, entry: Entry) -> bool:
        """Whether an unanswered call is the last thing in a session that goes on with its result."""
        return (self.live or entry.id in self.waiting_ids) and self._is_newest(entry)

    def _is_newest(self, entry: Entry) -> bool:
        return entry.call_record is not None and entry.call_record.index >= self._last_message_index

    def age_of(self, tracked: Tracked) -> int:
        """Distinct answers of the model that stand after a result."""
        return self._answers - tracked.birth

    def off_chain_ids(self) -> list[str]:
        """Results that are on the wire although the parent chain passes them by."""
        return [t.entry.id for ref in self.history.siblings() if (t := self.row_at(*ref))]

    def left_behind(self) -> list[Tracked]:
        """Results on branches that the conversation left: no request holds them any more."""
        return [t for ref in self.history.left_behind() if (t := self.row_at(*ref))]
