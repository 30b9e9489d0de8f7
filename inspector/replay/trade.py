"""What one policy gives for what it takes, compared with another: one sentence from the totals."""

from __future__ import annotations

from inspector.replay.differences import Comparison, Totals
from inspector.replay.sentences import UNIT_WORDS

CAVEAT = "≈ a replay: the model might have asked otherwise"
"""Stands beside every comparison."""


def trade_sentence(comparison: Comparison, a: str = "A", b: str = "B") -> str:
    """The trade in words, seen from the second policy.

    Args:
        comparison: The two policies.
        a: How the first one is called.
        b: How the second one is called.
    """
    left, right = comparison.a_totals, comparison.b_totals
    if not left.requests:
        return "There is no request yet, so there is nothing to compare."
    if not comparison.changed_requests:
        if comparison.results:
            return f"{a} and {b} decide differently but send the same sizes in every request."
        return f"{a} and {b} send the same in every request of this session."
    window, price = _window(comparison, a), _price(left, right)
    if window and price.startswith(" and"):
        price = f",{price}"
    unit = UNIT_WORDS[comparison.b.unit]
    sentence = f"{_size(left, right, a, b, unit)}{window}{price}{_uncached(left, right, unit)}."
    return sentence[:1].upper() + sentence[1:]


def _size(left: Totals, right: Totals, a: str, b: str, unit: str) -> str:
    difference = right.sent_chars - left.sent_chars
    if not difference:
        return f"{b} sends as much as {a} in all"
    word = "less" if difference < 0 else "more"
    share = _share(abs(difference), left.sent_chars, unit)
    return f"{b} sends {share} {word} than {a}"


def _share(part: int, whole: int, unit: str) -> str:
    if not whole:
        return f"{part:,} {unit}"
    shown = 100 * part / whole
    return "less than 1 %" if shown < 0.5 else f"{shown:.0f} %"


def _window(comparison: Comparison, a: str) -> str:
    left, right = comparison.a_totals.over_window, comparison.b_totals.over_window
    if left == right or comparison.window_chars is None:
        return ""
    if right is None:
        return f", stays under the context window, which {a} crosses in request {left}"
    if left is None:
        return f", crosses the context window in request {right}, which {a} does not"
    return f", crosses the context window in request {right} instead of {left}"


def _price(left: Totals, right: Totals) -> str:
    breaks = right.breaks - left.breaks
    fewer = right.sent_chars < left.sent_chars
    if not breaks:
        return ", with as many prefix breaks" if right.breaks else ", without a prefix break"
    count, noun = f"{abs(breaks):,}", "prefix break" if abs(breaks) == 1 else "prefix breaks"
    if breaks > 0:
        price = f"{count} more {noun}"
        return f" and pays for it with {price}" if fewer else f", with {price} on top"
    return f", with {count} fewer {noun}" if fewer else f" and has {count} fewer {noun} for it"


def _uncached(left: Totals, right: Totals, unit: str) -> str:
    """What the breaks come to; a break costs the more, the earlier in the request it lies."""
    difference = right.uncached_chars - left.uncached_chars
    if not difference or left.breaks == right.breaks:
        return ""
    word = "less" if difference < 0 else "more"
    return f"; the cache misses ≈ {_share(abs(difference), left.uncached_chars, unit)} {word}"
