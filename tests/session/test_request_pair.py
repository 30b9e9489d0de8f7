"""Two requests: of one session as predicted or recorded, and two files with a body each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import UnreadableError, UsageError
from inspector.session.request_pair import request_pair, two_bodies
from inspector.session.wire_view import Mark
from tests.session.test_replacement_findings import FULL, PREVIEW, session_with


def result(text: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_a", "content": text}]}


CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_a", "name": "Bash", "input": {}}]}


def test_two_recorded_requests_are_compared_as_they_were_sent(tmp_path: Path) -> None:
    session = session_with(line=False, later=FULL).open(tmp_path)
    pair = request_pair(session, 3, recorded=True)
    assert (pair.earlier, pair.later) == ("recorded request 2", "recorded request 3")
    assert pair.changed == {(2, 0): (PREVIEW, FULL)}
    predicted = request_pair(session, 3, against=2)
    assert predicted.changed == {}
    assert predicted.view.break_at is None


def test_a_request_that_is_not_there_or_not_recorded_is_said(tmp_path: Path) -> None:
    session = session_with(line=False, later=FULL).open(tmp_path)
    last = len(session.timeline.requests)
    with pytest.raises(UsageError, match="there is no request 99"):
        request_pair(session, 99)
    with pytest.raises(UsageError, match="before 1"):
        request_pair(session, 1)
    with pytest.raises(UsageError, match="not recorded"):
        request_pair(session, last, recorded=True)
    with pytest.raises(UsageError, match="no sub-agent"):
        request_pair(session, 2, agent="nobody")


def test_two_bodies_are_compared_block_by_block(tmp_path: Path) -> None:
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    first.write_text(json.dumps({"messages": [CALL, result("long text")]}), encoding="utf-8")
    second.write_text(
        json.dumps([CALL, result("short"), {"role": "user", "content": "on"}]), encoding="utf-8"
    )
    pair = two_bodies(first, second)
    assert [row.mark for row in pair.view.rows] == [Mark.SAME, Mark.CHANGED, Mark.NEW]
    assert pair.changed == {(1, 0): ("long text", "short")}
    assert pair.view.rows[1].words == "Bash toolu_a"


def test_a_file_without_messages_is_said_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(b"{}")
    with pytest.raises(UnreadableError, match=r"odd\.json"):
        two_bodies(path, path)
