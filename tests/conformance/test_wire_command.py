"""`inspector wire` on every recorded scenario: from the session's own file to the blocks that were sent.

The rules are proven elsewhere on histories cut by hand. Here a request has to be found among those of
an opened session, with the policy as a person would name it. Requests for a summary (kind `compact`)
have no answer in the transcript, so the command has no number for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from inspector.model.policy import CLAUDE_CODE, Policy
from inspector.pipeline.wire.messages import BodyMessage, api_messages
from inspector.session import Session, open_session
from inspector.session.wire import one_request
from inspector.session.wire_builder import ResumeAs, WireBuilder
from tests.conformance.claude_wire import differences, glue_differences, is_new
from tests.conformance.shared import shared_folder

SCENARIOS = [path.parent for path in shared_folder("wire", "*/requests.json")]


def scenario(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "requests.json").read_text(encoding="utf-8"))
    return value


def cases(way: str) -> Iterator[Any]:
    for folder in SCENARIOS:
        data = scenario(folder)
        for request in data["requests"]:
            if way in request and request["answer_message_id"]:
                yield pytest.param(folder, data, request, id=f"{folder.name}:{request['n']}")


def policy_of(settings: dict[str, Any]) -> Policy:
    """The client's rules; clearing by a gap in time only where the recording had it switched on."""
    gap = settings["clear_after_gap"]
    if not gap:
        return CLAUDE_CODE
    policy = CLAUDE_CODE.with_field("microcompact.clear_after_gap_minutes", gap["minutes"])
    return policy.with_field("microcompact.clear_keep", gap["keep"])


def opened(folder: Path, name: str, policy: Policy) -> tuple[Session, str]:
    """The session that a file belongs to, and the agent's id where it is an agent's file."""
    path, agent = folder / name, ""
    if path.parent.name == "subagents":
        agent = path.stem.removeprefix("agent-")
        path = path.parent.parent.with_suffix(".jsonl")
    return open_session(path if path.exists() else path.with_name(f"{path.name}.gz"), policy=policy), agent


def number_of(session: Session, agent: str, request: dict[str, Any]) -> int:
    """Our number of a recorded request: answers may share an id, so its line counts too."""
    return next(
        r.n
        for r in session.timelines[agent].requests
        if r.message_id == request["answer_message_id"] and r.line > request["history"]["lines"]
    )


def check(folder: Path, request: dict[str, Any], messages: list[BodyMessage]) -> None:
    assert differences(request["blocks"], messages) == []
    if is_new(folder, request):
        assert glue_differences(request["blocks"], messages) == []


@pytest.mark.parametrize(("folder", "data", "request_"), cases("history"))
def test_request_of_a_session_is_what_was_sent(
    folder: Path, data: dict[str, Any], request_: dict[str, Any]
) -> None:
    session, agent = opened(folder, request_["history"]["file"], policy_of(data["settings"]))
    with session:
        n = number_of(session, agent, request_)
        messages = WireBuilder(session, agent).messages(n)
        check(folder, request_, messages)
        body = one_request(session, n, agent=agent)
        assert body["messages"] == api_messages(messages)
        assert (body["message_id"], body["resumed"]) == (request_["answer_message_id"], False)


@pytest.mark.parametrize(("folder", "data", "request_"), cases("resumed"))
def test_pending_request_of_a_finished_session_is_what_a_resume_sends(
    folder: Path, data: dict[str, Any], request_: dict[str, Any]
) -> None:
    session, _ = opened(folder, request_["resumed"]["file"], policy_of(data["settings"]))
    how = ResumeAs(
        prompt=request_["prompt"],
        screen=request_["mode"].startswith("tty"),
        now=datetime.fromisoformat(request_["at"]).timestamp(),
    )
    with session:
        messages = WireBuilder(session).resumed(how)
        assert differences(request_["blocks"], messages) == []
        body = one_request(session, len(session.timeline.requests), how=how)
        assert body["messages"] == api_messages(messages)
        assert body["resumed"]


@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda p: p.name)
def test_going_back_gives_the_same_as_going_forward(folder: Path) -> None:
    for path in sorted((folder / "session").glob("*.jsonl*")):
        with open_session(path) as session:
            numbers = [r.n for r in session.timeline.requests]
            forward, back = WireBuilder(session), WireBuilder(session)
            bodies = {n: forward.body(n) for n in numbers}
            assert {n: back.body(n) for n in reversed(numbers)} == bodies
