"""Comparing two replays: what each sends, where they part, and what the trade is."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from inspector.model.ledger import Level, Span, State
from inspector.model.policy import CHATCLI, DOCUMENTED, Ageing, BudgetMode, Policy
from inspector.replay.differences import Comparison, compare, first_difference, sent_over, totals, uncached
from inspector.replay.timeline import Timeline
from inspector.replay.trade import trade_sentence
from inspector.session import open_session
from tests.claude_session import Transcript, grown

PLAIN = DOCUMENTED.with_field("budget.mode", BudgetMode.OFF).with_field("microcompact.variant", Ageing.OFF)
BUDGET = DOCUMENTED.with_field("microcompact.variant", Ageing.OFF)
AGES = DOCUMENTED.with_field("budget.mode", BudgetMode.OFF)


def replay(script: Transcript, policy: Policy, folder: Path) -> Timeline:
    with open_session(script.write(folder / "5e55.jsonl"), policy=policy) as session:
        return session.timeline


def compared(script: Transcript, a: Policy, b: Policy, folder: Path, window: int | None = None) -> Comparison:
    return compare(replay(script, a, folder), replay(script, b, folder), window_chars=window)


def small() -> Transcript:
    """Two results that age, one of them over the limit of one result; four turns."""
    out = Transcript().turn(("Read", "a.py", 9_000)).turn(("Grep", "b", 50_000))
    return out.turn(("Bash", "ls", 100)).turn(("Bash", "pwd", 100))


def span(start: int, level: Level, chars: int) -> Span:
    return Span(start, State.FROZEN, level, chars)


def test_the_same_policy_differs_nowhere(tmp_path: Path) -> None:
    found = compared(grown(30), DOCUMENTED, DOCUMENTED, tmp_path)
    assert found.a_totals == found.b_totals
    assert not found.results and not found.changed_requests
    assert trade_sentence(found) == "A and B send the same in every request of this session."


def test_totals_are_sums_over_the_requests(tmp_path: Path) -> None:
    timeline = replay(grown(30), DOCUMENTED, tmp_path)
    found = totals(timeline, window_chars=60_000)
    sizes = [r.wire_chars for r in timeline.requests]
    assert found.sent_chars == sum(sizes)
    assert (found.peak_chars, found.peak_request) == (max(sizes), sizes.index(max(sizes)) + 1)
    assert found.over_window == next(n for n, size in enumerate(sizes, 1) if size > 60_000)
    assert totals(timeline).over_window is None


def test_replaced_and_aged_results_are_counted_once_each(tmp_path: Path) -> None:
    found = compared(small(), PLAIN, DOCUMENTED, tmp_path)
    assert (found.a_totals.replaced, found.a_totals.aged, found.a_totals.breaks) == (0, 0, 0)
    assert found.b_totals.replaced == 1  # only the 50,000 are over the limit of one result
    assert found.b_totals.aged == 2  # its preview, of more than 3,000, ages too
    assert found.b_totals.breaks == found.b_totals.planned > 0


def test_a_result_tells_where_the_two_part_and_what_each_sent(tmp_path: Path) -> None:
    found = compared(small(), PLAIN, BUDGET, tmp_path)
    (row,) = found.results
    assert (row.tool, row.argument, row.turn, row.request) == ("Grep", "b", 2, 3)
    assert row.a_sent == 3 * 50_000
    assert row.b_sent < 3 * 6_000
    assert [r.n for r in found.requests if r.differs] == [3, 4, 5]


def test_results_come_by_the_size_of_their_difference(tmp_path: Path) -> None:
    sizes = [abs(r.a_sent - r.b_sent) for r in compared(grown(45), PLAIN, DOCUMENTED, tmp_path).results]
    assert len(sizes) > 10
    assert sizes == sorted(sizes, reverse=True)


def test_what_results_save_is_what_the_requests_save(tmp_path: Path) -> None:
    found = compared(grown(45), PLAIN, DOCUMENTED, tmp_path)
    by_result = sum(r.a_sent - r.b_sent for r in found.results)
    assert by_result == sum(r.a_chars - r.b_chars for r in found.requests)


def test_replays_of_other_records_cannot_be_compared(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="same records"):
        compare(replay(grown(5), PLAIN, tmp_path), replay(grown(6), PLAIN, tmp_path))


def test_without_a_break_only_what_is_new_is_uncached(tmp_path: Path) -> None:
    timeline = replay(grown(30), PLAIN, tmp_path)
    sizes = [0, *(r.wire_chars for r in timeline.requests)]
    assert uncached(timeline) == [now - before for before, now in pairwise(sizes)]


def test_a_break_costs_what_stands_behind_it(tmp_path: Path) -> None:
    script = small()
    timeline = replay(script, AGES, tmp_path)
    found = uncached(timeline)
    request = next(r for r in timeline.requests if r.break_)
    assert request.break_ is not None and request.break_.tool_use_id == "toolu_0000"
    # Its first result is cut: the question and the call in front of it stay in the cache, no more.
    kept = request.wire_chars - found[request.n - 1]
    question = timeline.requests[0].wire_chars
    assert question <= kept < question + 200


def test_the_first_difference_is_found_between_the_starts_of_spans() -> None:
    a = [span(2, Level.FULL, 900), span(6, Level.TRUNCATED, 100)]
    b = [span(2, Level.FULL, 900), span(4, Level.SUMMARIZED, 20)]
    assert first_difference(a, b) == 4
    assert first_difference(a, a) is None
    assert first_difference(a, []) == 2


def test_kept_for_a_reason_is_not_a_difference() -> None:
    assert (
        first_difference([span(2, Level.FULL, 9)], [span(2, Level.FULL, 9), span(4, Level.EXEMPT, 9)]) is None
    )


def test_what_was_never_sent_is_not_a_difference() -> None:
    assert first_difference([], [span(3, Level.GONE, 0)]) is None


def test_a_lifeline_sends_until_the_last_request() -> None:
    life = [span(2, Level.FULL, 900), span(4, Level.TRUNCATED, 100), span(7, Level.GONE, 0)]
    assert sent_over(life, 9) == 2 * 900 + 3 * 100
    assert sent_over(life[:2], 5) == 2 * 900 + 2 * 100
    assert sent_over([], 9) == 0


def test_the_trade_names_gain_and_price(tmp_path: Path) -> None:
    sentence = trade_sentence(compared(grown(45), PLAIN, AGES, tmp_path), "plain", "ageing")
    assert sentence.startswith("Ageing sends ")
    assert "less than plain and pays for it with " in sentence
    assert "more prefix breaks; the cache misses ≈ " in sentence


def test_the_trade_says_who_stays_under_the_window(tmp_path: Path) -> None:
    timeline_peak = max(r.wire_chars for r in replay(grown(45), DOCUMENTED, tmp_path).requests)
    found = compared(grown(45), PLAIN, DOCUMENTED, tmp_path, window=timeline_peak)
    assert f", stays under the context window, which A crosses in request {found.a_totals.over_window}" in (
        trade_sentence(found)
    )
    back = trade_sentence(compared(grown(45), DOCUMENTED, PLAIN, tmp_path, window=timeline_peak))
    assert "crosses the context window in request" in back and "which A does not" in back


def test_an_empty_session_has_nothing_to_compare() -> None:
    found = compare(Timeline(PLAIN), Timeline(DOCUMENTED))
    assert found.a_totals.requests == 0
    assert trade_sentence(found) == "There is no request yet, so there is nothing to compare."


def test_without_a_ledger_every_result_counts_that_some_request_decided_to_replace(tmp_path: Path) -> None:
    script = Transcript().turn(("Grep", "a", 50_000))
    for n in range(4):  # ageing shortens it in front of the budget, which then leaves it alone
        script.turn(("Bash", f"ls {n}", 100))
    timeline = replay(script, CHATCLI, tmp_path)
    assert timeline.tracked[0].state is not State.REPLACED
    assert (totals(timeline).replaced, totals(timeline).replaced_in_ledger) == (1, 1)
