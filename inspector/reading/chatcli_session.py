"""ChatCLI's session files: bytes to histories and back, by the rules of its own loader (§9.1).

The file is one JSON document that is replaced as a whole, so there is nothing to index: it is
decoded at once, and by Go's rules, because they decide whether ChatCLI would call it corrupt.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from inspector.model.chatcli import Message, Meta, ToolCall
from inspector.reading.go_json import (
    AnyMap,
    Anything,
    Bool,
    Elements,
    GoJsonError,
    Int,
    ListOf,
    Struct,
    Text,
    parse,
    sorted_keys,
    write,
)


class SessionKind(StrEnum):
    """How ChatCLI's loader takes a file."""

    V2 = "v2"
    """An object with `version` 2 or more."""
    LEGACY = "legacy"
    """A plain list of messages, or `null`."""
    CORRUPT = "corrupt"
    """Anything else; ChatCLI refuses it."""


@dataclass(frozen=True, slots=True)
class ChatcliSession:
    """One session file, decoded."""

    kind: SessionKind
    title: str = ""
    chat_history: tuple[Message, ...] = ()
    """Everything, in files of today."""
    agent_history: tuple[Message, ...] = ()
    """Older files only."""
    coder_history: tuple[Message, ...] = ()
    """Older files only."""
    shared_memory: tuple[Message, ...] = ()
    """Older files only; ChatCLI reads and ignores it."""
    problem: str = ""
    """Corrupt: one sentence that says what is wrong and where."""

    @property
    def history(self) -> tuple[Message, ...]:
        """What ChatCLI goes on with: the chat, then what the older histories add but system messages."""
        older = (*self.agent_history, *self.coder_history)
        return (*self.chat_history, *(m for m in older if m.role != "system"))


_META = Struct(
    {
        "is_summary": Bool(),
        "summary_of": Anything(),
        "mode": Text(),
        "preserve_verbatim": Bool(),
        "agent_feedback": Bool(),
        "skill_names": ListOf(Text()),
        "skill_collapsed": Bool(),
    },
    pointer=True,
)
_CALL = Struct({"id": Text(), "type": Text(), "name": Text(), "arguments": AnyMap(), "raw": Anything()})
_MESSAGE = Struct(
    {
        "role": Text(),
        "content": Text(),
        "meta": _META,
        "tool_calls": ListOf(_CALL),
        "tool_call_id": Text(),
        "system_parts": ListOf(AnyMap()),
        "images": ListOf(AnyMap()),
        "is_error": Bool(),
        "error_code": Text(),
    }
)
HISTORY = ListOf(_MESSAGE)
"""Shape of a list of messages, wherever ChatCLI stores one."""

_SESSION = Struct(
    {
        "version": Int(),
        "title": Text(),
        "chat_history": HISTORY,
        "agent_history": HISTORY,
        "coder_history": HISTORY,
        "shared_memory": HISTORY,
    }
)


def load_session(data: bytes) -> ChatcliSession:
    """Decode a session file as ChatCLI's loader does.

    Args:
        data: The whole file.

    Returns:
        The histories; for a file that ChatCLI refuses, the reason instead.
    """
    try:
        value = parse(data)
        if type(value) is list:  # an object is a list of pairs here
            return ChatcliSession(SessionKind.LEGACY, chat_history=messages_of(HISTORY.fill(value, None, "")))
        session = _SESSION.fill(value, _SESSION.zero(), "")
    except GoJsonError as error:
        return ChatcliSession(SessionKind.CORRUPT, problem=f"{error}.")
    if value is None:
        return ChatcliSession(SessionKind.LEGACY)
    if session["version"] < 2:
        problem = "An object needs a version of 2 or more."
        return ChatcliSession(SessionKind.CORRUPT, problem=problem)
    return ChatcliSession(
        SessionKind.V2,
        session["title"],
        messages_of(session["chat_history"]),
        messages_of(session["agent_history"]),
        messages_of(session["coder_history"]),
        messages_of(session["shared_memory"]),
    )


def messages_of(history: Elements | None) -> tuple[Message, ...]:
    """The messages of a decoded history; none where the file has `null`.

    Args:
        history: What `HISTORY` filled.
    """
    return tuple(_message(m) for m in history.values()) if history is not None else ()


def _message(fields: Mapping[str, Any]) -> Message:
    return Message(
        role=fields["role"],
        content=fields["content"].encode(),
        meta=_meta(fields["meta"]),
        tool_calls=tuple(_call(c) for c in _values(fields["tool_calls"])),
        tool_call_id=fields["tool_call_id"],
        system_parts=tuple(_values(fields["system_parts"])),
        images=tuple(_values(fields["images"])),
        is_error=fields["is_error"],
        error_code=fields["error_code"],
    )


def _meta(fields: Mapping[str, Any] | None) -> Meta | None:
    if fields is None:
        return None
    return Meta(**(dict(fields) | {"skill_names": tuple(_values(fields["skill_names"]))}))


def _call(fields: Mapping[str, Any]) -> ToolCall:
    return ToolCall(fields["id"], fields["name"], fields["type"], fields["arguments"], fields["raw"])


def _values(elements: Elements | None) -> list[Any]:
    return elements.values() if elements is not None else []


def save_session(
    chat_history: Sequence[Message],
    title: str = "",
    agent_history: Sequence[Message] = (),
    coder_history: Sequence[Message] = (),
    shared_memory: Sequence[Message] = (),
) -> bytes:
    """The bytes that ChatCLI writes for these histories.

    Bytes of a content that are no character are lost: each becomes the escape of U+FFFD, so a saved
    session can be longer than the live one was.

    Args:
        chat_history: Always written, even when empty.
        title: Left out when empty, as are the other histories.
        agent_history: Older files only.
        coder_history: Older files only.
        shared_memory: Older files only.
    """
    document: dict[str, Any] = {"version": 2}
    if title:
        document["title"] = title
    document["chat_history"] = [_message_fields(m) for m in chat_history]
    older = {"agent_history": agent_history, "coder_history": coder_history, "shared_memory": shared_memory}
    document |= {name: [_message_fields(m) for m in history] for name, history in older.items() if history}
    return write(document).encode("utf-8", "surrogatepass")


def _message_fields(message: Message) -> dict[str, Any]:
    """The fields of a message in file order; all but role and content are left out when empty."""
    optional: dict[str, Any] = {
        "meta": None if message.meta is None else _meta_fields(message.meta),
        "tool_calls": [_call_fields(c) for c in message.tool_calls],
        "tool_call_id": message.tool_call_id,
        "system_parts": list(message.system_parts),
        "images": list(message.images),
        "is_error": message.is_error,
        "error_code": message.error_code,
    }
    set_fields = {name: v for name, v in optional.items() if v or (name == "meta" and v is not None)}
    return {"role": message.role, "content": message.content, **set_fields}


def _meta_fields(meta: Meta) -> dict[str, Any]:
    values = {name: getattr(meta, name) for name in meta.__struct_fields__}
    return {name: value for name, value in values.items() if value}


def _call_fields(call: ToolCall) -> dict[str, Any]:
    fields = {"id": call.id, "type": call.type, "name": call.name, "arguments": sorted_keys(call.arguments)}
    return fields | ({"raw": call.raw} if call.raw is not None else {})


def message_data(message: Message) -> dict[str, Any]:
    """A message as plain data, in the form that a session file has.

    Bytes that are no character stand as U+FFFD, as ChatCLI would save them; `content_base64` then
    holds the exact bytes besides.

    Args:
        message: Any message, such as one on the wire.
    """
    fields: dict[str, Any] = json.loads(write(_message_fields(message)))
    if fields["content"].encode() != message.content:
        fields["content_base64"] = base64.b64encode(message.content).decode("ascii")
    return fields
