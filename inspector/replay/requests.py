"""What a replay keeps of one request: sizes, repairs, decisions, and where its prefix broke."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from inspector.model.transcript import Boundary, Usage
from inspector.pipeline.budget import Decision
from inspector.pipeline.wire.parts import Tally, tally_of
from inspector.replay.tracked import Tracked
from inspector.replay.view import Event, Repair

NO_EVENT = Event(0)
_NO_TALLY = Tally()


class Break(msgspec.Struct):
    """The first block of a request that differs although it only had to append."""

    cause: str
    """One of `inspector.replay.prefix.CAUSES`."""
    planned: bool
    """An ageing step that the policy names."""
    certain: bool = True
    tool_use_id: str = ""
    message: int | None = None
    """Ordinal of the message on the wire, from 0, where no result is the cause."""


class Request(msgspec.Struct):
    """One call of the model."""

    n: int
    message_id: str
    request_ref: str
    line: int
    first_record: int
    """Index of the first record of its answer; for the pending one the number of records read."""
    pending: bool = False
    wire_chars: int = 0
    estimated: bool = False
    usage: Usage | None = None
    time: float | None = None
    model: str = ""
    thinking_chars: int = 0
    """Thinking in its answer, in the policy's unit; it stands in no size of the wire."""
    repairs: Sequence[tuple[Repair, str]] = ()
    """New at this request: what was done, and to which id."""
    break_: Break | None = None
    events: Event = NO_EVENT
    over_by: int = 0
    answers: int = 0
    """Distinct answers of the model in front of it: ages are counted from here."""
    turns: int = 0
    """Turns that it knows."""
    compaction: Boundary | None = None
    """The compaction in front of it."""
    gap_s: float | None = None
    """Seconds between the answer before and what was sent now."""
    groups: Sequence[AnyGroup] = ()
    loop_turn: int | None = None
    """ChatCLI: turn of the agent loop, from 0; None for sources without such a counter."""
    figures: Sequence[int] = ()
    """The figures of `tally`: plain numbers, because every request has its own."""
    results_shift: int = 0
    """What the stages add to the results of `tally` (mostly: take from them), in the policy's unit."""
    calls_shift: int = 0
    """The same for the inputs of calls."""
    images_shift: int = 0
    """Pictures of `tally` that are not sent, because something stands for their results; negative."""
    hidden_thinking: int = 0
    """Thinking blocks of the answer before it whose text the transcript does not hold."""
    attachments: int = 0
    """Records since the answer before it that the client may have turned into reminders."""

    @property
    def tally(self) -> Tally:
        """What its history is made of, as it stands in the transcript."""
        return tally_of(self.figures) if self.figures else _NO_TALLY

    def note_repair(self, repair: Repair, id: str) -> None:
        """Add to `repairs`, which is a list only where there are any: a request may have thousands."""
        if not isinstance(self.repairs, list):
            self.repairs = [*self.repairs]
        self.repairs.append((repair, id))


class Members(msgspec.Struct, frozen=True):
    """Members of a group as one request knows them: the first of a list that may grow."""

    ids: list[str]
    """In message order."""
    count: int

    @classmethod
    def of(cls, ids: Iterable[str]) -> Members:
        """All of these and no others."""
        kept = [*ids]
        return cls(kept, len(kept))

    def now(self) -> tuple[str, ...]:
        """Those that were known."""
        return tuple(self.ids[: self.count])


class GroupDecision(msgspec.Struct):
    """What the budget did with one group in one request."""

    turn: int
    candidates: Members
    """Candidates of the group that this request knows."""
    decision: Decision
    frozen_total: int
    visible_total: int
    """Characters of all its results that the model would see without the budget, counted or not."""
    left_out: Members
    """Those of them that do not count."""
    replaced: tuple[str, ...]
    """Ids chosen now, in order of choice."""
    limit: int
    again: bool = False
    """An earlier request decided about the very same results (a policy without ledger)."""

    @property
    def ids(self) -> tuple[str, ...]:
        """Candidates of the group that this request knows, in message order."""
        return self.candidates.now()

    @property
    def skipped(self) -> tuple[str, ...]:
        """Those that do not count, in message order."""
        return self.left_out.now()

    @property
    def total(self) -> int:
        """What counted together, at full size, in the policy's unit."""
        return self.decision.total

    @property
    def counted(self) -> int:
        """Number of candidates that count against the limit: all but the skipped ones."""
        return self.candidates.count - self.left_out.count


class UnderLimit:
    """The decision about a group in which nothing had to be chosen: every member is sent, and frozen."""

    __slots__ = ("_rows", "_skipped", "limit", "total", "turn", "visible_total")

    frozen_total = 0
    replaced: tuple[str, ...] = ()
    again = False

    def __init__(
        self,
        turn: int,
        rows: Sequence[Tracked],
        skipped: tuple[Tracked, ...],
        totals: tuple[int, int],
        limit: int,
    ) -> None:
        """Args:
        turn: The group's turn.
        rows: Its results, all of them candidates that no request has seen before.
        skipped: Those of them that do not count.
        totals: The sizes of those that count together, and of all, in the policy's unit.
        limit: What a group may hold.
        """
        self.turn = turn
        self._rows = rows
        self._skipped = skipped
        self.total, self.visible_total = totals
        self.limit = limit

    @property
    def ids(self) -> tuple[str, ...]:
        """Candidates of the group that this request knows, in message order."""
        return tuple(row.entry.id for row in self._rows)

    @property
    def counted(self) -> int:
        """Number of candidates that count against the limit."""
        return len(self._rows) - len(self._skipped)

    @property
    def skipped(self) -> tuple[str, ...]:
        """Those that do not count, in message order."""
        return tuple(row.entry.id for row in self._skipped)

    @property
    def decision(self) -> Decision:
        """What was decided, in full."""
        total = self.total
        skipped = tuple(row.entry.index for row in self._skipped)
        apart = set(skipped)
        frozen = tuple(i for row in self._rows if (i := row.entry.index) not in apart)
        return Decision((), frozen, skipped, total, total, over=False, accepted=False, cannot_fit=False)


class AnyGroup(Protocol):
    """What the budget did with one group in one request, however it is kept."""

    @property
    def turn(self) -> int: ...
    @property
    def ids(self) -> tuple[str, ...]: ...
    @property
    def total(self) -> int: ...
    @property
    def decision(self) -> Decision: ...
    @property
    def frozen_total(self) -> int: ...
    @property
    def visible_total(self) -> int: ...
    @property
    def skipped(self) -> tuple[str, ...]: ...
    @property
    def replaced(self) -> tuple[str, ...]: ...
    @property
    def limit(self) -> int: ...
    @property
    def again(self) -> bool: ...
    @property
    def counted(self) -> int: ...
