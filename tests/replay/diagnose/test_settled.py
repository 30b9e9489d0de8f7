"""Settled requests are gone over once; those that may change, each time."""

from __future__ import annotations

from inspector.replay.diagnose.settled import LOOSE, Settled
from inspector.replay.timeline import Timeline
from tests.builders import LEDGER
from tests.pipeline.wire.records import Script, text


def test_each_request_is_given_once_it_is_settled_and_the_loose_ones_every_time() -> None:
    ranges: list[tuple[int, int]] = []

    def make(timeline: Timeline, start: int, end: int) -> list[int]:
        ranges.append((start, end))
        return [request.n for request in timeline.requests[start:end]]

    script = Script()
    script.user(text())
    timeline = Timeline(LEDGER)
    settled = Settled(timeline, make)
    fed = 0
    for n in range(6):
        script.answer(f"m{n}", text())
        script.user(text())
        timeline.extend(script.records[fed:])
        fed = len(script.records)
        assert settled.now() == list(range(1, len(timeline.requests) + 1))
    kept = [span for span in ranges if span[1] <= len(timeline.requests) - LOOSE and span[1] - span[0] == 1]
    assert kept[-2:] == [(2, 3), (3, 4)]


def test_what_settled_ones_depend_on_makes_them_anew() -> None:
    script = Script()
    for n in range(8):
        script.user(text())
        script.answer(f"m{n}", text())
    timeline = Timeline(LEDGER)
    timeline.extend(script.records)
    words = ["old"]
    settled = Settled(timeline, lambda _, start, end: [words[0]] * (end - start))
    assert set(settled.now(1)) == {"old"}
    words[0] = "new"
    assert settled.now(1).count("new") == LOOSE
    assert set(settled.now(2)) == {"new"}
