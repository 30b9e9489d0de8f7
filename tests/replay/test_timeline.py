"""The fold: requests, states, lifelines, repairs and sizes."""

from __future__ import annotations

import json

import pytest

from inspector.model.ledger import Level, State
from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, Policy
from inspector.replay.timeline import Timeline
from inspector.replay.view import Repair
from tests.builders import LEDGER, Transcript, call, image, persisted_text, result, text, tokens


def states(timeline: Timeline) -> dict[str, State]:
    return {row.entry.id: row.state for row in timeline.tracked}


def big_group(*sizes: int, tool: str = "Bash") -> Transcript:
    """One answer with parallel calls `r0`, `r1` … whose results have these sizes, then an answer."""
    script = Transcript()
    script.prompt()
    script.answer("m1", *(call(f"r{n}", tool) for n in range(len(sizes))))
    for n, size in enumerate(sizes):
        script.result(f"r{n}", "x" * size)
    script.answer("m2", text())
    return script


def test_request_is_one_for_each_pair_of_ids_and_one_pending() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", text(), requestId="q1")
    script.answer("m1", call("a"), requestId="q1")
    script.result("a")
    script.answer("m1", text(), requestId="q2")
    timeline = script.timeline()
    assert [(r.message_id, r.request_ref, r.pending) for r in timeline.requests] == [
        ("m1", "q1", False), ("m1", "q2", False), ("", "", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("references", "requests"),
    [
        (["q1", None, None], ["q1"]),
        ([None, "q1", None], ["q1"]),
        ([None, None, None], [""]),
        ([None, "q1", "q2"], ["q1", "q2"]),
        (["q1", "q2", None], ["q1", "q2"]),
    ],
)
def test_record_that_names_no_request_belongs_to_the_one_of_its_message(
    references: list[str | None], requests: list[str]
) -> None:
    script = Transcript()
    script.prompt()
    for n, reference in enumerate(references):
        named = {} if reference is None else {"requestId": reference}
        script.answer("m1", call(f"t{n}"), usage=tokens(100, output=n), **named)
        script.result(f"t{n}")
    answered = script.timeline().requests[:-1]
    assert [r.request_ref for r in answered] == requests
    assert answered[-1].usage is not None
    assert answered[-1].usage.output == 2


def test_last_usage_of_an_answer_counts() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", text(), usage=tokens(100, output=1))
    script.answer("m1", text(), usage=tokens(100, output=159))
    usage = script.timeline().requests[0].usage
    assert usage is not None
    assert usage.output == 159


def test_largest_fresh_results_are_replaced_until_the_group_fits() -> None:
    timeline = big_group(90_000, 120_000, 60_000).timeline()
    assert states(timeline) == {"r0": State.FROZEN, "r1": State.REPLACED, "r2": State.FROZEN}
    (group,) = timeline.requests[1].groups
    assert (group.decision.total, group.decision.remaining) == (270_000, 150_000)
    assert timeline.requests[1].over_by == 70_000


def test_sum_equal_to_the_limit_is_not_over() -> None:
    assert set(states(big_group(100_000, 100_000).timeline()).values()) == {State.FROZEN}


def test_frozen_results_alone_over_the_limit_are_accepted() -> None:
    script = big_group(90_000, 110_000)
    script.answer("m1", call("late"))
    script.answer("m3", text())
    script.lines, late = script.lines[:-2], script.lines[-2:]
    script.lines.append(late[0])
    timeline = script.timeline()
    assert states(timeline)["r0"] is State.FROZEN
    assert all(not g.decision.accepted for r in timeline.requests for g in r.groups)


def test_skipped_tool_counts_only_once_it_was_sent() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("read", "Read"), call("wc"), requestId="q1")
    script.result("read", "x" * 150_000)
    script.result("wc", "x" * 60_000)
    script.answer("m1", call("more"), requestId="q2")
    script.result("more", "x" * 30_000)
    timeline = script.timeline()
    assert states(timeline) == {"read": State.SKIPPED, "wc": State.FROZEN, "more": State.REPLACED}
    assert timeline.requests[1].groups[0].decision.total == 60_000
    assert timeline.requests[2].groups[0].frozen_total == 210_000


@pytest.mark.parametrize("again", [40_000, 160_000])
def test_further_result_of_a_skipped_tool_is_skipped_too(again: int) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("read", "Read"), call("wc"))
    script.result("read", "x" * 50_000)
    script.result("wc", "x" * 60_000)
    script.result("read", "y" * again)
    timeline = script.timeline()
    assert [(row.entry.tool, row.state) for row in timeline.tracked] == [
        ("Read", State.SKIPPED), ("Bash", State.FROZEN), ("Read", State.SKIPPED),
    ]  # fmt: skip
    assert timeline.requests[-1].groups[0].decision.total == 60_000


@pytest.mark.parametrize(("policy", "replaced"), [(DOCUMENTED, True), (LEDGER, False)])
def test_previews_of_earlier_requests_count_in_the_documented_budget(
    policy: Policy, *, replaced: bool
) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("first"), requestId="q1")
    script.result("first", "x" * (300_000 if policy is LEDGER else 30_000))
    script.answer("m1", *(call(f"r{n}") for n in range(10)), requestId="q2")
    for n in range(10):
        script.result(f"r{n}", "x" * 19_600)
    timeline = script.timeline(policy)
    found = states(timeline)
    assert found.pop("first") is State.REPLACED
    assert [state is State.REPLACED for state in found.values()] == [replaced, *[False] * 9]
    (group,) = timeline.requests[2].groups
    assert (group.frozen_total, group.decision.total) == (0, 196_000)


def test_image_nothing_and_saved_text_are_no_candidates() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("shot"), call("none"), call("saved"), call("null"))
    script.results(result("shot", [image("iVBORw0KGgo=")]), result("none", ""))
    script.results(result("saved", persisted_text("/x/tool-results/saved.txt")), result("null", None))
    timeline = script.timeline()
    assert set(states(timeline).values()) == {State.NOT_CANDIDATE}
    assert all(not r.groups for r in timeline.requests)


@pytest.mark.parametrize("entrypoint", ["sdk-cli", "sdk-ts"])
def test_stored_replacement_is_on_the_wire_only_of_a_screen(entrypoint: str) -> None:
    script = big_group(150_000, 100_000)
    script.replaced(("r0", "small"))
    script.prompt()
    script.answer("m3", text())
    screen = script.timeline(CLAUDE_CODE)
    assert screen.tracked[0].level is Level.PREVIEW
    assert screen.tracked[0].chars == len("small")
    script.common["entrypoint"] = entrypoint
    script.prompt()
    script.answer("m4", text())
    printed = script.timeline(CLAUDE_CODE)
    assert printed.tracked[0].level is Level.FULL
    assert printed.unreplaced == [(4, ["r0"])]


def test_a_copy_of_an_older_line_does_not_tell_the_mode_again() -> None:
    script = big_group(150_000, 100_000)
    script.common["entrypoint"] = "sdk-cli"
    printed = script.prompt()
    script.common["entrypoint"] = "cli"
    script.answer("m3", text())
    script.line(next(line for line in script.lines if json.loads(line)["uuid"] == printed))
    assert script.timeline(CLAUDE_CODE).screen


def test_compaction_takes_older_results_off_the_wire() -> None:
    script = big_group(1_000)
    script.compacted()
    script.answer("m3", text())
    timeline = script.timeline()
    assert [(s.start, s.level) for s in timeline.tracked[0].spans] == [(2, Level.FULL), (3, Level.GONE)]
    broken = timeline.requests[2].break_
    assert broken is not None
    assert broken.cause == "compaction"


def test_recorded_clearing_clears() -> None:
    script = big_group(5_000)
    script.cleared("r0")
    script.prompt()
    timeline = script.timeline()
    assert timeline.tracked[0].level is Level.CLEARED


@pytest.mark.parametrize("policy", [LEDGER, DOCUMENTED], ids=lambda p: p.name)
def test_call_at_a_live_end_waits_until_something_but_results_follows(policy: Policy) -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), call("b"))
    script.result("a")
    live = script.timeline(policy, live=True)
    assert live.pending_ids() == ["b"]
    assert all(what is Repair.PENDING for row in live.tracked for _, what in row.repairs)
    script.prompt("never mind")
    later = script.timeline(policy, live=True)
    assert later.pending_ids() == []
    assert Repair.PENDING not in {what for row in later.tracked for _, what in row.repairs}


def test_late_result_takes_the_place_of_a_synthetic_one_and_breaks_the_prefix() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    script.prompt("go on")
    script.answer("m2", text())
    script.result("a", "late")
    script.answer("m3", text())
    timeline = script.timeline(DOCUMENTED)
    assert timeline.tracked[0].repairs == [(2, Repair.SYNTHETIC), (3, Repair.OK)]
    broken = timeline.requests[2].break_
    assert broken is not None
    assert broken.cause == "late result"


def test_pending_request_knows_every_row_of_a_thread_beside_others() -> None:
    script = Transcript()
    script.prompt()
    script.answer("s1", text(), isSidechain=True, agentId="agent-1")
    script.answer("s2", text(), isSidechain=True, agentId="agent-1")
    script.answer("m1", call("a"), parent="u1")
    script.result("a")
    timeline = Timeline(LEDGER)
    timeline.extend(r for r in script.records if not r.thread)
    assert timeline.requests[-1].first_record > timeline.tracked[0].entry.call_record.index  # type: ignore[union-attr]


def test_source_without_parents_counts_all_in_front_of_an_answer() -> None:
    script = Transcript()
    script.prompt("hello")
    script.answer("m1", text("well"))
    script.prompt("more")
    timeline = Timeline(DOCUMENTED, linear=True)
    timeline.extend(script.records)
    assert [r.wire_chars for r in timeline.requests] == [5, 13]


def test_aged_preview_names_its_file_again() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a", "Grep"))
    script.result("a", "x" * 30_000)
    for n in range(2, 5):
        script.answer(f"m{n}", text())
        script.prompt()
    timeline = script.timeline(DOCUMENTED)
    aged = timeline.tracked[0]
    assert [s.level for s in aged.spans] == [Level.PREVIEW, Level.TRUNCATED]
    assert aged.chars > 2_500 + len("tool-results/budget_a_1.txt")


def test_results_that_pairing_took_out_do_not_count_in_the_documented_budget() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"))
    script.results(result("a", "x" * 5_000), result("nobody", "x" * 19_000))
    (group,) = script.timeline(DOCUMENTED).requests[-1].groups
    assert (group.ids, group.decision.total) == (("a",), 5_000)
    (client,) = script.timeline(LEDGER).requests[-1].groups
    assert client.ids == ("a", "nobody")


def test_late_result_ends_the_clients_repair() -> None:
    script = Transcript()
    script.prompt()
    tip = script.answer("m1", call("a"))
    script.prompt("go on")
    script.answer("m2", text())
    script.result("a", "late", parent=tip)
    script.prompt("and now", parent="u4")
    script.answer("m3", text())
    (row,) = script.timeline().tracked
    assert row.repairs[0] in ((2, Repair.DROPPED), (2, Repair.SYNTHETIC))
    assert row.repairs[-1] == (3, Repair.OK)
    assert row.level is Level.FULL
