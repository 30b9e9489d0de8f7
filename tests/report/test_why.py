"""The answer of `inspector why` in words: figures of other commands, told in the same way."""

from __future__ import annotations

import json
from pathlib import Path

from inspector.report.facts import facts
from inspector.report.why import why_text
from inspector.session import Session, open_session
from inspector.why import why
from tests.builders import openai_call, openai_result, write_json
from tests.transcript import begun

SAMPLES = Path(__file__).parents[2] / "sample_sessions"


def text_of(session: Session) -> str:
    return why_text(session, why(session))


def test_the_size_of_the_fullest_request_is_that_of_the_ledger_and_thinking_stands_beside(
    tmp_path: Path,
) -> None:
    script = begun()
    script.turn("toolu_a", chars=700)
    script.answer({"type": "thinking", "thinking": "t" * 90}, text="So.")
    script.prompt("Go on.")
    script.answer(text="Done.")
    session = script.open(tmp_path)
    wire = session.timeline.requests[2].wire_chars
    assert f"records show {wire:,} UTF-16 units on the wire + 90 of thinking." in text_of(session)


def test_the_size_of_the_fullest_request_is_marked_where_it_is_an_estimate(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "go"},
        openai_call(("a", "Bash")), openai_result("a"),
        openai_call(("a", "Bash")), openai_result("a"),
        {"role": "user", "content": "and now something longer than all before it"},
    ]  # fmt: skip
    session = open_session(write_json(tmp_path, messages), policy="documented")
    first, last = session.timeline.requests[1], session.timeline.requests[-1]
    assert (first.estimated, last.estimated) == (False, True)
    assert f"records show ≈ {last.wire_chars} chars on" in why_text(session, why(session, request=last.n))
    assert f"records show {first.wire_chars} chars on" in why_text(session, why(session, request=first.n))


def test_an_agent_that_is_fuller_than_the_main_conversation_is_named() -> None:
    (path,) = SAMPLES.glob("subagents/*.jsonl")
    with open_session(path) as session:
        text = text_of(session)
        assert "The fullest request of the main conversation is 5: 21,020 tokens" in text
        assert "Fuller: request 4 of agent a9eb304ed316e06d0, 75,200 tokens" in text
        largest = "the largest context 208,171 UTF-16 units, of agent a9eb304ed316e06d0"
        assert ("agents", f"2, {largest}") in facts(session)


def test_where_no_limit_helps_nothing_is_said_of_what_fills_the_request() -> None:
    with open_session(SAMPLES / "chatcli-session" / "refunds.json") as session:
        text = text_of(session)
    assert "no limit that was tried makes it smaller." in text
    assert "(no result), error sent  163" in text


def test_what_stands_beside_the_main_conversation_is_called_what_it_is(tmp_path: Path) -> None:
    def said(*texts: str) -> list[dict[str, str]]:
        return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)]

    older = {"version": 2, "chat_history": said("a", "b"), "agent_history": said("look", "long answer", "on")}
    with open_session(write_json(tmp_path, older, "older.json")) as session:
        assert ("others", "1, the largest context 17 bytes, of agent_history") in facts(session)
        assert session.part_words == ("history", "histories")
    log = tmp_path / "requests.jsonl"
    log.write_text("".join(json.dumps({"messages": said(text)}) + "\n" for text in ("title", "a question")))
    with open_session(log) as session:
        assert session.thread_title("line 2") == "conversation from line 2"
        assert ("others", "1, the largest context 10 chars, of conversation from line 2") in facts(session)


def test_the_largest_context_beside_the_main_one_is_marked_where_it_is_an_estimate(tmp_path: Path) -> None:
    cleared = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "name": "f", "arguments": {}}] * 2},
        {"role": "tool", "tool_call_id": "a", "content": "x"},
    ]
    older = {"version": 2, "chat_history": [{"role": "user", "content": "a"}], "agent_history": cleared}
    with open_session(write_json(tmp_path, older, "older.json"), policy="documented") as session:
        assert session.thread_rows()[1].peak_estimated
        ((_, words),) = [fact for fact in facts(session) if fact[0] == "others"]
    assert "the largest context ≈ " in words
