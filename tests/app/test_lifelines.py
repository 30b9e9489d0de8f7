"""Lifelines in words."""

from __future__ import annotations

import msgspec

from inspector.app.lifelines import cost_words, stretches, unseen_words
from inspector.model.ledger import Level, Span, State
from inspector.replay.view import Repair, ResultRow
from tests.app.fakes import COMPACTED_AT, FakeView

VIEW = FakeView()


def row(index: int = 0) -> ResultRow:
    return VIEW.result(index, VIEW.request_count)


def words(*spans: Span) -> list[str]:
    return [f"{s.where} {s.words}" for s in stretches(VIEW, row(), spans)]


def test_a_replaced_result_is_reapplied_until_it_is_gone() -> None:
    life = (
        Span(38, State.REPLACED, Level.PREVIEW, 2_164, decided=True),
        Span(COMPACTED_AT, State.REPLACED, Level.GONE, 0),
    )
    assert words(*life) == [
        "38 replaced by 2,164 chars",
        "39–77 must-reapply, the same",
        "78–112 gone by compaction",
    ]


def test_a_result_that_ages_tells_its_sizes() -> None:
    life = (
        Span(5, State.FROZEN, Level.FULL, 9_000, decided=True),
        Span(7, State.FROZEN, Level.TRUNCATED, 1_536),
        Span(9, State.FROZEN, Level.SUMMARIZED, 96, estimated=True),
    )
    assert words(*life) == [
        "5–6 frozen, sent in full", "7–8 truncated to 1,536 chars", "9–112 one line, ≈ 96 chars",
    ]  # fmt: skip


def test_a_choice_that_only_the_ledger_made_is_said_to_be_one() -> None:
    assert words(Span(5, State.REPLACED, Level.FULL, 90_000, decided=True)) == [
        "5–112 would be replaced; sent in full"
    ]


def test_the_cost_counts_only_requests_that_sent_it() -> None:
    size = row().chars or 0
    life = (Span(111, State.FROZEN, Level.FULL, size), Span(112, State.FROZEN, Level.GONE, 0))
    assert cost_words(VIEW, row(), life) == f"sent {size:,} chars in 1 request, always in full"
    aged = (Span(110, State.FROZEN, Level.FULL, size), Span(111, State.FROZEN, Level.TRUNCATED, 10))
    assert cost_words(VIEW, row(), aged) == f"sent {size + 20:,} chars in 3 requests instead of {3 * size:,}"
    never = msgspec.structs.replace(row(), wire_chars=None)
    assert cost_words(VIEW, never, ()) == "never sent"


def test_a_call_without_a_result_is_told_by_what_pairing_did() -> None:
    none = msgspec.structs.replace(row(), chars=None, wire_chars=None)
    assert unseen_words(VIEW, none) == "no request has seen it yet"
    assert cost_words(VIEW, none, ()) == "never sent"
    dropped = msgspec.structs.replace(none, pairing=Repair.DROPPED)
    assert unseen_words(VIEW, dropped) == "dropped, never answered"
    error = msgspec.structs.replace(none, pairing=Repair.SYNTHETIC, wire_chars=163)
    assert unseen_words(VIEW, error) == "never answered; an error of 163 chars is sent in its place"
    assert cost_words(VIEW, error, ()) == ""
