from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.model.policy import PRESETS
from inspector.session.opening import open_session
from inspector.session.session import Session
from inspector.session.wire_builder import WireBuilder
from inspector.session.wire_view import Mark
from inspector.session.wire_views import WireViews

CALL = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
LISTED = [
    {"role": "system", "content": "Be careful."},
    {"role": "developer", "content": [{"type": "text", "text": "Be short."}]},
    {"role": "user", "content": "what is there"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "a b"},
    {"role": "assistant", "content": "two files"},
    {"role": "system", "content": "The time is noon."},
    {"role": "user", "content": "thanks"},
]


def opened(tmp_path: Path, text: str, policy: str) -> Session:
    path = tmp_path / ("talk.jsonl" if "\n" in text else "talk.json")
    path.write_text(text)
    session = open_session(path, policy=PRESETS[policy])
    session.poll()
    return session


def prompts(session: Session, n: int) -> list[Any]:
    """Contents of the system messages in front, as texts."""
    out = []
    for message in WireBuilder(session).body(n):
        if message["role"] != "system":
            break
        content = message["content"]
        out.append(content if isinstance(content, str) else "".join(block["text"] for block in content))
    return out


@pytest.mark.parametrize("policy", ["documented", "claude-code", "chatcli"])
def test_system_messages_in_front_of_a_list_go_with_every_request(tmp_path: Path, policy: str) -> None:
    session = opened(tmp_path, json.dumps(LISTED), policy)
    assert [prompts(session, n) for n in (1, 2, 3)] == [["Be careful.", "Be short."]] * 3


@pytest.mark.parametrize("policy", ["documented", "claude-code", "chatcli"])
@pytest.mark.parametrize("system", ["Be careful.", [{"type": "text", "text": "Be careful."}]])
def test_the_system_of_a_request_body_goes_with_every_request(
    tmp_path: Path, policy: str, system: object
) -> None:
    session = opened(tmp_path, json.dumps({"system": system, "messages": [LISTED[2]]}), policy)
    assert prompts(session, 1) == ["Be careful."]


@pytest.mark.parametrize("policy", ["documented", "claude-code", "chatcli"])
def test_a_log_of_requests_has_the_system_that_each_request_was_sent_with(
    tmp_path: Path, policy: str
) -> None:
    talk = [
        {"role": role, "content": text}
        for role, text in (
            ("user", "a"),
            ("assistant", "b"),
            ("user", "c"),
            ("assistant", "d"),
            ("user", "e"),
        )
    ]
    lines: list[dict[str, Any]] = [
        {"system": "One.", "messages": talk[:1]},
        {"system": [{"type": "text", "text": "Two."}], "messages": talk[:3]},
        {"messages": talk},
    ]
    session = opened(tmp_path, "".join(json.dumps(line) + "\n" for line in lines), policy)
    assert [prompts(session, n) for n in (1, 2, 3)] == [["One."], ["Two."], []]


def test_a_system_that_is_no_text_is_not_sent(tmp_path: Path) -> None:
    session = opened(tmp_path, json.dumps({"system": {"a": 1}, "messages": [LISTED[2]]}), "documented")
    assert prompts(session, 1) == []


@pytest.mark.parametrize("policy", ["documented", "claude-code", "chatcli"])
def test_the_size_of_the_system_prompt_stands_apart_from_what_the_ledger_counts(
    tmp_path: Path, policy: str
) -> None:
    session = opened(tmp_path, json.dumps(LISTED), policy)
    view = WireViews(session).view(2)
    assert view.system_chars == len("Be careful.") + len("Be short.")
    assert view.chars == session.timeline.requests[1].wire_chars
    assert {row.mark for row in view.rows if row.is_prompt} == {Mark.SAME}


def test_an_unsent_result_stands_at_its_place_behind_the_system_prompt(tmp_path: Path) -> None:
    lost = {"role": "tool", "tool_call_id": "nobody", "content": "x"}
    session = opened(tmp_path, json.dumps([*LISTED[:3], lost, LISTED[3], LISTED[4]]), "documented")
    plain = opened(tmp_path, json.dumps([LISTED[2], lost, LISTED[3], LISTED[4]]), "documented")
    (at,) = [found.at for found in WireBuilder(session).body_and_unsent(2)[1]]
    (without,) = [found.at for found in WireBuilder(plain).body_and_unsent(2)[1]]
    assert at == (without[0] + 2, without[1])


@pytest.mark.parametrize("policy", ["documented", "claude-code", "chatcli"])
def test_a_logged_request_with_another_head_breaks_the_prefix_from_the_first_message_on(
    tmp_path: Path, policy: str
) -> None:
    talk = [{"role": role, "content": "a"} for role in ("user", "assistant", "user", "assistant", "user")]
    tools = [{"name": "ls"}]
    lines: list[dict[str, Any]] = [
        {"model": "m", "system": "One.", "messages": talk[:1]},
        {"model": "m", "system": "One.", "tools": tools, "messages": talk[:3]},
        {"model": "m", "system": "One.", "tools": tools, "messages": talk},
    ]
    session = opened(tmp_path, "".join(json.dumps(line) + "\n" for line in lines), policy)
    breaks = [request.break_ for request in session.timeline.requests]
    assert [found and (found.cause, found.message) for found in breaks] == [None, ("head", 0), None]
    told = [f for f in session.findings() if f.kind == "prefix_break"]
    assert [(f.request, f.cause) for f in told] == [(2, "The model, the tools or the system prompt changed.")]
    assert prompts(session, 3) == ["One."]
    view = WireViews(session).view(2)
    assert (view.break_at, view.break_words) == (0, "the model, the tools or the system prompt changed")
    assert [row.mark for row in view.rows] == [Mark.AFTER, Mark.AFTER, Mark.NEW, Mark.NEW]
    assert WireViews(session).view(3, against=1).break_at == 0
    assert WireViews(session).view(3).break_at is None
