"""Results in their places: groups, occurrences, tools and ages."""

from typing import Any

from inspector.pipeline.conversation import normalise
from inspector.pipeline.ledger import answer_count, placed


def says(id: str = "", *calls: str) -> dict[str, Any]:
    message = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": c, "name": f"T{c}"} for c in calls],
    }
    return {**message, "id": id} if id else message


def gives(*ids: str) -> dict[str, Any]:
    blocks = [{"type": "tool_result", "tool_use_id": i, "content": "x"} for i in ids]
    return {"role": "user", "content": blocks}


def groups(messages: list[Any]) -> list[list[str]]:
    found: dict[int, list[str]] = {}
    for place in placed(normalise(messages)):
        found.setdefault(place.group, []).append(place.key[0])
    return list(found.values())


def test_a_new_answer_ends_a_group_and_other_messages_do_not() -> None:
    between = [{"role": "user", "content": "and"}, {"role": "system", "content": "note"}]
    assert groups([says("x"), gives("a"), *between, gives("b"), says("y"), gives("c")]) == [["a", "b"], ["c"]]


def test_an_answer_whose_id_comes_back_ends_no_group() -> None:
    assert groups([says("x"), gives("a"), says("y"), gives("b"), says("x"), gives("c")]) == [
        ["a"],
        ["b", "c"],
    ]


def test_each_answer_without_an_id_counts_as_new() -> None:
    assert groups([says(), gives("a"), says(), gives("b")]) == [["a"], ["b"]]


def test_an_answer_in_several_messages_counts_once_where_it_first_stands() -> None:
    messages = normalise([says("x"), gives("a"), says("y"), gives("b"), says("x"), gives("c"), says("z")])
    total = answer_count(messages)
    assert {place.key[0]: total - place.answers for place in placed(messages)} == {"a": 2, "b": 1, "c": 1}


def test_what_no_model_said_counts_as_no_answer() -> None:
    api_error = {"role": "assistant", "content": "x", "isApiErrorMessage": True, "id": "e"}
    messages = normalise([says("x"), gives("a"), api_error, says("y")])
    assert answer_count(messages) - next(placed(messages)).answers == 1
    synthetic = {"role": "assistant", "content": "x", "model": "<synthetic>"}
    messages = normalise([api_error, synthetic, says("x"), gives("a"), says("y")])
    assert answer_count(messages) - next(placed(messages)).answers == 1


def test_results_of_one_id_are_told_apart_and_know_the_call_before_them() -> None:
    messages = normalise([says("x", "a"), gives("a"), says("y", "a"), gives("a", "b")])
    assert [(place.key, place.tool) for place in placed(messages)] == [
        (("a", 0), "Ta"),
        (("a", 1), "Ta"),
        (("b", 0), ""),
    ]
