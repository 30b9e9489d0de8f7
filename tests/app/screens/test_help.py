"""The help: all keys and signs, and the way through them."""

from __future__ import annotations

from inspector.app.screens.help import HelpScreen
from inspector.app.signs import EVENTS, LEVELS, MARK, REPAIRS, STATES, sign_table
from inspector.app.widgets.line_view import LineView
from tests.app.covers import covers
from tests.app.stage import Stage

TABLE = [(f"Part {n}", [(str(key), f"does {key}") for key in range(8)]) for n in range(6)]


@covers("help.part", "help.part_before")
async def test_tab_goes_from_part_to_part_and_round() -> None:
    app = Stage(lambda: HelpScreen(TABLE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        view = app.screen.query_one(LineView)

        def top() -> str:
            return view.render_line(0).text.strip()

        assert top() == "Part 0"
        await pilot.press("tab")
        assert top() == "Part 1"
        await pilot.press("shift+tab")
        assert top() == "Part 0"
        for _ in range(len(TABLE)):
            await pilot.press("tab")
            if top() == "Part 0":
                break
        assert top() == "Part 0", "past the last part comes the first"


def test_every_sign_is_explained() -> None:
    rows = [sign for _, part in sign_table() for sign, _ in part]
    for signs in (EVENTS.values(), LEVELS.values(), REPAIRS.values(), STATES.values(), [MARK]):
        assert {sign.sign for sign in signs if sign.sign.strip()} <= set(rows)
