"""The messages of a ChatCLI request as data."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from inspector.model.policy import CHATCLI
from inspector.reading.chatcli_session import save_session
from inspector.session import open_session
from inspector.session.replaced_text import text_on_wire
from inspector.session.wire import all_requests, one_request
from tests.pipeline.chatcli.histories import answer, later, result, user


def test_request_has_the_form_of_the_session_file(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(save_session([user(), answer("a"), result("a"), answer("lost")]))
    session = open_session(path)
    saved = json.loads(path.read_bytes())["chat_history"]
    messages = one_request(session, 3)["messages"]
    assert messages[:4] == saved
    assert messages[4]["error_code"] == "missing_result"
    assert messages[4]["tool_call_id"] == "lost"


def test_bytes_that_are_no_text_are_given_exactly_besides(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(save_session([user(), answer("a"), result("a", "é".encode() * 3_000 + b"x"), *later(2)]))
    session = open_session(path)
    message = one_request(session, 4)["messages"][2]
    exact = base64.b64decode(message["content_base64"])
    row = session.timeline.tracked[0]
    assert len(exact) == row.spans[-1].chars
    assert exact.decode("utf-8", "replace") == message["content"] == text_on_wire(session, row, row.spans[-1])
    assert "content_base64" not in one_request(session, 3)["messages"][2]


def test_only_what_is_new_is_given_until_a_preview_changes(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(save_session([user(), answer("a"), result("a", 30_000), *later(1)]))
    kept = [body["keep"] for body in all_requests(open_session(path, policy=CHATCLI))]
    assert kept == [0, 1, 2]
