"""All stages in order: what must hold of every wire and between two consecutive ones."""

import copy
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from inspector.model.ledger import Level, State
from inspector.model.overflow import Kept
from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, Pairing, Policy, Stage
from inspector.pipeline.archive import key_of
from inspector.pipeline.conversation import Normal, normalise, write_back
from inspector.pipeline.ledger import EMPTY, Ledger, placed
from inspector.pipeline.pairing import MISSING
from inspector.pipeline.stages import Outcome, run
from tests.pipeline.histories import GROWN, SOUND, Grown, text_of

TIGHT = replace(DOCUMENTED, budget=replace(DOCUMENTED.budget, turn_limit=60_000))
CLIENT = replace(CLAUDE_CODE, budget=replace(CLAUDE_CODE.budget, turn_limit=60_000))
POLICIES = st.sampled_from(
    [
        DOCUMENTED,
        TIGHT,
        CLIENT,
        DOCUMENTED.with_field("pairing.variant", Pairing.POSITIONAL),
        replace(TIGHT, archive=True),
        replace(CLIENT, microcompact=DOCUMENTED.microcompact),
        replace(TIGHT, order=(Stage.BUDGET, Stage.PAIRING, Stage.MICROCOMPACT)),
    ]
)


class Shelf:
    """An overflow port in memory."""

    def __init__(self, error: str = "") -> None:
        self.error = error
        self.texts: dict[str, str] = {}

    def path_for(self, result_id: str, extension: str) -> str:
        return f"/shelf/{result_id}.{extension}"

    def keep(self, result_id: str, text: str, extension: str) -> Kept:
        if self.error:
            return Kept("", self.error)
        path = self.path_for(result_id, extension)
        self.texts.setdefault(path, text)
        return Kept(path)

    def archive(self, key: str, text: str) -> Kept:
        return self.keep(key, text, "ccr")


def requests(grown: Grown, policy: Policy) -> list[Outcome]:
    ledger, shelf, out = EMPTY, Shelf(), []
    for history in grown.histories():
        outcome = run(normalise(history), ledger, policy, shelf)
        ledger = outcome.ledger
        out.append(outcome)
    return out


def texts_on(wire: tuple[Normal, ...]) -> dict[Any, str]:
    return {
        place.key: place.result.text if place.result.edited is None else place.result.edited
        for place in placed(wire)
    }


def turn(*sizes: int, tool: str = "Grep", at: int = 0) -> list[Any]:
    ids = [f"t{at}_{n}" for n in range(len(sizes))]
    return [
        {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": tool} for id in ids]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": id, "content": text_of(size, n)}
                for n, (id, size) in enumerate(zip(ids, sizes, strict=True))
            ],
        },
    ]


def test_order_of_the_stages_is_the_policys() -> None:
    lone = [
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "y" * 90_000}]}
    ]
    first = run(normalise(lone), EMPTY, DOCUMENTED, pairing_first := Shelf())
    assert (first.messages[0].results, pairing_first.texts) == ((), {})
    budget_first = Shelf()
    run(normalise(lone), EMPTY, CLIENT, budget_first)
    assert list(budget_first.texts) == ["/shelf/x.txt"]


def test_a_replaced_result_reads_the_same_in_every_later_request_until_it_ages() -> None:
    history = turn(30_000)
    first = run(normalise(history), EMPTY, DOCUMENTED, Shelf())
    preview = first.messages[1].results[0].edited
    assert preview is not None
    assert "chars omitted — full output saved to /shelf/t0_0.txt]" in preview
    history += turn(10, at=1)
    second = run(normalise(history), first.ledger, DOCUMENTED, Shelf("the disk is gone"))
    assert second.messages[1].results[0].edited == preview
    assert second.replaced == ()


def test_a_result_that_was_sent_in_full_is_never_replaced_later() -> None:
    limit = replace(CLIENT, budget=replace(CLIENT.budget, turn_limit=50_000))
    ask, give = turn(30_000, 29_000)
    early = {**give, "content": give["content"][:1]}
    first = run(normalise([ask, early]), EMPTY, limit, Shelf())
    second = run(normalise([ask, give]), first.ledger, limit, Shelf())
    assert second.ledger.entries["t0_0", 0].state is State.FROZEN
    assert second.ledger.entries["t0_1", 0].state is State.REPLACED
    assert second.report.groups[0].frozen_total == 30_000


def test_a_failed_write_keeps_the_text_freezes_it_and_is_reported() -> None:
    history = turn(30_000)
    first = run(normalise(history), EMPTY, DOCUMENTED, Shelf("no space left"))
    assert first.messages[1].results[0].edited is None
    assert [(f.id, f.error) for f in first.report.failures] == [("t0_0", "no space left")]
    assert first.report.groups[0].failed == ("t0_0",)
    second = run(normalise(history), first.ledger, DOCUMENTED, Shelf())
    assert second.messages[1].results[0].edited is None


def test_read_is_skipped_by_the_client_and_counts_once_it_was_sent() -> None:
    reads = turn(70_000, tool="Read")
    first = run(normalise(reads), EMPTY, CLIENT, Shelf())
    assert (first.report.groups[0].skipped, first.report.groups[0].over) == (("t0_0",), False)
    more = [
        *reads,
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "x"}]},
    ]
    second = run(normalise(more), first.ledger, CLIENT, Shelf())
    assert second.report.groups[0].frozen_total == 70_000
    assert second.report.groups[0].accepted


def test_a_list_of_texts_is_stored_as_json_by_the_client_and_as_text_by_the_seed() -> None:
    ask, give = turn(70_000)
    block = give["content"][0]
    block["content"] = [{"type": "text", "text": block["content"]}]
    for policy, path in ((CLIENT, "/shelf/t0_0.json"), (DOCUMENTED, "/shelf/t0_0.txt")):
        shelf = Shelf()
        run(normalise([ask, give]), EMPTY, policy, shelf)
        assert list(shelf.texts) == [path]


def test_ages_count_answers_and_a_summary_tells_of_the_full_text() -> None:
    history = turn(60_000)
    levels, ledger = [], EMPTY
    for n in range(1, 6):
        outcome = run(normalise(history), ledger, DOCUMENTED, Shelf())
        ledger = outcome.ledger
        aged = ledger.aged.get(("t0_0", 0))
        levels.append(aged.level if aged else Level.FULL)
        history += [{"role": "assistant", "content": f"step {n}"}, {"role": "user", "content": "go on"}]
    assert levels == [Level.FULL, Level.FULL, Level.TRUNCATED, Level.TRUNCATED, Level.SUMMARIZED]
    stub = outcome.messages[1].results[0].edited
    assert stub is not None
    assert stub.startswith("[Old tool result cleared — 1225 lines, 60K chars, text]")
    assert stub.endswith("\n[full output saved to /shelf/t0_0.txt]")


def test_an_answer_written_as_several_messages_ages_results_by_one() -> None:
    history = turn(6_000)
    history += [
        {"role": "assistant", "id": "same", "content": "a"},
        {"role": "assistant", "id": "same", "content": "b"},
    ]
    outcome = run(normalise(history), EMPTY, DOCUMENTED, Shelf())
    assert outcome.ledger.aged == {}


def test_the_archive_marker_leads_to_the_original_at_both_levels() -> None:
    policy, shelf, history = replace(DOCUMENTED, archive=True), Shelf(), turn(6_000)
    original = history[1]["content"][0]["content"]
    ledger = EMPTY
    for n in range(5):
        outcome = run(normalise(history), ledger, policy, shelf)
        ledger = outcome.ledger
        stub = outcome.messages[1].results[0].edited
        assert stub is None if n < 2 else stub and stub.endswith(f"@recall <<ccr:{key_of(original)}>>]")
        history += [{"role": "assistant", "content": "step"}, {"role": "user", "content": "go on"}]
    assert shelf.texts[f"/shelf/{key_of(original)}.ccr"] == original


def test_a_late_result_takes_the_place_of_a_sent_synthetic_and_is_named() -> None:
    ask, give = turn(30_000)
    asked = [ask, {"role": "user", "content": "and?"}]
    first = run(normalise(asked), EMPTY, DOCUMENTED, Shelf())
    assert first.messages[1].results[0].texts == (MISSING,)
    second = run(normalise([*asked, give]), first.ledger, DOCUMENTED, Shelf())
    assert second.report.late == ("t0_0",)
    assert second.ledger.entries["t0_0", 0].state is State.REPLACED


@pytest.mark.parametrize("mode", ["off"])
def test_a_budget_that_is_off_decides_nothing(mode: str) -> None:
    policy = DOCUMENTED.with_field("budget.mode", type(DOCUMENTED.budget.mode)(mode))
    outcome = run(normalise(turn(90_000)), EMPTY, policy, Shelf())
    assert (outcome.ledger.entries, outcome.report.groups) == ({}, ())


@given(GROWN, POLICIES)
def test_the_same_request_twice_gives_the_same_wire_and_decides_nothing_new(
    grown: Grown, policy: Policy
) -> None:
    ledger: Ledger = EMPTY
    for history in grown.histories():
        once = run(normalise(history), ledger, policy, Shelf())
        again = run(normalise(history), once.ledger, policy, Shelf("must not be written"))
        assert write_back(again.messages) == write_back(once.messages)
        assert (again.replaced, again.ledger) == ((), once.ledger)
        told = again.report
        assert not (told.new_repairs or told.aged or told.late or told.failures)
        assert not any(group.replace or group.accepted for group in told.groups)
        ledger = once.ledger


@given(GROWN, POLICIES)
def test_inputs_are_not_mutated(grown: Grown, policy: Policy) -> None:
    before = copy.deepcopy(grown.messages)
    requests(grown, policy)
    assert grown.messages == before


@given(GROWN, POLICIES)
def test_groups_fit_or_the_report_says_that_they_do_not(grown: Grown, policy: Policy) -> None:
    for outcome in requests(grown, policy):
        for group in outcome.report.groups:
            assert group.accepted == (group.remaining > group.limit)


@given(GROWN, POLICIES)
def test_a_frozen_text_changes_only_by_ageing(grown: Grown, policy: Policy) -> None:
    sources: dict[Any, str] = {}
    for outcome in requests(grown, policy):
        aged = {key for key, value in outcome.ledger.aged.items() if value.text}
        for place in placed(outcome.messages):
            entry = outcome.ledger.entries.get(place.key)
            if entry is None or entry.state is not State.FROZEN or place.key in aged:
                continue
            text = texts_on(outcome.messages)[place.key]
            assert sources.setdefault(place.key, text) == text


@given(SOUND, POLICIES)
def test_each_wire_is_a_prefix_of_the_next_but_for_ageing(grown: Grown, policy: Policy) -> None:
    outcomes = requests(grown, policy)
    for earlier, later in pairwise(outcomes):
        aged_now = {aged.id for aged in later.report.aged}
        before, after = write_back(earlier.messages), write_back(later.messages)
        for m, (old, new) in enumerate(zip(before, after, strict=False)):
            if old != new:
                assert {result.id for result in later.messages[m].results} & aged_now
        texts, next_texts = texts_on(earlier.messages), texts_on(later.messages)
        changed = {key[0] for key, text in texts.items() if next_texts[key] != text}
        assert changed == aged_now & {key[0] for key in texts}


def ids_in(message: Any) -> set[str]:
    blocks = message["content"] if isinstance(message.get("content"), list) else []
    ids = {block["tool_use_id"] for block in blocks if block.get("type") == "tool_result"}
    return ids | {message.get("tool_call_id", "")}


@given(GROWN, POLICIES)
def test_a_damaged_history_breaks_its_prefix_only_by_ageing_or_a_late_result(
    grown: Grown, policy: Policy
) -> None:
    for earlier, later in pairwise(requests(grown, policy)):
        named = {aged.id for aged in later.report.aged} | set(later.report.late)
        before, after = write_back(earlier.messages), write_back(later.messages)
        differing = next((pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]), None)
        if differing:
            assert (ids_in(differing[0]) | ids_in(differing[1])) & named


def test_previews_in_force_count_when_a_group_grows() -> None:
    policy = replace(DOCUMENTED, budget=replace(DOCUMENTED.budget, turn_limit=20_000))
    ask, give = turn(30_000, 15_500)
    early = {**give, "content": give["content"][:1]}
    first = run(normalise([ask, early]), EMPTY, policy, Shelf())
    assert first.report.groups[0].remaining > 4_600
    second = run(normalise([ask, give]), first.ledger, policy, Shelf())
    assert second.report.groups[0].replace == ("t0_1",)


def test_a_text_that_ageing_would_not_shorten_is_left() -> None:
    settings = replace(DOCUMENTED.microcompact, min_content=100)
    policy = replace(DOCUMENTED, microcompact=settings, archive=True)
    history = turn(110) + [{"role": "assistant", "content": "step"}] * 4
    outcome = run(normalise(history), EMPTY, policy, Shelf())
    assert write_back(outcome.messages) == history
    assert outcome.report.aged == ()
