"""How the map looks. What it does is tested elsewhere; these are for the eye."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.app.stages import make_app, settle

Compare = Callable[..., bool]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("theme", ["dark", "mono"])
def test_map(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        await pilot.press("down", "m")
        await settle(pilot)

    assert snap_compare(make_app(request=38, theme=theme), terminal_size=size, run_before=before)


def test_map_of_all_requests(snap_compare: Compare) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        await pilot.press("down", "m", "minus", "minus", "minus", "s")
        await settle(pilot)

    assert snap_compare(make_app(request=60), terminal_size=(120, 40), run_before=before)
