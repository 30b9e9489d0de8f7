"""Two policies over one session as data (`inspector-compare/1`) and as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from inspector.figures import number, percent
from inspector.model.policy_fields import field_changes, told, words_of
from inspector.replay.differences import Comparison, Totals, compare
from inspector.replay.sentences import UNIT_HEADS, UNIT_WORDS
from inspector.replay.trade import CAVEAT, trade_sentence
from inspector.text import column, fit_call

if TYPE_CHECKING:
    from inspector.model.policy import Policy
    from inspector.session import Session

SCHEMA = "inspector-compare/1"
NEVER = 1 << 60
"""Later than any request."""
_LABEL_CELLS = 26
"""Cells of the longest label of the totals, and a blank."""
SHOWN = 20
"""Results and requests in the text; the JSON has all."""


def compare_policies(session: Session, a: Policy, b: Policy) -> Comparison:
    """Replay a session under two policies.

    Args:
        session: Read to its end; it stays under its own policy.
        a: The one.
        b: The other.
    """
    ratio, window = session.chars_per_token(), session.window_tokens
    return compare(
        session.replayed(a),
        session.replayed(b),
        window_chars=round(window * ratio) if window and ratio else None,
        chars_per_token=ratio,
        measured_in=session.policy.unit,
    )


def tokens_of(chars: int, comparison: Comparison) -> int | None:
    """≈ Chars as tokens by the measured ratio; None where there is none."""
    return round(chars / comparison.chars_per_token) if comparison.chars_per_token else None


def compare_data(session: Session, comparison: Comparison) -> dict[str, Any]:
    """A comparison as plain data, ready for JSON."""
    return {
        "schema": SCHEMA,
        "path": str(session.path),
        "note": CAVEAT,
        "sentence": trade_sentence(comparison),
        "window_chars": comparison.window_chars,
        "chars_per_token": comparison.chars_per_token,
        "sizes_in": comparison.a.unit.value,
        "a": _side(comparison, comparison.a, comparison.a_totals),
        "b": _side(comparison, comparison.b, comparison.b_totals),
        "fields": [
            {"field": c.field.path, "a": words_of(c.a), "b": words_of(c.b), "differs": c.differs}
            for c in field_changes(comparison.a, comparison.b)
        ],
        "requests": [
            {"n": r.n, "a_chars": r.a_chars, "b_chars": r.b_chars, "a_break": r.a_broken,
             "b_break": r.b_broken, "differs": r.differs}
            for r in comparison.requests
        ],
        "results": [
            {"index": r.index, "id": r.id, "tool": r.tool, "argument": r.argument, "turn": r.turn,
             "request": r.request, "a_sent_chars": r.a_sent, "b_sent_chars": r.b_sent}
            for r in comparison.results
        ],
    }  # fmt: skip


def _side(comparison: Comparison, policy: Policy, totals: Totals) -> dict[str, Any]:
    return {
        "policy": policy.name,
        "unit": policy.unit.value,
        "requests": totals.requests,
        "sent_chars": totals.sent_chars,
        "sent_tokens_estimate": tokens_of(totals.sent_chars, comparison),
        "sizes_estimated": totals.estimated,
        "peak_chars": totals.peak_chars,
        "peak_request": totals.peak_request or None,
        "first_over_window": totals.over_window,
        "replaced_in_ledger": totals.replaced_in_ledger,
        "replaced_on_wire": totals.replaced,
        "results_aged": totals.aged,
        "prefix_breaks": totals.breaks,
        "planned_breaks": totals.planned,
        "uncached_chars_estimate": totals.uncached_chars,
    }


def total_rows(comparison: Comparison) -> list[tuple[str, str, str, str, int]]:
    """Totals as words: label, A, B, difference, and whether B is better (1), worse (-1) or neither (0)."""
    a, b = comparison.a_totals, comparison.b_totals
    unit = UNIT_HEADS[comparison.a.unit]
    approx = "≈ " if a.estimated or b.estimated else ""
    left, right = tokens_of(a.sent_chars, comparison), tokens_of(b.sent_chars, comparison)
    rows: list[tuple[str, str, str, str, int]] = [
        (f"{approx}sent in all, {unit}", number(a.sent_chars), number(b.sent_chars),
         share_words(a.sent_chars, b.sent_chars), b.sent_chars - a.sent_chars),
        ("≈ sent in all, tokens", number(left), number(right),
         signed(right - left) if left is not None and right is not None else "—",
         right - left if left is not None and right is not None else 0),
        (f"{approx}largest, {unit}", number(a.peak_chars), number(b.peak_chars),
         signed(b.peak_chars - a.peak_chars), b.peak_chars - a.peak_chars),
        ("≈ first over window", _over(comparison, a), _over(comparison, b), "",
         (a.over_window or NEVER) - (b.over_window or NEVER)),
        ("replaced on the wire", number(a.replaced), number(b.replaced), signed(b.replaced - a.replaced), 0),
        *_ledger_row(a, b),
        ("results aged", number(a.aged), number(b.aged), signed(b.aged - a.aged), 0),
        ("prefix breaks", number(a.breaks), number(b.breaks), signed(b.breaks - a.breaks),
         b.breaks - a.breaks),
        (f"≈ sent uncached, {unit}", number(a.uncached_chars), number(b.uncached_chars),
         share_words(a.uncached_chars, b.uncached_chars), b.uncached_chars - a.uncached_chars),
    ]  # fmt: skip
    return [(label, x, y, words, (cost < 0) - (cost > 0)) for label, x, y, words, cost in rows]


def _ledger_row(a: Totals, b: Totals) -> Iterator[tuple[str, str, str, str, int]]:
    """What the ledger decides, where that is not what the wire shows: the budget is off, or not proved."""
    left, right = a.replaced_in_ledger, b.replaced_in_ledger
    if (left, right) != (a.replaced, b.replaced):
        yield "replaced in the ledger", number(left), number(right), signed(right - left), 0


def _over(comparison: Comparison, totals: Totals) -> str:
    if comparison.window_chars is None:
        return "—"
    return f"request {totals.over_window}" if totals.over_window else "never"


def signed(difference: int) -> str:
    """A difference in full, with its sign; a true zero has none."""
    return f"+{number(difference)}" if difference > 0 else number(difference)


def share_words(a: int, b: int) -> str:
    """A difference as a share of the first figure: `−36 %`; the figure itself where that rounds to 0."""
    if a == b or not a or abs(b - a) / a < 0.005:
        return signed(b - a)
    return ("+" if b > a else "") + percent(b - a, a)


def compare_text(session: Session, comparison: Comparison) -> str:
    """A comparison for people."""
    return "\n".join(_lines(session, comparison))


def _lines(session: Session, comparison: Comparison) -> Iterator[str]:
    a, b = comparison.a, comparison.b
    yield f"{session.title}  A {a.name}   B {b.name}   {CAVEAT}"
    yield trade_sentence(comparison)
    if comparison.is_converted:
        yield f"Sizes are in {UNIT_WORDS[a.unit]}; B counts in {UNIT_WORDS[b.unit]}, so its sizes are ≈."
    yield ""
    changed = [change for change in field_changes(a, b) if change.differs]
    yield column("field", 24) + column("A", 24, right=True) + "  " + column("B", 24, right=True)
    for change in changed:
        left, right = told(change.a), told(change.b)
        label = change.field.label.strip()
        yield column(label, 24) + column(left, 24, right=True) + "  " + column(right, 24, right=True)
    if not changed:
        yield "no field differs"
    yield ""
    rows = [("", "A", "B", "difference"), *(row[:4] for row in total_rows(comparison))]
    for label, left, right, words in rows:
        figures = "".join(column(figure, 18, True) for figure in (left, right, words))
        yield f"{column(label, _LABEL_CELLS)}{figures}"
    yield from _result_lines(comparison)
    yield from _request_lines(comparison)


def _result_lines(comparison: Comparison) -> Iterator[str]:
    yield ""
    yield f"results that change: {number(len(comparison.results))}; what all requests send of each"
    for row in comparison.results[:SHOWN]:
        name = column(fit_call(row.tool, row.argument, 33), 34)
        sizes = f"{column(number(row.a_sent), 14, True)}{column(number(row.b_sent), 14, True)}"
        yield (
            f"  turn {row.turn:<5} {name}{sizes}{column(signed(row.b_sent - row.a_sent), 14, True)}"
            f"  from request {row.request}"
        )
    if len(comparison.results) > SHOWN:
        yield f"  and {number(len(comparison.results) - SHOWN)} more; --json has them all"


def _request_lines(comparison: Comparison) -> Iterator[str]:
    changed = [row for row in comparison.requests if row.differs]
    largest = sorted(changed, key=lambda row: (-abs(row.b_chars - row.a_chars), row.n))[:SHOWN]
    yield ""
    yield f"requests that change: {number(len(changed))} of {number(len(comparison.requests))}"
    for row in sorted(largest, key=lambda row: row.n):
        sizes = f"{column(number(row.a_chars), 14, True)}{column(number(row.b_chars), 14, True)}"
        breaks = " ".join(
            f"{side} breaks" for side, broken in (("A", row.a_broken), ("B", row.b_broken)) if broken
        )
        words = column(signed(row.b_chars - row.a_chars), 14, True)
        yield f"  request {row.n:<6}{sizes}{words}  {breaks}".rstrip()
    if len(changed) > SHOWN:
        yield f"  and {number(len(changed) - SHOWN)} more; --json has them all"
