from __future__ import annotations

import json
from typing import Any

import pytest

from inspector.errors import UnreadableError
from inspector.reading.requests import PrefixDifference, prefix_difference


def result(text: str, identity: str = "a") -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": identity, "content": text}]}


USER = {"role": "user", "content": "go"}


def difference(earlier: list[Any], later: list[Any]) -> PrefixDifference | None:
    return prefix_difference(json.dumps({"messages": earlier}).encode(), json.dumps(later, indent=1).encode())


def test_request_that_only_appends_has_no_difference() -> None:
    assert difference([USER, result("x")], [USER, result("x"), USER]) is None
    assert difference([], [USER]) is None


def test_changed_result_is_named_with_both_sizes() -> None:
    earlier = [USER, result("same", "b"), {"role": "user", "content": [
        {"type": "text", "text": "t"}, *result("x" * 6_000)["content"]]}]  # fmt: skip
    later = [*earlier[:2], result("[pruned]"), USER]
    assert difference(earlier, later) == PrefixDifference(2, "a", 6_000, 8)


def test_message_without_results_is_measured_as_a_whole() -> None:
    assert difference([USER, USER], [USER, {"role": "user", "content": "going"}]) == PrefixDifference(
        1, "", 2, 5
    )


def test_shorter_request_differs_where_it_ends() -> None:
    assert difference([USER, result("xyz")], [USER]) == PrefixDifference(1, "a", 3, 0)


def test_cache_marks_and_order_of_keys_are_no_difference() -> None:
    marked = {
        "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}],
        "role": "user",
    }
    plain = {"role": "user", "content": [{"type": "text", "text": "a"}]}
    assert difference([marked], [plain]) is None


def test_body_without_messages_is_unreadable() -> None:
    with pytest.raises(UnreadableError):
        prefix_difference(b"{}", b"[]")
