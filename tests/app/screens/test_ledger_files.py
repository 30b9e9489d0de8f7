"""Saving, the editor, and places: nothing is overwritten, nothing passes a shell."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.app.covers import covers
from tests.app.fake_sources import FakePlaces
from tests.app.stages import asked, bottom, ledger_screen, make_app, settle, until

SIZE = (120, 40)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own current directory, and a home beside it."""
    (tmp_path / "here").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "here"


@covers("detail.save")
async def test_the_whole_text_is_saved_to_a_new_file_in_the_current_directory(folder: Path) -> None:
    app = make_app(request=38, places=FakePlaces(Path("/s/one.jsonl")), path="/s/one.jsonl")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "C")
        assert asked(app).prompt.value == "./Bash-0055Wqk5-wire.txt"
        await pilot.press("enter")
        await until(pilot, lambda: "Saved 19 bytes" in bottom(app))
        assert (folder / "Bash-0055Wqk5-wire.txt").read_bytes() == b"Wire of 55 \x1b[31m\xed\xa0\x80"
        await pilot.press("C")
        assert asked(app).prompt.value.endswith("-2.txt"), "the next default is free again"


async def test_nothing_is_overwritten_and_the_reason_is_said(folder: Path) -> None:
    (folder / "old.txt").write_text("precious")
    app = make_app(request=38, places=FakePlaces(Path("/s/one.jsonl")))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "C")
        asked(app).prompt.value = "old.txt"
        await pilot.press("enter")
        await until(pilot, lambda: "exists; nothing was overwritten" in bottom(app))
        await pilot.press("C")
        asked(app).prompt.value = "no/such/place.txt"
        await pilot.press("enter")
        await until(pilot, lambda: "cannot be written" in bottom(app))
    assert (folder / "old.txt").read_text() == "precious"


async def test_the_default_is_never_beside_the_session(folder: Path) -> None:
    app = make_app(request=38, path=str(folder / "one.jsonl"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "C")
        assert Path(asked(app).prompt.value).parent == folder.parent / "home"
        await pilot.press("escape")
        assert not list(folder.iterdir())


async def test_a_text_that_cannot_be_had_is_not_saved(folder: Path) -> None:
    app = make_app(request=38, places=FakePlaces(Path("/s/one.jsonl")))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "tab", "tab", "tab", "tab", "C", "enter")
        await until(pilot, lambda: "Not saved: There is no overflow file of it." in bottom(app))
    assert not list(folder.iterdir())


@covers("detail.copy_place")
async def test_file_and_line_of_the_record_are_copied_printable() -> None:
    app = make_app(request=38, places=FakePlaces(Path("/s/\x1b[31mone.jsonl")))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("L")
        assert "Select a result first." in bottom(app)
        await pilot.press("down", "L")
        assert app.clipboard == "/s/␛[31mone.jsonl:65"


async def test_a_document_has_no_lines_to_copy() -> None:
    app = make_app(request=38, places=FakePlaces(Path("/s/one.json"), lines=False))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "L")
        assert app.clipboard == "/s/one.json"
        assert "(message 65)" in bottom(app)


@covers("detail.editor")
@pytest.mark.parametrize(("keys", "wanted"), [((), "big.txt"), (("tab", "tab"), "one.jsonl")])
async def test_e_opens_the_overflow_file_or_the_record_without_a_shell(
    folder: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], wanted: str
) -> None:
    for name in ("one.jsonl", "big.txt"):
        (folder / name).write_text("x")
    calls: list[list[str]] = []

    def note(app: object, names: tuple[str, ...], path: str, line: int | None = None) -> None:
        calls.append([path, str(line)])

    monkeypatch.setattr("inspector.app.screens.ledger_files.open_outside", note)
    monkeypatch.setenv("EDITOR", f"{sys.executable} -c pass")
    app = make_app(request=38, places=FakePlaces(folder / "one.jsonl", folder / "big.txt"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", *keys, "e")
        await until(pilot, lambda: bool(calls))
        await settle(pilot)
    assert calls == [[str(folder / wanted), "65" if wanted == "one.jsonl" else "None"]]


async def test_without_files_no_such_keys_are_offered() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "e", "L")
        ids = {active.binding.id for active in app.screen.active_bindings.values() if active.enabled}
        assert not ids & {"detail.editor", "detail.copy_place"}
        assert ledger_screen(app).selected is not None


async def test_a_turn_has_no_text_to_save() -> None:
    app = make_app(request=38)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("C")
        assert "Select a result first." in bottom(app)
