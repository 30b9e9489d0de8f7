from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

from inspector.cli.collector import (
    MIDDLE,
    OLD,
    YOUNG,
    YOUNG_ON_SCREEN,
    collect_for_screens,
    collect_rarely,
)


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_the_collector_runs_seldom_afterwards_but_still_runs() -> None:
    collect_rarely()
    assert gc.get_threshold() == (YOUNG, MIDDLE, OLD)
    assert gc.isenabled()


def test_behind_a_screen_it_runs_more_often_than_in_a_command_that_ends() -> None:
    collect_for_screens()
    assert gc.get_threshold() == (YOUNG_ON_SCREEN, MIDDLE, OLD)
    assert YOUNG_ON_SCREEN < YOUNG


def test_at_the_end_of_the_process_nothing_is_walked_through_again() -> None:
    code = """
import atexit, gc
from inspector.cli.collector import collect_rarely
atexit.register(lambda: print(gc.get_freeze_count() > 1000, len(gc.get_objects()) < 1000))
collect_rarely()
collect_rarely()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]
