"""Which lines of two texts differ, with a bound on the work.

`difflib` takes quadratic time and worse, and overflow files have thousands of equal lines. So equal
ends are taken off first, lines that stand once in both texts are matched by their order, and only
the small stretches between them are compared line by line, until a budget of work is spent.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

STRETCH_PAIRS = 40_000
"""Largest stretch (lines × lines) that is compared line by line."""
WORK_PAIRS = 1_000_000
"""Line pairs that are compared in all."""


class Change(NamedTuple):
    """A stretch that is equal in both texts, or differs."""

    equal: bool
    left: int
    """First line on the left, from 0."""
    left_end: int
    right: int
    right_end: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts by lines, and where they differ."""

    left: Sequence[str]
    right: Sequence[str]
    changes: Sequence[Change]
    """In order; they cover both texts."""
    coarse_lines: int
    """Lines in stretches that were too large to be compared line by line."""
    identical: bool
    """Whether the texts are the same to the last character; a newline at the end is no line of its own."""

    @property
    def removed(self) -> int:
        """Lines that only the left text has."""
        return sum(c.left_end - c.left for c in self.changes if not c.equal)

    @property
    def added(self) -> int:
        """Lines that only the right text has."""
        return sum(c.right_end - c.right for c in self.changes if not c.equal)


def compare_texts(left: str, right: str) -> Comparison:
    """Compare two texts line by line.

    Args:
        left: The older or fuller text.
        right: The other one.
    """
    a, b = _lines(left), _lines(right)
    work = _Work()
    parts = list(work.compare(a, b, 0, len(a), 0, len(b)))
    return Comparison(a, b, tuple(_joined(parts)), work.coarse_lines, left == right)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


class _Work:
    """Compares stretches while the budget lasts."""

    def __init__(self) -> None:
        self.left_pairs = WORK_PAIRS
        self.coarse_lines = 0

    def compare(
        self, a: Sequence[str], b: Sequence[str], i: int, i_end: int, j: int, j_end: int
    ) -> Iterator[Change]:
        """Changes of one stretch: equal ends, then anchors, then line by line."""
        i_first, j_first, i_last, j_last = i, j, i_end, j_end
        while i < i_end and j < j_end and a[i] == b[j]:
            i, j = i + 1, j + 1
        while i_end > i and j_end > j and a[i_end - 1] == b[j_end - 1]:
            i_end, j_end = i_end - 1, j_end - 1
        yield Change(True, i_first, i, j_first, j)
        anchors = _anchors(a, b, i, i_end, j, j_end) if i < i_end and j < j_end else []
        for at_i, at_j in anchors:
            yield from self._between(a, b, i, at_i, j, at_j)
            yield Change(True, at_i, at_i + 1, at_j, at_j + 1)
            i, j = at_i + 1, at_j + 1
        yield from self._between(a, b, i, i_end, j, j_end)
        yield Change(True, i_end, i_last, j_end, j_last)

    def _between(
        self, a: Sequence[str], b: Sequence[str], i: int, i_end: int, j: int, j_end: int
    ) -> Iterator[Change]:
        pairs = (i_end - i) * (j_end - j)
        if not pairs:
            yield Change(False, i, i_end, j, j_end)
            return
        if pairs > min(STRETCH_PAIRS, self.left_pairs):
            self.coarse_lines += i_end - i + j_end - j
            yield Change(False, i, i_end, j, j_end)
            return
        self.left_pairs -= pairs
        matcher = SequenceMatcher(None, a[i:i_end], b[j:j_end], autojunk=False)
        for word, i1, i2, j1, j2 in matcher.get_opcodes():
            yield Change(word == "equal", i + i1, i + i2, j + j1, j + j2)


def _anchors(
    a: Sequence[str], b: Sequence[str], i: int, i_end: int, j: int, j_end: int
) -> list[tuple[int, int]]:
    """Lines that stand once in both stretches, as the longest run of pairs in the same order."""
    once_a = {line for line, n in Counter(a[i:i_end]).items() if n == 1}
    counts_b = Counter(b[j:j_end])
    place_b = {b[k]: k for k in range(j, j_end) if counts_b[b[k]] == 1}
    pairs = [(k, place_b[a[k]]) for k in range(i, i_end) if a[k] in once_a and a[k] in place_b]
    tails: list[int] = []
    tail_pairs: list[int] = []
    before: list[int] = []
    for n, (_, at_b) in enumerate(pairs):
        length = bisect_left(tails, at_b)
        before.append(tail_pairs[length - 1] if length else -1)
        if length == len(tails):
            tails.append(at_b)
            tail_pairs.append(n)
        else:
            tails[length], tail_pairs[length] = at_b, n
    run: list[tuple[int, int]] = []
    n = tail_pairs[-1] if tail_pairs else -1
    while n >= 0:
        run.append(pairs[n])
        n = before[n]
    return run[::-1]


def _joined(changes: Sequence[Change]) -> Iterator[Change]:
    """The same changes without empty ones, neighbours of one kind joined."""
    last: Change | None = None
    for change in changes:
        if change.left == change.left_end and change.right == change.right_end:
            continue
        if last is not None and last.equal == change.equal:
            last = last._replace(left_end=change.left_end, right_end=change.right_end)
            continue
        if last is not None:
            yield last
        last = change
    if last is not None:
        yield last


CONTEXT_LINES = 3
"""Equal lines around a difference in the unified form."""


def unified(found: Comparison) -> Iterator[tuple[str, str]]:
    """A comparison as lines: what only one text has, with a few equal lines around it.

    Args:
        found: Two texts compared.

    Yields:
        `-` or `+` and a line, a blank and an equal line, or `⋯` and how many equal lines are left out.
    """
    for change in found.changes:
        if not change.equal:
            yield from (("-", line) for line in found.left[change.left : change.left_end])
            yield from (("+", line) for line in found.right[change.right : change.right_end])
            continue
        kept = found.left[change.left : change.left_end]
        before = CONTEXT_LINES if change.left else 0
        is_last = change.left_end == len(found.left) and change.right_end == len(found.right)
        after = 0 if is_last else CONTEXT_LINES
        if len(kept) <= before + after + 1:
            yield from ((" ", line) for line in kept)
            continue
        yield from ((" ", line) for line in kept[:before])
        yield "⋯", f"{len(kept) - before - after:,} equal lines"
        yield from ((" ", line) for line in kept[len(kept) - after :])
