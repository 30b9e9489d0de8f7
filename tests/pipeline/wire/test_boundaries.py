"""Recorded clearings beside results and usage."""

from __future__ import annotations

import pytest

from inspector.model.transcript import Boundary, Persisted, Role, Usage
from inspector.pipeline.wire.boundaries import clearings
from tests.counting import calls_of
from tests.pipeline.wire.records import Script, call, result, text


def session(*sizes: int) -> Script:
    script = Script()
    script.user(text())
    for number, chars in enumerate(sizes):
        script.answer(f"m{number}", call(f"{number}"), usage=Usage(5, 100 * number, 0, 1))
        script.user(result(f"{number}", chars))
    return script


def clear(script: Script, saved: int, *ids: str) -> None:
    script(Role.CLEARING, boundary=Boundary(tokens_saved=saved, cleared_ids=ids))
    script.answer("next", text(), usage=Usage(7, 0, 0, 1))


def test_a_clearing_is_explained_by_the_results_it_names_each_rounded() -> None:
    script = session(40_002, 40_002, 90_000)
    clear(script, 20_002, "0", "1")
    (found,) = clearings(script.records)
    assert (found.explained, found.by_rule, found.saved, found.before) == (True, True, 20_002, 42_502)
    assert (found.usage_before, found.usage_after) == (205, 7)


def test_results_that_are_not_in_the_file_leave_it_unexplained() -> None:
    script = session(40_000)
    clear(script, 20_000, "0", "gone")
    (found,) = clearings(script.records)
    assert (found.explained, found.by_rule) == (False, None)
    assert found.reason == "1 of 2 named results are not in the file."


def test_a_clearing_at_the_very_end_has_no_usage_behind_it_yet() -> None:
    script = session(80_000)
    script(Role.CLEARING, boundary=Boundary(tokens_saved=20_000, cleared_ids=("0",)))
    (found,) = clearings(script.records)
    assert (found.usage_before, found.usage_after) == (5, None)


def test_other_choices_than_the_rule_are_seen() -> None:
    script = session(80_000, 80_000, 100)
    clear(script, 20_000, "1")
    (found,) = clearings(script.records)
    assert (found.explained, found.by_rule) == (True, False)


@pytest.mark.parametrize(("kept", "by_rule"), [(160_000, True), (160_004, False)])
def test_the_rule_leaves_at_most_forty_thousand_tokens(kept: int, by_rule: bool) -> None:
    script = session(80_000, kept)
    clear(script, 20_000, "0")
    (found,) = clearings(script.records)
    assert (found.explained, found.by_rule) == (True, by_rule)


@pytest.mark.parametrize(("first", "by_rule"), [(80_000, True), (79_996, False)])
def test_the_rule_saves_at_least_twenty_thousand_tokens(first: int, by_rule: bool) -> None:
    script = session(first, 400, 150_000)
    clear(script, first // 4, "0")
    (found,) = clearings(script.records)
    assert found.by_rule is by_rule


def test_previews_of_files_are_named_as_the_reason() -> None:
    script = session()
    script.answer("m", call("0"))
    script.user(result("0", 2_000, persisted=Persisted("/tmp/f", "100KB")))
    clear(script, 25_600, "0")
    assert clearings(script.records)[0].reason.startswith("Previews of files")


def test_an_earlier_clearing_takes_its_results_out_of_the_next() -> None:
    script = session(80_000, 80_000, 80_000)
    clear(script, 20_000, "0")
    clear(script, 20_000, "1")
    assert [c.before for c in clearings(script.records)] == [60_000, 40_000]


def test_a_result_that_comes_again_counts_as_it_came_last() -> None:
    script = session(80_000)
    script.user(result("0", 40_000))
    script.user(result("early", 8_000))
    script.answer("m", call("early"))
    clear(script, 0)
    clear(script, 2_000, "early")
    clear(script, 0)
    assert [c.before for c in clearings(script.records)] == [12_000, 12_000, 10_000]


def test_a_clearing_costs_what_it_names_and_not_what_is_left() -> None:
    def cost(count: int) -> int:
        script = session(*[10] * count)
        for name in range(0, count, 4):
            clear(script, 3, str(name))
        return calls_of(lambda: clearings(script.records))

    assert cost(400) < 5 * cost(100)
