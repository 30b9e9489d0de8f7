"""A ChatCLI conversation, replayed by ChatCLI's own stages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.model.chatcli import Message
from inspector.model.ledger import Level, State
from inspector.model.policy import CHATCLI, BudgetMode, Pairing, Policy, Stage
from inspector.pipeline.chatcli.archive import Archive
from inspector.pipeline.chatcli.overflow import AssumedSink
from inspector.pipeline.chatcli.run import Carried, RequestRun, run_request
from inspector.pipeline.chatcli.settings import settings_of
from inspector.reading.chatcli_session import load_session, save_session
from inspector.replay.chatcli_timeline import DIRECTORY, ChatcliTimeline
from inspector.replay.conversation import Conversation
from inspector.replay.tracked import made_at
from inspector.replay.view import Event, Repair
from inspector.session import open_session
from inspector.session.chatcli_messages import SessionMessages
from tests.pipeline.chatcli.histories import MESSAGES, answer, later, result, user

SEED_ORDER = (Stage.PAIRING, Stage.BUDGET, Stage.MICROCOMPACT)
SMALL = replace(
    CHATCLI,
    budget=replace(CHATCLI.budget, result_limit=5_500, turn_limit=9_000),
    microcompact=replace(CHATCLI.microcompact, min_content=2_000, head=600, tail=200),
)
"""Limits that short histories reach."""


def replayed(
    folder: Path, history: Sequence[Message], policy: Policy = CHATCLI, *, live: bool = False
) -> ChatcliTimeline:
    path = folder / "trip.json"
    path.write_bytes(save_session(history))
    timeline = open_session(path, policy=policy, live=live).timeline
    assert isinstance(timeline, ChatcliTimeline)
    return timeline


def loop_runs(history: Sequence[Message], policy: Policy) -> list[RequestRun]:
    """The loop fed with the same history, every stage over all of it each time."""
    read = load_session(save_session(history)).chat_history
    starts = [at for at, m in enumerate(read) if m.role == "assistant"]
    runs: list[RequestRun] = []
    stored = read[: starts[0]] if starts else read
    carried = Carried(0, Archive("lossy-with-ccr", 256 * 1024 * 1024))
    turn, goes_on = -1, False
    for appended in [*(read[a:b] for a, b in pairwise([*starts, len(read)])), ()]:
        turn = turn + 1 if goes_on else 0
        run = run_request(stored, turn, settings_of(policy), AssumedSink(DIRECTORY), carried)
        runs.append(run)
        stored, carried = (*run.stored, *appended), run.carried
        feedback = any(m.role == "user" and m.meta and m.meta.agent_feedback for m in appended)
        goes_on = feedback or bool(appended and appended[0].tool_calls)
    return runs


ORDERLY = st.builds(
    lambda n, size: [answer(f"o{n}a", f"o{n}b"), result(f"o{n}a", size), result(f"o{n}b")],
    st.integers(0, 99),
    st.sampled_from([10, 10, 10, 2_100, 6_000, 8_900]),
)
BROKEN = st.builds(lambda message: [message], MESSAGES)
HISTORIES = st.lists(st.one_of(ORDERLY, ORDERLY, BROKEN), min_size=1, max_size=16).map(
    lambda parts: [message for part in parts for message in part]
)
POLICIES = st.builds(
    lambda base, order, pairing: replace(base, order=order, pairing=replace(base.pairing, variant=pairing)),
    st.sampled_from([SMALL, CHATCLI]),
    st.sampled_from([CHATCLI.order, SEED_ORDER]),
    st.sampled_from([Pairing.POSITIONAL, Pairing.GLOBAL]),
)


@settings(max_examples=60, deadline=None)
@given(HISTORIES, POLICIES)
def test_wire_of_every_request_is_what_the_loop_sends(
    tmp_path_factory: pytest.TempPathFactory, history: list[Message], policy: Policy
) -> None:
    timeline = replayed(tmp_path_factory.mktemp("s"), history, policy)
    runs = loop_runs(history, policy)
    assert [timeline.wires.messages(r.n) for r in timeline.requests] == [run.outgoing for run in runs]
    assert [c.cut for c in timeline.counters] == [r.budget.report.results_truncated for r in runs]
    totals = [(r.budget.report.total_original_chars, r.budget.report.total_final_chars) for r in runs]
    assert [(c.original_bytes, c.final_bytes) for c in timeline.counters] == totals


@settings(max_examples=30, deadline=None)
@given(HISTORIES)
def test_repairs_of_a_request_are_those_that_chatcli_counts(
    tmp_path_factory: pytest.TempPathFactory, history: list[Message]
) -> None:
    timeline = replayed(tmp_path_factory.mktemp("s"), history)
    for request, run in zip(timeline.requests, loop_runs(history, CHATCLI), strict=True):
        counted = {what: sum(w is what for w, _ in request.repairs) for what in Repair}
        report = run.pairing.report
        assert counted[Repair.SYNTHETIC] == report.synthetic_results_injected
        assert counted[Repair.ORPHAN] == report.orphan_results_removed
        assert counted[Repair.DUPLICATE] == report.duplicate_tool_use_pruned
        assert counted[Repair.MOVED] == report.results_relocated
        assert counted[Repair.REORDERED] == len(run.pairing.reordered_ids)


@settings(max_examples=20, deadline=None)
@given(HISTORIES, POLICIES)
def test_chars_of_the_rows_are_the_bytes_on_the_wire(
    tmp_path_factory: pytest.TempPathFactory, history: list[Message], policy: Policy
) -> None:
    timeline = replayed(tmp_path_factory.mktemp("s"), history, policy)
    conversation = Conversation(timeline)
    for request in timeline.requests:
        for row in timeline.tracked:
            shown = conversation.result(row.entry.index, request.n)
            content = timeline.content_of(row, request.n) if row.entry.result else None
            made = made_at(row, request.n)
            if shown.wire_chars is not None:
                assert content is not None or made
                assert shown.wire_chars == len(content or b"") + made
            elif shown.level is Level.GONE and shown.chars is not None:
                assert content is None


@settings(max_examples=30, deadline=None)
@given(HISTORIES, POLICIES)
def test_rows_and_turns_hold_all_results_that_are_sent_those_for_unanswered_calls_too(
    tmp_path_factory: pytest.TempPathFactory, history: list[Message], policy: Policy
) -> None:
    timeline = replayed(tmp_path_factory.mktemp("s"), history, policy)
    conversation = Conversation(timeline)
    for request in timeline.requests:
        sent = sum(len(m.content) for m in timeline.wires.messages(request.n) if m.role == "tool")
        rows = [conversation.result(row.entry.index, request.n) for row in timeline.tracked]
        turns = [conversation.turn(t, request.n) for t in range(1, conversation.turn_count(request.n) + 1)]
        assert sum(row.wire_chars or 0 for row in rows) == sent
        assert sum(turn.wire_chars for turn in turns) == sent


def test_one_record_at_a_time_gives_the_same_requests(tmp_path: Path) -> None:
    history = [user(), answer("a"), result("a", 30_000), *later(6), answer("x"), answer("y")]
    path = tmp_path / "s.json"
    path.write_bytes(save_session(history))
    session = open_session(path)
    whole = session.timeline
    stepwise = ChatcliTimeline(CHATCLI, SessionMessages(session, ""))
    for record in session.records():
        stepwise.extend([record])
    assert stepwise.requests == whole.requests
    assert [r.spans for r in stepwise.tracked] == [r.spans for r in whole.tracked]


def test_large_result_is_replaced_anew_in_each_request_and_breaks_the_prefix(tmp_path: Path) -> None:
    timeline = replayed(tmp_path, [user(), answer("a"), result("a", 30_000), *later(3)])
    spans = timeline.tracked[0].spans
    assert [(s.start, s.state, s.level) for s in spans] == [
        (2, State.REPLACED, Level.PREVIEW),
        (3, State.REPLACED, Level.PREVIEW),
        (4, State.PENDING, Level.TRUNCATED),
    ]
    shown = Conversation(timeline).result(0, 3)
    assert (shown.decided_now, shown.state) == (True, State.REPLACED)
    assert "decides again" in shown.sentence
    third, fourth = timeline.requests[2], timeline.requests[3]
    assert third.break_ is not None and fourth.break_ is not None
    assert (third.break_.cause, third.break_.planned, third.break_.tool_use_id) == (
        "unstable preview",
        False,
        "a",
    )
    assert (fourth.break_.cause, fourth.break_.planned) == ("ageing", True)
    assert fourth.events & Event.PLANNED_BREAK


def test_seed_order_keeps_the_first_preview_and_the_prefix(tmp_path: Path) -> None:
    policy = replace(CHATCLI, order=SEED_ORDER)
    timeline = replayed(tmp_path, [user(), answer("a"), result("a", 30_000), *later(1)], policy)
    states = [(s.start, s.state) for s in timeline.tracked[0].spans]
    assert states == [(2, State.REPLACED), (3, State.MUST_REAPPLY)]
    assert timeline.requests[2].break_ is None


def test_global_pairing_tells_its_repair_once_and_repairs_each_request(tmp_path: Path) -> None:
    policy = replace(CHATCLI, pairing=replace(CHATCLI.pairing, variant=Pairing.GLOBAL))
    timeline = replayed(tmp_path, [user(), answer("a"), *later(2)], policy)
    assert [[*r.repairs] for r in timeline.requests] == [[], [(Repair.SYNTHETIC, "a")], [], []]
    assert all(len(timeline.wires.messages(n)) == 2 * n - 1 for n in (2, 3, 4))


def test_loop_turn_restarts_after_an_answer_without_calls(tmp_path: Path) -> None:
    history = [user(), answer("a"), result("a"), answer(text="done"), user(), answer("b"), result("b")]
    assert [r.loop_turn for r in replayed(tmp_path, history).requests] == [0, 1, 0, 1]


def test_loop_turn_goes_on_where_tool_output_came_in_text_mode(tmp_path: Path) -> None:
    history = [user(), answer(text="<tool_call/>"), user("<tool_output>x</tool_output>"), answer(text="ok")]
    assert [r.loop_turn for r in replayed(tmp_path, history).requests] == [0, 1, 0]


def test_call_of_a_session_that_is_written_is_pending_not_repaired(tmp_path: Path) -> None:
    history = [user(), answer("a")]
    live = replayed(tmp_path, history, live=True)
    assert not live.requests[-1].repairs
    assert Conversation(live).result(0, 2).pairing is Repair.PENDING
    assert len(live.wires.messages(2)) == 2
    assert replayed(tmp_path, history).requests[-1].repairs == [(Repair.SYNTHETIC, "a")]


def test_budget_that_is_off_leaves_the_wire_alone(tmp_path: Path) -> None:
    policy = replace(CHATCLI, budget=replace(CHATCLI.budget, mode=BudgetMode.OFF))
    timeline = replayed(tmp_path, [user(), answer("a"), result("a", 250_000)], policy)
    assert len(timeline.wires.messages(2)[-1].content) == 250_000
    assert timeline.requests[1].over_by == 50_000


def test_what_if_changes_the_limits_of_the_real_stages(tmp_path: Path) -> None:
    history = [user(), answer("a"), result("a", 6_000)]
    assert not replayed(tmp_path, history).requests[1].groups[0].replaced
    changed = CHATCLI.with_field("budget.result_limit", 5_999)
    assert replayed(tmp_path, history, changed).requests[1].groups[0].replaced == ("a",)


def test_cap_at_return_is_a_what_if_and_spares_errors(tmp_path: Path) -> None:
    history = [user(), answer("a", "b"), result("a", 31_000), result("b", 31_000, is_error=True)]
    asked = CHATCLI.with_field("dispatch.enabled", True).with_field("budget.result_limit", 40_000)
    sizes = [len(m.content) for m in replayed(tmp_path, history, asked).wires.messages(2)[2:]]
    assert sizes[0] == 5_000 + len("\n\n... [TRUNCATED 25000 chars omitted, 6000 kept] ...\n\n") + 1_000
    assert sizes[1] == 31_000
