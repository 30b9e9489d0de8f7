"""The garbage collector of the whole process, set once where the process begins.

An index holds a few objects for each record and makes no cycles. At the usual thresholds the
collector walks through all of them again and again while they grow: a third of the time at 100,000
results.
"""

from __future__ import annotations

import gc

YOUNG, MIDDLE, OLD = 50_000, 20, 100
"""Collections of the three generations; the screens' own cycles are still found, a little later."""


def collect_rarely() -> None:
    """Let the collector run seldom from now on."""
    gc.set_threshold(YOUNG, MIDDLE, OLD)
