"""The main screen: every key does what it says, and following never moves a person who looks around."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widget import Widget

from inspector.app.feed import FeedState, Progress, Tab
from inspector.app.theme import ink
from inspector.app.widgets.detail import Detail, DetailView
from inspector.app.widgets.header import Header, Notice
from inspector.app.widgets.ledger import Ledger, Sentence
from inspector.app.widgets.stage_rows import StageView
from inspector.app.widgets.turn_index import Place
from tests.app.covers import covers
from tests.app.fakes import COMPACTED_AT, CrowdView, FakeView, Made
from tests.app.policy_stage import policy_app, rested
from tests.app.stages import (
    bottom,
    details_of,
    feed_of,
    frame_of,
    ledger_screen,
    line,
    make_app,
    settle,
)

SIZE = (120, 40)


async def test_enter_folds_a_turn_and_opens_it_again() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert line(app, "Ledger", 1).split()[0] == "Bash"
        await pilot.press("enter")
        await pilot.pause()
        assert line(app, "Ledger", 0).startswith("▌ ▸ turn 37")
        assert "turn 36" in line(app, "Ledger", 1)
        await pilot.press("enter")
        await pilot.pause()
        assert line(app, "Ledger", 1).split()[0] == "Bash"


@covers("rows.pick", "app.back")
async def test_enter_on_a_result_goes_into_its_text_and_escape_comes_back() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "enter")
        assert isinstance(app.focused, DetailView)
        await pilot.press("escape")
        assert isinstance(app.focused, Ledger)


@covers("detail.pane", "detail.next")
async def test_tab_walks_through_the_panes_and_the_views() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "tab")
        assert isinstance(app.focused, DetailView)
        detail = app.screen.query_one(Detail)
        seen = []
        for _ in range(4):
            await pilot.press("tab")
            seen.append(detail.tab)
        assert seen == [Tab.TRANSCRIPT, Tab.DIFF, Tab.OVERFLOW, Tab.RECORD]
        await pilot.press("tab")
        assert isinstance(app.focused, Ledger)
        assert detail.tab is Tab.WIRE


async def test_steps_work_while_the_text_has_the_keys() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "enter", "right", "home")
        assert frame_of(app).request == 1


@covers("stage.1", "stage.2", "stage.3", "stage.4")
async def test_digits_show_one_stage_and_the_same_digit_or_escape_all() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        screen = ledger_screen(app)
        for key, stage in (("1", StageView.PAIRING), ("2", StageView.BUDGET), ("4", StageView.AGEING)):
            await pilot.press(key)
            assert screen.stage is stage
        await pilot.press("3")
        await pilot.pause()
        assert "life by request" in line(app, "LedgerHead")
        assert "38 replaced 2,164  39 must-reapply 2,164" in line(app, "Ledger", 1)
        await pilot.press("3")
        assert screen.stage is None
        await pilot.press("2", "escape")
        assert screen.stage is None


async def test_detail_shows_sentence_and_text_of_the_selected_result() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down")
        await settle(pilot)
        assert "R replaced now: the group held 232,000 of 200,000 chars" in line(app, "DetailHead", 1)
        assert "<persisted-output>" in line(app, "DetailView", 0)
        assert line(app, "DetailTabs").endswith("what the model saw · 2,164 of 152,604 chars")


async def test_fast_steps_read_only_the_last_text() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down")
        await settle(pilot)
        details_of(app).asked.clear()
        for _ in range(5):
            ledger_screen(app).action_step(1)
        await settle(pilot)
        assert [request for _, _, request in details_of(app).asked] == [43]


async def test_a_text_that_cannot_be_had_says_why() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "down", "tab", "tab", "tab", "tab")
        await settle(pilot)
        assert "never replaced" in line(app, "DetailView", 0)


async def test_a_fault_in_a_reader_is_shown_and_the_app_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(request=38)

    def fail(tab: Tab, result_index: int, request: int) -> None:
        raise ValueError("odd bytes")

    monkeypatch.setattr(details_of(app), "text", fail)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down")
        await pilot.pause(0.2)
        assert "could not be read: odd bytes" in line(app, "DetailView", 0)
        await pilot.press("left")
        assert frame_of(app).request == 37


async def test_a_turn_lists_its_results_in_the_detail() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "▲ turn 37 over by 32,000: 232,000 of 200,000 chars counted" in line(app, "DetailHead", 0)
        assert "152,604 → 2,164" in line(app, "DetailView", 0)


@covers("detail.copy")
async def test_c_copies_the_text_shown_with_control_characters_as_signs() -> None:
    turns = {1: [Made("Bash", "cat bell\x1b]52;c;x\x07", 120)]}
    app = make_app(FakeView(2, turns=turns))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down")
        await settle(pilot)
        await pilot.press("c")
        assert "cat bell␛]52;c;x␇" in app.clipboard
        assert "\x1b" not in app.clipboard
        assert "Copied" in bottom(app)


async def test_no_control_character_of_a_session_is_drawn() -> None:
    hostile = "\x1b[31m\x9b\u202e\x07[/nope][@click=app.quit]"
    turns = {1: [Made(hostile, hostile, 120)]}
    app = make_app(FakeView(2, turns=turns, title=hostile))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down")
        await settle(pilot)
        for widget in app.screen.walk_children(Widget):
            for y in range(widget.size.height if not widget.children else 0):
                drawn = widget.render_line(y).text
                assert not set(drawn) & set("\x1b\x9b\u202e\x07"), widget


async def test_a_click_on_the_timeline_goes_to_that_request() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click("Timeline", offset=(8, 3))
        assert frame_of(app).request == 1


async def test_a_click_on_a_tab_shows_its_view() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click("DetailTabs", offset=(12, 0))
        assert app.screen.query_one(Detail).tab is Tab.TRANSCRIPT


async def test_indexing_shows_how_far_it_is_and_the_screen_is_usable() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        progress = Progress(214_000_000, 412_000_000, 6.2)
        feed_of(app).push(FakeView(41), FeedState.INDEXING, progress=progress)
        await pilot.pause()
        assert "request 41 of 41+" in line(app, "Header")
        assert line(app, "Notice").endswith("52 %  214 of 412 MB   about 6 s")
        await pilot.press("left")
        assert frame_of(app).request == 40


@pytest.mark.parametrize(
    ("state", "header"),
    [
        (FeedState.ENDED, "■ ended"),
        (FeedState.DELETED, "× deleted"),
        (FeedState.REPLACED, "● live"),
        (FeedState.TRUNCATED, "● live"),
    ],
)
async def test_what_became_of_the_file_is_a_state_and_no_error(state: FeedState, header: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        feed_of(app).push(FakeView(), state, note="Something happened at 14:12.")
        await pilot.pause()
        assert header in line(app, "Header")
        notice = app.screen.query_one(Notice)
        assert notice.display == (state is not FeedState.ENDED)
        if notice.display:
            assert "Something happened at 14:12." in line(app, "Notice")


async def test_a_session_without_results_says_what_to_expect() -> None:
    app = make_app(FakeView(3, turns={}))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "down", "enter", "asterisk")
        assert "No tool results yet." in line(app, "Ledger", 1)


@pytest.mark.parametrize(("width", "rows"), [(40, 2), (80, 2), (90, 1)])
def test_an_empty_list_says_all_of_its_sentence_where_a_row_can_hold_it(width: int, rows: int) -> None:
    fact, step = "No tool results yet.", "12,345 requests so far. Rows appear with the first tool call."
    sentence = Sentence(fact, step, 1)
    drawn = [
        "".join(s.text for s in sentence.draw(row, width, False, ink("dark"))).rstrip() for row in range(3)
    ]
    assert drawn[1].strip() == (fact if rows == 2 else f"{fact}  {step}")
    assert max(map(len, drawn)) < width
    if rows == 2:
        assert drawn[2].strip() == (step if width == 80 else f"{step[:34]}…")


async def test_a_session_that_is_being_read_is_not_said_to_have_no_results() -> None:
    app = make_app(FakeView(1, turns={}), state=FeedState.INDEXING)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = line(app, "Ledger", 1).strip()
        assert shown == "The session is being read.  Rows appear as they are known."


async def test_a_session_that_shrinks_keeps_a_request_that_exists() -> None:
    app = make_app(request=100)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        feed_of(app).push(FakeView(60), FeedState.TRUNCATED)
        await pilot.pause()
        assert frame_of(app).request == 60
        feed_of(app).push(FakeView(0, turns={}), FeedState.TRUNCATED)
        await pilot.pause()
        assert frame_of(app).request == 0
        assert "no request yet" in line(app, "Header")
        await pilot.press("left", "n", "right_square_bracket", "asterisk")


async def test_after_a_compaction_old_results_are_gone_but_still_listed() -> None:
    app = make_app(request=COMPACTED_AT)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "down")
        await pilot.pause()
        assert "▼ compaction" in line(app, "Facts")


@pytest.mark.parametrize(
    ("size", "classes"),
    [
        ((60, 15), {"-small", "-short", "-narrow"}),
        ((80, 24), {"-short", "-narrow"}),
        ((120, 40), set()),
        ((200, 50), {"-side", "-high"}),
    ],
)
async def test_layout_follows_the_size(size: tuple[int, int], classes: set[str]) -> None:
    app = make_app(request=38)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        named = {"-small", "-short", "-narrow", "-side", "-high"}
        assert set(app.screen.classes) & named == classes
        ledger, detail = app.screen.query_one(Ledger), app.screen.query_one(Detail)
        expected = {(60, 15): 10, (80, 24): 13, (120, 40): 18}.get(size)
        if expected:
            assert ledger.size.height == expected
        if "-side" in classes:
            assert (ledger.size.width, detail.region.x) == (120, 120)


async def test_a_small_screen_shows_the_list_and_enter_the_detail() -> None:
    app = make_app(request=38)
    async with app.run_test(size=(60, 15)) as pilot:
        await pilot.press("down")
        assert not app.screen.query_one(Detail).display
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen.query_one(Detail).display
        assert not app.screen.query_one("#main").display
        await pilot.press("escape")
        await pilot.pause()
        assert not app.screen.query_one(Detail).display


@covers("rows.page_down")
async def test_a_step_costs_what_is_visible_among_100_000_results() -> None:
    view = CrowdView(25_000, 4)
    app = make_app(view, request=20_000)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        view.calls = 0
        await pilot.press("left")
        await settle(pilot)
        assert view.calls < 120
        view.calls = 0
        await pilot.press("pagedown")
        await settle(pilot)
        assert view.calls < 120


async def test_header_gives_up_words_before_the_request() -> None:
    app = make_app(FakeView(title="a very long title " * 20), request=38)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.screen.query_one(Header).render_line(0).text.rstrip().endswith("38 / 112")


@covers("rows.open_all", "rows.close_all")
async def test_all_turns_open_and_close_at_once_and_the_cursor_stays_in_its_turn() -> None:
    app = make_app(request=112)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ledger = ledger_screen(app).ledger
        await pilot.press("down", "down")
        before = ledger_screen(app).ledger.place
        assert before is not None
        some = len(ledger.rows)
        await pilot.press("Z")
        await pilot.pause()
        closed = len(ledger.rows)
        assert closed < some
        assert ledger_screen(app).ledger.place == Place(before.turn)
        await pilot.press("z")
        await pilot.pause()
        assert len(ledger.rows) > some
        await pilot.press("Z", "enter")
        await pilot.pause()
        assert len(ledger.rows) > closed, "one turn can still be opened alone"


async def test_a_finding_that_is_longer_than_the_line_is_said_in_full() -> None:
    app = make_app(request=112)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        words = "one result after another " * 8
        ledger_screen(app).say(words)
        await pilot.pause()
        bar = app.screen.query_one("#hints")
        assert bar.size.height == 3
        shown = " ".join(bar.render_line(y).text.strip() for y in range(3))
        assert shown.startswith("one result")
        assert shown.endswith("? keys")
        assert shown.count("result") == 8
        await pilot.press("left")
        await pilot.pause()
        assert bar.size.height == 1


async def test_hints_are_those_of_the_keys_where_the_focus_is(tmp_path: Path) -> None:
    app = policy_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await rested(pilot)
        assert "what-if" in bottom(app)
        await pilot.press("tab")  # there the same key wraps a line
        await pilot.pause()
        assert "what-if" not in bottom(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "what-if" in bottom(app)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_way_back_from_one_stage_is_said_at_every_width(size: tuple[int, int]) -> None:
    app = make_app(request=112)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in "1234":
            await pilot.press(key)
            await pilot.pause()
            assert bottom(app).lstrip().startswith("Esc  all stages"), key
        await pilot.press("escape")
        await pilot.pause()
        assert "all stages" not in bottom(app)
