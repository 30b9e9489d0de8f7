"""Fields of two policies as rows: values stay readable at every width, differences are marked."""

from __future__ import annotations

import pytest

from inspector.app.theme import ink
from inspector.app.widgets.policy_rows import FieldRows, short_value
from inspector.model.policy import CHATCLI, CLAUDE_CODE, DOCUMENTED
from inspector.text import cells


def test_values_are_short() -> None:
    values = (200_000, None, True, frozenset(), DOCUMENTED.order, CHATCLI.unit)
    assert [short_value(v, 14) for v in values] == ["200,000", "none", "on", "—", "P → B → M", "bytes"]
    assert [short_value(v, 8) for v in values] == ["200,000", "none", "on", "—", "P→B→M", "bytes"]
    assert [short_value(p.unit, 8) for p in (CLAUDE_CODE, DOCUMENTED)] == ["UTF-16", "chars"]


@pytest.mark.parametrize("width", [38, 40, 54, 56, 80])
def test_every_row_fits_its_width_and_marks_what_differs(width: int) -> None:
    rows = FieldRows(CHATCLI, CLAUDE_CODE, 1)
    for number, change in enumerate(rows.changes):
        text = "".join(s.text for s in rows.draw(number, width, False, ink("dark")))
        assert cells(text) <= width
        assert ("◄" in text) == change.differs


def test_figures_are_never_cut_where_there_is_room_for_two_columns() -> None:
    rows = FieldRows(DOCUMENTED, DOCUMENTED, 1)
    at = [c.field.path for c in rows.changes].index("budget.turn_limit")
    assert "".join(s.text for s in rows.draw(at, 38, False, ink("dark"))).count("200,000") == 2
