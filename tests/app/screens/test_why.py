"""The why screen: shares sum to all, ranks change the order, Enter leads to the place."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from textual.reactive import reactive

from inspector.app.feed import FeedState, FeedUpdate, Jump
from inspector.app.screens.why import WhyScreen
from inspector.app.sources.why import Reason, Share, WhyAnswer
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.line_view import LineView
from inspector.errors import UsageError
from inspector.replay.view import SessionView
from tests.app.covers import covers
from tests.app.fakes import FakeView
from tests.app.stage import HOSTILE, Stage

ANSWER = WhyAnswer(
    request=77,
    chars=100_000,
    tokens=40_000,
    shown_tokens=25_000,
    unit="chars",
    results=(
        Share("Grep", "price", 20_000, 5_000, 900_000, 3, 1, "sent in 45 requests; frozen"),
        Share("Bash", "docker logs", 60_000, 15_000, 120_000, 76, 2, "sent in 2 requests; frozen"),
    ),
    rest=(
        Share("assistant text and calls", chars=20_000, tokens=5_000, in_all_chars=700_000),
        Share("system prompt, tools, what no record shows", tokens=15_000),
    ),
    reasons=(
        Reason(
            "over_turn_budget", "warning", "request 38: 3 parallel results", 38, "toolu_a", ("kept whole",)
        ),
        Reason("usage_repeated", "info", "counted once"),
        Reason("grower", "info", "a page", 2, "toolu_w", thread="a5bdbc1", where="agent · Poem"),
    ),
)


class Answers:
    def __init__(self, answer: WhyAnswer | None) -> None:
        self._answer = answer

    def answer(self, request: int) -> WhyAnswer:
        if self._answer is None:
            raise UsageError(f"There is no request {request}.")
        return self._answer


def stage(answer: WhyAnswer | None = ANSWER) -> Stage:
    return Stage(lambda: WhyScreen(Answers(answer), 77))


def rows(app: Stage, name: str = "shares") -> list[str]:
    view = app.screen.query_one(f"#{name}", LineView)
    return [view.render_line(y).text.rstrip() for y in range(min(len(view.rows), view.size.height))]


async def settled(app: Stage, pilot: object) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()  # type: ignore[attr-defined]  # textual's Pilot


async def test_parts_are_ranked_by_size_and_shares_sum_to_all() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        shown = rows(app)
        assert [line.split("%")[0].split()[-1] for line in shown] == ["60", "20", "20"]
        assert "Bash docker logs" in shown[0]
        assert shown[0].endswith("→ 76")
        title = app.screen.query_one("#title", Bar).plain
        assert "request 77:" in title
        assert "40,000 tokens" in title


@covers("why.rank")
async def test_ranking_by_what_was_sent_in_all_puts_the_old_result_first() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        await pilot.press("r")
        assert "Grep price" in rows(app)[0]
        await pilot.press("r")
        assert rows(app)[-1].split("%")[0].split()[-1] == "38"
        assert "system prompt" in rows(app)[-1]


async def test_enter_leads_to_the_first_request_of_a_result() -> None:
    app = stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("enter")
        await pilot.pause()
        (jump,) = app.results
        assert isinstance(jump, Jump)
        assert (jump.request, jump.result) == (76, 2)


@covers("why.list")
async def test_tab_goes_to_the_causes_and_enter_to_their_request() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        await pilot.press("tab")
        await pilot.pause()
        assert "over turn budget" in rows(app, "reasons")[0]
        assert "kept whole" in "".join(
            app.screen.query_one("#detail", FactLines).render_line(y).text for y in range(4)
        )
        await pilot.press("enter")
        await pilot.pause()
        (jump,) = app.results
        assert isinstance(jump, Jump)
        assert (jump.request, jump.id) == (38, "toolu_a")


async def test_a_cause_in_another_conversation_leads_there() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        await pilot.press("tab", "down", "down")
        await pilot.pause()
        detail = app.screen.query_one("#detail", FactLines).plain
        assert "agent · Poem  a5bdbc1" in detail, "the list of conversations may hold many of that title"
        await pilot.press("enter")
        await pilot.pause()
        (jump,) = app.results
        assert isinstance(jump, Jump)
        assert (jump.request, jump.id, jump.thread) == (2, "toolu_w", "a5bdbc1")


@covers("why.back")
async def test_part_without_a_place_keeps_the_screen() -> None:
    app = stage()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(app, pilot)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert app.results == []
        await pilot.press("escape")
        await pilot.pause()
        assert app.results == [None]


async def test_problem_is_said_in_place_of_the_list() -> None:
    app = stage(None)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        assert app.screen.query_one("#note", Bar).plain == "There is no request 77."


async def test_hostile_texts_are_drawn_as_text() -> None:
    share = Share(HOSTILE, HOSTILE, 10, 3, 10, 1, 0, HOSTILE)
    reason = Reason(HOSTILE, "odd", HOSTILE, 1, "x", (HOSTILE,))
    app = stage(WhyAnswer(1, 10, None, 3, "chars", (share,), (), (reason,)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        drawn = rows(app) + rows(app, "reasons")
        assert len(drawn) == 2
        assert not any(c < " " or "\x7f" <= c <= "\x9f" for line in drawn for c in line)


@covers("why.unfold")
async def test_small_results_are_one_row_until_they_are_unfolded() -> None:
    many = tuple(
        Share("Bash", f"job {n}", 1_000 - n, 100, 1_000, 1, n, "sent in 1 request") for n in range(40)
    )
    answer = WhyAnswer(1, 50_000, None, 10_000, "chars", many, ANSWER.rest)
    app = stage(answer)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        assert len(rows(app)) == 14
        assert "28 other results" in rows(app)[12]
        await pilot.press("z")
        await pilot.pause()
        assert len(app.screen.query_one("#shares", LineView).rows) == 41


@covers("why.rank_back")
async def test_ranks_follow_each_other_in_both_directions() -> None:
    app = stage()
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        first = rows(app)
        await pilot.press("R")
        await pilot.pause()
        other = rows(app)
        await pilot.press("r")
        await pilot.pause()
        assert rows(app) == first != other


@pytest.mark.parametrize("estimated", [True, False])
async def test_the_size_is_marked_where_the_request_is_an_estimate(estimated: bool) -> None:
    app = stage(replace(ANSWER, estimated=estimated))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        shown = [bar.plain for bar in app.screen.query(Bar)]
        assert any("≈100,000" in words for words in shown) is estimated


def first_line(app: Stage) -> str:
    return app.screen.query_one("#title", Bar).render_line(0).text


async def test_numbers_of_the_title_are_whole_at_every_width() -> None:
    large = replace(ANSWER, chars=1_250_677, tokens=305_699, thinking_chars=25_935, unit="UTF-16 units")
    for width, units in (80, "UTF-16"), (120, "UTF-16 units"), (160, "UTF-16 units + 25,935 of thinking"):
        app = stage(large)
        async with app.run_test(size=(width, 24)) as pilot:
            await settled(app, pilot)
            assert f"request 77: 1,250,677 {units}   305,699 tokens  " in first_line(app)
            assert "…" not in first_line(app)


async def test_how_many_causes_there_are_is_told_like_every_count() -> None:
    app = stage(replace(ANSWER, reasons_total=1_062))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        assert "the first 3 of 1,062 over" in app.screen.query_one("#rule", Bar).plain


class Growing(Stage):
    update: reactive[FeedUpdate | None] = reactive(None, init=False)


async def test_causes_of_a_session_that_grew_are_said_to_be_old() -> None:
    view = FakeView(12)
    app = Growing(lambda: WhyScreen(Answers(ANSWER), 77))
    app.set_reactive(Growing.update, FeedUpdate(cast(SessionView, view), FeedState.LIVE))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(app, pilot)
        rule = app.screen.query_one("#rule", Bar)
        app.update = FeedUpdate(cast(SessionView, view), FeedState.ENDED)
        await pilot.pause()
        assert "grown" not in rule.plain
        view.revision += 1
        app.update = FeedUpdate(cast(SessionView, view), FeedState.LIVE)
        await pilot.pause()
        assert "it has grown since" in rule.plain
        await pilot.press("r")
        assert "it has grown since" in rule.plain
