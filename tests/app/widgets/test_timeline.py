"""The timeline shows maxima, never means, and always says where one is."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.app.widgets.timeline import Series, axis_labels, bins, marked_cells, window_chars
from inspector.replay.view import Event, Figures
from tests.app.fakes import FakeView
from tests.app.stages import line, make_app


@given(st.integers(1, 5_000), st.integers(1, 300))
def test_every_request_has_a_cell_and_every_cell_its_requests(requests: int, cells: int) -> None:
    layout = bins(requests, cells)
    seen = [n for cell in range(layout.cells) for n in range(*layout.span(cell))]
    assert set(seen) == set(range(requests))
    for request in range(0, requests, max(1, requests // 50)):
        first, last = layout.span(layout.cell_of(request))
        assert first <= request < last


@pytest.mark.parametrize(("requests", "each"), [(10, 4), (30, 3), (60, 1), (112, 0)])
def test_few_requests_get_whole_cells(requests: int, each: int) -> None:
    assert bins(requests, 111).each == each


@given(st.integers(1, 100_000), st.integers(20, 300), st.data())
def test_axis_always_names_the_present_request_and_labels_never_touch(
    requests: int, cells: int, data: st.DataObject
) -> None:
    current = data.draw(st.integers(1, requests))
    labels = axis_labels(bins(requests, cells), current)
    assert current in [request for _, request in labels]
    for (start, request), (after, _) in pairwise(labels):
        assert start + len(str(request)) < after
    start, request = labels[-1]
    assert start + len(str(request)) <= max(cells, len(str(current)))


def test_figures_are_asked_for_once_an_update() -> None:
    asked: list[int] = []

    class Watched(FakeView):
        def figures(self) -> Figures:
            asked.append(self.request_count)
            return super().figures()

    view = Watched(112)
    series = Series()
    series.take(view)
    series.take(view)
    assert (asked, len(series.chars)) == ([112], 112)
    view.revision += 1
    series.take(view)
    assert asked == [112, 112]
    series.take(Watched(50))
    assert (asked, len(series.chars)) == ([112, 112, 50], 50)


@pytest.mark.parametrize(
    ("chars", "tokens", "bars"),
    [
        (100, 25, ["▁", " ", " "]),
        (100, 150, ["▁", " ", " "]),
        (100, 500, ["▁", "░", " "]),
        (100, 2_000, ["▁", "░", "░"]),
        (1_400, 900, ["█", "▃", "░"]),
        (0, 900, ["░", "░", "░"]),
        (3_000, 100, ["█", "█", "█"]),
    ],
)
def test_what_usage_says_beside_the_recorded_text_is_hatched(
    chars: int, tokens: int, bars: list[str]
) -> None:
    class One(FakeView):
        def figures(self) -> Figures:
            return Figures([chars], [tokens], [Event(0)])

    series = Series()
    series.take(One(1))
    layout = bins(1, 1)
    assert series.rows(layout, 3, 3_000, 3.6) == bars
    assert "░" not in "".join(series.rows(layout, 3, 3_000, None))


async def test_the_hatch_is_explained_where_it_is_drawn() -> None:
    class Sent(FakeView):
        def figures(self) -> Figures:
            chars, tokens, events = super().figures()
            return Figures([n // 20 for n in chars], tokens, events)

    for view, is_drawn in ((Sent(), True), (FakeView(), False)):
        app = make_app(view, request=38)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            assert ("░ ≈ by usage, beside the recorded text" in line(app, "Timeline", 0)) == is_drawn
            assert ("░" in line(app, "Timeline", 2)) == is_drawn


def test_the_window_is_known_only_with_the_ratio() -> None:
    view = FakeView(2)
    assert window_chars(view) == 720_000
    view.chars_per_token = None
    assert window_chars(view) is None


async def test_the_top_is_the_window_or_the_largest_request() -> None:
    view = FakeView()
    app = make_app(view, request=38)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "context window 200,000 tokens ≈ 720 K chars" in line(app, "Timeline", 0)
        view.window_tokens = None
        assert "largest request 673,108 chars" in line(app, "Timeline", 0)
        view.window_tokens = 100_000
        assert "over the context window ≈ 360 K chars" in line(app, "Timeline", 0)
        assert "┈" in line(app, "Timeline", 2)


async def test_marks_stand_under_their_requests() -> None:
    app = make_app(FakeView(40), request=38)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        marks = line(app, "Timeline", 4)
        layout = bins(40, 111)
        assert layout.each == 2
        assert marks[8 + layout.cell_of(37)] == "▲"
        assert marks[8 + layout.cell_of(35)] == "±"
        assert line(app, "Timeline", 5)[8 + layout.cell_of(37) :].startswith("38")


@given(st.integers(1, 5_000), st.integers(1, 300), st.data())
def test_every_mark_stands_in_a_cell_of_its_request(requests: int, cells: int, data: st.DataObject) -> None:
    layout = bins(requests, cells)
    request = data.draw(st.integers(1, requests))
    (cell,) = marked_cells(layout, [request, 0, requests + 1])
    first, last = layout.span(cell)
    assert first <= request - 1 < last


def test_a_mark_stands_beside_the_event_of_its_request_where_there_is_room() -> None:
    for requests in (10, 20, 30):
        layout = bins(requests, 111)
        (cell,) = marked_cells(layout, [3])
        assert layout.each > 1
        assert cell != layout.cell_of(2) + (layout.each - 1) // 2


def test_a_mark_in_a_bar_of_one_cell_steps_beside_an_event_and_hides_it_only_between_others() -> None:
    for requests in (100, 200):
        layout = bins(requests, 100)
        at = layout.cell_of(49)
        nothing = [Event(0)] * 100
        assert marked_cells(layout, [50], nothing) == {at}
        mine = [*nothing[:at], Event.OVER, *nothing[at + 1 :]]
        assert marked_cells(layout, [50], mine) == {at + 1}
        behind = [*mine[: at + 1], Event.REPAIR, *mine[at + 2 :]]
        assert marked_cells(layout, [50], behind) == {at - 1}
        crowded = [*behind[: at - 1], Event.REPAIR, *behind[at:]]
        assert marked_cells(layout, [50], crowded) == {at}
        assert marked_cells(layout, [requests], [*nothing[:-1], Event.OVER]) == {98}
