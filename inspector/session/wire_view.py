"""One request block by block, beside the one before it and beside what was recorded: what is shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from inspector.session.wire_unsent import UnsentRow


class Mark(StrEnum):
    """How a block stands to the request before."""

    SAME = "same"
    """Sent before at this very place: a cache hit."""
    CHANGED = "changed"
    AFTER = "after the break"
    """Unchanged itself, but something in front of it changed: no cache hit."""
    NEW = "new"


class Side(StrEnum):
    """Whose text of a block is meant."""

    PREDICTED = "predicted"
    RECORDED = "recorded"
    BEFORE = "request before"


@dataclass(frozen=True, slots=True)
class WireBlockRow:
    """One block of a request."""

    message: int
    """Index of its message, from 0."""
    block: int
    """Index in its message, from 0."""
    role: str
    kind: str
    """`text`, `call`, `result`, `image`, `thinking` or the block's own word; untrusted."""
    words: str
    """The beginning of its text, or the call it belongs to; untrusted."""
    tool_use_id: str
    chars: int
    """In the policy's unit."""
    mark: Mark
    before: int | None
    """Size in the request before; None where it was not there."""
    other: int | None
    """Size in the other form of the request: recorded beside predicted, or the other way round."""
    differs: bool
    """Whether recorded and predicted differ here."""
    state: str = ""
    """What was done to it, such as `replaced` or `reminder`."""
    transcript: int | None = None
    """Of a result: its size in the transcript; None for other blocks, or where it has none there."""
    role_before: str = ""
    """Who sent the block at its place in the request before, where that was somebody else."""
    is_prompt: bool = False
    """Whether it is of the system prompt: a system message in front of all that was said."""

    @property
    def counted_chars(self) -> int:
        """What it adds to the size on the wire: thinking and the system prompt are counted apart."""
        return 0 if self.kind == "thinking" or self.is_prompt else self.chars


@dataclass(frozen=True, slots=True)
class WireView:
    """One request, with totals."""

    request: int
    against: int | None
    """The request it is compared with; None for the first one."""
    rows: Sequence[WireBlockRow]
    break_at: int | None
    """Row of the first block that is not the one sent at its place before; None where there is none."""
    break_words: str
    """Why, in a clause; empty where nothing broke or the cause is not known."""
    gone: int
    """Blocks of the request before that are not sent any more."""
    unit: str
    resumed: bool
    """The session is finished: this is what a resume would send."""
    is_recorded: bool
    """Whether the request was recorded too."""
    other_chars: int | None
    """Size of the other form of the request; None where there is only one."""
    side: Side = Side.PREDICTED
    """Which form of the request the rows are; the other one stands beside it."""
    reminder_chars: int = 0
    """What the client's reminders add; they stand in the rows, but not in `chars`."""
    resume_chars: int = 0
    """What a resume adds to the records as they end; it stands in the rows, but not in `chars`."""
    estimated: bool = False
    """Whether the size on the wire is marked as an estimate on the other screens."""
    ledger_chars: int | None = None
    """That estimate, where it is another number; None where all screens say the same."""
    ends_at: tuple[int, int] | None = None
    """Message and block, from 0, of the request before that would come next, where this one only sends
    what stands in front of them."""
    gone_at: tuple[int, int] | None = None
    """Message and block, from 0, of the request before that should have stood at the break, where its
    message is an earlier one than that of the block which stands there now: that message was cut short."""
    unsent: Sequence[UnsentRow] = ()
    """What its history holds and it does not send, in order; told of the predicted form only."""

    @property
    def first_changed(self) -> tuple[int, int] | None:
        """Message and block of the first one that is not in both; None where the request only grew."""
        if self.break_at is None:
            return self.ends_at
        return self.gone_at or (self.rows[self.break_at].message, self.rows[self.break_at].block)

    @property
    def chars(self) -> int:
        """Size of all blocks but system prompt, thinking, reminders and what a resume adds.

        It is "on the wire" on every screen.
        """
        return sum(row.counted_chars for row in self.rows) - self.reminder_chars - self.resume_chars

    @property
    def transcript_chars(self) -> int:
        """What it would be with every result as the transcript has it."""
        saved = sum((row.transcript or row.chars) - row.chars for row in self.rows)
        return self.chars + saved

    @property
    def thinking_chars(self) -> int:
        """Size of the thinking blocks; whether the client sends them is on no recording."""
        return sum(row.chars for row in self.rows if row.kind == "thinking")

    @property
    def system_chars(self) -> int:
        """Size of the system prompt, where the session's file holds it as a message."""
        return sum(row.chars for row in self.rows if row.is_prompt)

    def chars_of(self, *marks: Mark) -> int:
        """Size of the blocks with these marks, without thinking."""
        return sum(row.counted_chars for row in self.rows if row.mark in marks)
