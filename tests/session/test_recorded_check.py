"""Recorded requests beside predicted ones: marks, findings, and what a bound leaves out."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from inspector.replay.conversation import Conversation
from inspector.replay.view import Event
from inspector.report import report
from inspector.session import open_session, recorded_check
from inspector.session.policy_words import assumptions
from inspector.session.wire import one_request
from tests.session.recording import Recording, assistant, text, user
from tests.transcript import begun, call, found, result, the

PROMPT = user(text("go"))
CALL = assistant(call("toolu_a"))


def two_requests(second: dict[str, Any]) -> Recording:
    """A session whose second request was sent with this message behind its call."""
    script = Recording()
    script.prompt("go")
    script.sent_as(PROMPT)
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", "one two"))
    script.sent_as(PROMPT, CALL, second)
    script.answer(text="done")
    return script


def test_a_request_sent_as_predicted_is_the_same(tmp_path: Path) -> None:
    session = two_requests(user(result("toolu_a", "one two"))).open(tmp_path)
    document = report(session)
    assert [r["recorded"] for r in document["requests"]] == ["same", "same", "absent"]
    assert document["source"]["recorded"] == {
        "requests": 2, "rebuilt": 2, "verified": 2, "messages": 3, "messages_verified": 3,
        "compared": 2, "differing": 0,
    }  # fmt: skip
    assert found(session, "recorded_differs") == []
    assert Conversation(session.timeline).result(0, 2).recorded == "same"


def test_a_request_sent_otherwise_is_marked_with_its_block(tmp_path: Path) -> None:
    session = two_requests(user(result("toolu_a", "other"))).open(tmp_path)
    finding = the(session, "recorded_differs")
    assert (finding.request, finding.ids) == (2, ("toolu_a",))
    assert finding.data["what"] == "content"
    assert (finding.data["message"], finding.data["block"]) == (2, 0)
    assert (finding.data["predicted"], finding.data["recorded"]) == ("one two", "other")
    assert session.timeline.requests[1].events & Event.DIFFERS
    assert not session.timeline.requests[0].events & Event.DIFFERS
    assert Conversation(session.timeline).result(0, 2).recorded == "differs"


def test_a_difference_that_lasts_is_told_once(tmp_path: Path) -> None:
    script = two_requests(user(result("toolu_a", "other")))
    script.prompt("more")
    both = (PROMPT, CALL, user(result("toolu_a", "other")), assistant(text("done")), user(text("more")))
    script.sent_as(*both)
    script.answer(text="again")
    assert the(script.open(tmp_path), "recorded_differs").data["requests"] == [2, 3]


def test_an_elided_text_is_compared_by_length_and_digest(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"two").hexdigest()[:12]
    session = two_requests(user(result("toolu_a", f"one [elided by me: 3 chars, sha256 {digest}]"))).open(
        tmp_path
    )
    assert found(session, "recorded_differs") == []
    wrong = two_requests(user(result("toolu_a", f"one [elided by me: 4 chars, sha256 {digest}]")))
    assert found(wrong.open(tmp_path), "recorded_differs")


def test_recorded_body_stands_with_its_differences(tmp_path: Path) -> None:
    session = two_requests(user(result("toolu_a", "other"))).open(tmp_path)
    body = one_request(session, 2, recorded=True)
    assert body["messages"][2]["content"][0]["content"] == "other"
    assert body["verified"]
    assert [(d["message"], d["block"], d["what"]) for d in body["differences"]] == [(2, 0, "content")]


def test_a_session_that_grows_is_compared_from_where_it_stopped(tmp_path: Path) -> None:
    script = two_requests(user(result("toolu_a", "one two")))
    with open_session(script.write(tmp_path), live=True) as session:
        session.findings()
        check = session.recorded.of("")
        assert check is not None
        assert check.compared == 2
        script.prompt("more")
        script.sent_as(PROMPT, CALL, user(result("toolu_a", "one two")), assistant(text("done")), PROMPT)
        script.answer(text="again")
        script.write(tmp_path)
        session.poll()
        assert [f.request for f in found(session, "recorded_differs")] == [3]
        assert session.recorded.of("") is check
        assert check.compared == 3


def test_requests_that_the_bound_leaves_out_are_absent_and_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded_check, "COMPARED_MESSAGES", 2)
    session = two_requests(user(result("toolu_a", "other"))).open(tmp_path)
    document = report(session)
    assert [r["recorded"] for r in document["requests"]] == ["same", "absent", "absent"]
    assert any("1 later ones were left out" in words for words in document["policy"]["assumptions"])


def test_bytes_beyond_the_bound_are_not_read_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded_check, "READ_BYTES", 10)
    session = two_requests(user(result("toolu_a", "other"))).open(tmp_path)
    session.findings()
    assert any("of the file only" in words for words in assumptions(session))


def test_a_transcript_without_recorded_requests_is_not_read_again(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a")
    script.answer(text="done")
    session = script.open(tmp_path)
    assert session.recorded.of("") is None
    assert report(session)["source"]["recorded"] is None


@pytest.mark.parametrize("policy", ["chatcli", "documented"])
def test_what_another_policy_would_send_is_compared_in_the_form_that_was_sent(
    policy: str, tmp_path: Path
) -> None:
    session = two_requests(user(result("toolu_a", "other"))).open(tmp_path, policy)
    ids = {i for f in found(session, "recorded_differs") if f.data["what"] == "content" for i in f.ids}
    assert ids == {"toolu_a"}
    told = one_request(session, 2, recorded=True)["differences"]
    assert [d["recorded"] for d in told if d["what"] == "content"] == ["other"]
    assert not [d for d in told if d["what"] == "missing"]  # the call too is found beside its own


@pytest.mark.parametrize(("policy", "sizes"), [("claude-code", (6, 4)), ("documented", (3, 2))])
def test_sizes_of_a_difference_are_in_the_unit_of_all_other_sizes(
    policy: str, sizes: tuple[int, int], tmp_path: Path
) -> None:
    script = Recording()
    script.prompt("go")
    script.sent_as(PROMPT)
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", "🦊🦊🦊"))
    script.sent_as(PROMPT, CALL, user(result("toolu_a", "🦊🦊")))
    script.answer(text="done")
    session = script.open(tmp_path, policy)
    finding = the(session, "recorded_differs")
    assert (finding.data["predicted_chars"], finding.data["recorded_chars"]) == sizes
    unit = {"claude-code": "UTF-16 units", "documented": "chars"}[policy]
    assert f"{sizes[0]} {unit} predicted, {sizes[1]} sent" in finding.fact
    row = Conversation(session.timeline).result(0, 2)
    assert row.wire_chars == sizes[0]
    assert f"{sizes[1]} {unit} where {sizes[0]} are predicted" in row.otherwise


def test_another_policy_is_compared_anew(tmp_path: Path) -> None:
    session = two_requests(user(result("toolu_a", "other"))).open(tmp_path)
    assert [f.request for f in found(session, "recorded_differs")] == [2]
    check = session.recorded.of("")
    session.adopt(session.new_replay(session.policy.with_field("budget.turn_limit", 1_000)))
    assert session.recorded.of("") is not check


def test_only_the_conversation_that_is_read_anew_is_forgotten(tmp_path: Path) -> None:
    session = two_requests(user(result("toolu_a", "other"))).open(tmp_path)
    check = session.recorded.of("")
    session.recorded.forget("another one")
    assert session.recorded.of("") is check
    session.recorded.forget("")
    assert session.recorded.of("") is not check
