"""Causes in order, consequences under them, and advice that was tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.errors import UsageError
from inspector.model.findings import Finding, Severity
from inspector.why import why
from inspector.why.folding import fold
from tests.transcript import begun, call, result


def test_parallel_results_over_the_budget_are_told_as_one_message(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", "toolu_c", chars=80_333)
    for n in range(9):
        script.turn(f"toolu_{n}", chars=10)
    script.answer(text="Done.")
    first = why(script.open(tmp_path)).causes[0]
    assert first.kind == "over_turn_budget"
    assert first.sentence.startswith(
        "request 2: 3 parallel results (3 Bash), 240,999 UTF-16 units in one message"
    )
    assert "toolu_a, stayed 11 requests: ≈ 2" in first.sentence
    assert "instead of 80,333" in first.sentence
    assert "not_applied" in first.also_kinds


def test_the_share_and_the_tools_of_a_message_over_budget_are_those_of_all_of_it(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", "toolu_c", chars=80_333)
    script.answer(call("toolu_r", "Read", "/a"), call("toolu_d"), call("toolu_e"), call("toolu_f"))
    script.results(
        result("toolu_r", "r" * 60_000), *(result(f"toolu_{i}", i * 70_000) for i in ("d", "e", "f"))
    )
    script.answer(text="Done.")
    causes = [c for c in why(script.open(tmp_path)).causes if c.kind == "over_turn_budget"]
    assert {c.request for c in causes} == {2, 3}
    for cause in causes:
        assert f"together ≈ {cause.share * 100:.0f} % of all input since. The largest, " in cause.sentence
    with_read = next(c for c in causes if c.request == 3)
    assert "3 parallel results (3 Bash), 210,000 UTF-16 units" in with_read.sentence
    assert "of 200,000, and Read beside; together" in with_read.sentence
    assert with_read.brief.startswith("3 results hold 210,000 of 200,000")


def test_api_error_behind_a_missing_result_is_its_consequence(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.prompt("Go on.")
    text = {"type": "text", "text": "API Error: 400"}
    message = {"id": "e", "role": "assistant", "model": "<synthetic>", "content": [text]}
    script.record("assistant", isApiErrorMessage=True, message=message)
    first = why(script.open(tmp_path)).causes[0]
    assert first.kind == "missing_result"
    assert any("API error" in fact and "line 4" in fact for fact in first.also)


def test_missing_result_after_a_lost_line_is_told_under_the_line(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.raw(b'{"type":"user","message":{"role":"user","content":[{"type":"tool_res')
    script.prompt("Go on.")
    script.answer(text="Yes.")
    causes = why(script.open(tmp_path)).causes
    assert causes[0].kind == "bad_line"
    assert "missing_result" in causes[0].also_kinds
    assert all(c.kind != "missing_result" for c in causes)


def test_growth_and_faults_take_turns(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", chars=150_000)
    script.answer(call("toolu_open"))
    script.prompt("Go on.")
    for n in range(3):
        script.turn(f"toolu_{n}", chars=10)
    kinds = [c.kind for c in why(script.open(tmp_path)).causes[:2]]
    assert set(kinds) == {"missing_result", "over_turn_budget"}


def test_advice_is_the_mildest_trial_that_is_enough_and_matches_a_replay(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", "toolu_c", chars=80_000)
    for n in range(4):
        script.turn(f"toolu_{n}", chars=100)
    script.answer(text="Done.")
    session = script.open(tmp_path)
    advice = why(session, under_tokens=65_000).advice
    assert advice is not None
    assert advice.enough == "budget on, 200,000 a message"
    trial = advice.trials[0]
    assert trial.shortened == 1
    assert trial.shortened_chars == 80_000
    replayed = script.open(
        tmp_path, session.policy.with_field("budget.mode", type(session.policy.budget.mode).ON)
    )
    assert trial.peak_chars == max(r.wire_chars for r in replayed.timeline.requests)


def test_call_that_the_session_repeats_counts_as_asked_again(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", "toolu_b", chars=150_000, argument="cat big")
    script.turn("toolu_again", chars=10, argument="cat big")
    script.answer(text="Done.")
    advice = why(script.open(tmp_path)).advice
    assert advice is not None
    assert advice.trials[0].asked_again == 1


def test_request_asked_for_is_taken_apart_by_tool_and_state(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=4_000, tool="Grep")
    script.turn("toolu_b", chars=9_000, tool="Read")
    script.answer(text="Done.")
    session = script.open(tmp_path)
    answer = why(session, request=2)
    assert answer.shown is not None
    assert answer.shown.n == 2
    assert answer.shown_results == (("Grep", "frozen", 4_000),)
    assert why(session).shown_results[0] == ("Read", "skipped", 9_000)
    with pytest.raises(UsageError, match="no request 9"):
        why(session, request=9)


def test_nothing_to_say_is_said(tmp_path: Path) -> None:
    script = begun()
    script.answer(text="Hello.")
    (only,) = why(script.open(tmp_path)).causes
    assert only.kind == "nothing"


def test_large_record_with_a_small_text_is_no_growth(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.record(
        "user",
        message={"role": "user", "content": [result("toolu_a", "x" * 90)]},
        toolUseResult="y" * 200_000,
    )
    script.answer(text="Done.")
    assert why(script.open(tmp_path)).causes[0].kind == "disk_only"


def test_findings_fold_through_more_than_one_step_and_none_is_lost() -> None:
    def finding(kind: str, **fields: object) -> Finding:
        return Finding(kind, Severity.INFO, kind, **fields)  # type: ignore[arg-type]

    findings = [
        finding("prefix_break", request=4),
        finding("cold_cache", request=4),
        finding("compaction", request=4),
        finding("usage_repeated"),
    ]
    folded = fold(findings)
    assert [(top.kind, sorted(f.kind for f in also)) for top, also in folded] == [
        ("compaction", ["cold_cache", "prefix_break"]),
        ("usage_repeated", []),
    ]


def test_one_token_is_one_token(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_small", chars=4)
    script.answer(text="Done.")
    with script.open(tmp_path) as session:
        told = [c.sentence for c in why(session, with_advice=False).causes if c.kind == "grower"]
    assert told
    assert all("(≈ 1 token) " in sentence for sentence in told), told


def test_one_result_over_the_budget_is_told_as_one(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=240_000, tool="Grep")
    script.answer(text="Done.")
    (cause,) = (c for c in why(script.open(tmp_path)).causes if c.kind == "over_turn_budget")
    assert cause.brief.startswith("1 result holds 240,000 of 200,000; largest Grep")


def test_an_image_has_no_share_for_what_it_costs_is_in_no_size(tmp_path: Path) -> None:
    pixel = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    script = begun()
    script.answer(call("toolu_a", "Read", "/shot.png"))
    script.results(
        result("toolu_a", [{"type": "text", "text": "a shot"}, {"type": "image", "source": pixel}])
    )
    script.answer(text="Done.")
    (cause,) = (c for c in why(script.open(tmp_path)).causes if c.kind == "image_result")
    assert "holds 1 image; the budget neither" in cause.sentence
    assert cause.sentence.endswith("It stayed 2 requests; images are in no size that is told here.")
    assert cause.share == 0


def test_one_result_is_not_parallel_and_what_the_client_leaves_out_is_not_sent(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a", chars=210_000)
    script.answer(text="Done.")
    (one,) = [c for c in why(script.open(tmp_path)).causes if c.kind == "over_turn_budget"]
    assert one.sentence.startswith("request 2: 1 result (Bash), 210,000 UTF-16 units")
    script = begun()
    message = {"id": "msg_x", "role": "assistant", "model": "claude-opus-4-5"}
    script.record("assistant", message={**message, "content": [call("toolu_a")]})
    script.results(result("toolu_a", "x" * 10))
    script.turn("toolu_b", chars=90_000)
    script.record("assistant", message={**message, "content": [call("toolu_c")]})
    script.results(result("toolu_c", "x" * 130_000))
    script.answer(text="Done.")
    (two,) = [c for c in why(script.open(tmp_path)).causes if c.kind == "over_turn_budget"]
    assert "2 parallel results (Bash, 1 of them not sent)" in two.sentence


def test_what_a_late_result_did_to_the_requests_is_told_under_it(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.answer(text="Meanwhile.")
    script.results(result("toolu_a", "late"))
    script.answer(text="Done.")
    first, *others = why(script.open(tmp_path)).causes
    assert first.kind == "displaced_result"
    assert {"prefix_break", "unanswered_call_dropped"} & set(first.also_kinds)
    assert not {"prefix_break", "unanswered_call_dropped"} & {c.kind for c in others}
