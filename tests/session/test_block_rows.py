"""Blocks of one body beside those of the one before it."""

from __future__ import annotations

from inspector.model.policy import Unit
from inspector.session.block_rows import BlockRows
from inspector.session.wire_view import Mark


def test_a_result_that_moved_is_found_by_its_id_in_the_request_before() -> None:
    def result(id: str, text: str) -> dict[str, object]:
        return {"type": "tool_result", "tool_use_id": id, "content": text}

    before = [{"role": "user", "content": [result("a", "first"), result("b", "second")]}]
    now = [{"role": "user", "content": [result("b", "shorter"), {"type": "text", "text": "x"}]}]
    rows = BlockRows(Unit.UTF16, now, before, None, str)
    assert rows.old(0, 0) == result("b", "second")
    assert rows.old(0, 1) is None


def test_a_changed_block_may_stand_behind_all_that_was_sent_before() -> None:
    def result(text: str) -> dict[str, object]:
        return {"type": "tool_result", "tool_use_id": "a", "content": text}

    texts: list[dict[str, object]] = [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]
    before = [{"role": "user", "content": [result("first")]}]
    now = [{"role": "user", "content": [*texts, result("other")]}]
    rows = BlockRows(Unit.UTF16, now, before, None, str).rows()
    assert [row.mark for row in rows] == [Mark.NEW, Mark.NEW, Mark.CHANGED]
    assert (rows[2].before, rows[2].role_before) == (len("first"), "")
