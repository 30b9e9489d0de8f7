"""Go's `sort.Slice` by falling size: which of several equal results is cut first, and gets which number.

Up to 12 elements it is an insertion sort, hence stable. Above, it is a pattern-defeating quicksort
that is deterministic but not stable; ties fall as its swaps happen to move them (`chatcli.md` §3.6).
So its every comparison and swap has to be made in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

INSERTION_MAX = 12
"""Ranges up to this length are sorted by insertion."""
NINTHER_MIN = 50
"""From this length on the pivot candidates are medians themselves, and near-sorted ranges are mended."""
MEND_STEPS = 5
"""Pairs out of order that mending accepts before it gives up."""
ALL_SWAPPED = 12
"""Swaps among pivot candidates when every comparison was the wrong way round."""
WORD = (1 << 64) - 1


class _Pattern(Enum):
    RISING = "already in order"
    FALLING = "in reverse order"
    NONE = "no order seen"


def largest_first(sizes: Sequence[int]) -> list[int]:
    """Positions in the order in which Go visits them, largest size first.

    Args:
        sizes: Sizes in message order.

    Returns:
        Positions into `sizes`.
    """
    sorter = _Sorter(sizes)
    sorter.sort(0, len(sizes), len(sizes).bit_length())
    return sorter.at


class _Sorter:
    """Positions being permuted. Ranges are half open: `low` is in, `high` is not."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = sizes
        self.at = list(range(len(sizes)))

    def before(self, i: int, j: int) -> bool:
        """Whether the element at i must stand before the one at j."""
        return self.sizes[self.at[i]] > self.sizes[self.at[j]]

    def swap(self, i: int, j: int) -> None:
        self.at[i], self.at[j] = self.at[j], self.at[i]

    def sort(self, low: int, high: int, bad_splits_left: int) -> None:
        balanced = partitioned = True
        while (length := high - low) > INSERTION_MAX:
            if bad_splits_left == 0:
                self.heap_sort(low, high)
                return
            if not balanced:
                self.scatter(low, length)
                bad_splits_left -= 1
            pivot, pattern = self.choose_pivot(low, length)
            if pattern is _Pattern.FALLING:
                self.at[low:high] = self.at[low:high][::-1]
                pivot = (high - 1) - (pivot - low)
                pattern = _Pattern.RISING
            if balanced and partitioned and pattern is _Pattern.RISING and self.mend(low, high):
                return
            if low > 0 and not self.before(low - 1, pivot):
                low = self.split_off_equal(low, high, pivot)
                continue
            middle, partitioned = self.partition(low, high, pivot)
            left, right = middle - low, high - middle
            balanced = min(left, right) >= length // 8
            if left < right:
                self.sort(low, middle, bad_splits_left)
                low = middle + 1
            else:
                self.sort(middle + 1, high, bad_splits_left)
                high = middle
        self.insertion_sort(low, high)

    def insertion_sort(self, low: int, high: int) -> None:
        for i in range(low + 1, high):
            self.sink_left(i, low)

    def sink_left(self, i: int, stop: int) -> None:
        """Move the element at i left past all that it must stand before, not beyond `stop`."""
        while i > stop and self.before(i, i - 1):
            self.swap(i, i - 1)
            i -= 1

    def heap_sort(self, low: int, high: int) -> None:
        length = high - low
        for root in range((length - 1) // 2, -1, -1):
            self.sift_down(root, length, low)
        for end in range(length - 1, -1, -1):
            self.swap(low, low + end)
            self.sift_down(0, end, low)

    def sift_down(self, root: int, length: int, offset: int) -> None:
        while (child := 2 * root + 1) < length:
            if child + 1 < length and self.before(offset + child, offset + child + 1):
                child += 1
            if not self.before(offset + root, offset + child):
                return
            self.swap(offset + root, offset + child)
            root = child

    def scatter(self, low: int, length: int) -> None:
        """Swap three elements near the middle with pseudo-random ones, to break bad patterns."""
        state = length
        mask = (1 << length.bit_length()) - 1
        first = low + (length // 4) * 2 - 1
        for i in range(first, first + 3):
            state ^= (state << 13) & WORD
            state ^= state >> 7
            state ^= (state << 17) & WORD
            other = state & mask
            self.swap(i, low + (other - length if other >= length else other))

    def choose_pivot(self, low: int, length: int) -> tuple[int, _Pattern]:
        quarter = length // 4
        candidates = [low + quarter, low + quarter * 2, low + quarter * 3]
        swaps = 0
        if length >= NINTHER_MIN:
            for k, place in enumerate(candidates):
                candidates[k], more = self.median(place - 1, place, place + 1)
                swaps += more
        pivot, more = self.median(*candidates)
        swaps += more
        if swaps == 0:
            return pivot, _Pattern.RISING
        return pivot, _Pattern.FALLING if swaps == ALL_SWAPPED else _Pattern.NONE

    def median(self, a: int, b: int, c: int) -> tuple[int, int]:
        """Place of the middle one of three, and how many exchanges finding it took."""
        swaps = 0
        if self.before(b, a):
            a, b, swaps = b, a, swaps + 1
        if self.before(c, b):
            b, c, swaps = c, b, swaps + 1
        if self.before(b, a):
            a, b, swaps = b, a, swaps + 1
        return b, swaps

    def mend(self, low: int, high: int) -> bool:
        """Finish a range that is nearly in order; False where it is not that near."""
        i = low + 1
        for _ in range(MEND_STEPS):
            while i < high and not self.before(i, i - 1):
                i += 1
            if i == high:
                return True
            if high - low < NINTHER_MIN:
                return False
            self.swap(i, i - 1)
            if i - low >= 2:
                # The left limit is the slice's start, not the range's: Go does the same.
                self.sink_left(i - 1, 0)
            if high - i >= 2:
                j = i + 1
                while j < high and self.before(j, j - 1):
                    self.swap(j, j - 1)
                    j += 1
        return False

    def split_off_equal(self, low: int, high: int, pivot: int) -> int:
        """Gather what equals the pivot on the left; the start of what is left to sort."""
        self.swap(low, pivot)
        i, j = low + 1, high - 1
        while True:
            while i <= j and not self.before(low, i):
                i += 1
            while i <= j and self.before(low, j):
                j -= 1
            if i > j:
                return i
            self.swap(i, j)
            i, j = i + 1, j - 1

    def partition(self, low: int, high: int, pivot: int) -> tuple[int, bool]:
        """Split around the pivot; its new place, and whether nothing had to be exchanged."""
        self.swap(low, pivot)
        i, j = low + 1, high - 1
        untouched = True
        while True:
            while i <= j and self.before(i, low):
                i += 1
            while i <= j and not self.before(j, low):
                j -= 1
            if i > j:
                self.swap(j, low)
                return j, untouched
            self.swap(i, j)
            i, j, untouched = i + 1, j - 1, False
