"""Pictures of the screens that show files and texts; looks only, rules are tested elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

import inspector.app.app  # noqa: F401 (loads every screen, and so all ids that hints name)
from inspector.app.diff_texts import NamedText, Texts
from inspector.app.screens.diff import DiffScreen
from inspector.app.screens.findings import FindingsScreen
from inspector.app.screens.overflow import OverflowScreen
from inspector.app.screens.sessions import SessionsScreen
from inspector.app.screens.why import WhyScreen
from inspector.app.screens.wire import WireScreen
from inspector.app.sources.why import Reason, Share, WhyAnswer
from inspector.replay.usage_totals import UsageTotals
from tests.app.screens.test_why import Answers
from tests.app.stage import HOSTILE, NOW, Catalog, Stage, catalog, findings, folder, pytest_log
from tests.app.wires import Wires, left_out_view

SIZES = ((120, 40), (80, 24))


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")


def settled(keys: Sequence[str] = ()) -> Callable[[Pilot[object]], object]:
    async def run(pilot: Pilot[object]) -> None:
        for prompt in pilot.app.screen.query(Input):
            prompt.cursor_blink = False
        await at_rest(pilot)
        for key in keys:
            await pilot.press(key)
            await at_rest(pilot)

    return run


async def at_rest(pilot: Pilot[object]) -> None:
    """Wait until what is on the screen stays: work may end in a message that starts more work."""
    shown, now = None, ""
    while now != shown:
        shown = now
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        now = pilot.app.export_screenshot()


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
    "why": (lambda: WhyScreen(Answers(growing()), 77), "dark", ("tab",)),
    "wire": (lambda: WireScreen(Wires(left_out_view(40)), 40, requests=112), "dark", ("down", "down")),
    "findings": (lambda: FindingsScreen(findings(), requests=112), "dark", ("down", "down")),
}  # type: ignore[dict-item] # screens of any result


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("name", CASES)
def test_screen(name: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    make, theme, keys = CASES[name]
    assert snap_compare(Stage(make, theme), terminal_size=size, run_before=settled(keys))


def growing() -> WhyAnswer:
    """A request of many results, and causes of every loudness."""
    results = [
        Share(
            "Bash", f"pytest -q tests/part_{n}", 60_000 - 3_000 * n, 15_000 - 750 * n, 120_000, 76 - n, n,
            f"sent in {n + 1} requests; frozen", turn=70 - n, sent=n + 1,
        )
        for n in range(16)
    ]  # fmt: skip
    reasons = [
        Reason(
            "over_turn_budget", "warning",
            "request 38: 3 parallel results (2 Bash + Read), 241,000 chars in one message of 200,000; the "
            "largest, Bash toolu_a, stayed 40 requests: ≈ 23 % of all input since.",
            38, "toolu_a", ("Request 38 is 158,837 chars larger than the one before.",),
            brief="3 results hold 241,000 of 200,000; largest Bash pytest -x --tb=long", share=0.23, turn=37,
        ),
        Reason("missing_result", "error", "Grep toolu_b was called in line 76 and no result answers it.", 40,
               "toolu_b", turn=39),
        Reason("grower", "info", "request 5: Read toolu_c (src/app.py) brought 14,300 chars", 5, "toolu_c",
               brief="14,300 in 72 requests: Read src/app.py", share=0.04, turn=4),
        Reason("usage_repeated", "info", "70 records carry usage for 41 answers; each is counted once."),
    ]  # fmt: skip
    used = UsageTotals(answers=76, input=1_204, cache_read=5_420_470, cache_creation=347_864, output=31_154)
    rest = (
        Share("assistant text and calls", chars=20_000, tokens=5_000),
        Share("system prompt, tools, what no record shows", tokens=15_000),
    )
    chars = 20_000 + sum(share.chars for share in results)
    return WhyAnswer(77, chars, 190_412, 150_000, "chars", results, rest, reasons, usage=used)


def test_wire_where_it_is_wide(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(lambda: WireScreen(Wires(left_out_view(40)), 40, requests=112), "dark")  # type: ignore[arg-type, return-value] # as above
    assert snap_compare(stage, terminal_size=(200, 50), run_before=settled())


def test_wire_without_colour(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(lambda: WireScreen(Wires(left_out_view(40)), 40, requests=112), "mono")  # type: ignore[arg-type, return-value] # as above
    assert snap_compare(stage, terminal_size=(120, 40), run_before=settled(("u",)))


def test_wire_as_recorded(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(lambda: WireScreen(Wires(), 40, requests=112), "light")  # type: ignore[arg-type, return-value] # as above
    assert snap_compare(stage, terminal_size=(120, 40), run_before=settled(("f", "u")))


def test_diff_without_colour_and_unified(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(lambda: DiffScreen(Replaced()), "mono")  # type: ignore[arg-type, return-value] # as above
    assert snap_compare(stage, terminal_size=(120, 40), run_before=settled(("u", "n")))


def test_no_sessions(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(lambda: SessionsScreen(Catalog((), {}), clock=lambda: NOW), "dark")  # type: ignore[arg-type, return-value] # as above
    assert snap_compare(stage, terminal_size=(80, 24), run_before=settled())


def test_hostile_text_without_colour(snap_compare: Callable[..., bool]) -> None:
    stage = Stage(hostile_screen, "mono")
    assert snap_compare(stage, terminal_size=(120, 40), run_before=settled(("tab", "w")))
