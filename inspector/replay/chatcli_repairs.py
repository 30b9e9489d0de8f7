"""What one run of ChatCLI's pairing did, message by message: whose result or call, and what became of it.

ChatCLI's own report lists ids; a row needs the very message, because an id can stand in several.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from inspector.model.chatcli import Message, ToolCall
from inspector.replay.chatcli_fold import MADE, Ran, Ref
from inspector.replay.view import Repair


class Told(NamedTuple):
    """One repair."""

    repair: Repair
    ref: Ref
    """The result; for a call (synthetic, duplicate, pending) the answer that holds it."""
    tool_use_id: str


def held_back(ran: Ran, waiting_ids: Container[str], *, all_wait: bool) -> frozenset[int]:
    """Places of synthetic results that are not due yet, because the call still runs.

    Args:
        ran: The run of the pending request.
        waiting_ids: Calls that are known to run.
        all_wait: Every open call of the last answer does (the session is being written).
    """
    outgoing = ran.run.outgoing
    last = max((at for at, m in enumerate(outgoing) if m.role == "assistant"), default=len(outgoing))
    return frozenset(
        at
        for at in range(last, len(outgoing))
        if ran.run.pairing.origins[at] is None and (all_wait or outgoing[at].tool_call_id in waiting_ids)
    )


def repairs_of(ran: Ran, held: Container[int]) -> Iterator[Told]:
    """Every repair of a run: synthetic, removed, pruned, moved, and reordered without being counted.

    Args:
        ran: The run.
        held: Places of synthetic results that are not due yet; told as pending.
    """
    pairing = ran.run.pairing
    caller = MADE
    for at, (ref, origin) in enumerate(zip(ran.refs, pairing.origins, strict=True)):
        message = ran.run.outgoing[at]
        if message.role == "assistant":
            caller = ref
        elif origin is None:
            what = Repair.PENDING if at in held else Repair.SYNTHETIC
            yield Told(what, caller, message.tool_call_id)
    kept = {origin for origin in pairing.origins if origin is not None}
    for at, ref in enumerate(ran.given):
        if at not in kept:
            yield Told(Repair.ORPHAN, ref, ran.run.given[at].tool_call_id)
    yield from _pruned(ran)
    yield from _moved(ran)


def made_of(ran: Ran, held: Container[int]) -> dict[tuple[Ref, str], int]:
    """Results that pairing made, now or in an earlier run, as far as their turns are not settled.

    Args:
        ran: The run.
        held: Places of synthetic results that are not due yet.

    Returns:
        The answer that calls and the id of the call → size of what is sent for it, in bytes.
    """
    made: dict[tuple[Ref, str], int] = {}
    caller = MADE
    for at, (ref, message) in enumerate(zip(ran.refs, ran.run.outgoing, strict=True)):
        if message.role == "assistant":
            caller = ref
        elif message.role == "tool" and ref == MADE and at not in held:
            key = caller, message.tool_call_id
            made[key] = made.get(key, 0) + len(message.content)
    return made


def _pruned(ran: Ran) -> Iterator[Told]:
    for at, origin in enumerate(ran.run.pairing.origins):
        if origin is None or not (calls := ran.run.given[origin].tool_calls):
            continue
        for call in _without(calls, list(ran.run.outgoing[at].tool_calls)):
            yield Told(Repair.DUPLICATE, ran.refs[at], call.id)


def _without(calls: tuple[ToolCall, ...], left: list[ToolCall]) -> Iterator[ToolCall]:
    """Calls that pruning took out, in order."""
    for call in calls:
        if left and left[0] is call:
            left.pop(0)
        else:
            yield call


def _moved(ran: Ran) -> Iterator[Told]:
    pairing = ran.run.pairing
    if not pairing.relocated_ids and not pairing.reordered_ids:
        return
    newest = -1
    for ref, message, origin in zip(ran.refs, ran.run.outgoing, pairing.origins, strict=True):
        if origin is None:
            continue
        if message.role == "tool" and _was_displaced(ran.run.given, origin):
            yield Told(Repair.MOVED, ref, message.tool_call_id)
        elif message.role == "tool" and origin < newest:
            yield Told(Repair.REORDERED, ref, message.tool_call_id)
        newest = origin if message.role == "assistant" else max(newest, origin)


def _was_displaced(given: tuple[Message, ...], origin: int) -> bool:
    """Whether a message of another role stands between a result and the answer in front of it."""
    for at in range(origin - 1, -1, -1):
        if given[at].role != "tool":
            return given[at].role != "assistant"
    return True
