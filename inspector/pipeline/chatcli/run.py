"""One request of the agent loop: the stages in order. Nothing else here knows the order (§8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.model.chatcli import Message, Order, Settings
from inspector.model.policy import Pairing
from inspector.pipeline.chatcli.archive import Archive
from inspector.pipeline.chatcli.budget import BudgetRun, enforce_budget
from inspector.pipeline.chatcli.microcompact import MicrocompactRun, apply_microcompact
from inspector.pipeline.chatcli.overflow import OverflowSink
from inspector.pipeline.chatcli.pairing import PairingRun, repair_pairing
from inspector.pipeline.chatcli.pairing_global import repair_pairing_globally


@dataclass(frozen=True, slots=True)
class Carried:
    """What outlives a request besides the history."""

    counter: int = 0
    """Last overflow file number taken in this process."""
    archive: Archive | None = None
    """The compression layer, or None where there is none."""


@dataclass(frozen=True, slots=True)
class RequestRun:
    """What the pipeline did for one request."""

    turn: int
    """Turn of the agent loop, from 0."""
    settings: Settings
    given: tuple[Message, ...]
    """The stored history as it came in."""
    stored: tuple[Message, ...]
    """The stored history afterwards; the next answer is appended to it."""
    outgoing: tuple[Message, ...]
    """The wire."""
    pairing: PairingRun
    budget: BudgetRun
    microcompact: MicrocompactRun
    carried: Carried


def run_request(
    messages: Sequence[Message],
    turn: int,
    settings: Settings,
    sink: OverflowSink,
    carried: Carried = Carried(),
    anchor: Message | None = None,
) -> RequestRun:
    """Run the stages for one request.

    Args:
        messages: The stored history; left as it is.
        turn: Turn of the agent loop, from 0.
        settings: Limits and order.
        sink: Where full texts go.
        carried: Counter and archive as the request before left them.
        anchor: The reminder that the loop puts at the end of the outgoing copy (loop order only).

    Returns:
        What was done. In seed order the wire is the stored history itself. The older pairing repairs
        the outgoing copy in loop order, so its repairs come back in every request (§8, History).
    """
    given = tuple(messages)
    older = settings.pairing is Pairing.GLOBAL
    repair = repair_pairing_globally if older else repair_pairing
    if settings.order is Order.LOOP:
        aged = apply_microcompact(given, turn, settings.ageing, carried.archive)
        paired = repair(aged.messages)
        copy = paired.messages if anchor is None else (*paired.messages, anchor)
        budget = enforce_budget(copy, settings.budget, sink, carried.counter)
        stored, outgoing = aged.messages if older else paired.messages, budget.messages
    else:
        paired = repair(given)
        budget = enforce_budget(paired.messages, settings.budget, sink, carried.counter)
        aged = apply_microcompact(budget.messages, turn, settings.ageing, carried.archive)
        stored = outgoing = aged.messages
    after = Carried(budget.counter, aged.archive)
    return RequestRun(turn, settings, given, stored, outgoing, paired, budget, aged, after)


def run_loop(
    messages: Sequence[Message],
    appends: Sequence[Sequence[Message]],
    settings: Settings,
    sink: OverflowSink,
    carried: Carried = Carried(),
    anchor: Message | None = None,
) -> list[RequestRun]:
    """Run a whole agent loop: one request, then what it brought, and so on.

    Args:
        messages: The history at the start.
        appends: For each request what is appended after it: the answer and its results.
        settings: Limits and order.
        sink: Where full texts go.
        carried: Counter and archive at the start.
        anchor: As for `run_request`.

    Returns:
        One run for each entry of `appends`.
    """
    runs: list[RequestRun] = []
    stored = tuple(messages)
    for turn, appended in enumerate(appends):
        run = run_request(stored, turn, settings, sink, carried, anchor)
        runs.append(run)
        stored = (*run.stored, *appended)
        carried = run.carried
    return runs
