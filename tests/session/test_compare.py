"""Two request bodies: where the later one stops continuing the earlier one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspector.session.compare import compare_requests
from tests.builders import call, result, text, write_json


def body(*messages: Any) -> dict[str, Any]:
    return {"model": "claude-x", "max_tokens": 5, "messages": list(messages)}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


START = (user(text("hi")), assistant(call("a")))


def compared(folder: Path, a: Any, b: Any) -> tuple[Any, ...]:
    found = compare_requests(write_json(folder, a, "a.json"), write_json(folder, b, "b.json"))
    return tuple(found.values())


def test_body_that_only_appends_has_no_first_change(tmp_path: Path) -> None:
    longer = body(*START, user(result("a", "long")), assistant(text()))
    assert compared(tmp_path, body(*START), longer) == (None, None, None, None)


def test_changed_result_is_named_with_both_sizes(tmp_path: Path) -> None:
    before, after = body(*START, user(result("a", "x" * 6_000))), body(*START, user(result("a", "gone")))
    assert compared(tmp_path, before, after) == (2, "a", 6_000, 4)


def test_message_that_is_gone_is_the_first_change(tmp_path: Path) -> None:
    assert compared(tmp_path, body(*START), body(START[0]))[0] == 1


def test_change_outside_of_results_names_its_message(tmp_path: Path) -> None:
    assert compared(tmp_path, body(*START), body(user(text("ho")), START[1])) == (0, None, None, None)
