"""The system prompt of a message list: what the file itself holds in front of all that is said.

An agent loop sends it with every request, so it belongs to what is on the wire; but it is no turn, and
no stage may touch it. So it is put in front of a body when that is made, and its size is counted apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from inspector.model.transcript import Flag, Record, Role
from inspector.reading.detect import FileKind
from inspector.reading.lenient import decode_json
from inspector.reading.messages import SYSTEM_ROLES
from inspector.session.kinds import MESSAGE_LISTS

if TYPE_CHECKING:
    from inspector.pipeline.wire.messages import Texts
    from inspector.session.session import Session


def stated_prompt(
    session: Session, thread: str, records: Sequence[Record], texts: Texts
) -> list[dict[str, Any]]:
    """The messages that stand in front of a history for its system prompt.

    Args:
        session: The session.
        thread: The conversation.
        records: The conversation's records up to the request.
        texts: Contents of the records.

    Returns:
        Messages of role `system`: a request body's `system`, then its list's own ones in order; empty
        for sources that are no message lists.
    """
    if session.kind not in MESSAGE_LISTS:
        return []
    begun = next((at + 1 for at in reversed(range(len(records))) if records[at].role is Role.BOUNDARY), 0)
    listed = (
        {"role": "system", "content": texts.content(record)}
        for record in takewhile(_is_in_front, records[begun:])
        if is_prompt(session, thread, record)
    )
    return [*body_prompt(session, thread, records), *(message for message in listed if message["content"])]


def body_prompt(session: Session, thread: str, records: Sequence[Record]) -> list[dict[str, Any]]:
    """The same of a request body's `system` alone: that of the file, or the one that a log stated last.

    Args:
        session: The session.
        thread: The conversation.
        records: The conversation's records up to the request.
    """
    heads = (record for record in reversed(records) if record.flags & Flag.HEAD)
    head = next(heads, None) if session.kind is FileKind.MESSAGES_JSONL else None
    stated = session.stated_system if head is None else session.raw_record(head, thread)
    content = decode_json(stated).value if stated else None
    return [{"role": "system", "content": content}] if isinstance(content, str | list) and content else []


def is_prompt(session: Session, thread: str, record: Record) -> bool:
    """Whether a record of a message list is of its system prompt.

    Args:
        session: The session.
        thread: The conversation.
        record: One of its records.
    """
    if not _is_in_front(record) or record.flags & Flag.HEAD or session.kind not in MESSAGE_LISTS:
        return False
    message = decode_json(session.raw_record(record, thread)).value
    return isinstance(message, dict) and message.get("role") in SYSTEM_ROLES


def _is_in_front(record: Record) -> bool:
    return record.role is Role.BRIDGE
