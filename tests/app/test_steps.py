"""Steps lead to the right request, or nowhere."""

from __future__ import annotations

import pytest

from inspector.app.steps import last_change, next_change, next_finding, notable, turn_after, turn_before
from inspector.model.findings import Finding, Severity
from inspector.model.ledger import Level, Span, State
from tests.app.fakes import FakeView


class TwoAnswers(FakeView):
    """Each turn is followed by a request without tool calls."""

    def turn_count(self, n: int) -> int:
        return n // 2


@pytest.mark.parametrize(
    ("start", "after", "before"), [(1, 2, 1), (2, 4, 1), (3, 4, 2), (9, 10, 8), (10, 10, 8)]
)
def test_turn_steps_skip_requests_that_decide_nothing(start: int, after: int, before: int) -> None:
    view = TwoAnswers(10)
    assert (turn_after(view, start), turn_before(view, start)) == (after, before)


LIFE = (
    Span(5, State.REPLACED, Level.PREVIEW, 100, decided=True),
    Span(6, State.MUST_REAPPLY, Level.PREVIEW, 100),
    Span(9, State.MUST_REAPPLY, Level.GONE, 0),
)


@pytest.mark.parametrize(("request_", "change"), [(12, 9), (9, 6), (7, 6), (6, 5), (5, None), (2, None)])
def test_last_change_can_be_repeated_down_to_the_first(request_: int, change: int | None) -> None:
    assert last_change(LIFE, request_) == change


def test_notable_findings_are_in_order_and_leave_out_facts_while_there_are_louder_ones() -> None:
    found = [
        Finding("over_turn_budget", Severity.WARNING, "late", 9),
        Finding("prefix_break", Severity.INFO, "planned", 3),
        Finding("bad_line", Severity.ERROR, "whole file"),
        Finding("orphan_result", Severity.ERROR, "early", 2),
    ]
    assert [f.fact for f in notable(found)] == ["whole file", "early", "late"]
    facts = [
        Finding("prefix_break", Severity.INFO, "planned", 3, data={"planned": True}),
        Finding("nul_run", Severity.INFO, "a fact", 2),
    ]
    assert [f.fact for f in notable(facts)] == ["a fact"]


def test_a_finding_of_the_whole_session_is_left_for_the_next_one() -> None:
    found = [
        Finding("bad_line", Severity.ERROR, "whole file"),
        Finding("orphan_result", Severity.ERROR, "early", 2),
    ]
    assert next_finding(found, 9, None, 1) == (0, True)
    assert next_finding(found, 9, 0, 1) == (1, False)


def test_findings_of_one_request_are_visited_one_by_one() -> None:
    found = [Finding("bad_line", Severity.ERROR, str(i), n) for i, n in enumerate([2, 5, 5, 8])]
    assert next_finding(found, 1, None, 1) == (0, False)
    assert next_finding(found, 5, 1, 1) == (2, False)
    assert next_finding(found, 5, 2, -1) == (1, False)
    # Another request is shown than that of the finding jumped to: it is no anchor.
    assert next_finding(found, 6, 1, -1) == (2, False)


def test_past_the_ends_findings_begin_again_at_the_other_one() -> None:
    found = [Finding("bad_line", Severity.ERROR, str(i), n) for i, n in enumerate([2, 5, 5, 8])]
    assert next_finding(found, 8, 3, 1) == (0, True)
    assert next_finding(found, 2, 0, -1) == (3, True)
    assert next_finding(found, 9, None, 1) == (0, True)
    assert next_finding(found, 1, None, -1) == (3, True)
    assert next_finding([], 6, None, 1) is None


@pytest.mark.parametrize(("request_", "change"), [(1, 5), (5, 6), (6, 9), (8, 9), (9, None), (12, None)])
def test_next_change_goes_on_to_the_last(request_: int, change: int | None) -> None:
    assert next_change(LIFE, request_) == change
