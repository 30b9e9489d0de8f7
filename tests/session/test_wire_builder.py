"""Bodies of requests through an opened session: modes, resume, and any order of asking."""

from __future__ import annotations

from pathlib import Path

from inspector.session.wire import one_request
from inspector.session.wire_builder import ResumeAs, WireBuilder
from tests.session.recording import Recording
from tests.session.test_replacement_findings import FULL, PREVIEW, session_with
from tests.transcript import begun, call, result


def texts(messages: list[dict[str, object]]) -> list[object]:
    return [b.get("text", b.get("content")) for m in messages for b in m["content"]]  # type: ignore[attr-defined]  # JSON


def test_a_stored_replacement_is_sent_on_the_screen_and_ignored_in_print_mode(tmp_path: Path) -> None:
    session = session_with(line=True, later=FULL, entrypoint="sdk-cli").open(tmp_path)
    assert PREVIEW in texts(one_request(session, 2)["messages"])
    assert FULL in texts(one_request(session, 3)["messages"])


def test_requests_asked_backwards_are_the_same(tmp_path: Path) -> None:
    session = session_with(line=True, later=FULL, entrypoint="sdk-cli").open(tmp_path)
    numbers = [r.n for r in session.timeline.requests]
    forward, back = WireBuilder(session), WireBuilder(session)
    bodies = {n: forward.body(n) for n in numbers}
    assert {n: back.body(n) for n in reversed(numbers)} == bodies


def test_a_finished_session_shows_what_a_resume_sends(tmp_path: Path) -> None:
    script = Recording()
    script.prompt("go")
    script.answer(call("toolu_a"))
    session = script.open(tmp_path)
    body = one_request(session, 2, how=ResumeAs(prompt="on"))
    assert body["resumed"]
    shown = texts(body["messages"])
    assert str(shown[2]).startswith("[Tool call interrupted")
    assert shown[3:] == ["No response requested.", "on"]
    assert one_request(session, 1)["resumed"] is False


def test_an_old_session_drops_the_unanswered_call_on_resume(tmp_path: Path) -> None:
    script = begun()
    script.turn("toolu_a")
    script.answer(call("toolu_b"))
    body = one_request(script.open(tmp_path), 3)
    assert "toolu_b" not in str(body["messages"])
    assert texts(body["messages"])[-2:] == ["Continue from where you left off.", "No response requested."]


def test_a_live_session_is_not_resumed(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    script.results(result("toolu_a", "one"))
    body = one_request(script.open(tmp_path, live=True), 2)
    assert not body["resumed"]
    assert texts(body["messages"])[-1] == "one"


def test_another_policy_knows_nothing_of_the_clients_additions(tmp_path: Path) -> None:
    script = begun()
    script.answer(call("toolu_a"))
    body = one_request(script.open(tmp_path, "documented"), 2)
    assert not body["resumed"]
    assert "No response requested." not in texts(body["messages"])
