"""What a client that resumes in the middle would do with its results."""

from __future__ import annotations

from inspector.model.policy import DOCUMENTED
from inspector.replay.resume import resume_state
from tests.builders import LEDGER, Transcript, call, image, persisted_text, result, text


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


def growing() -> Transcript:
    """Lines: 1 prompt, 2 call, 3 result, 4 its replacement, then more of the same answer, twice."""
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), requestId="q1")
    script.result("a", "x" * 30_000)
    script.replaced(("a", "stored text " * 600))
    script.answer("m1", *(call(f"b{n}") for n in range(10)), requestId="q2")
    for n in range(10):
        script.result(f"b{n}", "x" * 19_500)
    script.answer("m1", call("c"), requestId="q3")
    script.result("c", "x" * 8_000)
    return script


def test_previews_that_are_applied_again_count_where_the_policy_counts_previews() -> None:
    state = resume_state(growing().timeline(DOCUMENTED), 4)
    assert list(state["must_reapply"]) == ["a"]
    assert state["replace_now"] == ["b0"]
    assert state["accepted_overage"] == []
    assert resume_state(growing().timeline(LEDGER), 4)["replace_now"] == ["c"]


def test_what_holds_more_than_text_and_what_pairing_takes_away_is_not_replaced_now() -> None:
    script = growing()
    document = {"type": "document", "source": {"type": "text", "data": "words"}}
    script.answer("m1", call("c2"), requestId="q4")
    script.results(
        result("c2", [{"type": "text", "text": "x" * 210_000}, document]), result("nobody", "x" * 40_000)
    )
    for policy in (DOCUMENTED, LEDGER):
        state = resume_state(script.timeline(policy), 4)
        assert "c2" not in state["replace_now"]
        assert state["accepted_overage"]
        assert ("nobody" in state["fresh"]) is (policy is LEDGER)


def test_what_is_no_candidate_is_neither_frozen_nor_fresh() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("shot"), call("none"), call("saved"), call("text"))
    script.results(result("shot", [image("iVBORw0KGgo=")]), result("none", ""))
    script.results(result("saved", persisted_text("/tmp/f")), result("text", "x"))
    for line, seen in ((9, "frozen"), (1, "fresh")):
        state = resume_state(script.timeline(LEDGER), line)
        assert {key: state[key] for key in ("frozen", "fresh")} == {
            "frozen": ["text"] if seen == "frozen" else [],
            "fresh": ["text"] if seen == "fresh" else [],
        }


def test_an_overage_that_replacing_ends_is_not_accepted() -> None:
    script = Transcript()
    script.prompt()
    script.answer("m1", call("a"), requestId="q1")
    script.result("a", "x" * 300_000)
    script.answer("m1", call("b"), requestId="q2")
    script.result("b", "x" * 100)
    state = resume_state(script.timeline(LEDGER), 1)
    assert (state["replace_now"], state["accepted_overage"]) == (["a"], [])


def test_of_several_stored_texts_of_a_result_the_last_one_is_applied_again() -> None:
    script = story()
    before = len(script.lines)
    script.replaced(("b", "text of b"), ("a", "another text"))
    timeline = script.timeline(LEDGER)
    assert resume_state(timeline, 99)["must_reapply"] == {"a": "another text", "b": "text of b"}
    assert resume_state(timeline, before)["must_reapply"] == {"a": "stored text"}
