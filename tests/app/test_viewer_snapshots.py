"""Pictures of the screens that show files and texts; looks only, rules are tested elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from inspector.app.diff_texts import NamedText, Texts
from inspector.app.screens.diff import DiffScreen
from inspector.app.screens.findings import FindingsScreen
from inspector.app.screens.overflow import OverflowScreen
from inspector.app.screens.sessions import SessionsScreen
from inspector.app.screens.wire import WireScreen
from tests.app.stage import HOSTILE, NOW, Catalog, Stage, catalog, findings, folder, pytest_log
from tests.app.wires import Wires

SIZES = ((120, 40), (80, 24))


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")


def settled(keys: Sequence[str] = ()) -> Callable[[Pilot[object]], object]:
    async def run(pilot: Pilot[object]) -> None:
        for prompt in pilot.app.screen.query(Input):
            prompt.cursor_blink = False
        for _ in range(2):
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
        for key in keys:
            await pilot.press(key)
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()

    return run


def hostile_screen() -> Screen[object]:
    source = folder()
    source.texts = {row.name: HOSTILE for row in source.rows()}
    return OverflowScreen(source)  # type: ignore[return-value] # a screen of any result


class Replaced:
    """A result that was replaced, and whose file somebody edited."""

    title = "request 38 · turn 37 Bash pytest -x --tb=long tests"
    same_words = ""

    def read(self) -> Texts:
        log = pytest_log()
        edited = log.replace("test_case_0007 PASSED", "test_case_0007 FAILED").replace(" reuse", " re-use")
        edited = edited.replace("        first = login(client, user)\n", "")
        wire = "<persisted-output>\n" + log[:2_000] + "\n...\n</persisted-output>"
        return Texts(
            [
                NamedText("transcript", log, "as the tool gave it · 126,540 chars"),
                NamedText("wire", wire, "what the model saw · 2,164 of 126,540 chars"),
                NamedText("overflow file", edited, "ok · 126,509 bytes"),
            ],
            (),
        )


CASES: dict[str, tuple[Callable[[], Screen[object]], str, Sequence[str]]] = {
    "overflow": (lambda: OverflowScreen(folder()), "light", ("slash", *"TokenReused", "enter")),
    "sessions": (lambda: SessionsScreen(catalog(), clock=lambda: NOW), "light", ()),
    "diff": (lambda: DiffScreen(Replaced()), "dark", ("tab", "n", "n")),
    "findings": (lambda: FindingsScreen(findings(), requests=112), "dark", ("down", "down")),
}  # type: ignore[dict-item] # screens of any result


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("name", CASES)
def test_screen(name: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    make, theme, keys = CASES[name]
    assert snap_compare(Stage(make, theme), terminal_size=size, run_before=settled(keys))


def test_wire(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(lambda: WireScreen(Wires(), 40, requests=112), "dark")  # type: ignore[arg-type, return-value] # as above
    assert snap_compare(stage, terminal_size=(120, 40), run_before=settled())


def test_diff_without_colour_and_unified(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(lambda: DiffScreen(Replaced()), "mono")  # type: ignore[arg-type, return-value] # as above
    assert snap_compare(stage, terminal_size=(120, 40), run_before=settled(("u", "n")))


def test_no_sessions(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(lambda: SessionsScreen(Catalog((), {}), clock=lambda: NOW), "dark")  # type: ignore[arg-type, return-value] # as above
    assert snap_compare(stage, terminal_size=(80, 24), run_before=settled())


def test_hostile_text_without_colour(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(hostile_screen, "mono")
    assert snap_compare(stage, terminal_size=(120, 40), run_before=settled(("tab", "w")))
