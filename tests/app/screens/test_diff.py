"""The diff screen: which pair it shows, where its keys go, and how it is reached and left."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.diff_texts import NamedText, Texts
from inspector.app.screens.diff import DiffScreen
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.wire import WireScreen
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.diff_rows import DiffRows, SideRows
from inspector.app.widgets.diff_view import DiffView
from inspector.session.wire_view import Side
from tests.app.covers import covers
from tests.app.stage import HOSTILE, Stage
from tests.app.stages import bottom, line, make_app, on_screen, settle
from tests.app.wires import Wires

ALIKE = "\n".join(f"line {n}" for n in range(60))


class Given:
    """Texts that a test made."""

    same_words = "Another field changed."

    def __init__(self, texts: Texts | None, title: str = "turn 37 Bash") -> None:
        self.title = title
        self._texts = texts

    def read(self) -> Texts:
        if self._texts is None:
            raise RuntimeError("no texts")
        return self._texts


def three(*, missing: tuple[str, ...] = ()) -> Given:
    return Given(
        Texts(
            [
                NamedText("transcript", ALIKE, "60 lines"),
                NamedText("wire", ALIKE),
                NamedText("overflow file", ALIKE.replace("line 9\n", "line nine\n").replace("line 40", "x")),
            ],
            missing,
        )
    )


def stage(source: Given) -> Stage:
    return Stage(lambda: DiffScreen(source))  # type: ignore[arg-type, return-value] # a screen of any result


async def ready(pilot: Pilot[Any]) -> None:
    for _ in range(2):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def bar(app: Any, name: str) -> str:
    return str(app.screen.query_one(f"#{name}", Bar).plain)


def diff(app: Any) -> DiffView:
    view = app.screen.query_one(DiffView)
    assert isinstance(view, DiffView)
    return view


async def test_it_begins_with_the_first_pair_that_differs() -> None:
    app = stage(three())
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        assert bar(app, "pair-line") == "transcript  │  overflow file  pair 2 of 3"
        assert bar(app, "facts-line") == "Diff  turn 37 Bash  2 differences"
        assert isinstance(diff(app).rows, SideRows)


@covers("diff.pair_next", "diff.pair_before")
async def test_brackets_and_tab_choose_among_the_pairs_that_there_are() -> None:
    app = stage(three())
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        for key, n in (("]", 3), ("tab", 1), ("tab", 2), ("[", 1), ("shift+tab", 3)):
            await pilot.press({"]": "right_square_bracket", "[": "left_square_bracket"}.get(key, key))
            await ready(pilot)
            assert f"pair {n} of 3" in bar(app, "pair-line"), key
        assert "wire" in line(app, "DiffView", 0)  # type: ignore[arg-type] # any app has a screen
        assert "overflow file" in line(app, "DiffView", 1)  # type: ignore[arg-type] # as above


async def test_a_pair_that_does_not_differ_says_so() -> None:
    app = stage(three())
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await pilot.press("left_square_bracket")
        await ready(pilot)
        assert "Both texts are the same" in diff(app).render_line(2).text
        assert "no difference" in bar(app, "facts-line")
        assert "Another field changed." in bar(app, "pair-line")
        await pilot.press("n", "N")
        assert diff(app).cursor == 0


@covers("diff.next", "diff.previous", "diff.form")
async def test_n_walks_over_the_differences_and_the_head_counts_them() -> None:
    app = stage(three())
    async with app.run_test(size=(120, 16)) as pilot:
        await ready(pilot)
        heads = []
        for key in ("n", "n", "N", "u", "n"):
            await pilot.press(key)
            await pilot.pause()
            heads.append(bar(app, "facts-line").split("  ")[-1].removesuffix(" of 2 differences"))
        assert heads == ["1", "2", "1", "1", "2"]
        assert isinstance(diff(app).rows, DiffRows)


async def test_the_form_stays_from_pair_to_pair() -> None:
    app = stage(three())
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        await pilot.press("u", "tab")
        await ready(pilot)
        assert isinstance(diff(app).rows, DiffRows)


async def test_one_text_alone_is_said_with_what_is_missing() -> None:
    app = stage(Given(Texts([NamedText("transcript", "a")], ["overflow file: it was deleted"])))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ready(pilot)
        assert "There is only one text, transcript." in bar(app, "pair-line")
        assert "× overflow file: it was deleted" in bar(app, "pair-line")
        await pilot.press("tab", "n", "u")
        assert diff(app).compared is None


async def test_a_lone_pair_has_no_other() -> None:
    app = stage(Given(Texts([NamedText("request 1", "a"), NamedText("request 2", "b")])))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("tab")
        assert [n.message for n in app._notifications] == ["There are no other texts of it."]


async def test_a_fault_of_the_reader_is_said() -> None:
    app = stage(Given(None))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.pause(0.1)
        assert "could not be read" in bar(app, "pair-line")
        assert any("no texts" in n.message for n in app._notifications)


async def test_hostile_texts_and_names_are_drawn_as_plain_cells() -> None:
    texts = [NamedText(HOSTILE, HOSTILE, HOSTILE), NamedText("b", HOSTILE[::-1])]
    app = stage(Given(Texts(texts, (HOSTILE,)), HOSTILE))
    async with app.run_test(size=(120, 24)) as pilot:
        await ready(pilot)
        await pilot.press("u")
        for selector, rows in (("#facts-line", 1), ("#pair-line", 1), ("DiffView", 20)):
            for y in range(rows):
                drawn = app.screen.query_one(selector).render_line(y).text
                assert all(ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0 for c in drawn)
                assert "\u202e" not in drawn


# From the ledger


@covers("screen.diff", "diff.back")
async def test_d_compares_the_texts_of_the_selected_result_and_escape_returns() -> None:
    app = make_app(request=38)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("down", "d")
        await on_screen(pilot, DiffScreen)
        await ready(pilot)
        assert "request 38 · turn 37 Bash pytest" in bar(app, "facts-line")
        assert "transcript" in bar(app, "pair-line")
        await pilot.press("n")
        assert "− Bash pytest" in drawn_row(app)
        await pilot.press("escape")
        await on_screen(pilot, LedgerScreen)


def drawn_row(app: InspectorApp) -> str:
    view = diff(app)
    return view.render_line(view.cursor - view.scroll_offset.y).text


async def test_d_on_a_turn_says_that_there_is_no_result() -> None:
    app = make_app(request=38)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("d")
        await pilot.pause()
        assert isinstance(app.screen, LedgerScreen)
        assert "The cursor is on no result" in bottom(app)


# From the wire


@covers("wire.diff")
async def test_d_on_a_changed_block_compares_it_with_the_request_before() -> None:
    source = Wires()
    app = Stage(lambda: WireScreen(source, 40, requests=112))
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        await pilot.press("d")
        await on_screen(pilot, DiffScreen)
        await ready(pilot)
        assert "message 6, block 0" in bar(app, "facts-line")
        assert bar(app, "pair-line") == "request 39  │  request 40  pair 1 of 3"
        assert [side for _, side in source.read[-3:]] == [Side.BEFORE, Side.PREDICTED, Side.RECORDED]
        await pilot.press("escape")
        await on_screen(pilot, WireScreen)
        assert app.results == []


@covers("wire.diff")
async def test_d_on_other_blocks_says_why_there_is_nothing_to_compare() -> None:
    app = Stage(lambda: WireScreen(Wires(), 40, requests=112))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ready(pilot)
        for key in ("ctrl+end", "up", "ctrl+home"):
            await pilot.press(key, "d")
            await pilot.pause()
        assert isinstance(app.screen, WireScreen)
        said = [n.message for n in app._notifications]
        assert ["is new" in said[0], "stands above it" in said[1], "on no block" in said[2]] == [True] * 3
