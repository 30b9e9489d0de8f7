"""Small Claude Code transcripts, written call by call, for tests of what is said about a session."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from inspector.model.findings import Finding
from inspector.model.policy import Policy
from inspector.session import Session, open_session

SESSION = "5e550000-0000-4000-8000-000000000001"
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
SYSTEM_TOKENS = 17_000
CHARS_PER_TOKEN = 4


class Transcript:
    """Writes records one after the other; usage grows with what was sent."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.minutes = 0.0
        self.sent = 0
        """Characters that the next request holds."""
        self.extra_tokens = 0
        """Tokens that no record shows, beside the system prompt."""
        self._answers = 0
        self._last = ""
        self._cached = 0

    def record(self, type_: str, **fields: Any) -> str:
        """Any record; it hangs on the one before."""
        uuid = f"00000000-0000-4000-8000-{len(self.lines):012d}"
        self.minutes += 0.1
        time = (START + timedelta(minutes=self.minutes)).isoformat().replace("+00:00", "Z")
        head = {"type": type_, "uuid": uuid, "parentUuid": self._last or None, "sessionId": SESSION}
        value = {**head, "timestamp": time, "version": "2.1.38", "isSidechain": False, **fields}
        self.raw(json.dumps(value).encode())
        self._last = uuid
        return uuid

    def raw(self, line: bytes) -> None:
        self.lines.append(line)

    def prompt(self, text: str) -> None:
        self.sent += len(text)
        self.record("user", message={"role": "user", "content": text})

    def answer(
        self, *blocks: dict[str, Any], text: str = "", cached: int | None = None, ref: str = "", **fields: Any
    ) -> None:
        """One answer, one record a block, with usage of what was sent for it."""
        self._answers += 1
        total = SYSTEM_TOKENS + self.extra_tokens + self.sent // CHARS_PER_TOKEN
        read = self._cached if cached is None else cached
        read = min(read, total - 3)
        usage = {
            "input_tokens": 3, "cache_read_input_tokens": read, "output_tokens": 20,
            "cache_creation_input_tokens": max(0, total - 3 - read),
        }  # fmt: skip
        self._cached = total - 3
        content = [*([{"type": "text", "text": text}] if text else []), *blocks]
        head = {"id": f"msg_{self._answers}", "role": "assistant", "model": "claude-opus-4-5", "usage": usage}
        for block in content:
            self.sent += len(block.get("text", "")) + len(json.dumps(block.get("input", "")))
            reference = {"requestId": ref} if ref else {}
            self.record("assistant", message={**head, "content": [block], **fields}, **reference)

    def results(self, *blocks: dict[str, Any], apart: bool = False) -> None:
        """Results: one record for all, or one for each."""
        for part in [[b] for b in blocks] if apart else [list(blocks)]:
            for block in part:
                self.sent += len(block["content"]) if isinstance(block.get("content"), str) else 0
            self.record("user", message={"role": "user", "content": part})

    def turn(self, *ids: str, chars: int = 100, tool: str = "Bash", argument: str = "") -> None:
        """One answer with calls, and their results."""
        self.answer(*(call(i, tool, argument or i) for i in ids))
        self.results(*(result(i, "x" * chars) for i in ids))

    def write(self, folder: Path) -> Path:
        path = folder / f"{SESSION}.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in self.lines))
        return path

    def open(self, folder: Path, policy: Policy | str | None = None, *, live: bool = False) -> Session:
        return open_session(self.write(folder), policy=policy, live=live)


def call(tool_use_id: str, tool: str = "Bash", argument: str = "ls") -> dict[str, Any]:
    key = {"Read": "file_path", "Grep": "pattern"}.get(tool, "command")
    return {"type": "tool_use", "id": tool_use_id, "name": tool, "input": {key: argument}}


def result(tool_use_id: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content, **fields}


def begun() -> Transcript:
    """A transcript with its first prompt."""
    script = Transcript()
    script.prompt("Please look at the shop.")
    return script


def found(session: Session, kind: str) -> list[Finding]:
    """Findings of one kind."""
    return [f for f in session.findings() if f.kind == kind]


def the(session: Session, kind: str) -> Finding:
    """The one finding of a kind."""
    (only,) = found(session, kind)
    return only
