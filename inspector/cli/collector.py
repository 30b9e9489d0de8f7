"""The garbage collector of the whole process, set once where the process begins.

An index holds a few objects for each record and makes no cycles. At the usual thresholds the
collector walks through all of them again and again while they grow: a third of the time at 100,000
results.
"""

from __future__ import annotations

import atexit
import gc

YOUNG, MIDDLE, OLD = 2_000_000, 20, 100
"""Collections of the three generations, for a command that prints and ends."""
YOUNG_ON_SCREEN = 50_000
"""Young objects where screens make cycles for hours: these are still found, a little later."""


def collect_rarely() -> None:
    """Let the collector run hardly ever from now on: the process ends before it would pay."""
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    _end_at_once()


def collect_for_screens() -> None:
    """Let the collector run seldom, but for as long as the app may stay open."""
    gc.set_threshold(YOUNG_ON_SCREEN, MIDDLE, OLD)
    _end_at_once()


def _end_at_once() -> None:
    """Keep the collector from walking through everything when the process ends.

    That is a tenth of a short command, and nothing of ours waits for it: files are closed where they
    are used.
    """
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
