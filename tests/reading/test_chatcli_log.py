"""The application log: which lines count, and how broken ones are told."""

from __future__ import annotations

import json
from typing import Any

from inspector.reading.chatcli_log import LogKind, read_log


def line(message: str, **fields: Any) -> bytes:
    """One log line."""
    return json.dumps(
        {"level": "info", "timestamp": "2030-01-02T03:04:05Z", "msg": message} | fields
    ).encode()


BUDGET = line(
    "Tool result budget enforcement applied",
    results_truncated=2,
    bytes_saved_to_disk=0,
    original_chars=50_000,
    final_chars=10_000,
)


def test_events_keep_line_time_and_fields() -> None:
    data = b"\n".join(
        [line("Something else"), BUDGET, line("Removed orphaned tool result", tool_call_id="x"), b""]
    )
    budget, orphan = read_log(data).events
    assert (budget.kind, budget.line, budget.time) == (LogKind.BUDGET, 2, 1_893_553_445.0)
    assert budget.fields["results_truncated"] == 2
    assert orphan.fields == {"tool_call_id": "x"}
    assert orphan.missing == ("message_index",)


def test_unfinished_last_line_may_still_grow_and_is_no_event_and_not_broken() -> None:
    reading = read_log(BUDGET + b"\n" + BUDGET[:-10])
    assert (len(reading.events), reading.bad_lines) == (1, ())


def test_broken_line_is_named_and_a_quoted_message_is_not_taken_for_one() -> None:
    quoted = line("user said", text="Microcompact applied")
    broken = b'{"msg": "Microcompact applied", \xff'
    reading = read_log(b"\n".join([quoted, broken, b'["Microcompact applied"]', b""]))
    assert not reading.events
    assert reading.bad_lines == (2, 3)


def test_fields_of_a_wrong_type_count_as_missing() -> None:
    entry = line("Microcompact applied", truncated="2", summarized=True, chars_saved=5, level=3, timestamp=[])
    (event,) = read_log(entry + b"\n").events
    assert event.fields == {"chars_saved": 5}
    assert event.missing == ("truncated", "summarized")
    assert (event.level, event.time) == ("", None)


def test_workspace_names_the_scratch_directory() -> None:
    entry = line("Session workspace initialized", root="/t/a", scratch="/t/a/s", tool_results="/t/a/r")
    (event,) = read_log(entry + b"\n").events
    assert event.fields["tool_results"] == "/t/a/r"
    assert event.missing == ("keep_on_exit",)
