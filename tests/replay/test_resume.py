"""What a client that resumes in the middle would do with its results."""

from __future__ import annotations

from inspector.replay.resume import resume_state
from tests.builders import LEDGER, Transcript, call, text


def story() -> Transcript:
    """Lines: 1 prompt, 2 calls, 3–4 results, 5 replacement of `a`, 6 answer with a call, 7–8 results."""
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), call("b"))
    script.result("a", "x" * 150_000)
    script.result("b", "x" * 120_000)
    script.replaced(("a", "stored text"))
    script.answer("m2", call("c"), call("d"))
    script.result("c", "x" * 150_000)
    script.result("d", "x" * 90_000)
    script.answer("m3", text())
    return script


def test_history_is_must_reapply_or_frozen_and_only_what_follows_is_fresh() -> None:
    state = resume_state(story().timeline(LEDGER), 5)
    assert state["must_reapply"] == {"a": "stored text"}
    assert state["frozen"] == ["b"]
    assert state["fresh"] == ["c", "d"]
    assert state["replace_now"] == ["c"]
    assert state["accepted_overage"] == []


def test_line_behind_the_history_does_not_count_and_the_overage_is_accepted() -> None:
    state = resume_state(story().timeline(LEDGER), 4)
    assert state["must_reapply"] == {}
    assert state["frozen"] == ["a", "b"]
    assert state["accepted_overage"] == [["a", "b"]]


def test_fresh_result_of_a_group_cut_in_two_yields_to_the_frozen_one() -> None:
    state = resume_state(story().timeline(LEDGER), 3)
    assert state["frozen"] == ["a"]
    assert state["replace_now"] == ["b", "c"]


def test_first_stored_text_of_a_result_is_the_one_that_stays() -> None:
    script = story()
    script.replaced(("b", "text of b"), ("a", "another text"))
    assert resume_state(script.timeline(LEDGER), 99)["must_reapply"] == {"a": "stored text", "b": "text of b"}
