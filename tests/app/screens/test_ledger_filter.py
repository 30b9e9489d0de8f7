"""The filter of the list: applied while one types, counted, cleared, and asked again for each request."""

from __future__ import annotations

import threading

from textual import events
from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.feed import DetailText, Tab
from inspector.app.widgets.ledger import Ledger
from inspector.app.widgets.turn_index import Place
from inspector.replay.view import ResultRow
from tests.app.covers import covers
from tests.app.fakes import FakeView
from tests.app.stages import (
    asked,
    bottom,
    details_of,
    feed_of,
    frame_of,
    ledger_screen,
    line,
    make_app,
    noted,
    until,
)

SIZE = (120, 40)


async def type_filter(pilot: Pilot[None], app: InspectorApp, words: str) -> None:
    """Open the prompt and type; waits until the list shows what passes."""
    await pilot.press("slash")
    asked(app).prompt.value = words
    await until(pilot, lambda: matched(app))


def matched(app: InspectorApp) -> bool:
    matches, frame = ledger_screen(app).ledger.matches, frame_of(app)
    screen = ledger_screen(app)
    return matches is not None and matches.filter == screen._filter and matches.request == frame.request


def shown(app: InspectorApp) -> list[str]:
    """First words of the rows of the list."""
    ledger = app.screen.query_one(Ledger)
    texts = [ledger.render_line(y).text for y in range(min(len(ledger.rows), ledger.size.height))]
    return [" ".join(text.replace("▌", " ").split()[:3]) for text in texts]


@covers("rows.filter")
async def test_typing_leaves_only_what_matches_and_counts_it() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await type_filter(pilot, app, "tool:Bash size>100k")
        assert shown(app) == ["▾ turn 37", "Bash pytest -x", "▾ turn 32", "Bash zcat export-2023.…"]
        assert "2 of 59 results in 2 turns" in noted(app)
        await pilot.press("enter")
        assert isinstance(app.focused, Ledger)
        assert bottom(app).startswith("/ tool:Bash size:100001-  2 of 59 results in 2 turns  Esc clears")


async def test_escape_clears_from_the_prompt_and_from_the_list() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await type_filter(pilot, app, "tool:Grep")
        await pilot.press("escape")
        assert ledger_screen(app).ledger.matches is None
        await type_filter(pilot, app, "tool:Grep")
        await pilot.press("enter", "escape")
        assert ledger_screen(app).ledger.matches is None
        assert "turn 37" in line(app, "Ledger")
        assert not bottom(app).startswith("/")


async def test_nothing_matching_says_how_to_go_on() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await type_filter(pilot, app, '"jwt"')
        assert "Nothing matches “jwt”.  Esc clears the filter." in line(app, "Ledger", 1)
        assert "Nothing of 59 results matches." in noted(app)


async def test_a_mistake_is_pointed_at_and_the_last_good_filter_stays() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await type_filter(pilot, app, "tool:Grep")
        before = shown(app)
        asked(app).prompt.value = "tool:Grep colour:red"
        await pilot.pause()
        assert noted(app).startswith("column 11: there is no field 'colour'  possible:  tool  size")
        assert shown(app) == before
        await pilot.press("enter")
        assert "there is no field 'colour', column 11 of the filter" in bottom(app)


async def test_what_arrives_in_one_burst_with_the_slash_is_typed_into_the_filter() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.post_message(events.Key("slash", "/"))
        for sign in "tool:Grep":
            app.post_message(events.Key(sign, sign))
        app.post_message(events.Paste(" size>1k"))
        await pilot.pause()
        assert asked(app).prompt.value == "tool:Grep size>1k"
        app.post_message(events.Key("colon", ":"))
        app.post_message(events.Key("enter", "\r"))
        await until(pilot, lambda: asked(app).question is None)
        assert app.focused is ledger_screen(app).ledger


async def test_words_complete_from_what_the_session_has() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *"tool:G")
        await until(pilot, lambda: asked(app).prompt._suggestion != "")
        await pilot.press("right")
        assert asked(app).prompt.value in {"tool:Grep", "tool:Glob"}


async def test_a_step_asks_again_as_of_that_request() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await type_filter(pilot, app, "is:now")
        await pilot.press("enter")
        assert shown(app)[0] == "▾ turn 37"
        await pilot.press("left")
        await until(pilot, lambda: matched(app))
        assert shown(app)[0] == "▾ turn 36"
        feed_of(app).push(FakeView(115))
        await until(pilot, lambda: frame_of(app).view.request_count == 115 and matched(app))
        assert shown(app)[0] == "▾ turn 36"


async def test_enter_folds_a_turn_and_selection_keeps_its_result_under_a_filter() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await type_filter(pilot, app, "tool:Bash size>100k")
        await pilot.press("enter", "enter")
        assert shown(app) == ["▸ turn 37", "▾ turn 32", "Bash zcat export-2023.…"]
        await pilot.press("enter", "down")
        place = ledger_screen(app).ledger.place
        assert place is not None
        assert place.result is not None
        await pilot.press("escape")
        assert ledger_screen(app).ledger.place == place
        assert place == Place(37, place.result)


async def test_the_filter_works_in_a_single_stage_too() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await type_filter(pilot, app, "tool:Bash size>100k")
        await pilot.press("enter", "3")
        assert "38 replaced 2,164" in line(app, "Ledger", 1)


# -- texts ------------------------------------------------------------------------------------


async def test_texts_are_read_one_after_another_only_where_they_decide_and_never_twice() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        read = details_of(app).asked
        read.clear()
        await type_filter(pilot, app, "tool:Grep text:Decimal( text:reverse_charge")
        found = [index for tab, index, _ in read if tab is Tab.TRANSCRIPT]
        assert len(found) == len(set(found)) == sum(row.tool == "Grep" for row in rows_of(app))
        read.clear()
        await pilot.press("enter", "left")
        await until(pilot, lambda: matched(app))
        assert not [tab for tab, _, _ in read if tab is Tab.TRANSCRIPT]


def rows_of(app: InspectorApp) -> list[ResultRow]:
    frame = frame_of(app)
    return [
        frame.view.result(index, frame.request)
        for turn in range(1, frame.view.turn_count(frame.request) + 1)
        for index in frame.view.turn_results(turn, frame.request)
    ]


async def test_a_long_search_says_how_far_it_is_and_escape_stops_it() -> None:
    app = make_app(request=38)
    go_on = threading.Event()
    started = threading.Event()
    asked_for: list[int] = []

    def slow(tab: Tab, result_index: int, request: int) -> DetailText:
        if tab is Tab.TRANSCRIPT:
            asked_for.append(result_index)
            started.set()
            go_on.wait(5)
        return DetailText("nothing")

    details_of(app).text = slow  # type: ignore[method-assign]  # the slow disk of this test
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash")
        asked(app).prompt.value = "text:panic"
        await until(pilot, started.is_set)
        assert "looking …" in noted(app)
        await pilot.press("escape")
        go_on.set()
        await until(pilot, lambda: not [w for w in app.workers if w.group == "filter" and w.is_running])
        assert len(asked_for) <= 2
        assert ledger_screen(app).ledger.matches is None


async def test_a_text_that_cannot_be_read_matches_nothing_and_stops_nothing() -> None:
    app = make_app(request=38)

    def broken(tab: Tab, result_index: int, request: int) -> DetailText:
        raise OSError("gone")

    details_of(app).text = broken  # type: ignore[method-assign]  # the broken disk of this test
    async with app.run_test(size=SIZE) as pilot:
        await type_filter(pilot, app, "text:panic")
        assert "Nothing matches" in line(app, "Ledger", 1)


async def test_a_session_that_grows_all_the_time_does_not_keep_a_search_from_its_end() -> None:
    app = make_app()
    reading = threading.Event()
    go_on = threading.Event()
    read: list[int] = []

    def slow(tab: Tab, result_index: int, request: int) -> DetailText:
        if tab is Tab.TRANSCRIPT:
            read.append(result_index)
            reading.set()
            go_on.wait(5)
        return DetailText("panic")

    details_of(app).text = slow  # type: ignore[method-assign]  # the slow disk of this test
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash")
        asked(app).prompt.value = "text:panic turn:30-33"
        await until(pilot, reading.is_set)
        for requests in (113, 114, 115):
            feed_of(app).push(FakeView(requests))
            await until(pilot, lambda requests=requests: frame_of(app).request == requests)
        go_on.set()
        await until(pilot, lambda: matched(app))
        assert len(read) == len(set(read)), "nothing was read twice"
        assert shown(app)[0] == "▾ turn 33"


async def test_a_fault_in_the_search_is_said_and_the_next_one_works() -> None:
    app = make_app(request=38)

    def broken(tab: Tab, result_index: int, request: int) -> DetailText:
        raise ValueError("odd bytes")

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        text = details_of(app).text
        details_of(app).text = broken  # type: ignore[method-assign]  # the fault of this test
        await pilot.press("slash")
        asked(app).prompt.value = "text:panic"
        await until(pilot, lambda: "The search failed: odd bytes" in noted(app))
        await pilot.press("enter")
        assert "The search failed: odd bytes" in bottom(app)
        details_of(app).text = text  # type: ignore[method-assign]  # and it is mended
        await type_filter(pilot, app, "text:reverse_charge tool:Grep")
        assert shown(app)[0] == "▾ turn 37"


async def test_the_fields_of_the_filter_are_named_whole_at_80_cells() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("slash")
        await pilot.pause()
        assert "-word: not  → completes" in "\n".join(
            strip.text for strip in app.screen._compositor.render_strips()
        )
