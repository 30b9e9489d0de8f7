"""Two request bodies side by side: where the later one stops being an extension of the earlier.

Everything before that message can come from the prompt cache, nothing behind it can
(`pipeline.md`, prefix break).
"""

from __future__ import annotations

import msgspec

from inspector.model.transcript import BlockKind
from inspector.reading.lenient import decode_json
from inspector.reading.message_lines import fingerprint
from inspector.reading.messages import parts_of, read_messages
from inspector.reading.parts import Part


class PrefixDifference(msgspec.Struct, frozen=True):
    """The first message of a request that an appending one did not leave as it was."""

    message: int
    """Ordinal in the list, from 0 as in the body."""
    tool_use_id: str = ""
    """The first tool result in it that changed; empty where none did."""
    chars_before: int = 0
    """Code points of that result, or of the whole message, in the earlier request."""
    chars_after: int = 0
    """The same in the later one; 0 where it is gone."""


def prefix_difference(earlier: bytes, later: bytes) -> PrefixDifference | None:
    """The first message that differs although the later request only had to append.

    Args:
        earlier: A request body, or a list of messages, as JSON.
        later: The one after it.

    Returns:
        None where the later one begins with all of the earlier one.

    Raises:
        UnreadableError: One of them holds no list of messages.
    """
    before, after = _messages(earlier), _messages(later)
    for at, message in enumerate(before):
        other = after[at] if at < len(after) else None
        if other is None or fingerprint(message) != fingerprint(other):
            return _describe(at, _parts(message), _parts(other))
    return None


def _messages(data: bytes) -> list[object]:
    document = read_messages(data)
    return [decode_json(data[record.start : record.end]).value for record in document.records]


def _parts(message: object) -> list[Part]:
    return parts_of(message) if isinstance(message, dict) else []


def _describe(at: int, before: list[Part], after: list[Part]) -> PrefixDifference:
    results = {part.id: part for part in after if part.kind is BlockKind.TOOL_RESULT}
    for part in before:
        if part.kind is not BlockKind.TOOL_RESULT:
            continue
        now = results.get(part.id)
        if now is None or now.text != part.text:
            return PrefixDifference(at, part.id, len(part.text), len(now.text) if now else 0)
    return PrefixDifference(at, "", sum(len(p.text) for p in before), sum(len(p.text) for p in after))
