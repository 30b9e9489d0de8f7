"""Park snapshots."""

from __future__ import annotations

import pytest

from inspector.reading.chatcli_park import load_snapshot


def test_history_and_open_call_are_read() -> None:
    snapshot = load_snapshot(
        b'{"version": 1, "pending_tool_call_id": "c", "history": [{"role": "user", "content": "hi"}]}'
    )
    assert (snapshot.pending_tool_call_id, snapshot.problem) == ("c", "")
    assert [m.content for m in snapshot.history] == [b"hi"]


def test_other_version_is_read_and_said() -> None:
    snapshot = load_snapshot(b'{"version": 7, "history": []}')
    assert snapshot.problem == "Its version is 7, not 1."


@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"{}", b'{"history": [1]}', b'{"history": '])
def test_anything_else_has_a_problem(data: bytes) -> None:
    assert load_snapshot(data).problem.endswith(".")
