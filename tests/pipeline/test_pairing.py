"""Pairing repair: each kind of damage, and what must hold after it."""

import copy
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.policy import Pairing
from inspector.pipeline.conversation import Speaker, normalise, write_back
from inspector.pipeline.pairing import CLIENT_MISSING, MISSING, Paired, RepairKind, repair
from tests.counting import calls_of
from tests.pipeline.histories import GROWN, Grown

VARIANTS = st.sampled_from([Pairing.DOCUMENTED, Pairing.POSITIONAL, Pairing.CLIENT])


def asks(*ids: str, text: str = "") -> dict[str, Any]:
    words = [{"type": "text", "text": text}] if text else []
    return {"role": "assistant", "content": words + [{"type": "tool_use", "id": i, "name": "T"} for i in ids]}


def gives(*ids: str, text: str = "") -> dict[str, Any]:
    words = [{"type": "text", "text": text}] if text else []
    blocks = [{"type": "tool_result", "tool_use_id": i, "content": f"of {i}"} for i in ids]
    return {"role": "user", "content": blocks + words}


def paired(messages: list[Any], variant: Pairing = Pairing.DOCUMENTED, **options: bool) -> Paired:
    before = copy.deepcopy(messages)
    outcome = repair(normalise(messages), variant, **options)
    assert messages == before
    return outcome


def kinds(outcome: Paired) -> list[tuple[str, str]]:
    return [(repaired.kind.value, repaired.id) for repaired in outcome.repairs]


def synthetic(id: str, text: str = MISSING) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": True}


def test_a_sound_history_is_left_as_it_is() -> None:
    messages = [asks("a", "b"), gives("b", "a"), asks("c"), gives("c")]
    outcome = paired(messages)
    assert outcome.repairs == ()
    assert all(m.raw is raw for m, raw in zip(outcome.messages, messages, strict=True))


def test_missing_results_go_to_the_front_of_the_next_user_message_in_call_order() -> None:
    outcome = paired([asks("a", "b", "c"), gives("b", text="and now?")])
    blocks = write_back(outcome.messages)[1]["content"]
    assert blocks == [synthetic("a"), synthetic("c"), *gives("b", text="and now?")["content"]]
    assert kinds(outcome) == [("missing_result", "a"), ("missing_result", "c")]


def test_missing_results_before_a_plain_prompt_turn_its_text_into_a_block() -> None:
    outcome = paired([asks("a"), {"role": "user", "content": "next"}])
    assert write_back(outcome.messages)[1]["content"] == [synthetic("a"), {"type": "text", "text": "next"}]


@pytest.mark.parametrize("rest", [[], [{"role": "assistant", "content": "done"}]])
def test_missing_results_get_a_message_of_their_own_where_no_user_message_follows(rest: list[Any]) -> None:
    outcome = paired([asks("a"), *rest])
    assert write_back(outcome.messages)[1] == {"role": "user", "content": [synthetic("a")]}


def test_in_openai_form_a_missing_result_is_a_tool_message_behind_the_answer() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "T", "arguments": "{}"}}
    outcome = paired([{"role": "assistant", "content": None, "tool_calls": [call]}])
    assert write_back(outcome.messages)[1] == {"role": "tool", "tool_call_id": "a", "content": MISSING}


def test_in_chatcli_form_a_missing_result_carries_its_error_code() -> None:
    outcome = paired([{"role": "assistant", "content": "", "tool_calls": [{"id": "a", "name": "@read"}]}])
    added = write_back(outcome.messages)[1]
    assert (added["is_error"], added["error_code"]) == (True, "missing_result")


def test_an_orphan_goes_and_its_neighbours_stay() -> None:
    outcome = paired([asks("a"), gives("a", "x")])
    assert write_back(outcome.messages)[1] == gives("a")
    assert kinds(outcome) == [("orphan_result", "x")]


def test_a_message_left_empty_is_filled_rather_than_sent_empty() -> None:
    outcome = paired([asks(text="hello"), gives("x"), asks("a"), gives("a"), asks("a"), gives("a")])
    messages = write_back(outcome.messages)
    assert messages[1]["content"] == [{"type": "text", "text": "(no content)"}]
    assert messages[4]["content"] == [{"type": "text", "text": "[Tool use interrupted]"}]
    assert [k for k, _ in kinds(outcome)].count("message_emptied") == 3


def test_the_first_use_of_an_id_and_its_first_result_are_kept() -> None:
    outcome = paired([asks("a"), gives("a", "a"), asks("b", "a"), gives("b")])
    messages = write_back(outcome.messages)
    assert messages[1] == gives("a")
    assert messages[2] == asks("b")
    assert kinds(outcome) == [("duplicate_result", "a"), ("duplicate_tool_use", "a")]


def test_a_call_without_an_id_is_dropped() -> None:
    outcome = paired([asks("", "a"), gives("a", "")])
    assert write_back(outcome.messages) == [asks("a"), gives("a")]


@pytest.mark.parametrize("variant", [Pairing.DOCUMENTED, Pairing.POSITIONAL, Pairing.CLIENT])
def test_a_call_repeated_in_one_answer_gets_one_synthetic_result(variant: Pairing) -> None:
    outcome = paired([asks("a", "a")], variant)
    assert [result.id for message in outcome.messages for result in message.results] == ["a"]


def test_documented_moves_nothing_and_reports_what_stands_away() -> None:
    messages = [asks("a"), asks("b"), gives("a", "b")]
    outcome = paired(messages)
    assert write_back(outcome.messages) == messages
    assert kinds(outcome) == [("displaced_result", "a")]


def test_positional_takes_a_result_behind_the_next_answer_for_an_orphan() -> None:
    outcome = paired([asks("a"), asks("b"), gives("a", "b")], Pairing.POSITIONAL)
    assert kinds(outcome) == [("missing_result", "a"), ("orphan_result", "a")]


def test_positional_moves_a_result_over_what_stands_between() -> None:
    call = {"id": "a", "function": {"name": "T"}}
    answer, result = (
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "r"},
    )
    prompt = {"role": "user", "content": "wait"}
    outcome = paired([answer, prompt, result], Pairing.POSITIONAL)
    assert write_back(outcome.messages) == [answer, result, prompt]
    assert kinds(outcome) == [("displaced_result", "a")]


def test_positional_lets_an_id_be_used_again_in_a_later_answer() -> None:
    assert paired([asks("a"), gives("a"), asks("a"), gives("a")], Pairing.POSITIONAL).repairs == ()


def test_client_drops_a_reused_id_and_answers_with_its_own_words() -> None:
    outcome = paired([asks("a", "b"), gives("a"), asks("a"), gives("a")], Pairing.CLIENT)
    messages = write_back(outcome.messages)
    assert messages[1]["content"][0] == synthetic("b", CLIENT_MISSING)
    assert messages[2]["content"] == [{"type": "text", "text": "[Tool use interrupted]"}]
    assert messages[3]["content"] == [{"type": "text", "text": "(no content)"}]


def test_a_running_call_of_a_live_session_is_pending_until_something_follows() -> None:
    running = [asks("a", "b"), gives("b")]
    assert kinds(paired(running, live=True)) == [("pending_result", "a")]
    assert kinds(paired(running)) == [("missing_result", "a")]
    followed = [*running, {"role": "user", "content": "stop"}]
    assert kinds(paired(followed, live=True)) == [("missing_result", "a")]


PARTS = [{**asks("a", text="one"), "id": "m"}, {**asks("b"), "id": "m"}]
"""One answer, written as two messages."""


@pytest.mark.parametrize("variant", [Pairing.DOCUMENTED, Pairing.CLIENT])
@pytest.mark.parametrize(
    "rest",
    [
        [gives("a", "b")],
        [gives("b"), gives("a")],
        [gives("b"), {**asks("c"), "id": "n"}, gives("c"), {"role": "user", "content": "so"}],
    ],
)
def test_an_answer_in_several_messages_is_one_answer(rest: list[Any], variant: Pairing) -> None:
    outcome = paired([*PARTS, *rest], variant)
    lost = {"a"} - {r.id for m in normalise(rest) for r in m.results}
    assert kinds(outcome) == [("missing_result", id) for id in lost]
    if lost:
        text = CLIENT_MISSING if variant is Pairing.CLIENT else MISSING
        front = {**rest[0], "content": [synthetic("a", text), *rest[0]["content"]]}
        assert write_back(outcome.messages) == [*PARTS, front, *rest[1:]]


def test_client_goes_on_with_an_answer_behind_its_first_results() -> None:
    assert (
        paired([*PARTS, gives("a"), {**asks("c"), "id": "m"}, gives("b", "c")], Pairing.CLIENT).repairs == ()
    )


def test_client_ends_an_answer_at_a_prompt_although_its_id_comes_again() -> None:
    later = [{"role": "user", "content": "and?"}, {**asks("c"), "id": "m"}, gives("a", "b", "c")]
    outcome = paired([*PARTS, *later], Pairing.CLIENT)
    assert kinds(outcome) == [
        ("missing_result", "a"), ("missing_result", "b"), ("orphan_result", "a"), ("orphan_result", "b"),
    ]  # fmt: skip


def test_running_calls_of_an_answer_in_several_messages_are_all_pending() -> None:
    for variant in (Pairing.DOCUMENTED, Pairing.CLIENT):
        outcome = paired(PARTS, variant, live=True)
        assert kinds(outcome) == [("pending_result", "a"), ("pending_result", "b")]


@pytest.mark.parametrize("variant", [Pairing.DOCUMENTED, Pairing.CLIENT])
def test_each_message_of_a_long_answer_is_looked_at_the_same_few_times(variant: Pairing) -> None:
    few, many = (normalise([{**asks(f"c{n}"), "id": "m"} for n in range(size)]) for size in (100, 1_000))
    assert calls_of(lambda: repair(many, variant)) < 11 * calls_of(lambda: repair(few, variant))


@given(GROWN, VARIANTS)
def test_after_repair_every_call_has_one_result_and_no_result_is_without_call(
    grown: Grown, variant: Pairing
) -> None:
    outcome = paired(grown.messages, variant)
    calls = Counter(call.id for m in outcome.messages for call in m.calls)
    results = Counter(result.id for m in outcome.messages for result in m.results)
    assert calls == results
    if variant is not Pairing.POSITIONAL:
        assert set(calls.values()) <= {1}


@given(GROWN, VARIANTS)
def test_a_second_repair_changes_nothing(grown: Grown, variant: Pairing) -> None:
    once = write_back(paired(grown.messages, variant).messages)
    again = paired(once, variant)
    assert write_back(again.messages) == once
    assert {r.kind for r in again.repairs} <= {RepairKind.DISPLACED}


@given(GROWN, VARIANTS)
def test_prompts_and_texts_survive_every_repair(grown: Grown, variant: Pairing) -> None:
    outcome = paired(grown.messages, variant)
    before = [m.raw for m in normalise(grown.messages) if m.speaker is Speaker.USER and not m.results]
    after = str(write_back(outcome.messages))
    assert all(str(raw["content"]) in after for raw in before)
