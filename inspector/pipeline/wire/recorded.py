"""The wire as the newest client records it itself: `api-request` lines and their blobs (rules 37-40).

A request line names its messages by hash, most of them through the request before it. Blobs hold only
what the records do not: an answer is joined from its records, and so are some user messages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import msgspec
import orjson

from inspector.pipeline.wire.elided import same_value

_LONGEST_RUN = 12
"""User records that are tried together for one message."""


_Key = tuple[str | int, int]
"""A message made of records: an answer's id and how many of its blocks, or a range of user records."""


class RecordedMessage(msgspec.Struct, frozen=True):
    """One message of a recorded request."""

    hash: str
    message: dict[str, Any] | None
    """None where neither a blob nor records give it."""
    source: str
    """`blob`, `answer`, `user`, `run`, or empty where nothing was found."""
    verified: bool
    """Whether the message hashes to the stated hash."""


class RecordedRequest(msgspec.Struct, frozen=True):
    """One request as the client recorded it."""

    id: str
    """What `requestRef` of its answer names."""
    query_source: str
    """`sdk` in print mode, `repl_main_thread` on the screen, `agent:…` in an agent's file."""
    model: str
    messages: tuple[RecordedMessage, ...]
    whole: bool = False
    """Names every message anew, as the first request of each process does, and one after a compaction."""

    @property
    def rebuilt(self) -> bool:
        """Whether every message was found."""
        return all(m.message is not None for m in self.messages)

    @property
    def verified(self) -> bool:
        """Whether every message also has the stated hash."""
        return all(m.verified for m in self.messages)


class RecordedWire:
    """Reads the lines of one file, in order, and rebuilds each request when its line comes."""

    def __init__(self) -> None:
        self.requests: dict[str, RecordedRequest] = {}
        self._blobs: dict[str, dict[str, Any]] = {}
        self._answers: dict[str, list[Any]] = {}
        self._users: list[list[Any] | None] = []
        """Contents of user records as blocks; None where another message stands between."""
        self._known: dict[str, RecordedMessage] = {}
        self._hashes: dict[_Key, str] = {}
        self._uuids: set[str] = set()

    def feed(self, line: Mapping[str, Any]) -> RecordedRequest | None:
        """Takes the next line of the file.

        Args:
            line: The parsed line, of whatever type and shape.

        Returns:
            The request, when the line is one.
        """
        kind, message = line.get("type"), line.get("message")
        if kind == "api-request":
            return self._request(line)
        if not isinstance(message, dict):
            return None
        if kind == "api-request-blob":
            if isinstance(line.get("hash"), str):
                self._blobs[line["hash"]] = message
        elif kind in ("user", "assistant"):
            self._record(kind, line.get("uuid"), message)
        return None

    def _record(self, kind: str, uuid: object, message: dict[str, Any]) -> None:
        if isinstance(uuid, str):
            if uuid in self._uuids:
                return
            self._uuids.add(uuid)
        blocks = _blocks(message.get("content"))
        if kind == "user":
            self._users.append(blocks)
        else:
            self._users.append(None)
            self._answers.setdefault(str(message.get("id")), []).extend(blocks)

    def _request(self, line: Mapping[str, Any]) -> RecordedRequest | None:
        request_id, tail, keep = line.get("id"), line.get("tail"), line.get("keep", 0)
        if not isinstance(request_id, str) or not isinstance(tail, list) or not isinstance(keep, int):
            return None
        base = self.requests.get(str(line.get("base")))
        kept = base.messages[: max(keep, 0)] if base else ()
        gone = max(keep, 0) - len(kept)
        params = line.get("params")
        request = RecordedRequest(
            id=request_id,
            query_source=str(line.get("querySource", "")),
            model=str(params.get("model", "")) if isinstance(params, dict) else "",
            messages=(
                *kept,
                *(RecordedMessage("", None, "", False) for _ in range(gone)),
                *(self._message(str(name)) for name in tail),
            ),
            whole=base is None,
        )
        self.requests[request_id] = request
        return request

    def _message(self, name: str) -> RecordedMessage:
        """Rules 37 and 39."""
        known = self._known.get(name)
        if known is not None and known.message is not None:
            return known
        found = RecordedMessage(name, None, "", False)
        if name in self._blobs:
            blob = self._blobs[name]
            found = RecordedMessage(name, blob, "blob", message_hash(blob) == name)
        else:
            for source, key in self._candidates():
                if self._hash_of(key) == name:
                    found = RecordedMessage(name, self._made(key), source, True)
                    break
        self._known[name] = found
        return found

    def _candidates(self) -> Iterator[tuple[str, _Key]]:
        """Messages that the records give, newest first."""
        for message_id, blocks in reversed(self._answers.items()):
            yield "answer", (message_id, len(blocks))
        yield from self._runs(1, "user")
        for length in range(2, _LONGEST_RUN + 1):
            yield from self._runs(length, "run")

    def _runs(self, length: int, source: str) -> Iterator[tuple[str, _Key]]:
        for end in range(len(self._users), length - 1, -1):
            if all(blocks is not None for blocks in self._users[end - length : end]):
                yield source, (end - length, end)

    def _hash_of(self, key: _Key) -> str:
        """Worked out once for each candidate: a name that nothing gives asks for all of them."""
        if key not in self._hashes:
            self._hashes[key] = message_hash(self._made(key))
        return self._hashes[key]

    def _made(self, key: _Key) -> dict[str, Any]:
        start, end = key
        if isinstance(start, str):
            return {"role": "assistant", "content": self._answers[start][:end]}
        run = self._users[start:end]
        return {"role": "user", "content": [b for blocks in run for b in blocks or ()]}


def message_hash(message: Mapping[str, Any]) -> str:
    """The client's hash of a message (rule 37).

    Args:
        message: role and content.
    """
    plain = {**message, "content": _blocks(message.get("content"))}
    return hashlib.sha256(_canonical(_without_cache_control(plain))).hexdigest()


def _blocks(content: object) -> list[Any]:
    if isinstance(content, list):
        return content
    return [{"type": "text", "text": content}] if isinstance(content, str) else []


def _without_cache_control(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_cache_control(v) for k, v in value.items() if k != "cache_control"}
    if isinstance(value, list):
        return [_without_cache_control(v) for v in value]
    return value


def _canonical(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except (TypeError, orjson.JSONEncodeError):  # lone surrogates, very large integers
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return text.encode("utf-8", "surrogatepass")


class Statistics(msgspec.Struct, frozen=True):
    """How much of a recording could be rebuilt."""

    requests: int
    rebuilt: int
    """Requests of which every message was found."""
    verified: int
    """Requests of which every message has the stated hash."""
    messages: int
    """Different messages that the requests name."""
    messages_verified: int
    """Those that have the stated hash."""
    sources: dict[str, int]
    """Where they were found: source → number."""


def statistics(wire: RecordedWire) -> Statistics:
    """Counts what was rebuilt."""
    sources: dict[str, int] = {}
    messages = {m.hash: m for r in wire.requests.values() for m in r.messages}.values()
    for message in messages:
        sources[message.source] = sources.get(message.source, 0) + 1
    requests = wire.requests.values()
    return Statistics(
        requests=len(requests),
        rebuilt=sum(r.rebuilt for r in requests),
        verified=sum(r.verified for r in requests),
        messages=len(messages),
        messages_verified=sum(m.verified for m in messages),
        sources=sources,
    )


class WireDifference(msgspec.Struct, frozen=True):
    """One place where the predicted request is not the recorded one."""

    message: int
    """Index of the message."""
    block: int | None
    """Index of the block (a missing one: among the recorded blocks); None for the message as a whole."""
    what: str
    """`role`, `missing`, `added`, `type`, or the name of the key that differs."""
    predicted: Any
    recorded: Any


def compare(
    predicted: Sequence[Mapping[str, Any]], recorded: Sequence[Mapping[str, Any]]
) -> list[WireDifference]:
    """All differences between two requests, block by block.

    Args:
        predicted: Messages of `api_messages`.
        recorded: Messages of a `RecordedRequest`.
    """
    out: list[WireDifference] = []
    for place in range(max(len(predicted), len(recorded))):
        if place >= len(recorded):
            out.append(WireDifference(place, None, "added", predicted[place], None))
        elif place >= len(predicted):
            out.append(WireDifference(place, None, "missing", None, recorded[place]))
        elif predicted[place] != recorded[place]:  # nearly all are the same, and that is told at once
            out.extend(_message_differences(place, predicted[place], recorded[place]))
    return out


def _message_differences(
    place: int, ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> Iterator[WireDifference]:
    if ours.get("role") != theirs.get("role"):
        yield WireDifference(place, None, "role", ours.get("role"), theirs.get("role"))
    our_blocks = _without_cache_control(_blocks(ours.get("content")))
    their_blocks = _without_cache_control(_blocks(theirs.get("content")))
    for number, other in _aligned(our_blocks, their_blocks):
        if other is None:
            yield WireDifference(place, number, "added", our_blocks[number or 0], None)
        elif number is None:
            yield WireDifference(place, other, "missing", None, their_blocks[other])
        else:
            yield from _block_differences(place, number, our_blocks[number], their_blocks[other])


def _aligned(ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Which blocks of two messages belong together: calls and results by their ids, the rest by order.

    One block more or less must not make all behind it differ.
    """
    our_keys, their_keys = [_block_key(b) for b in ours], [_block_key(b) for b in theirs]
    if our_keys == their_keys or not any(len(key) > 1 for key in (*our_keys, *their_keys)):
        for place in range(max(len(ours), len(theirs))):
            yield place if place < len(ours) else None, place if place < len(theirs) else None
        return
    for _, start, end, other, other_end in SequenceMatcher(
        None, our_keys, their_keys, autojunk=False
    ).get_opcodes():
        for step in range(max(end - start, other_end - other)):
            mine = start + step if step < end - start else None
            yours = other + step if step < other_end - other else None
            if mine is not None and yours is not None and our_keys[mine] != their_keys[yours]:
                yield mine, None
                yield None, yours
            else:
                yield mine, yours


def _block_key(block: Any) -> tuple[str, ...]:
    """What tells a block from its neighbours: kind and id."""
    if not isinstance(block, dict):
        return ("",)
    kind = str(block.get("type"))
    found = block.get("tool_use_id") if kind == "tool_result" else block.get("id")
    return (kind, str(found)) if found else (kind,)


def _block_differences(place: int, number: int, ours: Any, theirs: Any) -> Iterator[WireDifference]:
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        if not same_value(ours, theirs):
            yield WireDifference(place, number, "content", ours, theirs)
        return
    if ours.get("type") != theirs.get("type"):  # another block altogether: its keys say nothing more
        yield WireDifference(place, number, "type", ours, theirs)
        return
    for key in dict.fromkeys((*ours, *theirs)):
        if not same_value(ours.get(key), theirs.get(key)):
            yield WireDifference(place, number, key, ours.get(key), theirs.get(key))
