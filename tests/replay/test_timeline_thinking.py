"""Thinking is counted at the request whose answer holds it, and stands in no size of the wire."""

from __future__ import annotations

from pathlib import Path

from inspector.replay.conversation import Conversation
from tests.transcript import begun


def test_thinking_of_all_records_of_an_answer_is_summed(tmp_path: Path) -> None:
    with_thinking, without = begun(), begun()
    thoughts = [{"type": "thinking", "thinking": "hm" * n, "signature": "s"} for n in (50, 25)]
    with_thinking.answer(*thoughts, text="Yes.")
    without.answer(text="Yes.")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with with_thinking.open(tmp_path / "a") as session, without.open(tmp_path / "b") as other:
        requests = [Conversation(session.timeline).request(n) for n in (1, 2)]
        plain = [Conversation(other.timeline).request(n) for n in (1, 2)]
    assert [request.thinking_chars for request in requests] == [150, 0]
    assert [request.wire_chars for request in requests] == [request.wire_chars for request in plain]


def test_thinking_that_is_only_a_signature_has_no_size(tmp_path: Path) -> None:
    script = begun()
    script.answer({"type": "redacted_thinking", "data": "x" * 99}, text="Yes.")
    with script.open(tmp_path) as session:
        assert Conversation(session.timeline).request(1).thinking_chars == 0
