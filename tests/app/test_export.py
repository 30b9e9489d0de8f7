"""The view goes out as text and as a picture, to new files with harmless names."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.app.export import export_view, screen_text
from tests.app.fakes import FakeView
from tests.app.stages import make_app, settle, until


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own current directory, and a home beside it."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / "here"


async def test_text_is_what_the_screen_shows(folder: Path) -> None:
    app = make_app(request=38)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("down")
        await settle(pilot)
        rows = screen_text(app).splitlines()
        assert len(rows) == 40
        assert rows[0].rstrip().endswith("request 38 of 112")
        path = export_view(app, "txt", "", "my session")
        assert (path.name, path.read_text("utf-8")) == ("inspector-my_session.txt", screen_text(app))
        again = export_view(app, "svg", "", "my session")
        assert again.read_text("utf-8").startswith("<svg")
        assert export_view(app, "svg", "", "my session").name == "inspector-my_session-2.svg"


@pytest.mark.parametrize(("words", "ending"), [("view as text", ".txt"), ("view as svg", ".svg")])
async def test_the_palette_exports_what_is_below_it(folder: Path, words: str, ending: str) -> None:
    app = make_app(FakeView(title="../\x1b[31mx"), request=38, path=str(folder / "one.jsonl"))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.press("ctrl+p")
        await pilot.press(*words.replace(" ", ""))
        await pilot.pause(0.5)
        await pilot.press("enter")
        home = folder.parent
        await until(pilot, lambda: bool(list(home.glob(f"inspector-*{ending}"))))
        (path,) = home.glob("inspector-*")
        assert path.name == f"inspector-31mx{ending}"
        assert not list(folder.iterdir()), "nothing beside the session"
        assert "Find commands" not in path.read_text("utf-8")
