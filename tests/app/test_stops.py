"""Break conditions hold where something is new, and a run finds the next such request."""

from __future__ import annotations

import pytest

from inspector.app.feed import FeedState, FeedUpdate
from inspector.app.frame import Frame
from inspector.app.screens.stops import offered
from inspector.app.stops import Run, Stop, StopKind
from inspector.model.policy import Unit
from tests.app.fakes import BROKEN_AT, FakeView

VIEW = FakeView()


def run(*stops: Stop) -> Run:
    return Run(VIEW, stops, VIEW.findings)


@pytest.mark.parametrize(
    ("stop", "start", "step", "request_", "reason"),
    [
        (Stop(StopKind.BUDGET, 100), 1, 1, 33, "turn 32 at 107 % of its budget: 215,330 of 200,000 chars"),
        (Stop(StopKind.BUDGET, 100), 38, 1, 61, "turn 60 at 118 %"),
        (Stop(StopKind.BUDGET, 110), 1, 1, 38, "turn 37 at 116 %"),
        (Stop(StopKind.BUDGET, 100), 38, -1, 33, "turn 32"),
        (Stop(StopKind.SIZE, 180_000), 1, 1, 92, "WebFetch returned 190,011 chars"),
        (Stop(StopKind.BREAK), 1, 1, BROKEN_AT, "prefix break"),
        (Stop(StopKind.REPAIR), 1, 1, 36, "1 repair"),
        (Stop(StopKind.TOOL, "WebFetch"), 112, -1, 92, "tool WebFetch"),
        (Stop(StopKind.FINDING, "missing_result"), 40, 1, 103, "missing_result: a call has no result"),
    ],
)
def test_a_run_stops_at_the_next_request_in_which_it_holds(
    stop: Stop, start: int, step: int, request_: int, reason: str
) -> None:
    hit = run(stop).next(start, step)
    assert hit is not None
    assert hit.request == request_
    assert hit.reason.startswith(reason)


def test_any_of_several_conditions_stops() -> None:
    hit = run(Stop(StopKind.REPAIR), Stop(StopKind.BUDGET, 100)).next(1, 1)
    assert hit is not None
    assert hit.request == 33


def test_a_hit_says_which_result_it_is_about() -> None:
    hit = run(Stop(StopKind.TOOL, "WebFetch")).next(1, 1)
    assert hit is not None
    assert hit.result is not None
    assert VIEW.result(hit.result, hit.request).tool == "WebFetch"


def test_past_the_ends_and_where_it_is_given_up_there_is_no_hit() -> None:
    nothing = run(Stop(StopKind.TOOL, "Nope"))
    assert nothing.next(1, 1) is None
    assert nothing.next(112, 1) is None
    assert nothing.next(1, -1) is None
    assert run(Stop(StopKind.BREAK)).next(1, 1, lambda: True) is None


def test_results_of_earlier_turns_are_not_new_again() -> None:
    tool = run(Stop(StopKind.TOOL, "WebFetch"))
    assert tool.hit(92) is not None
    assert tool.hit(93) is None


def test_offered_are_what_the_session_has_and_what_is_chosen() -> None:
    frame = Frame(FeedUpdate(VIEW, FeedState.LIVE), 112, False)
    chosen = [Stop(StopKind.BUDGET, 80), Stop(StopKind.TOOL, "Gone")]
    found = offered(frame, chosen)
    assert found[0] == Stop(StopKind.BUDGET, 80)
    assert Stop(StopKind.BUDGET, 100) not in found
    assert {Stop(StopKind.FINDING, "over_turn_budget"), Stop(StopKind.TOOL, "WebFetch")} <= set(found)
    assert found[-1] == Stop(StopKind.TOOL, "Gone")
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        (Stop(StopKind.BUDGET, 80), "budget of a turn from 80 %"),
        (Stop(StopKind.SIZE, 20_000), "result over 20,000 chars"),
        (Stop(StopKind.BREAK), "prefix break"),
        (Stop(StopKind.TOOL, "Bash"), "tool Bash"),
        (Stop(StopKind.FINDING, "bad_line"), "finding bad_line"),
    ],
)
def test_conditions_have_words(stop: Stop, words: str) -> None:
    assert stop.words(Unit.CODE_POINTS) == words


@pytest.mark.parametrize(("unit", "word"), [(Unit.UTF16, "UTF-16 units"), (Unit.BYTES, "bytes")])
def test_a_size_is_said_in_the_unit_of_the_policy(unit: Unit, word: str) -> None:
    assert Stop(StopKind.SIZE, 20_000).words(unit) == f"result over 20,000 {word}"
