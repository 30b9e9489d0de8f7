from __future__ import annotations

import gc
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
