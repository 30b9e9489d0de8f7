"""Cells of the map: which request a cell stands for, and which text it shows."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.app.widgets.map_cells import (
    FIT,
    FULL_MARKS,
    NOTHING,
    PENDING,
    ZOOMS,
    Mark,
    axis,
    columns,
    mark_of,
    marks,
    runs,
    zoom_words,
)
from inspector.model.ledger import Level, Span, State


def span(start: int, level: Level, chars: int = 5_000, state: State = State.FROZEN) -> Span:
    return Span(start, state, level, chars)


LIFE = (
    span(3, Level.FULL),
    span(6, Level.TRUNCATED, 1_500),
    span(9, Level.SUMMARIZED, 90),
    span(20, Level.GONE),
)


def drawn(zoom: int, cells: int, requests: int = 24, current: int = 0) -> str:
    return "".join(mark.text for mark in marks(LIFE, columns(requests, cells, zoom, current)))


def test_one_cell_is_one_request() -> None:
    assert drawn(1, 24) == "  ▆▆▆▄▄▄▁▁▁▁▁▁▁▁▁▁▁·····"


def test_a_zoomed_cell_shows_its_largest_text() -> None:
    assert drawn(2, 12) == " ▆▆▄▁▁▁▁▁▁··"
    assert drawn(4, 6) == "▆▆▁▁▁·"


def test_fit_shows_every_request() -> None:
    assert drawn(FIT, 8) == "▆▆▄▁▁▁▁·"
    assert drawn(FIT, 60).rstrip() == drawn(1, 60).rstrip()


def test_a_full_text_is_the_heavier_the_larger() -> None:
    sizes = (29_999, 30_000, 9_999, 10_000)
    assert [mark_of(span(1, Level.FULL, size)) for size in sizes] == [
        FULL_MARKS[1], FULL_MARKS[0], FULL_MARKS[2], FULL_MARKS[1],
    ]  # fmt: skip


def test_every_state_has_its_own_sign() -> None:
    levels = (Level.FULL, Level.PREVIEW, Level.TRUNCATED, Level.SUMMARIZED, Level.GONE)
    assert len({mark_of(span(1, level)).text for level in levels}) == len(levels)
    assert mark_of(span(1, Level.FULL, state=State.PENDING)) == PENDING
    assert mark_of(span(1, Level.EXEMPT)) == mark_of(span(1, Level.FULL))


def test_what_was_taken_away_before_it_was_decided_is_gone() -> None:
    """A compaction right behind a result leaves it undecided for good; the ledger calls it gone."""
    taken = span(1, Level.GONE, 0, state=State.PENDING)
    assert mark_of(taken) == mark_of(taken, anew=True) == mark_of(span(1, Level.GONE, 0))


def test_the_current_request_stands_a_third_in() -> None:
    layout = columns(1_000, 90, 1, 500)
    assert layout.cell_of(500) == 30
    assert columns(1_000, 90, 1, 3).start == 0
    assert columns(1_000, 90, 1, 999).span(89) == (999, 1_000)


@given(
    requests=st.integers(1, 5_000),
    cells=st.integers(1, 200),
    zoom=st.sampled_from(ZOOMS),
    at=st.integers(0, 4_999),
)
def test_the_current_request_is_always_in_view(requests: int, cells: int, zoom: int, at: int) -> None:
    current = min(at, requests - 1)
    layout = columns(requests, cells, zoom, current)
    cell = layout.cell_of(current)
    assert cell is not None and 0 <= cell < cells
    first, last = layout.span(cell)
    assert first <= current < last


@given(
    requests=st.integers(1, 500),
    cells=st.integers(1, 120),
    zoom=st.sampled_from(ZOOMS),
    at=st.integers(0, 499),
)
def test_cells_agree_with_the_requests_they_stand_for(requests: int, cells: int, zoom: int, at: int) -> None:
    layout = columns(requests, cells, zoom, min(at, requests - 1))
    life = (span(1, Level.FULL), span(max(2, requests // 2), Level.TRUNCATED, 10))
    row = marks(life, layout)
    for cell in range(cells):
        first, last = layout.span(cell)
        if first >= last:
            assert row[cell] is NOTHING
        else:
            assert row[cell].text == ("▆" if first + 1 < life[1].start else "▄")


@given(
    requests=st.integers(1, 3_000),
    cells=st.integers(10, 200),
    zoom=st.sampled_from(ZOOMS),
    at=st.integers(0, 2_999),
)
def test_numbers_of_the_axis_never_touch(requests: int, cells: int, zoom: int, at: int) -> None:
    current = min(at, requests - 1)
    labels = axis(columns(requests, cells, zoom, current), current + 1)
    assert current + 1 in {request for _, request in labels}
    for (begin, request), (following, _) in pairwise(labels):
        assert begin + len(str(request)) < following


@pytest.mark.parametrize(
    ("zoom", "requests", "words"),
    [(1, 500, "1 cell = 1 request"), (4, 500, "1 cell = 4 requests"),
     (FIT, 500, "all requests, 1 cell ≈ 5.0"),
     (FIT, 50, "all requests, 1 cell = 1")],
)  # fmt: skip
def test_the_zoom_is_said(zoom: int, requests: int, words: str) -> None:
    assert zoom_words(zoom, columns(requests, 100, zoom, 0)) == words


def test_cells_of_one_look_are_drawn_together() -> None:
    assert runs([Mark("a", "fg"), Mark("b", "fg"), Mark("c", "bar")]) == [Mark("ab", "fg"), Mark("c", "bar")]
