"""Findings stand under their causes, at a cost that does not grow with the square of their number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.findings import Finding, Severity
from inspector.why.folding import RULES, fold
from tests.counting import calls_of

KINDS = sorted({kind for kind, _, _ in RULES} | {effect for _, effects, _ in RULES for effect in effects})


def made(kind: str, ids: tuple[str, ...] = (), request: int | None = None) -> Finding:
    return Finding(kind, Severity.ERROR, "f", request, ids)


class Ids(tuple[str, ...]):
    """Ids that count how often somebody goes through them, which is one call however many there are."""

    walks = 0

    def __iter__(self) -> Iterator[str]:
        type(self).walks += 1
        return super().__iter__()


def slow_parent(at: int, findings: list[Finding]) -> int | None:
    """The rule as it is told: the first rule that fits, and of its kind the first finding."""
    effect = findings[at]
    for kind, effects, fits in RULES:
        if effect.kind in effects:
            for n, cause in enumerate(findings):
                alike = cause.kind == kind and cause.thread == effect.thread
                if n != at and alike and fits(cause, effect):
                    return n
    return None


@given(
    st.lists(
        st.builds(
            made,
            st.sampled_from(KINDS),
            st.lists(st.sampled_from("pqr"), max_size=2, unique=True).map(tuple),
            st.sampled_from([None, 1, 2]),
        ),
        max_size=25,
    )
)
def test_every_finding_stands_under_the_first_cause_that_fits(findings: list[Finding]) -> None:
    causes = [n for n in range(len(findings)) if slow_parent(n, findings) is None]
    folded = fold(findings)
    assert [cause for cause, _ in folded] == [findings[n] for n in causes]
    assert sum(1 + len(effects) for _, effects in folded) == len(findings)


def test_thousands_of_calls_without_result_cost_what_each_costs() -> None:
    def cost(count: int) -> int:
        findings = [made("missing_result", (f"t{n}",), n) for n in range(count)]
        findings += [made("unanswered_call_dropped", (f"t{n}",), n) for n in range(count)]
        return calls_of(partial(fold, findings))

    assert cost(400) < 5 * cost(100)


@pytest.mark.parametrize(
    ("kind", "effect"),
    [("over_turn_budget", "over_result_limit"), ("overflow_reread_loop", "overflow_reread")],
)
def test_the_ids_of_a_cause_are_not_gone_through_for_each_effect(kind: str, effect: str) -> None:
    Ids.walks = 0
    ids = Ids(f"t{n}" for n in range(50))
    findings = [made(kind, ids), *(made(effect, (id,)) for id in tuple.__iter__(ids))]
    assert [len(effects) for _, effects in fold(findings)] == [50]
    assert Ids.walks <= 2


@pytest.mark.parametrize("effect", ["orphan_result", "unanswered_call_dropped"])
def test_thousands_of_bad_lines_cost_what_each_costs(effect: str) -> None:
    def cost(count: int) -> int:
        findings = [
            Finding("bad_line", Severity.ERROR, "f", None, (), data={"line": n}) for n in range(count)
        ]
        findings += [
            Finding(effect, Severity.ERROR, "f", None, (f"t{n}",), data={"line": count + n})
            for n in range(count)
        ]
        return calls_of(partial(fold, findings))

    assert cost(400) < 5 * cost(100)
