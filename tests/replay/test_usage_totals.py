"""Totals of usage: each answer once, and nothing where nobody said anything."""

from __future__ import annotations

from inspector.replay.usage_totals import UsageTotals, usage_totals
from tests.builders import Transcript, text


def used(output: int) -> dict[str, int]:
    return {
        "input_tokens": 3,
        "cache_read_input_tokens": 10,
        "cache_creation_input_tokens": 5,
        "output_tokens": output,
    }


def test_each_answer_counts_once_by_its_last_record() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", text("a"), usage=used(1))
    script.answer("m1", text("b"), usage=used(20))
    script.prompt()
    script.answer("m2", text("c"), usage=used(300))
    totals = usage_totals(script.timeline().requests)
    assert totals == UsageTotals(answers=2, input=6, cache_read=20, cache_creation=10, output=320)


def test_a_session_without_usage_has_none() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", text("a"))
    assert usage_totals(script.timeline().requests) == UsageTotals()
