"""Transcripts and message lists of our own, made by short calls, for the tests of what reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspector.model.policy import CLAUDE_CODE, BudgetMode, Policy
from inspector.model.transcript import Record
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.lines import raw_line
from inspector.replay.timeline import Timeline
from inspector.session import Session, open_session

LEDGER = CLAUDE_CODE.with_field("budget.mode", BudgetMode.ON)
"""The client's rules with the budget on, whatever the session itself did."""


class Transcript:
    """A Claude Code transcript, line by line; each record hangs on the one before unless told."""

    def __init__(self, session: str = "s-1", **common: Any) -> None:
        """Args:
        session: Session id of the records.
        common: Fields that every record carries.
        """
        self.lines: list[bytes] = []
        self.session = session
        self.common = common
        self.last: str | None = None
        self._minutes = 0

    def record(self, kind: str, *, parent: str | None = "", uuid: str = "", **fields: Any) -> str:
        """One record on the chain; returns its uuid."""
        uuid = uuid or f"u{len(self.lines) + 1}"
        self._minutes += 1
        above = self.last if parent == "" else parent
        stamp = f"2026-01-05T{10 + self._minutes // 60:02}:{self._minutes % 60:02}:00.000Z"
        self.line({
            "type": kind, "uuid": uuid, "parentUuid": above, "sessionId": self.session,
            "timestamp": stamp, **self.common, **fields,
        })  # fmt: skip
        self.last = uuid
        return uuid

    def line(self, value: Any) -> None:
        """One more line: JSON of a value, or bytes as they are."""
        self.lines.append(value if isinstance(value, bytes) else json.dumps(value).encode())

    def prompt(self, text: str = "go on", **fields: Any) -> str:
        return self.record("user", message={"role": "user", "content": text}, **fields)

    def answer(
        self, message_id: str | None, *blocks: Any, usage: dict[str, int] | None = None, **fields: Any
    ) -> str:
        """One assistant record; blocks as `call()` or `text()` make them."""
        message: dict[str, Any] = {"role": "assistant", "model": "claude-x", "content": list(blocks)}
        if message_id is not None:
            message["id"] = message_id
        if usage is not None:
            message["usage"] = usage
        return self.record("assistant", message=message, **fields)

    def results(self, *blocks: Any, **fields: Any) -> str:
        """One user record; blocks as `result()` makes them."""
        return self.record("user", message={"role": "user", "content": list(blocks)}, **fields)

    def result(self, tool_use_id: str, content: Any = "done", **fields: Any) -> str:
        return self.results(result(tool_use_id, content), **fields)

    def replaced(self, *pairs: tuple[str, str], **fields: Any) -> None:
        """A `content-replacement` line."""
        kind = "tool-result"
        self.line({
            "type": "content-replacement", "sessionId": self.session,
            "replacements": [{"kind": kind, "toolUseId": i, "replacement": t} for i, t in pairs], **fields,
        })  # fmt: skip

    def cleared(self, *ids: str) -> str:
        """A recorded clearing of results."""
        return self.record(
            "system", subtype="microcompact_boundary", microcompactMetadata={"compactedToolIds": list(ids)}
        )

    def compacted(self) -> str:
        """A compaction, and its summary."""
        self.record("system", parent=None, subtype="compact_boundary", compactMetadata={"trigger": "auto"})
        return self.prompt("summary", isCompactSummary=True)

    @property
    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    def write(self, folder: Path, name: str = "transcript.jsonl") -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data)
        return path

    @property
    def records(self) -> list[Record]:
        """As the reader gives them."""
        return read_records(self.lines)

    def timeline(self, policy: Policy = LEDGER, *, live: bool = False) -> Timeline:
        timeline = Timeline(policy, live=live)
        timeline.extend(self.records)
        return timeline

    def open(self, folder: Path, policy: Policy | str | None = None, **rest: Any) -> Session:
        return open_session(self.write(folder), policy=policy, **rest)


def read_records(lines: Iterable[bytes]) -> list[Record]:
    """Records of the main conversation."""
    adapter = ClaudeCodeAdapter()
    out: list[Record] = []
    start = 0
    for number, data in enumerate(lines, start=1):
        if (line := raw_line(number, start, data)) is not None:
            out += adapter.feed(line)
        start += len(data) + 1
    return out


def text(words: str = "well") -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(tool_use_id: str, name: str = "Bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": tool_use_id, "name": name, "input": arguments or {"command": "ls"}}


def result(tool_use_id: str, content: Any = "done", **fields: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content, **fields}


def image(base64: str = "") -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64}}


def openai_call(*pairs: tuple[str, str]) -> dict[str, Any]:
    """An OpenAI answer with calls: id and tool name of each."""
    return {
        "role": "assistant", "content": None,
        "tool_calls": [
            {"id": i, "type": "function", "function": {"name": n, "arguments": "{}"}} for i, n in pairs
        ],
    }  # fmt: skip


def openai_result(tool_call_id: str, content: Any = "done") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": tool_call_id, "content": content}


def write_json(folder: Path, value: Any, name: str = "messages.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def tokens(read: int, creation: int = 100, output: int = 10, fresh: int = 5) -> dict[str, int]:
    """Usage as a transcript writes it."""
    return {
        "input_tokens": fresh, "cache_read_input_tokens": read,
        "cache_creation_input_tokens": creation, "output_tokens": output,
    }  # fmt: skip


def persisted_text(path: str, label: str = "60KB", shown: str = "first line") -> str:
    """A text that the client put in place of an output."""
    return (
        f"<persisted-output>\nOutput too large ({label}). Full output saved to: {path}\n\n"
        f"Preview (first 2KB):\n{shown}\n...\n</persisted-output>"
    )
