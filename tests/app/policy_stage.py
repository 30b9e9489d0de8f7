"""The app on a real, small session: policies are replayed here, not invented."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.catalog import opened
from inspector.app.feed import FeedState
from inspector.app.screens.compare import CompareScreen
from inspector.app.screens.what_if import WhatIfScreen
from inspector.model.policy import DOCUMENTED, Ageing, Policy
from tests.claude_session import grown

BASE = DOCUMENTED.with_field("budget.result_limit", None).with_field("microcompact.variant", Ageing.OFF)
"""The budget of a group and nothing else, so that a what-if has much to change."""


def policy_app(
    folder: Path, *, turns: int = 60, policy: Policy = BASE, request: int | None = 24, theme: str = "dark"
) -> InspectorApp:
    """The app on a session of some turns, read once and not followed."""
    path = grown(turns).write(folder / "slow-import.jsonl")
    return InspectorApp(opened(path, policy=policy, follow=False), theme=theme, request=request)


async def rested(pilot: Pilot[Any]) -> None:
    """Wait until the session is read, replays are done and everything is drawn."""
    app = pilot.app
    assert isinstance(app, InspectorApp)
    for _ in range(400):
        await pilot.pause(0.02)
        update, screen = app.update, app.screen
        read = update is not None and update.state is FeedState.ENDED and bool(update.view.findings)
        waits = isinstance(screen, WhatIfScreen) and screen.pending
        waits |= isinstance(screen, CompareScreen) and screen.comparison is None
        if read and not waits:
            break
    await app.workers.wait_for_complete()
    await pilot.pause(0.05)
    await app.workers.wait_for_complete()
    await pilot.pause()
