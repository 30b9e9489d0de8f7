"""The size budget: a limit per result, then one per turn, with full texts going to disk (§3).

ChatCLI keeps no ledger. The same large result is decided anew in every request, gets a new file
number and with it a new preview; that is why a run reports each cut with its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from inspector.model.chatcli import BudgetLimits, Message
from inspector.pipeline.chatcli import cuts
from inspector.pipeline.chatcli.largest_first import largest_first
from inspector.pipeline.chatcli.overflow import Outcome, OverflowSink, in_utf8, join_cleaned

HEAD_BYTES = 4_000
TAIL_BYTES = 1_000
FLOOR_BYTES = HEAD_BYTES + TAIL_BYTES + 200
"""Pass 2 never aims below this, so a result of this size or less is never cut (§3.3)."""


@dataclass(frozen=True, slots=True)
class BudgetReport:
    """ChatCLI's own counters for one pass over a history."""

    total_tool_results: int = 0
    results_truncated: int = 0
    """Cuts, not results: one result can be cut by both passes."""
    results_persisted_disk: int = 0
    """Always equal to `results_truncated`, even where nothing could be written."""
    bytes_saved_to_disk: int = 0
    """Pass 2 only: pass 1 compares the new length with itself and always adds 0."""
    total_original_chars: int = 0
    total_final_chars: int = 0


@dataclass(frozen=True, slots=True)
class Cut:
    """One result that was put to disk, or should have been."""

    at: int
    """Place of its message in the history."""
    id: str
    number_of_pass: int
    """1: over the result limit; 2: chosen because its turn is over the turn limit."""
    before_bytes: int
    after_bytes: int
    outcome: Outcome
    number: int | None
    """File number; None where the directory failed before one was taken."""
    path: str
    """The file, as named in the preview; empty where there is none."""
    allowed_bytes: int
    """Limit or target; what a fall-back is cut to."""


@dataclass(frozen=True, slots=True)
class TurnSize:
    """One turn as pass 2 saw it."""

    places: tuple[int, ...]
    """Places of its results."""
    before_bytes: int
    """Their sum before pass 1."""
    counted_bytes: int
    """Their sum after pass 1: what is compared with the limit."""
    after_bytes: int


@dataclass(frozen=True, slots=True)
class BudgetRun:
    """What one pass over a history did."""

    messages: tuple[Message, ...]
    report: BudgetReport
    counter: int
    """Last file number taken; the next file gets the one after."""
    cuts: tuple[Cut, ...] = ()
    turns: tuple[TurnSize, ...] = ()


def turn_places(messages: Sequence[Message]) -> list[list[int]]:
    """Places of the results of each turn; a turn opens at an assistant message with calls (§3.1).

    Ids play no role, a result before any turn belongs to none, and a role that ChatCLI does not
    know does not end a turn.

    Args:
        messages: The history.
    """
    turns: list[list[int]] = []
    current: list[int] | None = None
    for at, message in enumerate(messages):
        if message.opens_block:
            current = []
            turns.append(current)
        elif message.role == "tool":
            if current is not None:
                current.append(at)
        elif message.role in ("assistant", "user", "system"):
            current = None
    return turns


def enforce_budget(
    messages: Sequence[Message], limits: BudgetLimits, sink: OverflowSink, counter: int = 0
) -> BudgetRun:
    """Apply both limits to a history.

    Args:
        messages: The history; left as it is.
        limits: Both limits, in bytes.
        sink: Where full texts go.
        counter: Last file number taken so far in this process.

    Returns:
        The run, with a new history of the same length and order.
    """
    work = _Work([m.content for m in messages], [m.tool_call_id for m in messages], sink, counter)
    turns = turn_places(messages)
    for turn in turns:
        for at in turn:
            if len(work.contents[at]) > limits.result_bytes:
                work.persist(at, limits.result_bytes, 1)
    counted = [sum(len(work.contents[at]) for at in turn) for turn in turns]
    saved = sum(_shrink(work, turn, limits.turn_bytes) for turn in turns)
    grouped = [at for turn in turns for at in turn]
    report = BudgetReport(
        total_tool_results=len(grouped),
        results_truncated=len(work.cuts),
        results_persisted_disk=len(work.cuts),
        bytes_saved_to_disk=saved,
        total_original_chars=sum(len(messages[at].content) for at in grouped),
        total_final_chars=sum(len(work.contents[at]) for at in grouped),
    )
    changed = {cut.at for cut in work.cuts}
    return BudgetRun(
        tuple(m.with_content(work.contents[at]) if at in changed else m for at, m in enumerate(messages)),
        report,
        work.counter,
        tuple(work.cuts),
        tuple(
            TurnSize(
                tuple(turn),
                sum(len(messages[at].content) for at in turn),
                size,
                sum(len(work.contents[at]) for at in turn),
            )
            for turn, size in zip(turns, counted, strict=True)
        ),
    )


def _shrink(work: _Work, turn: list[int], limit_bytes: int) -> int:
    """Pass 2 over one turn: cut from the largest on until it fits.

    Returns:
        Bytes by which the turn shrank; negative where previews are longer than what they replace.
    """
    sizes = [len(work.contents[at]) for at in turn]
    total = before = sum(sizes)
    if total <= limit_bytes:
        return 0
    for position in largest_first(sizes):
        if total <= limit_bytes:
            break
        size = sizes[position]
        target = max(size - (total - limit_bytes), FLOOR_BYTES)
        if target < size:
            total -= size - work.persist(turn[position], target, 2)
    return before - total


@dataclass(slots=True)
class _Work:
    """Contents under change, and what was done to them."""

    contents: list[bytes]
    ids: list[str]
    sink: OverflowSink
    counter: int
    cuts: list[Cut] = field(default_factory=list)

    def persist(self, at: int, allowed_bytes: int, number_of_pass: int) -> int:
        """Put one content to disk and leave a preview, or a shortened text where that fails (§3.4).

        Returns:
            Bytes that stand there now.
        """
        content, call_id = self.contents[at], self.ids[at]
        number: int | None = None
        path = ""
        if not self.sink.prepare():
            outcome = Outcome.DIRECTORY_FAILED
            text = content[:allowed_bytes] + "\n... [output truncated — dir creation failed]".encode()
        else:
            self.counter += 1
            number = self.counter
            path = join_cleaned(self.sink.directory, overflow_name(call_id, number))
            if self.sink.write(path, content):
                outcome = Outcome.WRITTEN
                text = preview(content, path)
            else:
                outcome, path = Outcome.WRITE_FAILED, ""
                text = content[:allowed_bytes] + "\n... [output truncated — disk write failed]".encode()
        self.contents[at] = text
        self.cuts.append(
            Cut(at, call_id, number_of_pass, len(content), len(text), outcome, number, path, allowed_bytes)
        )
        return len(text)


def overflow_name(call_id: str, number: int) -> str:
    """File name of an overflow file.

    Args:
        call_id: Id of the call; only slashes are replaced, everything else stays.
        number: Number of the file, unique in the process.
    """
    return f"budget_{call_id.replace('/', '_')}_{number}.txt"


def preview(content: bytes, path: str) -> bytes:
    """What stays of a persisted result.

    The stated count is the size minus 5,000 whatever was kept: it ignores the cuts at line ends and
    is zero or negative for contents of 5,000 bytes or less, whose end is lost besides (§3.4).

    Args:
        content: The full content.
        path: Path of the file that holds it.
    """
    size = len(content)
    omitted = size - HEAD_BYTES - TAIL_BYTES
    note = f"\n\n... [{omitted} chars omitted — full output saved to ".encode() + in_utf8(path) + b"]\n\n"
    end = cuts.tail(content, TAIL_BYTES) if size - TAIL_BYTES > HEAD_BYTES else b""
    return cuts.head(content, HEAD_BYTES) + note + end
