"""Made-up sessions of any size and shape, the same for the same seed.

The shapes are those that decide how fast a reader is: how much of a line is the mirrored result,
how many records a request has, how many results one message has, how many files a session has. The
texts are cut out of a small pool, so that writing 500 MB takes seconds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import orjson

FULL_WINDOW_TOKENS = 165_000
AFTER_COMPACTION_TOKENS = 22_000
BUDGET_CHARS = 200_000
PERSISTED_FROM_CHARS = 50_000
TOOLS = ("Read", "Bash", "Grep", "WebFetch", "mcp__store__query")
_POOL_CHARS = 1_000_000
_NOUNS = (
    "harbour", "lantern", "orchard", "compass", "ferry", "granite", "meadow", "pulley", "saddle",
    "thimble", "violin", "walnut", "anchor", "barrel", "candle", "dough", "easel", "fossil",
)  # fmt: skip
_HEX = "0123456789abcdef"
_STAMP = "2026-03-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.{milli:03d}Z"


def mixed(path: Path, megabytes: float, seed: int = 1) -> Path:
    """A working day: prompts, thinking, parallel calls, results of 1,000 to 400,000 chars.

    Args:
        path: The transcript to write; its directory is made.
        megabytes: Size to reach, in millions of bytes.
        seed: Same seed, same bytes.
    """
    with _Writer(path, seed) as out:
        while out.size < megabytes * 1e6:
            out.prompt()
            for _ in range(out.random.randrange(2, 14)):
                out.step()
                if out.context > FULL_WINDOW_TOKENS:
                    out.compaction()
                if out.size >= megabytes * 1e6:
                    break
            out.answer_text()
        out.title()
    return path


def mostly_progress(path: Path, records: int, seed: int = 2) -> Path:
    """99 of 100 records tell how a tool is getting on, as a long shell command does."""
    with _Writer(path, seed) as out:
        out.prompt()
        while out.records < records:
            out.step(calls=1, chars=4_000, ticks=295)
        out.answer_text()
    return path


def one_huge_line(path: Path, megabytes: float = 15, seed: int = 3) -> Path:
    """An ordinary session of a few records in which one result is one line of many megabytes."""
    with _Writer(path, seed) as out:
        out.prompt()
        for _ in range(20):
            out.step()
        out.step(calls=1, chars=int(megabytes * 1e6 / 2))
        for _ in range(20):
            out.step()
        out.answer_text()
    return path


def small_results(path: Path, results: int, seed: int = 4) -> Path:
    """Very many results of a few words each: what is paid per record, not per byte."""
    with _Writer(path, seed) as out:
        out.prompt()
        while out.results < results:
            out.step(calls=min(out.random.choice((1, 1, 2, 4, 8)), results - out.results), chars=160)
            if out.random.random() < 0.05:
                out.answer_text()
                out.prompt()
        out.answer_text()
    return path


def parallel_results(path: Path, calls: int = 2_000, seed: int = 5) -> Path:
    """One answer that calls very many tools at once, between two ordinary ones."""
    with _Writer(path, seed) as out:
        out.prompt()
        out.step()
        out.step(calls=calls, chars=2_500)
        out.step()
        out.answer_text()
    return path


def many_agents(path: Path, agents: int = 400, seed: int = 6) -> Path:
    """A session with very many sub-agents, each with a transcript of its own."""
    mixed(path, 2, seed)
    folder = path.with_suffix("") / "subagents"
    for number in range(agents):
        name = f"agent-a{number:015x}"
        with _Writer(folder / f"{name}.jsonl", seed + number + 1, agent=name[6:]) as out:
            out.prompt()
            for _ in range(4):
                out.step()
            out.answer_text()
        (folder / f"{name}.meta.json").write_text('{"agentType":"Explore","description":"look around"}')
    return path


def joined(path: Path, parts: list[Path], megabytes: float) -> Path:
    """Transcripts one behind the other, again and again, with the ids of each copy made its own.

    Args:
        path: The transcript to write.
        parts: Transcripts to join.
        megabytes: Size to reach, in millions of bytes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    contents = [data if data.endswith(b"\n") else data + b"\n" for data in map(Path.read_bytes, parts)]
    size = number = 0
    with path.open("wb") as file:
        while size < megabytes * 1e6:
            for data in contents:
                mark = f"{number:04x}".encode()
                for prefix in (b'"toolu_', b'"msg_', b'"req_'):
                    data = data.replace(prefix, prefix + mark)
                for key in (b'"uuid":"', b'"parentUuid":"', b'"logicalParentUuid":"'):
                    data = data.replace(key, key + mark)
                size += file.write(data)
            number += 1
    return path


@dataclass
class _Writer:
    """Writes the records of one transcript, each hung on the one before."""

    path: Path
    seed: int
    agent: str = ""
    size: int = 0
    records: int = 0
    results: int = 0
    context: int = 18_000
    """Tokens in the window, as the usage of the next answer states them."""
    _parent: str | None = None
    _clock_ms: int = 0
    _new_tokens: int = 400

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.session = self.uuid()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.scratch = self.path.with_suffix("") / "tool-results"

    def __enter__(self) -> _Writer:
        self._file: BinaryIO = self.path.open("wb", buffering=1 << 20)
        self.write({"type": "permission-mode", "permissionMode": "default", "sessionId": self.session})
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def uuid(self) -> str:
        digits = f"{self.random.getrandbits(128):032x}"
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"

    def name(self, prefix: str) -> str:
        return f"{prefix}01{self.random.getrandbits(96):024x}"

    def text(self, kind: str, chars: int) -> str:
        """A cut out of the pool of one kind of text."""
        pool = _pool(kind)
        if chars > len(pool) // 2:
            pool *= 2 * chars // len(pool) + 1
        start = self.random.randrange(len(pool) - chars)
        return pool[start : start + chars]

    # -- records ---------------------------------------------------------------------------------

    def write(self, record: dict[str, Any]) -> None:
        self._clock_ms += self.random.randrange(200, 9_000)
        seconds, milli = divmod(self._clock_ms, 1_000)
        minutes, second = divmod(seconds, 60)
        hours, minute = divmod(minutes, 60)
        day = 1 + hours // 24 % 28
        record.setdefault(
            "timestamp", _STAMP.format(day=day, hour=hours % 24, minute=minute, second=second, milli=milli)
        )
        line = orjson.dumps(record) + b"\n"
        self._file.write(line)
        self.size += len(line)
        self.records += 1

    def chained(self, record: dict[str, Any]) -> None:
        """A record that hangs on the one before."""
        uuid = self.uuid()
        head = {
            "parentUuid": self._parent, "isSidechain": bool(self.agent), "userType": "external",
            "cwd": "/home/kim/quay", "sessionId": self.session, "version": "2.1.88", "gitBranch": "trunk",
        }  # fmt: skip
        if self.agent:
            head["agentId"] = self.agent
        self._parent = uuid
        self.write({**head, **record, "uuid": uuid})

    def prompt(self) -> None:
        self.write({"type": "file-history-snapshot", "messageId": self.uuid(), "snapshot": {"files": {}}})
        text = self.text("prose", self.random.randrange(40, 600))
        self.chained({"type": "user", "message": {"role": "user", "content": text}, "promptId": self.uuid()})
        if self.random.random() < 0.2:
            self.chained({"type": "attachment", "attachment": {"type": "todo_reminder", "content": []}})

    def answer_text(self) -> None:
        answer = _Answer(self)
        answer.fragment({"type": "text", "text": self.text("prose", self.random.randrange(200, 2_500))})
        self.chained({"type": "system", "subtype": "turn_duration", "durationMs": 61_000, "isMeta": False})

    def title(self) -> None:
        self.write({"type": "ai-title", "aiTitle": "Mend the pulley of the ferry", "sessionId": self.session})

    def compaction(self) -> None:
        last, self._parent = self._parent, None
        self.chained(
            {
                "type": "system",
                "subtype": "compact_boundary",
                "content": "Compacted",
                "level": "info",
                "compactMetadata": {"trigger": "auto", "preTokens": self.context},
                "logicalParentUuid": last,
            }
        )
        summary = {"role": "user", "content": "What happened so far: " + self.text("prose", 9_000)}
        self.chained({"type": "user", "isCompactSummary": True, "message": summary})
        self.context = AFTER_COMPACTION_TOKENS

    # -- one answer and its results ----------------------------------------------------------------

    def step(self, calls: int = 0, chars: int = 0, ticks: int = 0) -> None:
        """One answer of the model, and the results of what it called.

        Args:
            calls: How many tools it calls; 0: as it comes.
            chars: Size of each result; 0: as it comes.
            ticks: Progress records in front of each result.
        """
        rng = self.random
        answer = _Answer(self)
        if not calls:
            if rng.random() < 0.5:
                thinking = self.text("prose", rng.randrange(200, 3_000))
                answer.fragment({"type": "thinking", "thinking": thinking, "signature": self.name("Eq") * 9})
            if rng.random() < 0.4:
                answer.fragment({"type": "text", "text": self.text("prose", rng.randrange(60, 900))})
            calls = rng.choices((1, 2, 4, 8), (70, 18, 9, 3))[0]
        made = [answer.call(rng.choice(TOOLS)) for _ in range(calls)]
        sent = []
        for call_id, tool, source in made:
            if rng.random() < 0.0015:
                continue  # interrupted: a call without result
            for _ in range(ticks or int(rng.random() < 0.15)):
                self.tick(call_id)
            sent.append(self.result(call_id, tool, source, chars or _result_chars(rng)))
        self.replacements(sent)
        self._new_tokens = sum(len(shown) for _, _, shown, _ in sent) // 4 + 200
        self.context += self._new_tokens

    def tick(self, call_id: str) -> None:
        data = {"type": "bash_progress", "output": "still turning", "elapsedTimeSeconds": 3, "totalLines": 41}
        self.chained({"type": "progress", "data": data, "toolUseID": call_id, "parentToolUseID": call_id})

    def result(self, call_id: str, tool: str, source: str, chars: int) -> tuple[str, str, str, str]:
        """Write one result; returns its id, its tool, what the model sees and the whole text."""
        full = shown = self.text(_KINDS[tool], chars)
        mirror = _mirror(tool, full)
        if tool == "Bash" and PERSISTED_FROM_CHARS < chars < 1_000_000:
            path = self.keep(call_id, full)
            shown = _preview(full, path)
            mirror = {
                "stdout": full[:30_000],
                "stderr": "",
                "interrupted": False,
                "isImage": False,
                "persistedOutputPath": path,
                "persistedOutputSize": len(full.encode()),
            }
        content: Any = [{"type": "text", "text": shown}] if tool.startswith("mcp__") else shown
        block = {"tool_use_id": call_id, "type": "tool_result", "content": content}
        self.chained(
            {
                "type": "user",
                "message": {"role": "user", "content": [block]},
                "toolUseResult": mirror,
                "sourceToolAssistantUUID": source,
            }
        )
        self.results += 1
        return call_id, tool, shown, full

    def replacements(self, sent: list[tuple[str, str, str, str]]) -> None:
        """What the client notes when the results of one message are over the budget."""
        total = sum(len(shown) for _, _, shown, _ in sent)
        if total <= BUDGET_CHARS or self.agent:
            return
        made = []
        for call_id, tool, shown, full in sorted(sent, key=lambda one: -len(one[2])):
            if total <= BUDGET_CHARS or tool == "Read" or len(shown) < 3_000:
                continue
            text = _preview(full, self.keep(call_id, full))
            made.append({"kind": "tool-result", "toolUseId": call_id, "replacement": text})
            total -= len(shown) - len(text)
        if made:
            self.write({"type": "content-replacement", "sessionId": self.session, "replacements": made})

    def keep(self, call_id: str, full: str) -> str:
        self.scratch.mkdir(parents=True, exist_ok=True)
        path = self.scratch / f"{call_id}.txt"
        path.write_text(full, encoding="utf-8")
        return str(path)


class _Answer:
    """One response: its fragments share ids and the usage of the input, one block a record."""

    def __init__(self, writer: _Writer) -> None:
        self._writer = writer
        self._id, self._request = writer.name("msg_"), writer.name("req_")
        self._new, self._output = max(3, writer._new_tokens), 0

    def fragment(self, block: dict[str, Any]) -> str:
        """Write one block of it; returns the uuid of its record."""
        writer = self._writer
        self._output += writer.random.randrange(8, 400)
        usage = {
            "input_tokens": 3, "cache_creation_input_tokens": self._new,
            "cache_read_input_tokens": max(0, writer.context - self._new),
            "output_tokens": self._output, "service_tier": "standard",
        }  # fmt: skip
        writer.chained(
            {
                "type": "assistant",
                "requestId": self._request,
                "message": {
                    "id": self._id,
                    "type": "message",
                    "role": "assistant",
                    "model": "claude-opus-4-1",
                    "content": [block],
                    "stop_reason": None,
                    "stop_sequence": None,
                    "usage": usage,
                },
            }
        )
        assert writer._parent is not None
        return writer._parent

    def call(self, tool: str) -> tuple[str, str, str]:
        call_id = self._writer.name("toolu_")
        noun = self._writer.random.choice(_NOUNS)
        inputs: dict[str, dict[str, Any]] = {
            "Read": {"file_path": f"/home/kim/quay/{noun}.py"},
            "Bash": {"command": f"make {noun} && ls -l {noun}", "description": "Build it"},
            "Grep": {"pattern": noun, "path": "quay"},
            "WebFetch": {"url": f"https://example.org/{noun}", "prompt": "shorten"},
        }
        block = {"type": "tool_use", "id": call_id, "name": tool, "input": inputs.get(tool, {"q": noun})}
        return call_id, tool, self.fragment(block)


_KINDS = {"Read": "code", "Bash": "log", "Grep": "hits", "WebFetch": "prose", "mcp__store__query": "rows"}


@cache
def _pool(kind: str) -> str:
    """About a million characters of one kind, the same every time.

    The arrow behind line numbers is the client's: by it nearly half of all characters stand in texts that
    are not ASCII.
    """
    rng = random.Random(kind)
    lines: list[str] = []
    size = 0
    while size < _POOL_CHARS:
        a, b, c, d = rng.choices(_NOUNS, k=4)
        number = rng.randrange(10_000)
        line = {
            "code": f"{len(lines) + 1:6d}→    {a}_{b} = mend({c!r}, turns={number})  # keeps the {d} dry",
            "log": f"{number:05d} \x1b[3{number % 7}m{a.upper()}\x1b[0m {b}.{c}: {d} took {number} ms",
            "hits": f"quay/{a}/{b}.py:{number}:        return self.{c}[{d!r}]",
            "rows": f'  {{"{a}": {number}, "{b}": "{c} of the {d}", "kept": {number % 2}}},',
            "prose": f"The {a} leans on the {b}"
            + (" — 港の灯 ✓ résumé" if number % 20 == 0 else f", the {c} waits."),
        }[kind]
        lines.append(line)
        size += len(line) + 1
    return "\n".join(lines)


def _result_chars(rng: random.Random) -> int:
    """Sizes as in real sessions: most of some ten thousand characters, a long tail up to 400,000."""
    share = rng.random()
    low, high = (3.0, 4.6) if share < 0.8 else (4.6, 5.2) if share < 0.95 else (5.2, 5.6)
    return int(10 ** rng.uniform(low, high))


def _mirror(tool: str, full: str) -> Any:
    """The copy of a result that the client keeps for its screen."""
    if tool == "Read":
        return {"type": "text", "file": {"filePath": "/home/kim/quay/x.py", "content": full, "startLine": 1}}
    if tool == "Bash":
        return {"stdout": full, "stderr": "", "interrupted": False, "isImage": False}
    return full if tool.startswith("mcp__") else {"mode": "content", "content": full}


def _preview(full: str, path: str) -> str:
    size = f"{len(full.encode()) / 1024:.1f}KB"
    return (
        f"<persisted-output>\nOutput too large ({size}). Full output saved to: {path}\n\n"
        f"Preview (first 2KB):\n{full[:2_000]}\n...\n</persisted-output>"
    )
