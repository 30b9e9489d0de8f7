"""The rule under the facts of the wire: lengths in proportion, and nothing that is there without a cell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.alphabet import in_ascii
from inspector.app.theme import ink
from inspector.app.widgets.wire_rule import WireRule, shares
from inspector.session.wire_view import WireView
from tests.app.wires import left_out_view, wire_view


def drawn(view: WireView | None, width: int, theme: str = "dark") -> list[tuple[str, str]]:
    """Text and colour of the parts, without the margin."""
    rule = WireRule()
    rule.view = view
    found = [(s.text, str(s.style.color) if s.style else "") for s in rule.draw(width, ink(theme)).segments]
    return [part for part in found if part[0].strip()]


@given(
    sizes=st.lists(st.integers(0, 10**9), min_size=3, max_size=3),
    cells=st.integers(3, 300),
)
def test_the_parts_fill_the_row_and_none_that_is_there_is_lost(sizes: list[int], cells: int) -> None:
    found = shares(sizes, cells)
    if not sum(sizes):
        assert found == [0, 0, 0]
        return
    assert sum(found) == cells
    for size, part in zip(sizes, found, strict=True):
        assert (part > 0) == (size > 0)
        assert abs(part - size * cells / sum(sizes)) < 3


def test_a_part_is_as_long_as_its_share() -> None:
    assert shares([227_304, 119_248, 0], 118) == [77, 41, 0]
    assert shares([1_000_000, 1, 1], 78) == [76, 1, 1]
    assert shares([0, 0, 5], 78) == [0, 0, 78]


@pytest.mark.parametrize("width", [80, 120, 200])
def test_unchanged_is_solid_and_what_is_no_cache_hit_is_broken(width: int) -> None:
    (same, _), (after, red), (new, blue) = drawn(wire_view(40), width)
    assert set(same) == {"━"}
    assert set(after) == set(new) == {"╍"}
    assert red != blue
    assert len(same + after + new) == width - 2
    assert len(same) > len(after) > len(new) == 1


def test_what_is_not_sent_has_no_part_in_it() -> None:
    assert drawn(left_out_view(40), 120) == drawn(wire_view(40), 120)


def test_an_empty_request_has_no_rule() -> None:
    assert drawn(None, 120) == []
    assert drawn(replace(wire_view(40), rows=[], break_at=None), 120) == []


def test_without_colour_and_in_ascii_the_break_still_shows() -> None:
    shown = "".join(text for text, _ in drawn(wire_view(40), 80, "mono"))
    assert set(shown) == {"━", "╍"}
    assert set(in_ascii(shown)) == {"=", "-"}
