"""Each quirk is found where it happens, and not where it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model.chatcli import AgeingLimits, BudgetLimits, Message, Order, Settings
from inspector.pipeline.chatcli.overflow import AssumedSink, OverflowSink
from inspector.pipeline.chatcli.quirks import QUIRKS, Sighting, sightings
from inspector.pipeline.chatcli.run import run_loop
from tests.pipeline.chatcli.histories import HISTORIES, answer, later, result, user

DEFAULTS = Settings()
SINK = AssumedSink("/scratch")
LONG = AssumedSink("/" + "d" * 400)


class NoDirectory:
    """A disk on which nothing can be made."""

    directory = "/scratch"

    def prepare(self) -> bool:
        return False

    def write(self, path: str, content: bytes) -> bool:
        return False


def seen(
    history: Sequence[Message],
    *,
    requests: int = 1,
    chosen: Settings = DEFAULTS,
    sink: OverflowSink = SINK,
) -> dict[str, list[Sighting]]:
    """Sightings by name over a few requests, each followed by one small turn."""
    runs = run_loop(history, [later(1)] * requests, chosen, sink)
    out: dict[str, list[Sighting]] = {}
    for n, run in enumerate(runs):
        for sighting in sightings(run, runs[n - 1] if n else None):
            out.setdefault(sighting.quirk, []).append(sighting)
    return out


def wide_turn() -> list[Message]:
    ids = [f"c{n}" for n in range(14)]
    return [answer(*ids), *(result(i, 15_000) for i in ids)]


def small_turn() -> list[Message]:
    ids = [f"c{n}" for n in range(50)]
    return [answer(*ids), *(result(i, 5_200) for i in ids)]


SMALL = Settings(BudgetLimits(1_000, 200_000))
CASES: dict[str, Callable[[], dict[str, list[Sighting]]]] = {
    "silent_reorder": lambda: seen([answer("a", "b"), result("b"), result("a"), answer("x")]),
    "result_before_call": lambda: seen([result("a"), answer("a")]),
    "emptied_message": lambda: seen([answer("")]),
    "saving_not_counted": lambda: seen([answer("a"), result("a", 30_000)]),
    "wrong_omitted_count": lambda: seen([answer("a"), result("a", 4_500)], chosen=SMALL),
    "new_file_each_turn": lambda: seen([answer("a"), result("a", 30_000)], requests=2),
    "cannot_fit": lambda: seen(small_turn()),
    "tie_by_sort": lambda: seen(wide_turn()),
    "cut_twice": lambda: seen(
        [answer("a", "b"), result("a", b"x" * 9_000), result("b", b"x" * 9_000)],
        chosen=Settings(BudgetLimits(8_000, 5_000)),
        sink=LONG,
    ),
    "counted_without_file": lambda: seen([answer("a"), result("a", 30_000)], sink=NoDirectory()),
    "preview_longer": lambda: seen([answer("a"), result("a", 4_000)], chosen=SMALL),
    "summary_never_comes": lambda: seen([answer("a"), result("a", 9_000)], requests=4),
    "gate_closed": lambda: seen([answer("a"), result("a", 9_000), *later(6)]),
    "straight_to_summary": lambda: seen([answer("a"), result("a", 9_000), *later(6)], requests=3),
    "counted_but_unchanged": lambda: seen(
        [answer("a"), result("a", 500)], requests=4, chosen=Settings(ageing=AgeingLimits(min_bytes=100))
    ),
    "error_shortened": lambda: seen([answer("a"), result("a", 9_000, is_error=True)], requests=4),
    "recall_without_store": lambda: seen(
        [answer("a"), result("a", b"<<ccr:0123456789abcdef>>" + b"x" * 9_000), *later(5)], requests=3
    ),
    "split_character": lambda: seen([answer("a"), result("a", b"x" + "é€".encode() * 9_000)]),
}


@pytest.mark.parametrize("name", [quirk.name for quirk in QUIRKS])
def test_quirk_is_found_where_it_happens(name: str) -> None:
    found = CASES[name]()
    assert name in found, sorted(found)
    assert found[name][0].sentence.endswith(".")
    assert found[name][0].ids


def test_ordinary_request_shows_nothing() -> None:
    assert seen([user(), answer("a"), result("a", 2_000)], requests=3) == {}


def test_new_file_each_turn_does_not_occur_in_seed_order() -> None:
    found = seen([answer("a"), result("a", 30_000)], requests=3, chosen=Settings(order=Order.SEED))
    assert "new_file_each_turn" not in found


def test_real_loss_is_told_beside_the_stated_count() -> None:
    sighting = CASES["wrong_omitted_count"]()["wrong_omitted_count"][0]
    assert sighting.data == {"stated_chars": -500, "missing_bytes": 500, "result_bytes": 4_500}


def test_over_limit_is_blamed_on_the_disk_where_writing_failed() -> None:
    ids = [f"c{n}" for n in range(30)]
    history = [answer(*ids), *(result(i, 21_000) for i in ids)]
    (sighting,) = seen(history, chosen=Settings(BudgetLimits(20_000, 100_000)), sink=NoDirectory())[
        "cannot_fit"
    ]
    assert "written to disk" in sighting.sentence


@settings(max_examples=60, deadline=None)
@given(HISTORIES, st.sampled_from(Order))
def test_any_history_can_be_looked_at(history: Sequence[Message], order: Order) -> None:
    chosen = Settings(BudgetLimits(2_000, 8_000), AgeingLimits(min_bytes=500), order=order)
    known = {quirk.name for quirk in QUIRKS}
    assert seen(history, requests=4, chosen=chosen).keys() <= known
