"""Two request bodies: where the later one stops being a continuation of the earlier one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspector.model.transcript import BlockKind, Record
from inspector.reading.files import read_whole
from inspector.reading.messages import message_texts, read_messages


def compare_requests(a: Path | str, b: Path | str) -> dict[str, Any]:
    """Compare two requests that were sent one after the other.

    Args:
        a: File of the earlier body.
        b: File of the later body.

    Returns:
        `first_changed_message` (from 0; None where the later one only appends), and the result in it
        that changed: `tool_use_id`, `chars_before`, `chars_after` (code points; None where the
        difference is not in a result).

    Raises:
        UnreadableError: One of the files holds no messages.
    """
    before, after = _read(Path(a)), _read(Path(b))
    for at, (old, old_texts) in enumerate(before):
        if at >= len(after):
            return _difference(at, "", None, None)
        new, new_texts = after[at]
        changed = _changed_block(old, old_texts, new, new_texts)
        if changed is None:
            continue
        old_block = old.blocks[changed] if changed < len(old.blocks) else None
        new_block = new.blocks[changed] if changed < len(new.blocks) else None
        if old_block is None or new_block is None or old_block.kind is not BlockKind.TOOL_RESULT:
            return _difference(at, old_block.id if old_block else "", None, None)
        return _difference(at, old_block.id, old_block.size.chars, new_block.size.chars)
    return _difference(None, "", None, None)


def _read(path: Path) -> list[tuple[Record, list[str]]]:
    data = read_whole(path)
    return [(r, message_texts(data[r.start : r.end])) for r in read_messages(data).records]


def _changed_block(old: Record, old_texts: list[str], new: Record, new_texts: list[str]) -> int | None:
    """Ordinal of the first block that differs; None where the messages are the same."""
    if old.role is not new.role:
        return 0
    for at in range(max(len(old.blocks), len(new.blocks))):
        if at >= len(old.blocks) or at >= len(new.blocks):
            return at
        if (old.blocks[at].kind, old.blocks[at].id, old_texts[at]) != (
            new.blocks[at].kind,
            new.blocks[at].id,
            new_texts[at],
        ):
            return at
    return None


def _difference(at: int | None, tool_use_id: str, before: int | None, after: int | None) -> dict[str, Any]:
    return {
        "first_changed_message": at,
        "tool_use_id": tool_use_id or None,
        "chars_before": before,
        "chars_after": after,
    }
