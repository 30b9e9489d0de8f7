"""Two requests: of one session as predicted or recorded, and two files with a body each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import UnreadableError, UsageError
from inspector.session.request_pair import RequestPair, request_pair, two_bodies
from inspector.session.wire_view import Mark
from tests.session.test_replacement_findings import FULL, PREVIEW, session_with


def result(text: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_a", "content": text}]}


USER = {"role": "user", "content": "go"}
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
    with pytest.raises(UsageError, match="no recorded body"):
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


def bodies(folder: Path, earlier: Any, later: Any) -> RequestPair:
    paths = [folder / "earlier.json", folder / "later.json"]
    for path, body in zip(paths, (earlier, later), strict=True):
        path.write_text(json.dumps(body), encoding="utf-8")
    return two_bodies(*paths)


def marks(pair: RequestPair) -> list[Mark]:
    return [row.mark for row in pair.view.rows]


def test_a_call_that_another_one_stands_for_breaks_the_prefix(tmp_path: Path) -> None:
    other = {"role": "assistant", "content": [{"type": "tool_use", "id": "b", "name": "Bash", "input": {}}]}
    pair = bodies(tmp_path, [USER, CALL], [USER, other])
    assert (marks(pair), pair.view.break_at, pair.view.gone) == ([Mark.SAME, Mark.NEW], 1, 1)


def test_a_block_that_another_role_sends_breaks_the_prefix(tmp_path: Path) -> None:
    pair = bodies(tmp_path, [USER, USER], [{"role": "assistant", "content": "go"}, USER])
    assert marks(pair) == [Mark.CHANGED, Mark.AFTER]
    assert pair.view.rows[0].role_before == "user"


def test_a_block_that_moved_up_is_behind_the_break_and_not_changed(tmp_path: Path) -> None:
    pair = bodies(tmp_path, [CALL, result("x")], [result("x")])
    assert (marks(pair), pair.view.break_at, pair.view.gone) == ([Mark.AFTER], 0, 1)


def test_a_call_whose_id_comes_again_is_new(tmp_path: Path) -> None:
    pair = bodies(tmp_path, [CALL, result("x")], [CALL, result("x"), CALL])
    assert (marks(pair), pair.view.break_at, pair.view.gone) == ([Mark.SAME, Mark.SAME, Mark.NEW], None, 0)


def test_a_shorter_request_tells_where_it_ends(tmp_path: Path) -> None:
    long = {"role": "user", "content": [*result("x")["content"], {"type": "text", "text": "go"}]}
    pair = bodies(tmp_path, [CALL, long], [CALL, result("x")])
    assert (pair.view.break_at, pair.view.ends_at, pair.view.gone) == (None, (1, 1), 1)
    assert bodies(tmp_path, [CALL], [CALL]).view.ends_at is None


def test_marks_for_the_cache_are_no_change(tmp_path: Path) -> None:
    marked = {"role": "user", "content": [{"type": "text", "text": "go", "cache_control": {"type": "x"}}]}
    pair = bodies(tmp_path, [marked], [USER, marked])
    assert (marks(pair), pair.view.break_at) == ([Mark.SAME, Mark.NEW], None)


def test_tools_and_system_prompt_stand_in_front_of_all_messages(tmp_path: Path) -> None:
    body = {"model": "m", "system": "s", "tools": [{"name": "a"}], "messages": [USER]}
    assert bodies(tmp_path, body, {**body, "max_tokens": 9}).fields == ()
    assert bodies(tmp_path, body, {**body, "tools": [], "system": "t"}).fields == ("tools", "system")
    assert bodies(tmp_path, body, [USER]).fields == (), "a bare list says nothing of them"
