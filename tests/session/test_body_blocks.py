"""The blocks of a request weigh in the wire what they weigh in the ledger, whatever they hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inspector.model.chatcli import Message
from inspector.model.policy import Unit
from inspector.reading.chatcli_session import save_session
from inspector.replay.conversation import Conversation
from inspector.report.requests import request_diff_data
from inspector.session import Session, open_session
from inspector.session.body_blocks import block_chars, block_text, blocks_of, in_blocks
from inspector.session.request_pair import two_bodies
from inspector.session.wire_views import WireViews
from tests.builders import Transcript, call, openai_call, openai_result, result, text, write_json
from tests.pipeline.chatcli.histories import answer, user
from tests.pipeline.chatcli.histories import result as tool_message

ITEMS: list[Any] = [
    {"type": "text", "text": "four"},
    {"type": "hologram", "text": "not a text by its kind"},
    {"type": "text", "text": 7},
    {"type": "text"},
    {"text": "no kind at all"},
    "bare",
    None,
]
"""Items of a result or a message of which two are texts, of four characters each."""


def agreed(session: Session, n: int = 2) -> int:
    """The size of a request, which both say."""
    view = WireViews(session).view(n)
    assert view.chars == session.timeline.requests[n - 1].wire_chars
    return view.chars


def test_only_what_is_a_text_by_its_kind_is_measured() -> None:
    sizes = [block_chars({"type": "tool_result", "content": [item]}, Unit.UTF16) for item in ITEMS]
    assert sizes == [4, 0, 0, 0, 0, 4, 0]
    blocks = blocks_of({"content": ITEMS})
    assert [block_chars(block, Unit.UTF16) for block in blocks] == [4, 0, 0, 0, 0, 4]
    assert block_text({"type": "tool_result", "content": ITEMS[:2]}) == "four\nnot a text by its kind"


@pytest.mark.parametrize("policy", ["claude-code", "documented", "chatcli"])
def test_odd_items_of_a_transcript_weigh_the_same_on_the_wire_and_in_the_ledger(
    policy: str, tmp_path: Path
) -> None:
    script = Transcript()
    script.prompt("go")
    script.answer("m1", call("a", "Bash", command="x"))
    script.results(result("a", ITEMS))
    script.results(*ITEMS)
    session = script.open(tmp_path, policy)
    assert agreed(session) == len("go") + len('{"command":"x"}') + 8 + 8
    assert Conversation(session.timeline).result(0, 2).wire_chars == 8


@pytest.mark.parametrize("policy", ["claude-code", "documented", "chatcli"])
def test_odd_items_of_a_list_weigh_the_same_on_the_wire_and_in_the_ledger(
    policy: str, tmp_path: Path
) -> None:
    messages = [
        {"role": "user", "content": [*ITEMS[:5], "bare"]},
        openai_call(("a", "Bash")),
        openai_result("a", [*ITEMS, {"type": "input_text", "text": "more"}]),
    ]
    session = open_session(write_json(tmp_path, messages), policy=policy)
    assert Conversation(session.timeline).result(0, 2).wire_chars == 12
    agreed(session)


def test_what_is_no_block_at_all_is_an_empty_text_on_the_wire(tmp_path: Path) -> None:
    script = Transcript()
    script.results(text("go"), None, 7)
    script.answer("m1", text())
    view = WireViews(script.open(tmp_path)).view(1)
    assert [(row.words, row.chars) for row in view.rows] == [("go", 2), ("", 0), ("", 0)]


def test_a_text_that_was_cut_inside_a_character_weighs_its_own_bytes(tmp_path: Path) -> None:
    path = tmp_path / "trip.json"
    long = "é".encode() * 20_000
    path.write_bytes(save_session([user(), answer("a"), tool_message("a", b"y" + long), answer(text="z")]))
    with open_session(path) as session:
        agreed(session)
        row = Conversation(session.timeline).result(0, 2)
        sent = session.timeline.wires.messages(2)[-1].content  # type: ignore[attr-defined] # ChatCLI's timeline
        assert row.wire_chars == len(sent) != len(sent.decode("utf-8", "replace").encode())


def test_a_cut_text_of_any_role_is_measured_by_its_bytes() -> None:
    message = {"role": "user", "content": "a\ufffd", "content_base64": "YcM="}
    (block,) = blocks_of(message)
    assert (block_chars(block, Unit.BYTES), block_chars(block, Unit.UTF16)) == (2, 2)
    message = {"role": "tool", "tool_call_id": "a", "content": "a\ufffd", "content_base64": "YcM="}
    assert block_chars(blocks_of(message)[0], Unit.BYTES) == 2


def test_two_bodies_on_disk_are_measured_in_the_same_way(tmp_path: Path) -> None:
    body = [{"role": "user", "content": ITEMS}]
    (tmp_path / "a").mkdir()
    paths = [write_json(tmp_path / "a", body), write_json(tmp_path, body)]
    assert request_diff_data(two_bodies(*paths))["chars"] == 8


def test_messages_of_other_apis_are_put_into_blocks() -> None:
    body = [
        {"role": "user", "content": [text("go")]},
        openai_call(("a", "Bash")),
        openai_result("a", "done"),
    ]
    made = in_blocks(body)
    assert made[0] is body[0]
    kinds = [[block["type"] for block in message["content"]] for message in made]
    assert kinds == [["text"], ["tool_use"], ["tool_result"]]


def test_an_answer_with_two_calls_of_one_id_weighs_the_call_that_is_sent(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"path": "a long one"}'}},
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}},
            {"id": "b", "type": "function", "function": {"name": "f", "arguments": '{"n": 1}'}},
        ]},
        openai_result("a", "one"),
        openai_result("b", "two"),
    ]  # fmt: skip
    agreed(open_session(write_json(tmp_path, messages), policy="chatcli"))


def test_a_message_that_comes_from_elsewhere_and_is_the_same_breaks_no_prefix(tmp_path: Path) -> None:
    path = tmp_path / "trip.json"
    history = [user(), answer("a"), tool_message("a"), Message("tool", b"ok", tool_call_id="a"), answer("b")]
    path.write_bytes(save_session([*history, tool_message("b"), answer(text="z")]))
    with open_session(path) as session:
        for request in session.timeline.requests[1:]:
            view = WireViews(session).view(request.n)
            broken = view.break_at is not None or view.ends_at is not None
            assert broken == (request.break_ is not None), request.n


def test_calls_beside_a_text_are_read_as_the_blocks_that_they_would_be() -> None:
    function = {"name": "ls", "arguments": '{"path": "/"}'}
    call = {"id": "c1", "type": "function", "function": function}
    (made,) = blocks_of({"role": "assistant", "content": None, "tool_calls": [call, 7]})
    assert made == {"type": "tool_use", "id": "c1", "name": "ls", "input": {"path": "/"}}
    assert block_chars(made, Unit.UTF16) == len('{"path":"/"}')
    (broken,) = blocks_of({"content": "", "tool_calls": [{"id": "c2", "name": "ls", "arguments": "{"}]})
    assert broken["input"] == "{"
    assert [b["type"] for b in blocks_of({"content": "So.", "tool_calls": [call]})] == ["text", "tool_use"]
    answer = {"role": "tool", "content": "no", "tool_call_id": "c1", "is_error": True}
    assert blocks_of(answer) == [
        {"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True}
    ]


def test_a_message_of_a_tool_that_names_no_call_is_a_text() -> None:
    assert blocks_of({"role": "tool", "content": "lost"}) == [{"type": "text", "text": "lost"}]
