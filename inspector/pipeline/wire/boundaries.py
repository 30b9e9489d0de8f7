"""What the boundaries of a transcript say, beside what its results and its usage say (rules 9, 12).

`tokensSaved` of a recorded clearing is the sum of chars/4, rounded for each result, over the results
it names. They are chosen in the order of their calls until at most 40,000 are left and at least
20,000 are saved (`claude-code-transcripts.md` §6).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from inspector.model.transcript import Block, Boundary, Record, Role, Usage
from inspector.pipeline.wire.chain import holds_result
from inspector.pipeline.wire.grouping import is_call, is_result

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


class Compaction(msgspec.Struct, frozen=True):
    """One `compact_boundary`."""

    line: int
    trigger: str
    stated_before: int | None
    """`preTokens`."""
    stated_after: int | None
    """`postTokens`, where the version states it."""
    usage_before: int | None
    usage_after: int | None


def clearings(records: Sequence[Record]) -> list[Clearing]:
    """All recorded clearings of a thread.

    Args:
        records: The thread's records, in file order.
    """
    gone: set[str] = set()
    out = []
    for place, record in enumerate(records):
        if record.role is Role.CLEARING and record.boundary is not None:
            out.append(_clearing(records, place, record.boundary, gone))
            gone.update(record.boundary.cleared_ids)
    return out


def compactions(records: Sequence[Record]) -> list[Compaction]:
    """All compactions of a thread, beside the usage of the requests around them.

    Args:
        records: The thread's records, in file order.
    """
    out = []
    for place, record in enumerate(records):
        if record.role is Role.BOUNDARY and record.boundary is not None:
            before, after = _usage_around(records, place)
            stated = record.boundary
            out.append(
                Compaction(record.line, stated.trigger, stated.pre_tokens, stated.post_tokens, before, after)
            )
    return out


class Inferred(msgspec.Struct, frozen=True):
    """What the rule of a recorded clearing would choose at a place where none is recorded."""

    ids: tuple[str, ...]
    saved: int
    """Tokens of the chosen results."""


def inferred_clearing(records: Sequence[Record], gone: Collection[str]) -> Inferred | None:
    """The clearing that the rule makes of the results so far (`claude-code-wire.md` X7).

    Args:
        records: The thread's records in front of the place, in file order.
        gone: Results that an earlier clearing took.

    Returns:
        None where the results are too small for one.
    """
    results, tools = _results(records, gone)
    chosen = _chosen(list(results.values()), tools)
    saved = _tokens(chosen)
    return Inferred(tuple(b.id for b in chosen), saved) if saved >= SAVED_AT_LEAST_TOKENS else None


def _results(records: Sequence[Record], gone: Collection[str]) -> tuple[dict[str, Block], dict[str, str]]:
    """Results that are left, in the order of their calls; and the tool of each call."""
    tools = {b.id: b.name for r in records for b in r.blocks if is_call(b)}
    unordered = {
        b.id: b for r in records if holds_result(r) for b in r.blocks if is_result(b) and b.id not in gone
    }
    return {i: unordered[i] for i in (*tools, *unordered) if i in unordered}, tools


def _clearing(records: Sequence[Record], place: int, stated: Boundary, gone: set[str]) -> Clearing:
    results, tools = _results(records[:place], gone)
    found = [results[i] for i in dict.fromkeys(stated.cleared_ids) if i in results]
    saved = _tokens(found)
    reason = _reason(stated.cleared_ids, found, saved, stated.tokens_saved)
    chosen = [b.id for b in _chosen(list(results.values()), tools)]
    complete = len(found) == len(stated.cleared_ids)
    before, after = _usage_around(records, place)
    return Clearing(
        line=records[place].line,
        stated_saved=stated.tokens_saved,
        stated_before=stated.pre_tokens,
        named=len(stated.cleared_ids),
        found=len(found),
        persisted=sum(b.persisted is not None for b in found),
        saved=saved,
        before=_tokens(list(results.values())),
        explained=not reason,
        by_rule=chosen == list(stated.cleared_ids) if complete else None,
        reason=reason,
        usage_before=before,
        usage_after=after,
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


def _chosen(results: Sequence[Block], tools: dict[str, str]) -> list[Block]:
    """The rule: oldest first, until enough is saved and little enough is left."""
    total = _tokens(results)
    chosen: list[Block] = []
    for block in results:
        saved = _tokens(chosen)
        if total - saved <= LEFT_AT_MOST_TOKENS and saved >= SAVED_AT_LEAST_TOKENS:
            break
        if tools.get(block.id) not in PASSED_OVER_TOOLS:
            chosen.append(block)
    return chosen


def _tokens(blocks: Sequence[Block]) -> int:
    """Each result's chars/4, halves rounded up."""
    return sum((b.size.utf16 + CHARS_PER_TOKEN // 2) // CHARS_PER_TOKEN for b in blocks)


def _usage_around(records: Sequence[Record], place: int) -> tuple[int | None, int | None]:
    before = (r.usage for r in reversed(records[:place]) if r.is_answer and r.usage)
    after = (r.usage for r in records[place:] if r.is_answer and r.usage)
    return _context(next(before, None)), _context(next(after, None))


def _context(usage: Usage | None) -> int | None:
    return usage.context if usage else None
