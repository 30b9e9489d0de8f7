"""Comparing is exact where it may be, and bounded always."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from inspector.line_diff import Comparison, compare_texts

LINES = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=40).map("\n".join)


def rebuilt(c: Comparison) -> tuple[list[str], list[str]]:
    left: list[str] = []
    right: list[str] = []
    for change in c.changes:
        left += c.left[change.left : change.left_end]
        right += c.right[change.right : change.right_end]
        if change.equal:
            assert c.left[change.left : change.left_end] == c.right[change.right : change.right_end]
    return left, right


@given(LINES, LINES)
def test_changes_cover_both_texts_in_order(a: str, b: str) -> None:
    c = compare_texts(a, b)
    assert rebuilt(c) == (list(c.left), list(c.right))
    kinds = [change.equal for change in c.changes]
    assert all(x != y for x, y in pairwise(kinds))


def test_a_changed_line_is_one_change() -> None:
    c = compare_texts("a\nb\nc", "a\nB\nc")
    assert [(x.equal, x.left, x.left_end) for x in c.changes] == [(True, 0, 1), (False, 1, 2), (True, 2, 3)]
    assert (c.removed, c.added, c.coarse_lines) == (1, 1, 0)


def test_lines_that_stand_once_anchor_a_long_text() -> None:
    lines = [f"line {n}" for n in range(60_000)]
    c = compare_texts("\n".join(lines), "\n".join(line for n, line in enumerate(lines) if n % 7))
    assert (c.added, c.coarse_lines) == (0, 0)
    assert c.removed == len(range(0, 60_000, 7))


def test_work_is_bounded_and_what_was_not_compared_is_counted() -> None:
    chance = random.Random(7)
    texts = ["\n".join(chance.choice("ab") for _ in range(60_000)) for _ in range(2)]
    c = compare_texts(*texts)
    assert c.coarse_lines > 0
