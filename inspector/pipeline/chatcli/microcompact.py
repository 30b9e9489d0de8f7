"""Ageing: old results become head and tail, then one line; in place, on the stored history (§4).

What has been shortened once is normally below the minimum size and never looked at again, which is
why the second level is so rare; a run says for each result what was done and why not more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from inspector.model.chatcli import AgeingLimits, Message
from inspector.pipeline.chatcli import cuts
from inspector.pipeline.chatcli.archive import Archive, key_of, keys_in, marker
from inspector.pipeline.chatcli.content_type import content_type


class Step(StrEnum):
    """What ageing did to one result."""

    TRUNCATED = "truncated"
    SUMMARIZED = "summarized"


@dataclass(frozen=True, slots=True)
class MicrocompactReport:
    """ChatCLI's own counters for one pass."""

    truncated: int = 0
    """Rises even where head and tail are the whole content."""
    summarized: int = 0
    chars_saved: int = 0
    """Negative where the recall suffix is longer than what was cut."""


@dataclass(frozen=True, slots=True)
class Aged:
    """One result that a pass changed, or counted without changing it."""

    at: int
    """Place of its message in the history."""
    id: str
    """Its tool call id; empty for a feedback message of the user role."""
    age: int
    step: Step
    before_bytes: int
    after_bytes: int
    keys: tuple[str, ...]
    """Archive keys that its recall suffix names."""


@dataclass(frozen=True, slots=True)
class MicrocompactRun:
    """What one pass over a history did."""

    messages: tuple[Message, ...]
    report: MicrocompactReport
    archive: Archive | None
    """The store afterwards; None where there is no compression layer."""
    gate_open: bool
    """False: the loop's own turn is below the first window, so nothing was looked at."""
    aged: tuple[Aged, ...] = ()


def ages(messages: Sequence[Message]) -> list[int]:
    """Age of each message: how many assistant messages stand after it.

    Args:
        messages: The history.
    """
    out = [0] * len(messages)
    after = 0
    for at in range(len(messages) - 1, -1, -1):
        out[at] = after
        after += messages[at].role == "assistant"
    return out


def is_candidate(message: Message) -> bool:
    """Whether a message ages at all: every tool result, and feedback in the user's name.

    Tools that write, errors and `preserve_verbatim` are not spared.
    """
    if message.role == "tool":
        return True
    return message.role == "user" and message.meta is not None and message.meta.agent_feedback


def apply_microcompact(
    messages: Sequence[Message], turn: int, limits: AgeingLimits, archive: Archive | None = None
) -> MicrocompactRun:
    """Age a history once.

    Args:
        messages: The history; left as it is.
        turn: Turn of the running agent loop, from 0. It restarts with each run and on each resume
            and serves as a gate only.
        limits: Windows in turns and sizes in bytes.
        archive: The compression layer, or None.

    Returns:
        The run, with a new history of the same length and order.
    """
    if not messages or turn < limits.truncate_turns:
        return MicrocompactRun(tuple(messages), MicrocompactReport(), archive, gate_open=False)
    out = list(messages)
    aged: list[Aged] = []
    for at, age in enumerate(ages(messages)):
        message = messages[at]
        size = len(message.content)
        if size < limits.min_bytes or not is_candidate(message):
            continue
        if age >= limits.summarize_turns:
            step, stub = Step.SUMMARIZED, summary(message.content)
        elif age >= limits.truncate_turns:
            step, stub = Step.TRUNCATED, preview(message.content, limits)
        else:
            continue
        keys, archive = _recall_keys(message.content, stub, archive)
        content = stub + recall_suffix(keys)
        out[at] = message.with_content(content)
        aged.append(Aged(at, message.tool_call_id, age, step, size, len(content), keys))
    report = MicrocompactReport(
        truncated=sum(a.step is Step.TRUNCATED for a in aged),
        summarized=sum(a.step is Step.SUMMARIZED for a in aged),
        chars_saved=sum(a.before_bytes - a.after_bytes for a in aged),
    )
    return MicrocompactRun(tuple(out), report, archive, True, tuple(aged))


def preview(content: bytes, limits: AgeingLimits) -> bytes:
    """Head and tail of an old result; the count between them is exact, unlike the budget's.

    Args:
        content: The content; returned as it is where cutting would gain less than 100 bytes.
        limits: Sizes of head and tail.
    """
    if len(content) <= limits.head_bytes + limits.tail_bytes + 100:
        return content
    front = cuts.head(content, limits.head_bytes)
    back = cuts.tail(content, limits.tail_bytes)
    omitted = len(content) - len(front) - len(back)
    return front + f"\n[... {omitted} chars omitted from old tool result ...]\n".encode() + back


def summary(content: bytes) -> bytes:
    """The one line that stands for an old result.

    Args:
        content: What stood there until now, which may itself be a preview.
    """
    lines = content.count(b"\n") + 1
    kind = content_type(content)
    return f"[Old tool result cleared — {lines} lines, {len(content)} chars, {kind}]".encode()


def recall_suffix(keys: Sequence[str]) -> bytes:
    """The sentence that tells the model how to get the original back; empty without keys."""
    if not keys:
        return b""
    marks = " ".join(marker(key) for key in keys)
    return f"\n[full content recoverable via @recall {marks}]".encode()


def _recall_keys(
    content: bytes, stub: bytes, archive: Archive | None
) -> tuple[tuple[str, ...], Archive | None]:
    """Keys that the stub has to name: those it lost, or a new one for the original.

    Markers are carried over even where there is no layer that could resolve them.
    """
    keys = keys_in(content)
    if not keys:
        stored = archive.put(content) if archive is not None else None
        if archive is None or stored is None:
            return (), archive
        archive = stored
        keys = (key_of(content),)
    return tuple(key for key in keys if marker(key).encode() not in stub), archive
