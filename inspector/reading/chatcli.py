"""ChatCLI session files → records (`chatcli.md` §9.1).

The loader's own rules (`chatcli_session`) say what a file is and what is wrong with a corrupt one.
The messages are then read one by one at their places, by the same rules, because a record has to
know the byte range of its message, and because the messages of a file that ChatCLI refuses are still
worth looking at.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from enum import StrEnum
from typing import Any

import msgspec

from inspector.model.chatcli import Message
from inspector.model.transcript import BadLine, BlockKind, Flag, Record, Role
from inspector.reading import json_spans
from inspector.reading.chatcli_park import load_snapshot
from inspector.reading.chatcli_session import SessionKind, load_session
from inspector.reading.go_json import fold
from inspector.reading.lenient import decode_json
from inspector.reading.messages import parts_of
from inspector.reading.parts import Part, block_of, picture, tool_result, tool_use, word

HISTORIES = ("chat_history", "agent_history", "coder_history", "shared_memory")
"""The lists of a version 2 file, in the order in which the loader joins them."""
_JOINED = HISTORIES[:3]
"""`shared_memory` is read and ignored by the loader."""


class Layout(StrEnum):
    """Which conversations the histories of a file become."""

    JOINED = "joined"
    """As the loader goes on: chat, then what agent and coder add but system messages, in the main
    thread; `shared_memory` in a thread of its own."""
    APART = "apart"
    """Each history a thread: the first that holds messages is the main one."""


class ChatcliDocument(msgspec.Struct, frozen=True):
    """One session file as it was read."""

    records: tuple[Record, ...]
    """`line` is the ordinal of the message in its history, from 1."""
    bad_lines: tuple[BadLine, ...]
    kind: SessionKind
    title: str = ""
    """Untrusted text."""
    problem: str = ""
    """Why ChatCLI refuses the file; empty when it does not."""
    threads: tuple[tuple[str, str], ...] = ()
    """Thread and the history that it is, such as `("", "agent_history")`, in order."""
    waiting_id: str = ""
    """A parked run: the call that waits for its result."""


def read_chatcli(data: bytes, layout: Layout = Layout.APART, history: str | None = None) -> ChatcliDocument:
    """Read a session file.

    Args:
        data: The whole file, unpacked.
        layout: Which conversations its histories become.
        history: Only this list, as the main thread.
    """
    session = load_session(data)
    found = {name: span for name, span in _histories(data).items() if any(json_spans.items(data, span.start))}
    threads = _threads(found, layout, history)
    corrupt = session.kind is SessionKind.CORRUPT
    reader = _Reader(data, Flag.SALVAGED if corrupt else Flag(0))
    for name, thread in threads.items():
        # The loader takes the older histories without their system messages.
        appended = layout is Layout.JOINED and history is None and name in _JOINED[1:]
        reader.read(found[name], thread, skip_system=appended)
    bad = tuple(reader.bad_lines)
    if corrupt:
        # The whole file is the line: ChatCLI refuses all of it, whatever can be read here.
        bad = (BadLine(1, 0, len(data), session.problem, len(reader.records), lost=bool(bad)), *bad)
    pairs = tuple((thread, name) for name, thread in threads.items())
    return ChatcliDocument(tuple(reader.records), bad, session.kind, session.title, session.problem, pairs)


def _threads(found: Container[str], layout: Layout, history: str | None) -> dict[str, str]:
    """The thread of each history that holds messages, in the loader's order."""
    names = [name for name in HISTORIES if name in found and history in {None, name}]
    if layout is Layout.JOINED and history is None:
        return {name: "" if name in _JOINED else name for name in names}
    return {name: "" if at == 0 else name for at, name in enumerate(names)}


def read_park(data: bytes) -> ChatcliDocument:
    """Read a park snapshot: its history as the main thread.

    Args:
        data: The whole file, unpacked.
    """
    snapshot = load_snapshot(data)
    reader = _Reader(data, Flag(0))
    for member in json_spans.members(data, max(0, data.find(b"{"))):
        is_list = data[member.start : member.start + 1] == b"["
        if is_list and fold(member.key.decode("utf-8", "replace")) == "history":
            reader.read(member, "", skip_system=False)
    bad = tuple(reader.bad_lines)
    if snapshot.problem:
        lost = not reader.records
        bad = (BadLine(1, 0, len(data), snapshot.problem, len(reader.records), lost=lost), *bad)
    return ChatcliDocument(
        tuple(reader.records),
        bad,
        SessionKind.V2,
        problem=snapshot.problem,
        threads=(("", "history"),),
        waiting_id=snapshot.pending_tool_call_id,
    )


def chatcli_texts(data: bytes) -> list[str]:
    """The texts of a message's blocks, in the order of `Record.blocks`.

    Args:
        data: The bytes of the message, from `Record.start` to `Record.end`.
    """
    message = chatcli_message(data)
    return [] if message is None else [part.text for part in _parts(message)]


def chatcli_message(data: bytes) -> Message | None:
    """One message by Go's rules; by lenient ones where Go would refuse it; None for no message.

    Args:
        data: The bytes of the message, from `Record.start` to `Record.end`.
    """
    strict = load_session(b"[" + data + b"]")
    if len(strict.chat_history) == 1 and data[:1] == b"{":
        return strict.chat_history[0]
    value = decode_json(data).value
    if not isinstance(value, dict):
        return None
    folded = {fold(key): entry for key, entry in value.items()}
    if not isinstance(folded.get("role"), str):
        return None
    return _lenient_message(folded)


class _Reader:
    """Reads histories one after another into one list of records."""

    def __init__(self, data: bytes, salvaged: Flag) -> None:
        self.records: list[Record] = []
        self.bad_lines: list[BadLine] = []
        self._salvaged = salvaged
        self._data = data

    def read(self, history: json_spans.Value, thread: str, *, skip_system: bool) -> None:
        began = False
        for ordinal, span in enumerate(json_spans.items(self._data, history.start), 1):
            message = chatcli_message(self._data[span.start : span.end]) if span.complete else None
            if message is None:
                reason = "no message" if span.complete else "the message breaks off"
                self.bad_lines.append(BadLine(ordinal, span.start, span.end, reason))
                continue
            if message.role == "system" and skip_system:
                continue
            role, flags = _role(message, began)
            began = began or role is not Role.BRIDGE
            self.records.append(
                Record(
                    len(self.records),
                    ordinal,
                    span.start,
                    span.end,
                    role,
                    flags | self._salvaged | Flag.CONTENT_STRING,
                    thread=thread,
                    message_id=f"{thread}#{len(self.records) + 1}" if role is Role.ASSISTANT else "",
                    blocks=tuple(block_of(part) for part in _parts(message)),
                )
            )


def _role(message: Message, began: bool) -> tuple[Role, Flag]:
    flags = Flag(0)
    if message.meta is not None and message.meta.is_summary:
        flags |= Flag.SUMMARY
    if message.role == "assistant":
        return Role.ASSISTANT, flags
    if message.role == "tool":
        return Role.USER, flags
    if message.role == "user":
        feedback = message.meta is not None and message.meta.agent_feedback
        return Role.USER, flags | (Flag.FEEDBACK if feedback else Flag(0))
    if message.role == "system" and began:
        return Role.USER, flags | Flag.META
    # A system message in front, or a role that ChatCLI carries through: it ends no group.
    return Role.BRIDGE, flags


def _parts(message: Message) -> list[Part]:
    text = message.content.decode("utf-8", "replace")
    if message.role == "tool":
        return [tool_result(message.tool_call_id, text, message.is_error or None)]
    parts = [Part(BlockKind.TEXT, text)] if text else []
    parts += [picture({"type": "image", **image}) for image in message.images if isinstance(image, dict)]
    if message.role == "assistant":
        parts += [tool_use(call.id, call.name, call.arguments or {}) for call in message.tool_calls]
    return parts


def _lenient_message(folded: dict[str, Any]) -> Message:
    """What can be made of a message with values of wrong types."""
    content = folded.get("content")
    if not isinstance(content, str):
        texts = [part.text for part in parts_of({"role": "user", "content": content})]
        content = "\n".join(texts) if texts else "" if content is None else str(content)
    document = {"role": folded["role"], "content": content, "tool_call_id": word(folded.get("tool_call_id"))}
    calls = [call for call in _listed(folded.get("tool_calls")) if isinstance(call, dict)]
    document["tool_calls"] = [
        {"id": word(call.get("id")), "name": word(call.get("name")), "arguments": _arguments(call)}
        for call in calls
    ]
    if isinstance(folded.get("is_error"), bool):
        document["is_error"] = folded["is_error"]
    read = load_session(_encoded([document]))
    return read.chat_history[0] if read.chat_history else Message(folded["role"])


def _encoded(document: Any) -> bytes:
    """A document as JSON; lone surrogates, which are no UTF-8, as their escapes."""
    try:
        return msgspec.json.encode(document)
    except UnicodeEncodeError:
        plain = json.loads(json.dumps(document), parse_constant=lambda _: None)
        return json.dumps(plain).encode()


def _arguments(call: dict[str, Any]) -> dict[str, Any]:
    arguments = call.get("arguments")
    if isinstance(arguments, str):
        arguments = decode_json(arguments.encode("utf-8", "surrogatepass")).value
    return arguments if isinstance(arguments, dict) else {}


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _histories(data: bytes) -> dict[str, json_spans.Value]:
    """Where each history stands: keys in any case, of a repeated one the last."""
    return dict(_found_histories(data))


def _found_histories(data: bytes) -> Iterator[tuple[str, json_spans.Value]]:
    at = json_spans.skip_space(data, 3 if data.startswith(b"\xef\xbb\xbf") else 0)
    if data[at : at + 1] == b"[":
        yield HISTORIES[0], json_spans.value_at(data, at)
    if data[at : at + 1] != b"{":
        return
    for member in json_spans.members(data, at):
        name = fold(member.key.decode("utf-8", "replace"))
        if name in HISTORIES and data[member.start : member.start + 1] == b"[":
            yield name, member
