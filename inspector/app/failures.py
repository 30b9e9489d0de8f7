"""A worker that failed unexpectedly says so in words, on every screen that reads files."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from inspector.text import printable_line


def tells_failure(owner: Screen[Any] | App[Any], event: Worker.StateChanged) -> bool:
    """Notify the person where a reading worker has failed.

    Args:
        owner: Whose worker it is.
        event: Its change of state.

    Returns:
        Whether it failed.
    """
    if event.state is not WorkerState.ERROR:
        return False
    owner.notify(printable_line(f"Reading failed: {event.worker.error!r}"), severity="error", markup=False)
    return True
