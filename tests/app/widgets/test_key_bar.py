"""Hints say the keys that are in force, wherever the focus is."""

from __future__ import annotations

import pytest

from inspector.app.keymap import known_ids
from inspector.app.screens import compare, findings, map, overflow, sessions, what_if, why, wire
from inspector.app.widgets.key_bar import KeyBar
from tests.app.stage import Stage


async def test_keys_come_from_the_bindings_and_the_keymap() -> None:
    bar = KeyBar([("rows", ("rows.up", "rows.down")), ("kind", ("findings.kind",)), ("viewer", ("tab",))])
    app = Stage(bar)
    app.set_keymap({"findings.kind": "f8", "app.keys": "f1"})
    async with app.run_test(size=(80, 3)) as pilot:
        await pilot.pause()
        assert bar.plain.split("  ") == ["↑↓", "rows", "F8", "kind", "Tab", "viewer", "F1", "keys"]


@pytest.mark.parametrize("screen", [compare, findings, map, overflow, sessions, what_if, why, wire])
def test_hints_name_actions_that_exist(screen: object) -> None:
    ids = {id for _, ids, *_ in screen.HINTS for id in ids}  # type: ignore[attr-defined]  # each has it
    assert ids - known_ids().keys() <= {"tab"}


async def test_the_way_out_stays_at_the_right_edge_however_narrow_it_is() -> None:
    bar = KeyBar([("rows", ("rows.up", "rows.down")), ("kind of finding", ("findings.kind",)),
                  ("keep, back", ("findings.back",))])  # fmt: skip
    app = Stage(bar)
    async with app.run_test(size=(34, 3)) as pilot:
        await pilot.pause()
        shown = bar.render_line(0).text
        assert shown.rstrip().endswith("Esc keep, back  ? keys")
        assert "kind of finding" not in shown
