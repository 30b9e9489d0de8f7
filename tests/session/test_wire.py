"""The messages of a ChatCLI request as data."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from inspector.model.policy import CHATCLI
from inspector.model.transcript import Flag, Record, Role
from inspector.reading.chatcli_session import save_session
from inspector.reading.texts import content_in
from inspector.session import open_session
from inspector.session.replaced_text import text_on_wire
from inspector.session.texts import KeptTexts
from inspector.session.wire import all_requests, one_request
from tests.pipeline.chatcli.histories import answer, later, result, user
from tests.transcript import begun


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


class Counted:
    """Content as long as its line of the file, and how often it was asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def content(self, record: Record) -> str | list[Any]:
        self.asked.append(record.index)
        return "x" * (record.end - record.start)

    def reminders(self, record: Record) -> tuple[Sequence[str], bool]:
        return ("a reminder",), True


def test_contents_are_kept_up_to_a_bound_and_nothing_is_put_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.session.texts.KEPT_BYTES", 250)
    records = [Record(n, n + 1, 100 * n, 100 * n + 100, Role.USER, Flag(0)) for n in range(4)]
    source = Counted()
    texts = KeptTexts(source)
    for _ in range(3):
        assert [texts.content(record) for record in records] == ["x" * 100] * 4
    assert source.asked == [0, 1, 2, 3, 2, 3, 2, 3]
    assert texts.reminders(records[0]) == (("a reminder",), True)


def test_all_requests_read_each_content_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = begun()
    for n in range(30):
        script.turn(f"toolu_{n}")
    session = script.open(tmp_path)
    read: list[int] = []

    def counted(data: bytes) -> str | list[Any] | None:
        read.append(len(data))
        return content_in(data)

    monkeypatch.setattr("inspector.session.texts.content_in", counted)
    one_by_one = [one_request(session, n)["messages"] for n in range(1, len(session.timeline.requests) + 1)]
    read.clear()
    assert [body["messages"] for body in all_requests(session, full=True)] == one_by_one
    assert len(read) == len(session.records())
