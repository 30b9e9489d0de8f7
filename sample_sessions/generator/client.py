"""A stand-in for the screen client of Claude Code: it writes the records that the real one writes.

One block per record, answers told by `message.id`, results as children of their call, usage that
grows with what was sent, long outputs moved to files: a sample is only worth something when its
figures agree with each other, so they are all derived here from the texts of the story.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

HOME = "/home/mara/.claude/projects/-home-mara-shop"
"""Where the recorded client kept its sessions. The player puts its own folder in this place."""

CHARS_PER_TOKEN = 3.6
SYSTEM_TOKENS = 17_400
"""System prompt and tools, which a transcript does not hold."""

BASH_BYTES, GREP_CHARS, GROUP_CHARS = 30_000, 20_000, 200_000
"""What the client leaves inline: a shell output, a search result, a group of parallel results."""

MIRRORED_CHARS = 6_000
"""Longer results get no `toolUseResult`, which would store the text a second time."""

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz123456789"
BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Call:
    """A call of a tool together with what it gave; `text` None: there is no result."""

    tool: str
    input: dict[str, Any]
    text: str | None
    is_error: bool | None = None
    blocks: list[dict[str, Any]] | None = None
    """Content of the result where it is a list."""
    id: str = ""


@dataclass
class Answered:
    """One result as it was sent."""

    id: str
    tool: str
    text: str


def packed(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def label(size: int) -> str:
    """`42.8KB`: one decimal, and none where it is zero."""
    return f"{size / 1024:.1f}".removesuffix(".0") + "KB"


def persisted(text: str, path: str, size: int) -> str:
    """What the model sees of a text that was moved to a file."""
    preview = text[:2000]
    cut = preview.rfind("\n")
    if cut > 1000:
        preview = preview[:cut]
    return (
        f"<persisted-output>\nOutput too large ({label(size)}). Full output saved to: {path}\n\n"
        f"Preview (first 2KB):\n{preview}\n...\n</persisted-output>"
    )


@dataclass
class Client:
    """One running session. Everything it writes is kept in `lines` and `files` until `save`."""

    seed: str
    version: str = "2.1.190"
    entrypoint: str = "cli"
    model: str = "claude-opus-4-6"
    agent: str = ""
    now: datetime = datetime(2026, 10, 27, 9, 12, 4, tzinfo=UTC)
    session: str = ""
    lines: list[bytes] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    """Overflow files by name."""
    parent: str | None = None
    sent: int = 0
    """Characters of the conversation that the next request sends."""
    cached: int = 0
    """Tokens of the last request: what the next one finds in the cache."""
    group: list[Answered] = field(default_factory=list)
    """Results that no request has seen."""
    replaced: list[tuple[int, int]] = field(default_factory=list)
    """Per pass: characters saved, tokens in front of the group."""

    def __post_init__(self) -> None:
        self.random = Random(f"client {self.seed} {self.agent}")
        self.session = self.session or self.uuid()

    # Small things

    def uuid(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def id(self, prefix: str) -> str:
        return prefix + "".join(ALPHABET[self.random.randrange(len(ALPHABET))] for _ in range(22))

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def tick(self, low: int = 150, high: int = 1400) -> str:
        self.now += timedelta(milliseconds=self.random.randrange(low, high))
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    @property
    def folder(self) -> str:
        """Where overflow files are said to be; those of a sub-agent stand with its parent's."""
        return f"{HOME}/{self.session}/tool-results"

    @property
    def tokens(self) -> int:
        return SYSTEM_TOKENS + round(self.sent / CHARS_PER_TOKEN)

    # Records

    def loose(self, **record: Any) -> None:
        """A line that is not on the chain."""
        self.lines.append(packed(record))

    def record(self, kind: str, *, parent: str | None = "chain", **rest: Any) -> str:
        """A record on the chain; the next one hangs on it."""
        uuid = self.uuid()
        common: dict[str, Any] = {
            "parentUuid": self.parent if parent == "chain" else parent,
            "isSidechain": bool(self.agent),
            "userType": "external",
            "cwd": "/home/mara/shop",
            "sessionId": self.session,
            "version": self.version,
            "gitBranch": "session-refactor",
            "entrypoint": self.entrypoint,
        }
        if self.agent:
            common["agentId"] = self.agent
        time = self.tick()
        self.lines.append(packed({**common, "type": kind, **rest, "uuid": uuid, "timestamp": time}))
        self.parent = uuid
        return uuid

    def prompt(self, text: str, think_s: float = 0) -> str:
        """What the person types, after thinking for some seconds."""
        self.wait(think_s)
        self.sent += len(text)
        if not self.agent:
            snapshot = {"messageId": self.uuid(), "snapshot": {"trackedFileBackups": {}}}
            self.loose(type="file-history-snapshot", **snapshot, isSnapshotUpdate=False)
        return self.record("user", message={"role": "user", "content": text})

    def note(self, kind: str = "todo_reminder") -> None:
        self.record("attachment", attachment={"type": kind, "content": [], "itemCount": 0})

    def progress(self, tool_use_id: str) -> None:
        data = {"type": "hook_progress", "hookEvent": "PostToolUse"}
        self.record("progress", data=data, toolUseID=tool_use_id, parentToolUseID=tool_use_id)

    def answer(
        self, say: str, calls: Sequence[Call] = (), *, message_id: str = "", cold: bool = False
    ) -> list[str]:
        """One answer of the model, one record per block.

        Args:
            say: Text in front of the calls; may be empty.
            calls: What it calls.
            message_id: An id to use again; else a new one.
            cold: Whether the prompt cache had expired.

        Returns:
            The uuid of each call's record.
        """
        self.enforce_budget()
        total = self.tokens
        fresh = self.random.randrange(3, 9)
        read = 0 if cold else min(self.cached, total - fresh)
        blocks: list[dict[str, Any]] = [{"type": "text", "text": say}] if say else []
        blocks += [
            {"type": "tool_use", "id": call.id, "name": call.tool, "input": call.input} for call in calls
        ]
        said = len(say) + sum(len(json.dumps(call.input)) for call in calls)
        output = max(9, round(said / CHARS_PER_TOKEN))
        message_id, request = message_id or self.id("msg_01"), self.id("req_011")
        uuids = []
        for i, block in enumerate(blocks, 1):
            usage = {
                "input_tokens": fresh,
                "cache_creation_input_tokens": total - fresh - read,
                "cache_read_input_tokens": read,
                "output_tokens": output if i == len(blocks) else min(output, 2 + i),
                "service_tier": "standard",
            }
            message = {
                "id": message_id, "type": "message", "role": "assistant", "model": self.model, "content": [block],
                "stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None, "usage": usage,
            }  # fmt: skip
            uuids.append(self.record("assistant", message=message, requestId=request))
        self.cached, self.group = total, []
        self.sent += said
        return uuids[len(uuids) - len(calls) :]

    def result(self, call: Call, use: str | None = "chain") -> None:
        """The record of what one call gave, moved to a file where the tool's own limit says so."""
        if call.text is None:
            return
        text, mirror = self.shown(call)
        block: dict[str, Any] = {
            "tool_use_id": call.id,
            "type": "tool_result",
            "content": call.blocks or text,
        }
        if call.is_error is not None:
            block["is_error"] = call.is_error
        rest: dict[str, Any] = {"message": {"role": "user", "content": [block]}}
        if mirror is not None and not self.agent:
            rest["toolUseResult"] = mirror
        if use not in (None, "chain"):
            rest["sourceToolAssistantUUID"] = use
        self.record("user", parent=use, **rest)
        self.sent += len(text)
        self.group.append(Answered(call.id, call.tool, text))

    def shown(self, call: Call) -> tuple[str, Any]:
        """Text on the wire and the copy beside it, by the limits of the tool."""
        text = call.text or ""
        if call.is_error:
            return text, f"Error: {text}" if len(text) <= MIRRORED_CHARS else None
        size = len(text.encode())
        if call.tool == "Bash" and size > BASH_BYTES:
            name = f"b{''.join(BASE36[self.random.randrange(36)] for _ in range(8))}.txt"
            self.files[name] = text.encode()
            path = f"{self.folder}/{name}"
            beside = {"stdout": text[:2000], "stderr": "", "interrupted": False, "isImage": False}
            beside |= {"persistedOutputPath": path, "persistedOutputSize": size}
            return persisted(text, path, size), beside
        if call.tool == "Grep" and len(text) > GREP_CHARS:
            self.files[f"{call.id}.txt"] = text.encode()
            return persisted(text, f"{self.folder}/{call.id}.txt", len(text)), None
        if len(text) > MIRRORED_CHARS or call.blocks:
            return text, None
        lines = text.count("\n") + 1
        return text, {
            "Bash": {"stdout": text, "stderr": "", "interrupted": False, "isImage": False},
            "Read": {"type": "text", "file": {"filePath": call.input.get("file_path"), "numLines": lines}},
            "Grep": {"mode": "content", "numFiles": 0, "filenames": [], "content": text, "numLines": lines},
        }.get(call.tool)

    def turn(
        self, say: str, *calls: Call, order: Sequence[int] = (), took_s: float = 1.5, **how: Any
    ) -> list[Call]:
        """An answer with calls, and their results in the order in which they came back.

        Returns:
            The calls with the ids that they got.
        """
        named = [
            Call(c.tool, c.input, c.text, c.is_error, c.blocks, c.id or self.id("toolu_01")) for c in calls
        ]
        uses = self.answer(say, named, **how)
        for i in order or range(len(named)):
            self.wait(took_s)
            if self.random.random() < 0.2:
                tip, self.parent = self.parent, uses[i]
                self.progress(named[i].id)
                self.parent = tip
            self.result(named[i], uses[i])
        return named

    def compact(self, summary: str) -> None:
        """Start over from a summary: nothing before it is sent any more."""
        before, tip = self.tokens, self.parent
        self.sent, self.cached, self.group, self.replaced = len(summary), SYSTEM_TOKENS, [], []
        metadata = {"trigger": "auto", "preTokens": before, "postTokens": self.tokens, "durationMs": 38_200}
        self.wait(38)
        self.record(
            "system", parent=None, logicalParentUuid=tip, subtype="compact_boundary", isMeta=False, level="info",
            content="Conversation compacted", compactMetadata=metadata,
        )  # fmt: skip
        message = {"role": "user", "content": summary}
        self.record("user", isCompactSummary=True, isVisibleInTranscriptOnly=True, message=message)

    # The budget of a group of parallel results

    def enforce_budget(self, limit: int = GROUP_CHARS) -> None:
        """Move the largest new results to files until the group fits, as the screen client does."""
        counted = [
            r for r in self.group if r.tool != "Read" and r.text and not r.text.startswith("<persisted")
        ]
        left = sum(len(r.text) for r in counted)
        if left <= limit or self.entrypoint != "cli":
            return
        before = self.tokens - round(sum(len(r.text) for r in self.group) / CHARS_PER_TOKEN)
        replacements, saved = [], 0
        for result in sorted(counted, key=lambda r: -len(r.text)):
            if left <= limit:
                break
            name = f"{result.id}.txt"
            self.files[name] = result.text.encode()
            text = persisted(result.text, f"{self.folder}/{name}", len(result.text))
            replacements.append({"kind": "tool-result", "toolUseId": result.id, "replacement": text})
            left -= len(result.text)
            saved += len(result.text) - len(text)
        agent = {"agentId": self.agent} if self.agent else {}
        self.loose(type="content-replacement", sessionId=self.session, **agent, replacements=replacements)
        self.sent -= saved
        self.replaced.append((saved, before))

    def forget_replacements(self) -> None:
        """From here on the full texts go out again: the cache holds only what stands before them."""
        self.sent += sum(saved for saved, _ in self.replaced)
        self.cached = min([self.cached, *(before for _, before in self.replaced)])

    def recall_replacements(self) -> None:
        """From here on the previews stand there again, and the prefix breaks once more."""
        self.sent -= sum(saved for saved, _ in self.replaced)
        self.cached = min([self.cached, *(before for _, before in self.replaced)])

    # Files

    def save(self, folder: Path) -> None:
        """Write transcript and overflow files in the layout of the real client."""
        home = folder / self.session
        path = (
            home / "subagents" / f"agent-{self.agent}.jsonl"
            if self.agent
            else folder / f"{self.session}.jsonl"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\n".join(self.lines) + b"\n")
        for name, data in self.files.items():
            (home / "tool-results").mkdir(parents=True, exist_ok=True)
            (home / "tool-results" / name).write_bytes(data)
