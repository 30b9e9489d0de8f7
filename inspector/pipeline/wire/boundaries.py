"""What the boundaries of a transcript say, beside what its results and its usage say (rules 9, 12).

`tokensSaved` of a recorded clearing is the sum of chars/4, rounded for each result, over the results
it names. They are chosen in the order of their calls until at most 40,000 are left and at least
20,000 are saved (`claude-code-transcripts.md` §6).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import msgspec

from inspector.model.transcript import Block, BlockKind, Boundary, Record, Role, Usage

_USER = Role.USER
_CALL, _RESULT = BlockKind.TOOL_USE, BlockKind.TOOL_RESULT

CHARS_PER_TOKEN = 4
LEFT_AT_MOST_TOKENS = 40_000
SAVED_AT_LEAST_TOKENS = 20_000
PASSED_OVER_TOOLS = frozenset({"Skill", "TodoWrite"})
"""Tools whose results a clearing never names."""


class Clearing(msgspec.Struct, frozen=True):
    """One `microcompact_boundary`."""

    line: int
    stated_saved: int | None
    """`tokensSaved`."""
    stated_before: int | None
    """`preTokens`."""
    named: int
    """Results that it names."""
    found: int
    """Named results that are in the file in front of it."""
    persisted: int
    """Those of them that are previews of a file: their sum is counted on other texts."""
    saved: int
    """Tokens of the found ones."""
    before: int
    """Tokens of all results in front of it that no earlier clearing names."""
    explained: bool
    """Whether all named results are in the file and their tokens are the stated ones."""
    by_rule: bool | None
    """Whether the rule chooses exactly the named results; None where not all of them are found."""
    reason: str
    """Why it is not explained; empty where it is."""
    usage_before: int | None
    """Tokens of the last request in front of it."""
    usage_after: int | None
    """Tokens of the first request behind it."""


def clearings(records: Sequence[Record]) -> list[Clearing]:
    """All recorded clearings of a thread.

    Args:
        records: The thread's records, in file order.
    """
    so_far = ResultsSoFar(records)
    usages = [place for place, record in enumerate(records) if record.is_answer and record.usage]
    out = []
    for place, record in enumerate(records):
        if record.role is Role.CLEARING and record.boundary is not None:
            at = bisect_left(usages, place)
            before = records[usages[at - 1]].usage if at else None
            after = records[usages[at]].usage if at < len(usages) else None
            out.append(_clearing(record, record.boundary, so_far.upto(place), before, after))
            so_far.take(record.boundary.cleared_ids)
    return out


class Inferred(msgspec.Struct, frozen=True):
    """What the rule of a recorded clearing would choose at a place where none is recorded."""

    ids: tuple[str, ...]
    saved: int
    """Tokens of the chosen results."""


class ResultsSoFar:
    """Calls and results of the first records of a thread: taken on place by place, never from the start.

    What a clearing took is put out of the way for good, so that the next one looks at what is left only.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        """Args:
        records: The thread's records, in file order; none of them is taken yet.
        """
        self.tools: dict[str, str] = {}
        """Id of each call → its tool."""
        self._records = records
        self._called: dict[str, Block | None] = {}
        """Calls that no clearing took, in their order, and the result of each."""
        self._uncalled: dict[str, Block | None] = {}
        """Results of ids that nothing has called so far."""
        self.gone: set[str] = set()
        """Results that a clearing took."""
        self.tokens = 0
        """Of all results that are left."""
        self._place = 0

    def upto(self, place: int) -> ResultsSoFar:
        """Take what stands in front of a place.

        Args:
            place: Index of a record, not in front of the last one asked for.
        """
        gone, called, uncalled, tools = self.gone, self._called, self._uncalled, self.tools
        for record in self._records[self._place : place]:
            answers = record.role is _USER
            for block in record.blocks:
                identity, kind = block.id, block.kind
                if kind is _CALL:
                    tools[identity] = block.name
                    if identity not in called and identity not in gone:
                        called[identity] = uncalled.pop(identity, None)
                elif kind is _RESULT and answers and identity not in gone:
                    kept: dict[str, Block | None] = called if identity in called else uncalled
                    if (before := kept.get(identity)) is not None:
                        self.tokens -= _token_count(before)
                    kept[identity] = block
                    self.tokens += _token_count(block)
        self._place = max(place, self._place)
        return self

    def copy(self) -> ResultsSoFar:
        """The same, to go on from by itself."""
        other = ResultsSoFar(self._records)
        other.tools, other.gone = self.tools.copy(), self.gone.copy()
        other._called, other._uncalled = self._called.copy(), self._uncalled.copy()
        other.tokens, other._place = self.tokens, self._place
        return other

    def take(self, ids: Iterable[str]) -> None:
        """Put the results of a clearing out of the way."""
        for tool_use_id in ids:
            if (block := self.of(tool_use_id)) is not None:
                self.tokens -= _token_count(block)
            self.gone.add(tool_use_id)
            self._called.pop(tool_use_id, None)
            self._uncalled.pop(tool_use_id, None)

    def of(self, tool_use_id: str) -> Block | None:
        """A result that no clearing took."""
        return self._called.get(tool_use_id) or self._uncalled.get(tool_use_id)

    def chosen(self) -> Iterator[Block]:
        """The rule: oldest first, until enough is saved and little enough is left."""
        saved = 0
        for block in chain(self._called.values(), self._uncalled.values()):
            if self.tokens - saved <= LEFT_AT_MOST_TOKENS and saved >= SAVED_AT_LEAST_TOKENS:
                break
            if block is not None and self.tools.get(block.id) not in PASSED_OVER_TOOLS:
                yield block
                saved += _token_count(block)


def inferred_clearing(results: ResultsSoFar) -> Inferred | None:
    """The clearing that the rule makes of the results so far (`claude-code-wire.md` X7).

    Args:
        results: The thread's results in front of the place, without those that an earlier clearing took.

    Returns:
        None where the results are too small for one.
    """
    if results.tokens < SAVED_AT_LEAST_TOKENS:
        return None
    chosen = [*results.chosen()]
    saved = _tokens(chosen)
    return Inferred(tuple(b.id for b in chosen), saved) if saved >= SAVED_AT_LEAST_TOKENS else None


def _clearing(
    record: Record, stated: Boundary, so_far: ResultsSoFar, before: Usage | None, after: Usage | None
) -> Clearing:
    named = stated.cleared_ids
    found = [block for i in dict.fromkeys(named) if (block := so_far.of(i)) is not None]
    saved = _tokens(found)
    reason = _reason(named, found, saved, stated.tokens_saved)
    chosen = [block.id for block in islice(so_far.chosen(), len(named) + 1)]
    return Clearing(
        line=record.line,
        stated_saved=stated.tokens_saved,
        stated_before=stated.pre_tokens,
        named=len(named),
        found=len(found),
        persisted=sum(b.persisted is not None for b in found),
        saved=saved,
        before=so_far.tokens,
        explained=not reason,
        by_rule=chosen == list(named) if len(found) == len(named) else None,
        reason=reason,
        usage_before=before.context if before else None,
        usage_after=after.context if after else None,
    )


def _reason(named: Sequence[str], found: Sequence[Block], saved: int, stated: int | None) -> str:
    """Why the named results do not explain the stated figure; empty: they do."""
    if stated is None:
        return "The boundary states no saving."
    if len(found) < len(named):
        return f"{len(named) - len(found)} of {len(named)} named results are not in the file."
    if saved == stated:
        return ""
    if any(b.persisted is not None for b in found):
        return f"Previews of files are among them: {saved} tokens on the wire against {stated} stated."
    return f"The named results hold {saved} tokens; {stated} are stated."


def _tokens(blocks: Sequence[Block]) -> int:
    return sum(map(_token_count, blocks))


def _token_count(block: Block) -> int:
    """A result's chars/4, halves rounded up."""
    return (block.size.utf16 + CHARS_PER_TOKEN // 2) // CHARS_PER_TOKEN
