"""The rare parts of Claude Code records: compactions, clearings, replacements, reminders.

They are decoded leniently as plain objects, since only one line in hundreds has any of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from inspector.model.transcript import Boundary, Flag, Replacement, Role
from inspector.reading.claude_lines import ABSENT, Line
from inspector.reading.lenient import decode_json

_NOTIFICATION = "task-notification"
_REMINDER = int(Flag.REMINDER)


def opened(raw: msgspec.Raw) -> Any:
    """The value of an undecoded field; None where the line does not have it."""
    return decode_json(bytes(raw)).value if raw is not ABSENT else None


def step_of(parts: Line, flags: int) -> tuple[Role, int, Boundary | None]:
    """Role, flags and metadata of a record that is a step of a chain but no message.

    Args:
        parts: An attachment, a system record or one of progress.
        flags: Those that it has so far.
    """
    if parts.subtype == "compact_boundary":
        return Role.BOUNDARY, flags, compaction_of(parts.compact_metadata, parts.logical_parent_uuid or "")
    if parts.subtype == "microcompact_boundary":
        return Role.CLEARING, flags, clearing_of(parts.microcompact_metadata)
    if parts.rendered is not ABSENT and has_reminders(parts.rendered):
        flags |= _REMINDER
    return Role.BRIDGE, flags, None


def without_links(boundary: Boundary, known: Mapping[str, str]) -> Boundary:
    """A boundary that names no record of progress: those are not kept, their parents stand for them.

    Args:
        boundary: A compaction or a recorded clearing.
        known: uuid → the one that stands for it; those that are missing stand for themselves.
    """
    return msgspec.structs.replace(
        boundary,
        anchor=known.get(boundary.anchor, boundary.anchor),
        preserved_head=known.get(boundary.preserved_head, boundary.preserved_head),
        preserved_tail=known.get(boundary.preserved_tail, boundary.preserved_tail),
    )


def compaction_of(metadata: msgspec.Raw, logical_parent: str) -> Boundary:
    """What a `system/compact_boundary` says (`claude-code-wire.md` rules 9, 10).

    Args:
        metadata: `compactMetadata`, undecoded.
        logical_parent: `logicalParentUuid`.
    """
    value = _object(opened(metadata))
    segment = _object(value.get("preservedSegment"))
    messages = _object(value.get("preservedMessages"))
    return Boundary(
        trigger=_text(value.get("trigger")),
        pre_tokens=_count(value.get("preTokens")),
        post_tokens=_count(value.get("postTokens")),
        preserved_uuids=_texts(messages.get("uuids")),
        preserved_head=_text(segment.get("headUuid")) or _text(segment.get("head")),
        preserved_tail=_text(segment.get("tailUuid")) or _text(segment.get("tail")),
        anchor=_text(messages.get("anchorUuid"))
        or _text(segment.get("anchorUuid"))
        or _text(segment.get("anchor")),
        logical_parent=logical_parent,
    )


def clearing_of(metadata: msgspec.Raw) -> Boundary:
    """What a `system/microcompact_boundary` says (`claude-code-wire.md` rule 12).

    Args:
        metadata: `microcompactMetadata`, undecoded.
    """
    value = _object(opened(metadata))
    return Boundary(
        trigger=_text(value.get("trigger")),
        pre_tokens=_count(value.get("preTokens")),
        tokens_saved=_count(value.get("tokensSaved")),
        cleared_ids=_texts(value.get("compactedToolIds")),
    )


def replacements_of(raw: msgspec.Raw) -> tuple[Replacement, ...]:
    """The entries of a `content-replacement` line that name a result.

    Args:
        raw: `replacements`, undecoded. A variant without texts (`kind` `persisted`) gives entries
            with an empty text: the result is known to be replaced, but not by what.
    """
    value = opened(raw)
    entries = value if isinstance(value, list) else [value]
    return tuple(
        Replacement(_text(entry["toolUseId"]), _text(entry.get("replacement")))
        for entry in entries
        if isinstance(entry, dict) and _text(entry.get("toolUseId"))
    )


def has_reminders(rendered: msgspec.Raw) -> bool:
    """Whether an attachment carries texts that the client glues on (`claude-code-wire.md` rule 30)."""
    return bool(opened(rendered))


def is_notification(origin: msgspec.Raw) -> bool:
    """Whether a record's `origin` is a task notification (`claude-code-wire.md` rule 16)."""
    return _object(opened(origin)).get("kind") == _NOTIFICATION


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
