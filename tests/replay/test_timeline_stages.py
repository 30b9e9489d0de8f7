"""What a replay says of each request is what the stages do when they are run for real."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.model.overflow import Kept
from inspector.model.policy import DOCUMENTED
from inspector.pipeline.conversation import normalise, write_back
from inspector.pipeline.ledger import Ledger
from inspector.pipeline.pairing import NO_CALLS_LEFT, NO_CONTENT_LEFT
from inspector.pipeline.stages import run
from inspector.session import open_session
from inspector.session.wire import one_request
from tests.pipeline.histories import FORMS, TURNS, Grown, TurnStory, grow

FILLERS = {NO_CALLS_LEFT, NO_CONTENT_LEFT, ""}
"""Words in a message that lost all it had: the replay does not put them in."""


class Port:
    """Keeps nothing, and names files as a replay does."""

    def path_for(self, result_id: str, extension: str) -> str:
        return f"tool-results/budget_{result_id}_1.{extension}"

    def keep(self, result_id: str, text: str, extension: str) -> Kept:
        return Kept(self.path_for(result_id, extension))

    def archive(self, key: str, text: str) -> Kept:
        return Kept(key)


def with_one_tool(turns: list[TurnStory]) -> list[TurnStory]:
    """One tool where ids repeat: whose tool a result counts as is open when two calls share an id."""
    if not any(turn.repeats_id for turn in turns):
        return turns
    return [replace(t, calls=tuple(replace(c, tool="Grep") for c in t.calls)) for t in turns]


def texts_of(messages: list[Any]) -> list[tuple[str, str, str]]:
    """Every text on the wire with its part and id, whichever form the messages have."""
    out = []
    for message in messages:
        content = message.get("content")
        if isinstance(content, str):
            out.append(("text", message.get("tool_call_id", ""), content))
        for block in content if isinstance(content, list) else ():
            if block["type"] == "tool_use":
                out.append(("call", block["id"], json.dumps(block["input"], separators=(",", ":"))))
            elif block["type"] == "tool_result":
                out.append(("text", block["tool_use_id"], block["content"]))
            else:
                out.append(("text", "", block["text"]))
        for call in message.get("tool_calls", ()):
            given_ = call.get("function", call)["arguments"]
            out.append(("call", call["id"], given_ if isinstance(given_, str) else json.dumps(given_)))
    return sorted(each for each in out if each[2] not in FILLERS)


@settings(max_examples=40, deadline=None)
@given(st.builds(grow, TURNS.map(with_one_tool), st.sampled_from(FORMS)))
def test_documented_replay_agrees_with_the_stages_at_every_request(grown: Grown) -> None:
    ends = [at for at, message in enumerate(grown.messages) if message["role"] == "assistant"]
    ledger = Ledger()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "messages.json"
        path.write_text(json.dumps(grown.messages), encoding="utf-8")
        with open_session(path, policy=DOCUMENTED) as session:
            requests = session.timeline.requests
            assert len(requests) == len(ends) + 1
            for request, end in zip(requests, [*ends, len(grown.messages)], strict=True):
                outcome = run(normalise(grown.messages[:end]), ledger, DOCUMENTED, Port())
                ledger = outcome.ledger
                wanted = texts_of(write_back(outcome.messages))
                assert texts_of(one_request(session, request.n)["messages"]) == wanted
                assert request.estimated or request.wire_chars == sum(len(text) for _, _, text in wanted)
                groups = [(g.ids, g.decision.total, g.replaced, g.decision.remaining) for g in request.groups]
                assert groups == [(g.ids, g.total, g.replace, g.remaining) for g in outcome.report.groups]
