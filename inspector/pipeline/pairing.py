"""Pairing repair: afterwards every call has exactly one result and no result is without a call.

Three variants over the same normal messages. `documented` compares ids over the whole history and
moves nothing (seed 000, three phases). `positional` looks for a call's results between its message
and the next answer. `client` is what Claude Code does at the API edge of a running session
(`claude-code-wire.md` H). ChatCLI's older code (`global`) is taken as `documented` here.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum

import msgspec

from inspector.model.policy import Pairing
from inspector.pipeline.conversation import Call, Normal, Result, Speaker, Style

MISSING = (
    "[Tool result missing — the tool execution was interrupted or failed silently. "
    "Do NOT retry this tool call. Analyze what went wrong and try a different approach.]"
)
"""Seed 000's synthetic result, on one line as the code has it (`chatcli.md` §2.2)."""
CLIENT_MISSING = "[Tool result missing due to internal error]"
"""Claude Code's (`claude-code-wire.md` rule 34)."""
NO_CALLS_LEFT = "[Tool use interrupted]"
"""Stands in an answer that lost all its calls (rule 32)."""
NO_CONTENT_LEFT = "(no content)"
"""Stands in a user message that lost all its results (rule 33)."""


class RepairKind(StrEnum):
    """What was wrong; the words are those of the findings."""

    MISSING = "missing_result"
    """A call without a result got a synthetic one."""
    PENDING = "pending_result"
    """A call of a live session's last answer: not repaired yet."""
    ORPHAN = "orphan_result"
    """A result without a call was removed."""
    DUPLICATE_CALL = "duplicate_tool_use"
    """A call was removed: its id was met before, or is empty."""
    DUPLICATE_RESULT = "duplicate_result"
    """A second result of one id was removed."""
    DISPLACED = "displaced_result"
    """A result stands away from its call (`documented`), or was moved next to it (`positional`)."""
    EMPTIED = "message_emptied"
    """A message was left without content and got a word in its place."""


class Repaired(msgspec.Struct, frozen=True, gc=False):
    """One thing that pairing did or saw."""

    kind: RepairKind
    id: str
    """The tool_use id; empty for `message_emptied`."""
    at: int
    """Index of the message in the list that was given."""
    block: int = -1
    """Of a call or result that was removed: its index in the content list, of a listed call in
    `tool_calls`; -1 where a whole message was removed, or nothing."""


class Paired(msgspec.Struct, frozen=True):
    """The outcome of a pairing repair."""

    messages: tuple[Normal, ...]
    repairs: tuple[Repaired, ...]
    """In order of place; empty, with `messages` the very input, where nothing was wrong."""


def repair(
    messages: Sequence[Normal],
    variant: Pairing,
    *,
    live: bool = False,
    waiting_ids: AbstractSet[str] = frozenset(),
) -> Paired:
    """Repair the pairing of calls and results.

    Args:
        messages: Normal messages; not changed.
        variant: Whose rules.
        live: Whether the session still goes on, so that unanswered calls of its last answer may be
            running: they are reported as pending as long as nothing but results follows them.
        waiting_ids: Calls of the last answer that are known to be open, whether it is live or not.

    Returns:
        The repaired messages and what was done, once per call or result.
    """
    if variant in (Pairing.POSITIONAL, Pairing.CLIENT):
        plan = _plan_by_place(messages, client=variant is Pairing.CLIENT)
    else:
        plan = _plan_by_id(messages)
    if live or waiting_ids:
        plan.spare_pending(messages, None if live else waiting_ids)
    if not plan.repairs:
        return Paired(tuple(messages), ())
    text = CLIENT_MISSING if variant is Pairing.CLIENT else MISSING
    rebuilt = _rebuild(messages, plan, text)
    return Paired(tuple(rebuilt), tuple(sorted(plan.repairs, key=lambda r: r.at)))


class _Plan:
    """What is to be done, by place, before anything is built."""

    def __init__(self) -> None:
        self.repairs: list[Repaired] = []
        self.drop_calls: set[tuple[int, int]] = set()
        """(message, index among its calls)."""
        self.drop_results: set[tuple[int, int]] = set()
        self.missing: dict[int, list[tuple[int, Call]]] = {}
        """Assistant message → calls that need a synthetic result behind it, in call order, each with
        the message that it stands in."""
        self.moved: dict[int, list[tuple[int, int]]] = {}
        """Assistant message → places of results that go next to it."""
        self._last_part: list[int] = []
        """By message: where its answer ends, with nothing between."""

    def note(self, kind: RepairKind, id: str, at: int, block: int = -1) -> None:
        self.repairs.append(Repaired(kind, id, at, block))

    def miss(self, messages: Sequence[Normal], at: int, call: Call) -> None:
        """Note a call without a result. A message that its answer goes on in is not cut off by one."""
        if not self._last_part:
            self._last_part = list(range(len(messages)))
            for i in reversed(range(1, len(messages))):
                if _is_assistant(messages[i]) and _continues(messages, i, 0):
                    self._last_part[i - 1] = self._last_part[i]
        self.missing.setdefault(self._last_part[at], []).append((at, call))
        self.note(RepairKind.MISSING, call.id, at)

    def spare_pending(self, messages: Sequence[Normal], ids: AbstractSet[str] | None) -> None:
        """Take unanswered calls of the last answer, those of these ids or all, out of the plan."""
        last = next((i for i in reversed(range(len(messages))) if _is_assistant(messages[i])), None)
        if last is None or last not in self.missing:
            return
        if any(message.others or not message.results for message in messages[last + 1 :]):
            return
        missing = self.missing.pop(last)
        waiting = {(at, call.id) for at, call in missing if ids is None or call.id in ids}
        if left := [(at, call) for at, call in missing if (at, call.id) not in waiting]:
            self.missing[last] = left
        self.repairs = [
            Repaired(RepairKind.PENDING, r.id, r.at)
            if r.kind is RepairKind.MISSING and (r.at, r.id) in waiting
            else r
            for r in self.repairs
        ]


def _is_assistant(message: Normal) -> bool:
    return message.speaker is Speaker.ASSISTANT


def _plan_by_id(messages: Sequence[Normal]) -> _Plan:
    """Seed 000's phases one and two: collect the ids, compare the sets."""
    plan = _Plan()
    call_at: dict[str, int] = {}
    answered: set[str] = set()
    for i, message in enumerate(messages):
        for c, call in enumerate(message.calls):
            if not call.id or call.id in call_at:
                plan.drop_calls.add((i, c))
                plan.note(RepairKind.DUPLICATE_CALL, call.id, i, call.at)
            else:
                call_at[call.id] = i
    block = -1
    block_of: dict[int, int] = {}
    for i, message in enumerate(messages):
        if _is_assistant(message):
            block = block_of[i] = block if _continues(messages, i, block) else i
        for r, result in enumerate(message.results):
            if result.id not in call_at:
                plan.drop_results.add((i, r))
                plan.note(RepairKind.ORPHAN, result.id, i, result.at)
            elif result.id in answered:
                plan.drop_results.add((i, r))
                plan.note(RepairKind.DUPLICATE_RESULT, result.id, i, result.at)
            else:
                answered.add(result.id)
                if block_of.get(call_at[result.id]) != block:
                    plan.note(RepairKind.DISPLACED, result.id, i)
    for i, message in enumerate(messages):
        for c, call in enumerate(message.calls):
            if (i, c) not in plan.drop_calls and call.id not in answered:
                plan.miss(messages, i, call)
    return plan


def _continues(messages: Sequence[Normal], i: int, block: int) -> bool:
    """Whether an answer written as several messages goes on here, with nothing between."""
    before = messages[i - 1] if i else None
    id = messages[i].answer_id
    return bool(block >= 0 and before and _is_assistant(before) and id and id == before.answer_id)


def _plan_by_place(messages: Sequence[Normal], *, client: bool) -> _Plan:
    """Block by block: an answer, and the messages up to the next one.

    `client` differs in that an answer may be written as several messages, that an id is used up for
    the whole history, and that nothing is moved: what stands between two answers reaches its API as
    one user message.
    """
    plan = _Plan()
    used: set[str] = set()
    answers = _answers(messages, joined=client)
    ends = [*(parts[0] for parts in answers[1:]), len(messages)]
    if ends and (front := range(answers[0][0] if answers else len(messages))):
        _plan_block(plan, messages, front, [], used, moves=not client)
    for parts, end in zip(answers, ends, strict=False):
        block = range(parts[0], end)
        _plan_block(plan, messages, block, parts, used if client else set(), moves=not client)
    return plan


def _answers(messages: Sequence[Normal], *, joined: bool) -> list[list[int]]:
    """The messages of each answer, answers in order of their first one.

    Args:
        messages: The history.
        joined: Whether a message goes on with an earlier one of its id, past results and other
            answers but no further (`claude-code-wire.md` rule 22).
    """
    answers: list[list[int]] = []
    open_answers: dict[str, list[int]] = {}
    for i, message in enumerate(messages):
        if message.speaker is Speaker.USER and not message.results:
            open_answers.clear()
        if not _is_assistant(message):
            continue
        earlier = open_answers.get(message.answer_id)
        if earlier is not None:
            earlier.append(i)
            continue
        answers.append([i])
        if joined and message.answer_id:
            open_answers[message.answer_id] = answers[-1]
    return answers


def _plan_block(
    plan: _Plan,
    messages: Sequence[Normal],
    block: range,
    parts: Sequence[int],
    used: set[str],
    *,
    moves: bool,
) -> None:
    open_calls: dict[str, tuple[int, Call]] = {}
    for part in parts:
        for c, call in enumerate(messages[part].calls):
            if not call.id or call.id in used:
                plan.drop_calls.add((part, c))
                plan.note(RepairKind.DUPLICATE_CALL, call.id, part, call.at)
            else:
                used.add(call.id)
                open_calls[call.id] = part, call
    claimed: set[str] = set()
    adjacent = True
    for i in block:
        message = messages[i]
        for r, result in enumerate(message.results):
            if result.id in open_calls and result.id not in claimed:
                claimed.add(result.id)
                if not adjacent:
                    plan.moved.setdefault(block.start, []).append((i, r))
                    plan.note(RepairKind.DISPLACED, result.id, i)
                continue
            plan.drop_results.add((i, r))
            again = result.id in claimed
            what = RepairKind.DUPLICATE_RESULT if again else RepairKind.ORPHAN
            plan.note(what, result.id, i, result.at)
        if moves and i > block.start and (message.others or message.speaker is Speaker.OTHER):
            adjacent = False
    for part, call in open_calls.values():
        if call.id not in claimed:
            plan.miss(messages, part, call)


def _rebuild(messages: Sequence[Normal], plan: _Plan, text: str) -> list[Normal]:
    """Seed 000's third phase: the history again, with every change in its place."""
    out: list[Normal] = []
    waiting: list[Result] = []
    taken = {place for places in plan.moved.values() for place in places}
    for i, message in enumerate(messages):
        if _is_assistant(message):
            _flush(out, waiting)
            out.append(_without_calls(plan, i, message))
            put_in = _put_in(messages, plan, i, text)
            waiting = [result for result in put_in if result.style is Style.BLOCK]
            out += [_own_message(result) for result in put_in if result.style is not Style.BLOCK]
            continue
        kept = tuple(
            result
            for r, result in enumerate(message.results)
            if (i, r) not in plan.drop_results and (i, r) not in taken
        )
        if message.speaker is Speaker.TOOL and not kept:
            continue
        if message.speaker is Speaker.USER and waiting:
            kept, waiting = (*waiting, *kept), []
        if kept != message.results:
            message = _with_results(plan, i, message, kept)
        out.append(message)
    _flush(out, waiting)
    return out


def _put_in(messages: Sequence[Normal], plan: _Plan, i: int, text: str) -> list[Result]:
    """Results that go next to an answer: moved ones and synthetic ones, in call order."""
    put_in: dict[str, Result] = {}
    for m, r in plan.moved.get(i, ()):
        result = messages[m].results[r]
        put_in[result.id] = msgspec.structs.replace(result, at=-1)
    for _, call in plan.missing.get(i, ()):
        put_in[call.id] = Result(call.id, call.style, -1, (text,), None, is_error=True, synthetic=True)
    own = {call.id: n for n, call in reversed(list(enumerate(messages[i].calls)))}
    # Calls of earlier messages of the same answer come first, as they stand.
    return sorted(put_in.values(), key=lambda result: own.get(result.id, -1))


def _own_message(result: Result) -> Normal:
    changed = result.raw is None
    return Normal(Speaker.TOOL, result.raw, results=(result,), changed=changed)


def _flush(out: list[Normal], waiting: list[Result]) -> None:
    """Results that no user message follows get one of their own."""
    if waiting:
        out.append(Normal(Speaker.USER, None, results=tuple(waiting), changed=True))
        waiting.clear()


def _without_calls(plan: _Plan, i: int, message: Normal) -> Normal:
    calls = tuple(call for c, call in enumerate(message.calls) if (i, c) not in plan.drop_calls)
    if len(calls) == len(message.calls):
        return message
    filler = "" if calls or message.others else NO_CALLS_LEFT
    if filler:
        plan.note(RepairKind.EMPTIED, "", i)
    return msgspec.structs.replace(message, calls=calls, filler=filler, changed=True)


def _with_results(plan: _Plan, i: int, message: Normal, kept: tuple[Result, ...]) -> Normal:
    filler = "" if kept or message.others else NO_CONTENT_LEFT
    if filler:
        plan.note(RepairKind.EMPTIED, "", i)
    return msgspec.structs.replace(message, results=kept, filler=filler, changed=True)
