"""ChatCLI's session files: what its loader takes, and what a save loses."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from inspector.model.chatcli import Message, Meta, ToolCall
from inspector.reading.chatcli_session import SessionKind, load_session, save_session
from tests.pipeline.chatcli.histories import HISTORIES


@settings(max_examples=60, deadline=None)
@given(HISTORIES)
def test_saved_session_loads_with_all_but_its_broken_bytes(history: Sequence[Message]) -> None:
    data = save_session(history, "a title")
    session = load_session(data)
    assert (session.kind, session.title) == (SessionKind.V2, "a title")
    for before, after in zip(history, session.chat_history, strict=True):
        text = before.content.decode("utf-8", "surrogateescape")
        shown = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
        assert after == before.with_content(shown.encode())
    assert load_session(save_session(session.chat_history, "a title")) == session


def test_every_field_survives_in_file_order() -> None:
    full = Message(
        "tool",
        b"<a> & b",
        Meta(True, 3, "agent", True, True, ("s",), True),
        (ToolCall("c", "read", "function", {"b": 1, "a": [None, 2.5]}, {"x": 1}), ToolCall("d")),
        "id",
        ({"type": "text"},),
        ({"url": "u"},),
        True,
        "timeout",
    )
    data = save_session([full])
    assert load_session(data).chat_history == (full,)
    assert b"\\u003ca\\u003e \\u0026 b" in data
    names = "role", "content", "meta", "tool_calls", "tool_call_id", "system_parts", "images", "error_code"
    order = [f'"{name}"'.encode() for name in names]
    assert [data.index(name) for name in order] == sorted(data.index(name) for name in order)
    assert data.index(b'"a": [') < data.index(b'"b": 1')


def test_older_histories_are_appended_without_their_system_messages() -> None:
    data = save_session(
        [Message("user", b"1")],
        agent_history=[Message("system", b"s"), Message("user", b"2")],
        coder_history=[Message("user", b"3")],
        shared_memory=[Message("user", b"never")],
    )
    session = load_session(data)
    assert [m.content for m in session.history] == [b"1", b"2", b"3"]
    assert [m.content for m in session.shared_memory] == [b"never"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"null", SessionKind.LEGACY),
        (b"[]", SessionKind.LEGACY),
        (b"[null]", SessionKind.LEGACY),
        (b'{"VERSION": 2}', SessionKind.V2),
        (b'{"version": 3, "chat_history": null}', SessionKind.V2),
        (b'{"version": 1, "version": 2}', SessionKind.V2),
        (b"{}", SessionKind.CORRUPT),
        (b'{"version": null}', SessionKind.CORRUPT),
        (b'{"version": 2.0}', SessionKind.CORRUPT),
        (b'{"version": 2, "chat_history": {}}', SessionKind.CORRUPT),
        (b'{"version": 2, "shared_memory": 1}', SessionKind.CORRUPT),
        (b'{"version": 2, "chat_history": [{"meta": []}]}', SessionKind.CORRUPT),
        (b'["text"]', SessionKind.CORRUPT),
        (b'"text"', SessionKind.CORRUPT),
        (b'{"version": 2}\n{"version": 2}', SessionKind.CORRUPT),
    ],
)
def test_file_is_taken_as_the_loader_takes_it(data: bytes, kind: SessionKind) -> None:
    session = load_session(data)
    assert session.kind is kind
    assert bool(session.problem) == (kind is SessionKind.CORRUPT)


def test_problem_names_the_place() -> None:
    problem = load_session(b'{"version": 2, "chat_history": [{}, {"content": 5}]}').problem
    assert problem == "chat_history[1].content is a number, not a text."
    assert "line 2" in load_session(b'{"version": 2,\n"chat_history": [').problem
