"""A policy is changed field by field, and only to what its fields can hold."""

from typing import Any

import pytest

from inspector.errors import UsageError
from inspector.model.policy import CLAUDE_CODE, DOCUMENTED, Ageing, Stage, Unit


@pytest.mark.parametrize(
    ("path", "value", "held"),
    [
        ("unit", "bytes", Unit.BYTES),
        ("microcompact.variant", "ages", Ageing.AGES),
        ("budget.result_limit", None, None),
        ("budget.skip_tools", ["Read", "Grep"], frozenset({"Read", "Grep"})),
        ("order", ["budget", "pairing", "microcompact"], CLAUDE_CODE.order),
        ("dispatch.caps", {"Read": 5}, {"Read": 5}),
        ("name", "mine", "mine"),
    ],
)
def test_a_field_holds_its_own_type_however_the_value_was_written(path: str, value: Any, held: Any) -> None:
    before = DOCUMENTED.flat()
    changed = DOCUMENTED.with_field(path, value)
    assert changed.flat() == {**before, path: held}
    assert type(changed.flat()[path]) is type(held)
    assert DOCUMENTED.flat() == before


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("budget.turn_limit", "200000"),
        ("budget.turn_limit", None),
        ("budget.turn_limit", 1.5),
        ("budget.turn_limit", True),
        ("budget.mode", "sometimes"),
        ("budget.skip_tools", "Read"),
        ("order", [Stage.BUDGET]),
        ("order", [Stage.BUDGET, Stage.BUDGET, Stage.PAIRING]),
        ("dispatch.caps", {"Read": "5"}),
        ("archive", 1),
        ("name", 7),
        ("budget", 7),
        ("budget.nothing", 7),
    ],
)
def test_what_a_field_cannot_hold_is_refused_with_its_name(path: str, value: Any) -> None:
    with pytest.raises(UsageError, match=path):
        DOCUMENTED.with_field(path, value)
