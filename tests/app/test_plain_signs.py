"""The app where signs are ASCII: every screen, drawn for real, holds no sign of ours that is not."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.pilot import Pilot
from textual.scrollbar import ScrollBar, ScrollBarRender

from inspector.alphabet import Charset
from inspector.app.app import InspectorApp
from inspector.app.catalog import KnownSessions, opened
from inspector.app.export import screen_text
from inspector.app.plain_signs import SESSION_TEXT, PlainScrollBar, PlainSigns
from inspector.app.screens.ledger import LedgerScreen
from inspector.reading.locate import known_places
from inspector.samples import stories
from tests.app.stages import make_app, settle, until
from tests.app.terminal import Terminal

GROUND = Color(0, 0, 0)
STORIES = {story.name: story for story in stories()}
WALK = [
    "down", "tab", "tab", "tab", "escape", "left", "slash", "escape", "m", "escape", "v", "escape",
    "y", "escape", "i", "escape", "o", "escape", "d", "escape", "w", "escape", "x", "escape", "B", "escape",
    "s", "escape", "question_mark", "escape", "ctrl+p", "escape",
]  # fmt: skip
"""Through every screen and back."""


def turned(charset: Charset, *segments: Segment) -> str:
    return "".join(s.text for s in PlainSigns(charset).apply(list(segments), GROUND))


def test_our_signs_are_turned_and_a_sessions_are_not() -> None:
    style = Style(color="red")
    row = (Segment("▲ é → ", style), Segment("▲ é → ␛�", style + SESSION_TEXT))
    assert turned(Charset(ascii=True), *row) == "A é > ▲ é → ??"


def test_what_the_terminal_cannot_show_keeps_its_width() -> None:
    row = (Segment("é漢e\u0301", Style() + SESSION_TEXT), Segment("▲é"))
    assert turned(Charset(ascii=True, encoding="ascii"), *row) == "???eA?"
    assert turned(Charset(ascii=True, encoding="iso-8859-1"), *row) == "é??eAé"
    assert turned(Charset(ascii=False, encoding="ascii"), Segment("▲")) == "?"


def test_rows_without_signs_are_left_alone() -> None:
    row = [Segment("plain", Style(color="red"))]
    assert PlainSigns(Charset(ascii=True)).apply(row, GROUND) is row


async def drawn_rows(pilot: Pilot[Any]) -> str:
    await settle(pilot)
    return screen_text(pilot.app)


@pytest.mark.parametrize(
    ("name", "size"), [("parallel-blowup", (120, 40)), ("damaged-lines", (80, 24))], ids=["wide", "narrow"]
)
async def test_no_screen_has_a_sign_of_ours_that_is_not_ascii(name: str, size: tuple[int, int]) -> None:
    story = STORIES[name]
    told = {
        sign
        for path in story.folder.rglob("*")
        if path.is_file()
        for sign in path.read_text("utf-8", "replace")
    }
    session = opened(story.path, follow=False)
    catalog = KnownSessions(known_places({}, story.folder.parent, story.folder))
    app = InspectorApp(session, catalog=catalog, charset=Charset(ascii=True))
    seen = set()
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.update is not None and app.update.view.findings != ())
        for key in WALK:
            await pilot.press(key)
            await pilot.pause()
            rows = screen_text(app)
            seen.add(type(app.screen).__name__)
            odd = {sign for sign in rows if not sign.isascii()} - told
            assert not odd, (key, odd, rows)
    assert len(seen) >= 10, seen


async def test_the_keys_are_named_by_words_where_arrows_would_be_other_keys() -> None:
    app = make_app()
    app_ascii = InspectorApp(app._session, charset=Charset(ascii=True))
    async with app_ascii.run_test(size=(120, 40)) as pilot:
        rows = await drawn_rows(pilot)
        assert "Left/Right step" in rows
        await pilot.press("question_mark")
        await pilot.pause()
        rows = screen_text(app_ascii)
        assert "Left        One request back" in rows


async def test_without_the_wish_everything_stays_as_it_is() -> None:
    InspectorApp(make_app()._session, charset=Charset(ascii=True))
    assert ScrollBar.renderer is PlainScrollBar
    app = make_app()
    assert ScrollBar.renderer is ScrollBarRender
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, LedgerScreen)
        assert not any(isinstance(f, PlainSigns) for f in app.get_line_filters())
        assert "▲" in await drawn_rows(pilot)


def test_a_terminal_of_the_c_locale_gets_nothing_but_ascii(tmp_path: Path) -> None:
    """The real program in a terminal of its own, texts of the session included."""
    story = STORIES["parallel-blowup"]
    assert not story.path.read_text(encoding="utf-8").isascii()
    environment = {"LC_ALL": "C", "HOME": str(tmp_path)}
    with closing(Terminal(["open", "--no-follow", str(story.path)], environment)) as terminal:
        terminal.wait_for("request 42 of 42")
        for key in ("down", "i", "escape", "m", "escape", "o"):
            terminal.press(key)
        assert bytes(terminal.written).isascii()
        terminal.press("q")
        assert terminal.leave() == 0
