"""Fields of a policy: every one is told of, and words lead back to the value they came from."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import UsageError
from inspector.model.policy import (
    DOCUMENTED,
    PRESETS,
    Ageing,
    BudgetMode,
    Pairing,
    Policy,
    Stage,
)
from inspector.model.policy_fields import (
    FIELDS,
    changed_fields,
    checked,
    field_changes,
    field_of,
    parse,
    stepped,
    told,
    words_of,
)
from inspector.text import cells


def test_every_field_but_the_name_is_told_of_in_order() -> None:
    assert [field.path for field in FIELDS] == [path for path in DOCUMENTED.flat() if path != "name"]


def test_labels_fit_their_column() -> None:
    assert all(cells(field.label) <= 20 and field.about.endswith(".") for field in FIELDS)


@pytest.mark.parametrize("policy", PRESETS.values(), ids=lambda p: p.name)
def test_words_of_a_value_parse_to_the_same_value(policy: Policy) -> None:
    flat = policy.flat()
    for field in FIELDS:
        assert parse(field.path, words_of(flat[field.path])) == flat[field.path], field.path


def test_figures_are_told_with_separators() -> None:
    assert [told(value) for value in (30_000, 2, True, None, frozenset({"Read"}))] == [
        "30,000", "2", "on", "none", "Read",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "words", "value"),
    [
        ("budget.turn_limit", "250,000", 250_000),
        ("budget.turn_limit", "250_000", 250_000),
        ("budget.result_limit", "none", None),
        ("budget.result_limit", "off", None),
        ("budget.mode", "auto", BudgetMode.AUTO),
        ("archive", "YES", True),
        ("budget.skip_tools", " Read , Grep,", frozenset({"Read", "Grep"})),
        ("order", "budget, pairing, microcompact", (Stage.BUDGET, Stage.PAIRING, Stage.MICROCOMPACT)),
        ("dispatch.caps", "Read=80,Bash=30", {"Read": 80, "Bash": 30}),
        ("pairing.variant", "client", Pairing.CLIENT),
    ],
)
def test_people_may_write_values_as_they_are_used_to(path: str, words: str, value: Any) -> None:
    assert parse(path, words) == value


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("budget.turn_limit", "none"), ("budget.turn_limit", "-1"), ("budget.turn_limit", ""),
        ("budget.turn_limit", "٣"), ("budget.turn_limit", "9" * 40), ("budget.turn_limit", "1.5"),
        ("archive", "maybe"), ("budget.mode", "sometimes"), ("order", "budget, pairing"),
        ("order", "budget, budget, pairing"), ("dispatch.caps", "Read"), ("dispatch.caps", "=5"),
        ("nothing", "1"), ("name", "x"),
    ],
)  # fmt: skip
def test_words_that_are_no_value_are_told_with_their_field(path: str, words: str) -> None:
    with pytest.raises(UsageError, match=path):
        parse(path, words)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("budget.turn_limit", True), ("budget.turn_limit", 1.5), ("archive", "yes"), ("archive", 1),
        ("budget.turn_limit", -4), ("budget.skip_tools", 7), ("order", ["budget"]),
        ("dispatch.caps", {"a": -1}), ("budget.skip_tools", ["Read", 7]), ("budget.skip_tools", [["Read"]]),
        ("order", [True, "pairing", "budget", "microcompact"]),
    ],
)  # fmt: skip
def test_values_of_another_type_are_refused(path: str, value: Any) -> None:
    with pytest.raises(UsageError, match=path):
        checked(path, value)


def test_choices_go_round() -> None:
    value: Any = Ageing.AGES
    for _ in Ageing:
        value = stepped("microcompact.variant", value, 1)
    assert value is Ageing.AGES
    assert stepped("microcompact.variant", Ageing.AGES, -1) is Ageing.OFF


def test_a_figure_steps_in_its_leading_digit() -> None:
    path = "budget.turn_limit"
    assert stepped(path, 200_000, 1) == 300_000
    assert stepped(path, 200_000, -1) == 100_000
    assert stepped(path, 100_000, -1) == 90_000
    assert stepped("microcompact.truncate_turns", 2, 1) == 3
    assert stepped(path, 0, -1) == 0


def test_an_optional_limit_is_switched_off_below_its_smallest() -> None:
    path = "budget.result_limit"
    assert stepped(path, 0, -1) is None
    assert stepped(path, None, 1) == 20_000


@given(st.integers(0, 10**12), st.sampled_from([1, -1]))
def test_a_step_never_leaves_what_the_field_takes(value: int, direction: int) -> None:
    after = stepped("budget.turn_limit", value, direction)
    assert parse("budget.turn_limit", words_of(after)) == after
    assert after == value or (after > value) == (direction > 0)


def test_names_and_caps_have_no_steps() -> None:
    assert stepped("budget.skip_tools", frozenset({"Read"}), 1) == frozenset({"Read"})


def test_changes_tell_both_values() -> None:
    edited = DOCUMENTED.with_field("budget.turn_limit", 1)
    changed = [c for c in field_changes(DOCUMENTED, edited) if c.differs]
    assert [(c.field.path, c.a, c.b) for c in changed] == [("budget.turn_limit", 200_000, 1)]
    assert changed_fields(DOCUMENTED, DOCUMENTED.with_field("name", "other")) == []


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(UsageError, match=r"budget\.size"):
        field_of("budget.size")
