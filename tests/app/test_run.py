"""The first picture waits for nothing; what is opened behind it is shown, or its fault is told."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from inspector.app.app import InspectorApp
from inspector.app.opening import Begun, OpeningView
from inspector.app.run import Wanted, run_session
from inspector.app.screens.ledger import LedgerScreen
from inspector.app.screens.sessions import SessionsScreen
from inspector.errors import UnreadableError
from tests.app.fakes import FakeFeed
from tests.app.stages import make_app
from tests.app.test_app import Catalog


def opened_session() -> Begun:
    return Begun(make_app(request=38)._session)


def text_of(app: InspectorApp) -> str:
    view = app.screen.query_one(OpeningView)
    return "\n".join(view.render_line(y).text for y in range(view.size.height))


async def test_what_is_opened_is_named_until_it_is_there() -> None:
    go_on = threading.Event()

    def begin() -> Begun:
        go_on.wait(10)
        return opened_session()

    app = InspectorApp(None, begin=begin, opening="a\x1b[31m.jsonl", theme="dark")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "opening a␛[31m.jsonl" in text_of(app)
        assert "q quit" in text_of(app)
        go_on.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, LedgerScreen)
        await pilot.pause()
        assert app.update is not None


async def test_without_a_session_the_list_of_sessions_is_shown() -> None:
    app = InspectorApp(None, begin=lambda: Begun(None, Catalog()), opening="sessions", theme="dark")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, SessionsScreen)


async def test_a_session_that_cannot_be_opened_ends_the_app_with_its_words() -> None:
    def begin() -> Begun:
        raise UnreadableError("s.jsonl: permission denied")

    app = InspectorApp(None, begin=begin, opening="s.jsonl", theme="dark")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
    assert str(app.fault) == "s.jsonl: permission denied"


async def test_a_key_that_comes_before_the_session_is_answered() -> None:
    go_on = threading.Event()

    def begin() -> Begun:
        go_on.wait(10)
        return opened_session()

    app = InspectorApp(None, begin=begin, opening="s.jsonl", theme="dark")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("q")
        await asyncio.sleep(0)
        assert app._exit
        go_on.set()


def test_a_fault_in_opening_comes_out_of_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def want() -> Wanted:
        raise UnreadableError("s.jsonl: gone")

    run = InspectorApp.run
    monkeypatch.setattr(InspectorApp, "run", lambda app: run(app, headless=True))
    with pytest.raises(UnreadableError, match=r"s\.jsonl: gone"):
        run_session(want, name="s.jsonl")


def test_the_feed_gives_way_to_a_key_and_goes_on_once_it_is_drawn() -> None:
    app = make_app(request=38)
    assert app._session is not None
    feed = app._session.feed
    assert isinstance(feed, FakeFeed)

    async def go() -> None:
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            feed.waits.clear()
            await pilot.press("left")
            await pilot.pause()

    asyncio.run(go())
    assert feed.waits[0] == "gave way"
    assert feed.waits[-1] == "went on"


LOADED = "import sys; {imports}; print(*[m for m in sys.modules if m.startswith({start!r})])"


def loaded(imports: str, start: str) -> list[str]:
    code = LOADED.format(imports=imports, start=start)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    return done.stdout.split()


def test_the_first_picture_loads_neither_screens_nor_the_reading_of_sessions() -> None:
    parts = loaded("import inspector.cli.call, inspector.cli.app_commands, inspector.app.run", "inspector.")
    heavy = (
        "inspector.session",
        "inspector.replay",
        "inspector.pipeline",
        "inspector.app.screens",
        "inspector.why",
    )
    assert not [part for part in parts if part.startswith(heavy)]
    assert len(parts) < 33


def test_the_first_picture_loads_no_library_beside_textual() -> None:
    foreign = loaded("import inspector.cli.app_commands, inspector.app.run", "")
    assert not {"msgspec", "orjson", "watchfiles", "tomllib", "json"} & set(foreign)
