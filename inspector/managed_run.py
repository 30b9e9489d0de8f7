"""The manager over a recorded conversation, request by request: what `inspector run` does.

A generator, so that a caller can show progress and stop at any request. A second run over the same
history, with the same scratch directory, gives the same bytes: nothing in records or texts depends
on a clock, a process or an earlier run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from inspector.manager import ToolResultManager
from inspector.model.policy import BudgetMode, Policy, preset
from inspector.pipeline.conversation import Messages
from inspector.pipeline.stages import Report


class Progress(msgspec.Struct, frozen=True):
    """One request of the run."""

    request: int
    """From 1."""
    messages: list[Any]
    """What this request sends; those of the last one are the managed history."""
    report: Report
    records: tuple[dict[str, Any], ...]
    """Replacement records new at this request."""


def run(
    messages_by_request: Iterable[Messages],
    policy: Policy | str,
    scratch_dir: Path | str,
    *,
    session_id: str = "",
    agent_id: str = "",
) -> Iterator[Progress]:
    """Run the pipeline for real over every request of a conversation, with the budget on.

    Args:
        messages_by_request: The history of each request, in order; each extends the one before.
        policy: The rules, or the name of a preset; its budget is switched on.
        scratch_dir: Where overflow files go. They are left there: the history names them.
        session_id: Goes into the records.
        agent_id: Goes into the records of a sub-agent; empty for the main conversation.

    Yields:
        One `Progress` per request, after its files were written.

    Raises:
        UsageError: There is no such preset, or it keeps no ledger.
    """
    policy = preset(policy) if isinstance(policy, str) else policy
    policy = policy.with_field("budget.mode", BudgetMode.ON)
    manager = ToolResultManager(
        policy, scratch_dir, session_id=session_id, agent_id=agent_id, keep_files=True
    )
    for number, messages in enumerate(messages_by_request, start=1):
        prepared = manager.prepare(messages)
        yield Progress(number, prepared.messages, prepared.report, tuple(prepared.records))


def history_json(messages: Sequence[Any]) -> bytes:
    """A managed history as a JSON list, one message per line."""
    lines = ",\n".join(_json(message) for message in messages)
    return f"[\n{lines}\n]\n".encode() if messages else b"[]\n"


def records_jsonl(records: Iterable[dict[str, Any]]) -> bytes:
    """Replacement records as lines to append to a transcript."""
    return "".join(f"{_json(record)}\n" for record in records).encode()


def _json(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        # A session may hold NaN or Infinity, which JSON cannot say: null, as in JavaScript.
        value = json.loads(json.dumps(value), parse_constant=lambda _: None)
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        # A lone surrogate: only its escape can be written as UTF-8.
        return json.dumps(value, separators=(",", ":"))
    return text
