"""How the what-if panel and the compare screen look; what they do is tested elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.app.widgets.line_view import LineView
from inspector.model.policy_fields import FIELDS
from tests.app.policy_stage import policy_app, rested

Compare = Callable[..., bool]
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda s: f"{s[0]}x{s[1]}")


async def aged(pilot: Pilot[Any]) -> None:
    """Switch ageing on in the panel."""
    await rested(pilot)
    await pilot.press("w")
    await rested(pilot)
    paths = [field.path for field in FIELDS]
    pilot.app.screen.query_one("#rows", LineView).cursor = paths.index("microcompact.variant")
    await pilot.press("right")
    await rested(pilot)


@SIZES
def test_what_if(snap_compare: Compare, size: tuple[int, int], tmp_path: Path) -> None:
    assert snap_compare(policy_app(tmp_path), terminal_size=size, run_before=aged)


def test_what_if_without_colour(snap_compare: Compare, tmp_path: Path) -> None:
    assert snap_compare(policy_app(tmp_path, theme="mono"), terminal_size=(120, 40), run_before=aged)


@SIZES
def test_compare(snap_compare: Compare, size: tuple[int, int], tmp_path: Path) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await aged(pilot)
        await pilot.press("escape")
        await rested(pilot)
        await pilot.press("x")
        await rested(pilot)

    assert snap_compare(policy_app(tmp_path), terminal_size=size, run_before=before)


def test_compare_that_adds(snap_compare: Compare, tmp_path: Path) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await rested(pilot)
        await pilot.press("x")
        await rested(pilot)
        await pilot.press("t", "l")
        await rested(pilot)

    assert snap_compare(policy_app(tmp_path, theme="light"), terminal_size=(120, 40), run_before=before)
