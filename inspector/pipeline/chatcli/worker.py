"""Overflow of worker and sub-agent outputs: one limit, head only, a counter of its own (§5)."""

from __future__ import annotations

from dataclasses import dataclass

from inspector.pipeline.chatcli import cuts
from inspector.pipeline.chatcli.overflow import Outcome, OverflowSink, in_utf8, join_cleaned

LIMIT_BYTES = 20_480
PREVIEW_BYTES = 4_096


@dataclass(frozen=True, slots=True)
class WorkerRun:
    """What became of one output."""

    content: bytes
    counter: int
    """Last number taken."""
    outcome: Outcome | None = None
    """None where the output stayed as it was."""
    path: str = ""
    """The file that was written; empty where there is none."""


def overflow_output(
    content: bytes, label: str, sink: OverflowSink, counter: int = 0, preview_bytes: int = PREVIEW_BYTES
) -> WorkerRun:
    """Shorten one worker output.

    Args:
        content: The output.
        label: Goes into the file name as it is: one with a slash names a directory that is not there.
        sink: Where full outputs go. Whether its directory could be made is not asked (§5).
        counter: Last number taken.
        preview_bytes: Bytes kept; zero or less means the default. An output that is no longer than
            this stays whole even above the limit.
    """
    kept = preview_bytes if preview_bytes > 0 else PREVIEW_BYTES
    if len(content) <= LIMIT_BYTES or kept >= len(content):
        return WorkerRun(content, counter)
    counter += 1
    sink.prepare()
    path = join_cleaned(sink.directory, f"result_{label}_{counter}.txt")
    if not sink.write(path, content):
        note = "\n... [output truncated — write to disk failed]".encode()
        return WorkerRun(content[:LIMIT_BYTES] + note, counter, Outcome.WRITE_FAILED)
    note = b"\n... [full output saved to " + in_utf8(path) + f" — {len(content)} bytes total]".encode()
    return WorkerRun(cuts.head(content, kept) + note, counter, Outcome.WRITTEN, path)
