from __future__ import annotations

import gc

from inspector.cli.collector import MIDDLE, OLD, YOUNG, collect_rarely


def test_the_collector_runs_seldom_afterwards_but_still_runs() -> None:
    before = gc.get_threshold()
    try:
        collect_rarely()
        assert gc.get_threshold() == (YOUNG, MIDDLE, OLD)
        assert gc.isenabled()
    finally:
        gc.set_threshold(*before)
