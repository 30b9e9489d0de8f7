"""Recorded scenarios: their files, what was really sent, and the comparison block by block."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from inspector.model.transcript import Record
from inspector.pipeline.wire.clearing import GapSettings
from inspector.pipeline.wire.facts import ClientFacts, facts_of
from inspector.pipeline.wire.history import History
from inspector.pipeline.wire.messages import JS_BLANKS, BodyBlock, BodyMessage, build_messages
from inspector.pipeline.wire.resume import resume
from inspector.pipeline.wire.summary import summary_tip
from inspector.reading.claude_code import ClaudeCodeAdapter
from inspector.reading.lines import raw_line


class Transcript:
    """A transcript file, or its first lines, as records with their texts at hand."""

    def __init__(self, path: Path, lines: int | None = None) -> None:
        data = read_bytes(path)
        if lines is not None:
            data = b"\n".join(data.split(b"\n")[:lines])
        self.data = data
        self.extra: dict[int, Any] = {}
        self.records: list[Record] = []
        agent = (
            path.name.removesuffix(".jsonl").removeprefix("agent-") if path.name.startswith("agent-") else ""
        )
        self.thread = agent
        adapter = ClaudeCodeAdapter(thread=agent)
        start = 0
        for number, line in enumerate(data.split(b"\n"), 1):
            raw = raw_line(number, start, line)
            start += len(line) + 1
            if raw is not None:
                self.records.extend(adapter.feed(raw))

    @property
    def own(self) -> list[Record]:
        """The records of the conversation that the file is for: an inline agent's are its own business."""
        return [record for record in self.records if record.thread == self.thread]

    def value(self, record: Record) -> dict[str, Any]:
        value = orjson.loads(self.data[record.start : record.end])
        assert isinstance(value, dict)
        return value

    def content(self, record: Record) -> str | list[Any]:
        if record.index in self.extra:
            content: str | list[Any] = self.extra[record.index]
            return content
        return self.value(record)["message"]["content"]  # type: ignore[no-any-return]  # JSON

    def reminders(self, record: Record) -> tuple[Sequence[str], bool]:
        value = self.value(record)
        return [r["content"] for r in value["rendered"]], bool(value.get("renderedBesideToolResult"))


def read_bytes(path: Path) -> bytes:
    if path.exists():
        return path.read_bytes()
    return gzip.decompress(path.with_name(path.name + ".gz").read_bytes())


def main_thread(records: Sequence[Record]) -> list[Record]:
    return [r for r in records if r.thread == (records[0].thread if records else "")]


def is_new(folder: Path, request: dict[str, Any]) -> bool:
    """Whether the client was one that keeps the texts of its reminders (rules 30 and 37)."""
    return facts_of(Transcript(folder / request["history"]["file"]).records).new


def predict_history(folder: Path, request: dict[str, Any], settings: dict[str, Any]) -> list[BodyMessage]:
    """The request as the first lines of its file say."""
    path = folder / request["history"]["file"]
    transcript = Transcript(path, request["history"]["lines"])
    model = model_of(Transcript(path), request["answer_message_id"])
    facts = facts_of(transcript.records, model=model)
    history = History()
    for record in transcript.own:
        history.add(record)
    if request["kind"] == "compact":
        history.cut(None)
        history.cut(summary_tip(history))
    else:
        history.cut(None)
    return build_messages(history, facts, transcript, gap=gap_of(settings))


def predict_resumed(
    folder: Path, request: dict[str, Any], settings: dict[str, Any], version: str
) -> list[BodyMessage]:
    """The request as a whole file and the new prompt say."""
    transcript = Transcript(folder / request["resumed"]["file"])
    known = facts_of(transcript.records)
    assert known.version == version
    facts = ClientFacts(screen=request["mode"].startswith("tty"), new=known.new)
    now = datetime.fromisoformat(request["at"]).timestamp()
    added = resume(transcript.own, request["prompt"], new=facts.new, now=now)
    transcript.extra = dict(added.contents)
    history = History()
    for record in (*transcript.own, *added.records):
        history.add(record)
    history.cut(None)
    return build_messages(history, facts, transcript, gap=gap_of(settings))


def model_of(transcript: Transcript, message_id: str | None) -> str:
    return next((r.model for r in transcript.records if message_id and r.message_id == message_id), "")


def gap_of(settings: dict[str, Any]) -> GapSettings | None:
    gap = settings["clear_after_gap"]
    return GapSettings(minutes=gap["minutes"], keep=gap["keep"]) if gap else None


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def input_digest(value: Any) -> str:
    return digest(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


def comparable(messages: Sequence[BodyMessage]) -> list[tuple[int, str, BodyBlock]]:
    """Blocks that the rules of exclusion leave: no reminders (X4), no thinking (X6)."""
    out: list[tuple[int, str, BodyBlock]] = []
    border = 0
    for message in messages:
        kept = [
            b
            for b in message.blocks
            if not is_reminder(message, b) and b.content.get("type") not in ("thinking", "redacted_thinking")
        ]
        if message.role != "system" and kept:
            out.extend((border, message.role, b) for b in kept)
            border += 1
    return out


def is_reminder(message: BodyMessage, block: BodyBlock) -> bool:
    """X4: made by the client, or a user record that is nothing but a reminder."""
    text = block.content.get("text")
    return block.reminder or (message.role == "user" and isinstance(text, str) and text.startswith(REMINDER))


REMINDER = "<system-reminder>"
RECORDED_KEYS = {"m", "role", "kind", "id", "name", "input", "is_error", "content", "text", "glued"}


def difference(recorded: dict[str, Any], role: str, block: BodyBlock) -> str:
    """What differs between one recorded block and the predicted one; empty: nothing."""
    assert set(recorded) <= RECORDED_KEYS, f"unknown fields {set(recorded) - RECORDED_KEYS}"
    content = block.content
    if (recorded["role"], recorded["kind"]) != (role, content["type"]):
        return f"{recorded['role']} {recorded['kind']} is predicted as {role} {content['type']}"
    if recorded["kind"] == "tool_use":
        if (recorded["id"], recorded["name"]) != (content["id"], content["name"]):
            return f"call {recorded['id']} is predicted as {content['id']}"
        known = recorded["input"]
        return "" if known in (None, input_digest(content["input"])) else f"input of {recorded['id']}"
    if recorded["kind"] == "tool_result":
        return result_difference(recorded, block)
    if recorded["kind"] == "text":
        same = same_text(recorded["text"], content["text"], recorded.get("glued"))
        return "" if same else f"text {recorded['text']!r:.80} is predicted as {content['text']!r:.80}"
    return f"unknown kind {recorded['kind']}"


def result_difference(recorded: dict[str, Any], block: BodyBlock) -> str:
    content = block.content
    if recorded["id"] != content["tool_use_id"]:
        return f"result {recorded['id']} is predicted as {content['tool_use_id']}"
    if recorded["is_error"] != bool(content.get("is_error", False)):
        return f"is_error of {recorded['id']}"
    known, ours = recorded.get("content"), content.get("content")
    if isinstance(known, list):
        same = isinstance(ours, list) and same_items(known, ours, recorded.get("glued"))
    elif isinstance(ours, list):
        same = False
    else:
        same = same_text(known, ours, recorded.get("glued"))
    return "" if same else f"content of {recorded['id']}: {known!r:.90} is predicted as {ours!r:.90}"


def same_text(known: Any, ours: str | None, glued: str | None) -> bool:
    """Text or digest; what was glued on trims the text in front of it (rule 30).

    A text may hold a reminder of its own (the old client's Read results): the data counts it as glued.
    """
    text = ours or ""
    trimmed = text.strip(JS_BLANKS)
    if not isinstance(known, dict):
        if not glued:
            return bool((known or "") == text)
        full = (known or "") + glued
        rest = full[len(trimmed) :].lstrip("\n")
        return full == text or (full.startswith(trimmed) and rest.startswith(REMINDER))
    if "plain" in known:
        return same_digest(known["plain"], trimmed)
    on_top = known.get("glued_reminder", "")
    if on_top is None:
        return True  # X5: only the digest of both together was kept
    if not on_top:
        return same_digest(known, trimmed if glued else text)
    own, mark, _ = text.partition(f"\n\n{REMINDER}")
    plain = own if mark else trimmed
    return same_digest(known, plain + on_top if plain else on_top.lstrip("\n"))


def same_digest(known: dict[str, Any], text: str) -> bool:
    utf16 = len(text.encode("utf-16-le", "surrogatepass")) // 2
    return bool(known["sha256_16"] == digest(text) and known["utf16"] == utf16)


def same_items(known: list[Any], ours: list[Any], glued: str | None) -> bool:
    if len(known) != len(ours):
        return False
    last = max((n for n, item in enumerate(ours) if item.get("type") == "text"), default=-1)
    for number, (item, mine) in enumerate(zip(known, ours, strict=True)):
        if item["type"] != mine["type"]:
            return False
        if item["type"] == "text":
            text = mine["text"] + ("\n" if glued and number == last else "")
            if not same_text(item["text"], text, None):
                return False
        elif item["type"] == "image":
            found = json.dumps(item)
            if digest(mine["source"]["data"]) not in found:
                return False
        elif {k: v for k, v in item.items() if k in mine} != {k: mine[k] for k in item if k in mine}:
            return False
    return True


def borders(places: Sequence[int]) -> list[int]:
    """Message indices renumbered from 0: only where a new message starts matters."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(place, len(numbers)) for place in places]


def differences(recorded: Sequence[dict[str, Any]], messages: Sequence[BodyMessage]) -> list[str]:
    """Everything that differs between what was sent and what is predicted."""
    ours = comparable(messages)
    out = [
        f"block {n}: {found}"
        for n, (known, (_, role, block)) in enumerate(zip(recorded, ours, strict=False))
        if (found := difference(known, role, block))
    ]
    if len(recorded) != len(ours):
        out.append(f"{len(recorded)} blocks were sent, {len(ours)} are predicted")
    elif borders([b["m"] for b in recorded]) != [place for place, _, _ in ours]:
        out.append("message borders differ")
    return out


def glue_differences(recorded: Sequence[dict[str, Any]], messages: Sequence[BodyMessage]) -> list[str]:
    """Reminders on results that were recorded and are not predicted, or the other way round."""
    out = []
    for known, (_, _, block) in zip(recorded, comparable(messages), strict=False):
        if known["kind"] != "tool_result":
            continue
        content = known["content"]
        on_top = known.get("glued")
        if on_top is None:
            on_top = content.get("glued_reminder", "") if isinstance(content, dict) else ""
        if on_top is None:
            continue  # the data does not keep this reminder's text
        if not is_made_of(on_top.lstrip("\n"), block.glued):
            out.append(f"{known['id']}: {on_top!r:.100} is predicted as {block.glued!r:.100}")
    return out


ELIDED = re.compile(r"\[elided by [^:\]]*: (\d+) chars, sha256 ([0-9a-f]{12})\]")
"""What the data puts in place of a long vendor text: its length and the start of its digest."""


def is_made_of(text: str, pieces: Sequence[str]) -> bool:
    """Whether a text is these reminders, one after the other; elided ones by length and digest."""
    for piece in pieces:
        text = text.lstrip("\n")
        elided = ELIDED.fullmatch(piece)
        shown = text[: int(elided[1])] if elided else piece
        if elided and not text.startswith(piece):
            if not hashlib.sha256(shown.encode()).hexdigest().startswith(elided[2]):
                return False
        elif elided:
            shown = piece
        if not text.startswith(shown):
            return False
        text = text[len(shown) :]
    return not text
