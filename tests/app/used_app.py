"""Uses the real app, without a terminal, on any file: keys, pastes and odd sizes in any order."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from textual import events
from textual.pilot import Pilot

from inspector.app.app import InspectorApp
from inspector.app.catalog import KnownOpener, KnownSessions, opened
from inspector.app.feed import FeedState
from inspector.app.keymap import known_ids
from inspector.app.state import StateStore
from inspector.errors import InspectorError
from inspector.model.policy import Policy
from inspector.reading.locate import known_places
from tests.hostile import EVERYTHING

LEAVING = frozenset({"q", "ctrl+q", "ctrl+c", "ctrl+z", "ctrl+d"})
"""Keys that end the app, which is not what is tried."""
KEYS = sorted(
    {key for binding in known_ids().values() for key in binding.key.split(",")} - LEAVING
    | {"enter", "escape", "tab", "shift+tab", "up", "down", "pagedown", "pageup", "space", "backspace", "7"}
)
"""Every key that the app knows."""
SIZES: list[tuple[int, int]] = [
    (1, 1),
    (2, 1),
    (1, 40),
    (3, 3),
    (20, 5),
    (40, 12),
    (80, 24),
    (120, 40),
    (400, 3),
    (300, 100),
]
PASTES = [
    EVERYTHING[:2_000], "x" * 5_000, "9" * 5_000, "-1", "0", "/", "..", "~nobody/x", "a\0b", "\ud800",
    "(" * 999, "tool:", 'id="', ":::", "size>1e999", "/dev/zero", "/proc/self/mem", "[/x]", "\n\n\n", "",
]  # fmt: skip
"""Texts that stand for what a person may paste into any line of input."""

PROMPTS = ["/", ":", "b", "S", "ctrl+p", "s", "W"]
"""Keys that ask for words, or may."""

Step = str | tuple[int, int] | tuple[str] | tuple[str, str]
"""A key, a size of the terminal, a text to paste, or a key that asks, what is pasted then, and enter."""
LONGEST_S = 20


async def take(pilot: Pilot[None], step: Step) -> None:
    """Do one thing to the app, and wait until it is done."""
    app = pilot.app
    if isinstance(step, str):
        await pilot.press(step)
    elif isinstance(step[0], int):
        await pilot.resize_terminal(*step)  # type: ignore[misc]  # both are numbers
    else:
        if len(step) == 2:
            await pilot.press(step[0])
        app.post_message(events.Paste(str(step[-1])))
        await pilot.pause()
        if len(step) == 2:
            await pilot.press("enter")


async def use(
    path: Path,
    steps: Sequence[Step],
    *,
    policy: Policy | None = None,
    state: Path | None = None,
    size: tuple[int, int] = (120, 40),
    root: Path | None = None,
) -> InspectorApp | None:
    """Open a file in the app and use it; whatever goes wrong in it comes out.

    Args:
        path: The session.
        steps: What is done to the app.
        policy: The rules; None: those of the file's kind.
        state: Where marks are kept.
        size: Columns and rows at the beginning.
        root: Where other sessions are looked for.

    Returns:
        The app after its end; None: the file was refused.
    """
    try:
        session = opened(path, policy=policy, follow=False)
    except InspectorError:
        return None
    opener = KnownOpener()
    catalog = KnownSessions(known_places(os.environ, root or path.parent, root or path.parent))
    app = InspectorApp(session, catalog=catalog, opener=opener, store=StateStore(state), theme="dark")
    try:
        async with app.run_test(size=size) as pilot:
            end = time.monotonic() + LONGEST_S
            while app.update is None or app.update.state is FeedState.INDEXING:
                assert time.monotonic() < end, "the session was never read"
                await pilot.pause(0.01)
            for step in steps:
                if not app.is_running:
                    break
                await take(pilot, step)
            await pilot.pause()
    finally:
        opener.close()
    if app.fault is not None:
        raise app.fault
    return app
