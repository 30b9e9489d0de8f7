"""Writes small Claude Code transcripts: calls and results with usage, one answer a turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CHARS_PER_TOKEN = 4


class Transcript:
    """Lines of one session, written turn by turn."""

    def __init__(self, model: str = "claude-sonnet-4-5") -> None:
        self.lines: list[dict[str, Any]] = []
        self.calls = 0
        self._model = model
        self._chars = 0
        self._add("user", "Find out why the import is slow.")

    def _add(self, role: str, content: Any, **more: Any) -> None:
        number = len(self.lines) + 1
        self._chars += len(content) if isinstance(content, str) else sum(_chars(block) for block in content)
        self.lines.append(
            {
                "type": role,
                "uuid": f"u{number:05}",
                "parentUuid": f"u{number - 1:05}" if number > 1 else None,
                "sessionId": "5e55-1011",
                "version": "2.0.14",
                "timestamp": f"2026-03-01T10:{number // 60 % 60:02}:{number % 60:02}.000Z",
                "message": {"role": role, "content": content, **more},
            }
        )

    def turn(self, *results: tuple[str, str, int]) -> Transcript:
        """One answer with calls, and their results.

        Args:
            results: Tool, argument and size of each result.
        """
        tokens = self._chars // CHARS_PER_TOKEN + 2_000
        number = len(self.lines)
        ids = [f"toolu_{self.calls + k:04}" for k in range(len(results))]
        self.calls += len(results)
        calls = [
            {"type": "tool_use", "id": id_, "name": tool, "input": _input(tool, argument)}
            for id_, (tool, argument, _) in zip(ids, results, strict=True)
        ]
        usage = {"input_tokens": tokens, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0,
                 "output_tokens": 60}  # fmt: skip
        self._add("assistant", calls, id=f"msg_{number:05}", model=self._model, usage=usage)
        answers = [
            {"type": "tool_result", "tool_use_id": id_, "content": _text(id_, chars)}
            for id_, (_, _, chars) in zip(ids, results, strict=True)
        ]
        if answers:
            self._add("user", answers)
        return self

    def write(self, path: Path) -> Path:
        """Write what there is so far."""
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines), encoding="utf-8")
        return path


def _chars(block: dict[str, Any]) -> int:
    return len(block["content"]) if "content" in block else len(json.dumps(block["input"]))


def _input(tool: str, argument: str) -> dict[str, str]:
    return {{"Bash": "command", "Read": "file_path"}.get(tool, "pattern"): argument}


def _text(seed: str, chars: int) -> str:
    line = f"{seed} row of the import that took longer than it should have\n"
    return (line * (chars // len(line) + 1))[:chars]


TOOLS = (
    ("Bash", "make lint"), ("Read", "billing/rows.py"), ("Grep", "Decimal"), ("Read", "billing/tax.py"),
    ("Bash", "git diff --stat"), ("Grep", "import csv"),
)  # fmt: skip


def grown(turns: int = 60) -> Transcript:
    """A session that grows steadily and blows up three times.

    Args:
        turns: How many; the blow-ups are in turns 12, 22 and 40.
    """
    out = Transcript()
    for turn in range(1, turns + 1):
        tool, argument = TOOLS[turn % len(TOOLS)]
        size = 900 + turn * 7919 % 17_000
        if turn in (12, 22, 40):
            out.turn(
                ("Bash", f"zcat export-20{turn}.csv.gz", 126_000 + turn * 100),
                ("Bash", "pytest -vv", 88_000),
                ("Read", "billing/ledger.py", 41_000),
            )  # fmt: skip
        elif turn % 5 == 0:
            out.turn((tool, argument, size), ("Grep", "rounding_mode", 2_100))
        else:
            out.turn((tool, argument, size))
    return out
