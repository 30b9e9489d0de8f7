"""Where `continue` stops."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.app.session import LiveView
from inspector.app.stops import Run, Stop, StopKind
from inspector.session import Session
from tests.builders import LEDGER, Transcript, call, text


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("small"))
    script.result("small", "x" * 500)
    script.answer("m2", call("a"), call("b", "Grep"))
    script.result("a", "x" * 150_000)
    script.result("b", "x" * 100_000)
    script.answer("m3", call("open"))
    script.prompt("go on")
    script.answer("m4", text())
    with script.open(tmp_path, LEDGER) as opened:
        yield opened


def run(session: Session, *stops: Stop) -> Run:
    return Run(LiveView(session, threading.RLock()), stops, session.findings())


@pytest.mark.parametrize(
    ("stop", "request_"),
    [
        (Stop(StopKind.BUDGET, 100), 3),
        (Stop(StopKind.SIZE, 499), 2),
        (Stop(StopKind.SIZE, 500), 3),
        (Stop(StopKind.TOOL, "Grep"), 3),
        (Stop(StopKind.REPAIR), 4),
        (Stop(StopKind.FINDING, "over_turn_budget"), 3),
        (Stop(StopKind.TOOL, "nobody"), None),
    ],
    ids=lambda value: value.words if isinstance(value, Stop) else None,
)
def test_each_condition_stops_where_it_holds_first(
    session: Session, stop: Stop, request_: int | None
) -> None:
    hit = run(session, stop).next(0, 1)
    assert (hit.request if hit else None) == request_


def test_search_goes_back_and_passes_over_where_it_starts(session: Session) -> None:
    found = run(session, Stop(StopKind.SIZE, 100))
    assert (hit := found.next(3, -1)) is not None
    assert hit.request == 2
    assert found.next(2, -1) is None


def test_search_can_be_given_up(session: Session) -> None:
    assert run(session, Stop(StopKind.REPAIR)).next(0, 1, stopped=lambda: True) is None
