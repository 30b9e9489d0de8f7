"""Blocks of one body beside those of the one before it."""

from __future__ import annotations

from typing import Any

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


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def sent(*messages: tuple[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return [{"role": role, "content": content} for role, content in messages]


def made(
    now: list[dict[str, Any]], before: list[dict[str, Any]], other: list[dict[str, Any]] | None = None
) -> BlockRows:
    """The rows of two bodies; the transcript has seven characters for every result."""
    return BlockRows(Unit.UTF16, now, before, other, str, lambda _id: 7)


def test_a_block_far_into_its_message_is_compared_with_the_one_at_its_place() -> None:
    before = sent(("user", [said("a"), said("b")]), ("assistant", [said("c"), said("d"), said("e")]))
    now = sent(("user", [said("a"), said("b")]), ("assistant", [said("c"), said("x"), said("e")]))
    rows = made(now, before)
    assert [row.mark for row in rows.rows()] == [Mark.SAME] * 3 + [Mark.CHANGED, Mark.AFTER]
    assert rows.old(1, 1) == said("d")
    assert rows.old(1, 3) is None


def test_a_request_that_ends_early_tells_what_would_come_next_and_how_much_is_gone() -> None:
    before = sent(("user", [said("a")]), ("assistant", [said("b"), said("c")]))
    rows = made(sent(("user", [said("a")])), before)
    rows.rows()
    assert (rows.break_at, rows.ends_at, rows.gone_at, rows.gone) == (None, (1, 0), None, 2)


def test_a_message_that_was_cut_short_is_told_where_its_next_block_stood() -> None:
    before = sent(("user", [said("a"), said("b")]), ("assistant", [said("c")]))
    rows = made(sent(("user", [said("a")]), ("assistant", [said("c")])), before)
    rows.rows()
    assert (rows.break_at, rows.ends_at, rows.gone_at) == (1, None, (0, 1))


def test_a_block_that_changed_in_its_message_cut_nothing_short() -> None:
    rows = made(sent(("user", [said("a"), said("x")])), sent(("user", [said("a"), said("b")])))
    rows.rows()
    assert (rows.break_at, rows.ends_at, rows.gone_at) == (1, None, None)


def test_who_sent_the_block_before_is_told_only_where_it_was_somebody_else() -> None:
    before = sent(("user", [said("a")]), ("assistant", [said("b")]), ("user", [said("c")]))
    now = sent(("user", [said("a"), said("x")]), ("user", [said("y")]))
    rows = made(now, before).rows()
    assert [(row.mark, row.role_before) for row in rows[1:]] == [
        (Mark.CHANGED, "assistant"), (Mark.CHANGED, ""),
    ]  # fmt: skip


def test_the_other_form_of_a_block_is_the_one_with_its_id_or_at_its_place() -> None:
    def result(id: str, text: str) -> dict[str, Any]:
        return {"type": "tool_result", "tool_use_id": id, "content": text}

    now = sent(("user", [result("a", "full text"), said("one"), said("two"), said("three")]))
    other = sent(("user", [said("more"), result("a", "short"), said("twofold")]))
    rows = made(now, [], other).rows()
    assert [row.other for row in rows] == [len("short"), None, len("twofold"), None]
    assert [row.transcript for row in rows] == [7, None, None, None]


def test_what_was_done_to_a_block_is_told_by_its_text() -> None:
    texts = ["<persisted-output>\n…", "[Old tool result content cleared]", "plain"]
    results = [{"type": "tool_result", "tool_use_id": t, "content": t} for t in texts]
    broken = {"type": "tool_result", "tool_use_id": "e", "content": "no", "is_error": True}
    now = sent(("user", [*results, broken, said("<system-reminder>…"), said("plain")]))
    states = [row.state for row in made(now, []).rows()]
    assert states == ["replaced", "cleared", "", "error", "reminder", ""]


def test_only_calls_and_results_are_known_by_their_ids() -> None:
    before = sent(("user", [{**said("a"), "id": "n1"}, said("b")]))
    now = sent(("user", [said("b"), {**said("a"), "id": "n1"}]))
    assert made(now, before).old(0, 1) == said("b")
