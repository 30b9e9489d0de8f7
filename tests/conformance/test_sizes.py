"""The sizes of the timeline are those of the bodies: one counts from lifelines, the other measures texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.model.policy import PRESETS, Policy, Unit
from inspector.pipeline.units import in_unit, measure
from inspector.pipeline.wire.messages import BodyMessage
from inspector.reading.claude_blocks import json_size
from inspector.reading.detect import FileKind
from inspector.session import Session, open_session
from inspector.session.wire_builder import WireBuilder
from tests.conformance.shared import shared_folder

REAL = shared_folder("real", "*.jsonl*")
WIRE = shared_folder("wire", "*/session/*.jsonl*")
TOTALS: dict[str, Counter[str]] = {}


def name_of(path: Path) -> str:
    return path.name if path in REAL else f"{path.parent.parent.name}/{path.name}"


def block_size(block: dict[str, Any], unit: Unit) -> int:
    """Texts, inputs of calls and texts of results; thinking and images are counted apart."""
    kind = block.get("type")
    if kind == "text":
        return measure(block.get("text") or "", unit)
    if kind == "tool_use":
        return in_unit(json_size(block.get("input")), unit)
    if kind == "tool_result":
        content = block.get("content")
        if isinstance(content, str):
            return measure(content, unit)
        items = content if isinstance(content, list) else []
        return sum(measure(i["text"], unit) for i in items if i.get("type") == "text" and i.get("text"))
    return 0


NOTIFIED = len("<system-reminder>\n\n</system-reminder>")


def body_size(messages: list[BodyMessage], unit: Unit) -> int:
    """A body without the reminders that the client adds; a notification counts as its record has it."""
    total = 0
    for message in messages:
        for block in message.blocks:
            if not block.reminder:
                total += block_size(block.content, unit)
            elif block.source is not None:
                total += block_size(block.content, unit) - NOTIFIED
    return total


def measured(session: Session, builder: WireBuilder, n: int) -> int:
    unit = session.policy.unit
    if session.policy.name == "claude-code":
        return body_size(builder.messages(n), unit)
    blocks = [b for m in builder.body(n, reminders=False) for b in m["content"]]
    if session.kind is FileKind.CODEX_ROLLOUT:  # a call's input is a text there, blanks included
        calls = {b["id"] for b in blocks if b["type"] == "tool_use"}
        sizes = [in_unit(row.call_block.size, unit) for row in session.timeline.calls.entries
                 if row.id in calls and row.call_block]  # fmt: skip
        return sum(sizes) + sum(block_size(b, unit) for b in blocks if b["type"] != "tool_use")
    return sum(block_size(b, unit) for b in blocks)


def cases() -> Iterator[Any]:
    """Every file under both policies; a Codex rollout has no client to be like."""
    for path in (*REAL, *WIRE):
        for name in ("documented",) if path.name.startswith("codex") else ("claude-code", "documented"):
            yield pytest.param(path, PRESETS[name], id=f"{name_of(path)}-{name}")
    pause = PRESETS["claude-code"].with_field("microcompact.clear_after_gap_minutes", 60)
    for path in WIRE:
        yield pytest.param(path, pause, id=f"{name_of(path)}-clearing by a pause")


@pytest.mark.parametrize(("path", "policy"), cases())
def test_size_of_a_request_is_that_of_its_body(path: Path, policy: Policy) -> None:
    wrong, counted = [], Counter[str]()
    with open_session(path, policy=policy) as session:
        for thread, timeline in session.timelines.items():
            builder = WireBuilder(session, thread)
            for request in timeline.requests:
                size = measured(session, builder, request.n)
                word = "same" if size == request.wire_chars else "differs"
                counted[f"{word}, estimated" if request.estimated else word] += 1
                if word == "differs" and not request.estimated:
                    wrong.append((thread, request.n, request.pending, request.wire_chars, size))
    TOTALS.setdefault(policy.name, Counter()).update(counted)
    assert wrong == []


def test_table_of_what_agreed(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print()
        for name, counted in TOTALS.items():
            print(f"{name:12} {sum(counted.values()):5} requests: {dict(counted)}")
    assert not any(counted["differs"] for counted in TOTALS.values())
