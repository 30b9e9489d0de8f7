"""The overflow screen: files, facts, viewer, and the ways out of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual.pilot import Pilot

from inspector.app.feed import Jump
from inspector.app.screens.overflow import FileRows, OverflowScreen
from inspector.app.sources.files import OpenedText
from inspector.app.sources.overflow import FileState, OverflowRow
from inspector.app.theme import ink
from inspector.app.widgets.bar import Bar
from inspector.app.widgets.fact_lines import FactLines
from inspector.app.widgets.line_view import LineView
from inspector.app.widgets.text_pane import TextPane
from inspector.errors import UnreadableError
from tests.app.covers import covers
from tests.app.stage import Folder, Stage, folder


async def settle(pilot: Pilot[object]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def bar(app: Stage, name: str) -> str:
    return app.screen.query_one(f"#{name}", Bar).plain


async def test_list_shows_size_owner_and_state_of_every_file() -> None:
    app = Stage(lambda: OverflowScreen(folder()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        files = app.screen.query_one("#files", LineView)
        rows = [files.render_line(y).text.split() for y in range(6)]
        assert rows[0] == ["▌", "…_01XyWqk3.txt", "158,837", "turn", "37", "Bash", "!", "read", "in", "62"]
        assert rows[2][-3:] == ["≠", "121,300", "stated"]
        assert rows[3] == ["…_01XyDDsk.txt", "—", "turn", "92", "Grep", "×", "missing"]
        assert rows[4] == ["bk3x91q0z.txt", "96,004", "—", "?", "no", "owner"]
        assert "5 files, 638,886 bytes on disk" in bar(app, "facts-line")
        assert "× 1 missing" in bar(app, "facts-line")


async def test_what_is_wrong_with_the_files_has_room_before_the_name_of_the_directory() -> None:
    deep = f"/home/kim/.claude/projects/{'shop-' * 9}/tool-results"
    source = folder()
    source._directory = deep
    app = Stage(lambda: OverflowScreen(source))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        first = app.screen.query_one("#facts-line", Bar).render_line(0).text
        assert "5 files, 638,886 bytes on disk" in first
        assert "× 1 missing" in first
        await pilot.resize_terminal(160, 40)
        await settle(pilot)
        first = app.screen.query_one("#facts-line", Bar).render_line(0).text
        assert "tool-results   5 files" in first
        assert "≠ 1 size differs" in first


async def test_moving_opens_the_file_and_shows_its_facts() -> None:
    source = folder()
    app = Stage(lambda: OverflowScreen(source))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "stated 155.1KB, agrees" in app.screen.query_one("#facts", FactLines).plain
        assert bar(app, "title").startswith("toolu_01XyWqk3.txt")
        await pilot.press("down")
        await settle(pilot)
        assert bar(app, "title").startswith("toolu_01Xy5A6E.txt")
        assert source.opened == ["toolu_01XyWqk3.txt", "toolu_01Xy5A6E.txt"]


async def test_a_missing_file_is_said_to_be_lost_and_not_opened() -> None:
    source = folder()
    app = Stage(lambda: OverflowScreen(source, select=186))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert bar(app, "title") == "toolu_01XyDDsk.txt"
        assert "the text is lost" in bar(app, "foot")
        assert source.opened == []


async def test_where_there_is_little_room_the_facts_of_what_is_wrong_are_shown_all_the_same() -> None:
    app = Stage(lambda: OverflowScreen(folder(), select=186))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        facts, text = app.screen.query_one("#facts", FactLines), app.screen.query_one(TextPane)
        assert facts.display
        assert facts.size.height >= 6
        assert text.region.y >= facts.region.bottom
        assert text.size.height >= 5
        await pilot.press("ctrl+home")
        await settle(pilot)
        assert not facts.display, "a file that is as it should be leaves the room to its text"


async def test_enter_leaves_with_the_owner_and_escape_with_nothing() -> None:
    app = Stage(lambda: OverflowScreen(folder()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == [Jump(request=38, result=76)]
        app.push_screen(OverflowScreen(folder()), app.results.append)
        await settle(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert app.results[-1] is None


async def test_enter_on_a_file_without_owner_stays_and_says_so() -> None:
    app = Stage(lambda: OverflowScreen(folder()))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+end", "enter")
        await pilot.pause()
        assert app.results == []
        assert "owns the file" in next(iter(app._notifications)).message


@covers("overflow.search", "overflow.back")
async def test_escape_ends_search_first_and_then_leaves() -> None:
    app = Stage(lambda: OverflowScreen(folder()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"TokenReused", "enter")
        assert "1 of 3" in bar(app, "foot")
        await pilot.press("escape")
        assert "of 3" not in bar(app, "foot")
        await pilot.press("escape")
        await pilot.pause()
        assert app.results == [None]


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
async def test_an_empty_directory_says_what_that_means(size: tuple[int, int]) -> None:
    app = Stage(lambda: OverflowScreen(Folder((), {})))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        facts = app.screen.query_one("#facts", FactLines)
        assert "No overflow files." in facts.plain
        assert facts.region.height


async def test_errors_of_the_source_are_shown_where_they_belong() -> None:
    source = folder()
    source.texts.clear()
    app = Stage(lambda: OverflowScreen(source))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "is no plain file" in bar(app, "foot")

    class Broken(Folder):
        def rows(self) -> Sequence[OverflowRow]:
            raise UnreadableError("The directory is not readable.")

    app = Stage(lambda: OverflowScreen(Broken((), {})))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "The directory is not readable." in bar(app, "facts-line")


async def test_an_unexpected_error_is_shown_and_the_screen_lives() -> None:
    class Surprising(Folder):
        def open(self, row: OverflowRow) -> OpenedText:
            raise RuntimeError("surprise \x1b[31m")

    app = Stage(lambda: OverflowScreen(Surprising(folder().rows(), {})))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.pause(0.3)
        assert "surprise" in next(iter(app._notifications)).message
        assert "\x1b" not in next(iter(app._notifications)).message
        assert app.is_running


async def test_what_was_cut_is_said() -> None:
    class Huge(Folder):
        def open(self, row: OverflowRow) -> OpenedText:
            return OpenedText("abc", b"abc", 5_000_000, "3 bytes are no UTF-8")

    app = Stage(lambda: OverflowScreen(Huge(folder().rows(), {})))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "first 3 of 5,000,000 bytes shown, 3 bytes are no UTF-8" in bar(app, "foot")


@covers("overflow.reload")
async def test_reload_keeps_the_file_selected() -> None:
    source = folder()
    app = Stage(lambda: OverflowScreen(source))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("down", "down")
        source._rows = source._rows[1:]
        await pilot.press("f5")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, OverflowScreen)
        assert screen.selected is not None
        assert screen.selected.name == "toolu_01XyQmkc.txt"


@covers("overflow.copy_path")
async def test_path_is_copied_printable() -> None:
    app = Stage(lambda: OverflowScreen(folder()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("c")
        assert app.clipboard == "/s/tool-results/toolu_01XyWqk3.txt"


async def test_narrow_screens_stack_the_panes() -> None:
    app = Stage(lambda: OverflowScreen(folder()))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        files = app.screen.query_one("#files").region
        text = app.screen.query_one(TextPane).region
        assert text.y >= files.bottom
        assert text.width == 80
        assert text.height >= 12


def test_the_owner_in_the_list_keeps_the_end_of_a_long_tool_name() -> None:
    row = OverflowRow("a.txt", "/x/a.txt", 9, FileState.OK, owner="turn 12 mcp__logs__search")
    drawn = "".join(segment.text for segment in FileRows([row], 1).draw(0, 58, False, ink("dark")))
    assert "turn 12 …arch " in drawn
