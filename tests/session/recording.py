"""Transcripts of the client that records its own requests."""

from __future__ import annotations

import json
from typing import Any

from inspector.pipeline.wire.recorded import message_hash
from tests.transcript import Transcript

Message = dict[str, Any]


def user(*blocks: dict[str, Any]) -> Message:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: dict[str, Any]) -> Message:
    return {"role": "assistant", "content": list(blocks)}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


class Recording(Transcript):
    """Writes `api-request` lines in front of answers, and names them in these."""

    def __init__(self, entrypoint: str = "cli") -> None:
        super().__init__()
        self.entrypoint = entrypoint
        self._ref = ""
        self._requests = 0
        self._hashes: list[str] = []
        self._blobs: set[str] = set()

    def record(self, type_: str, **fields: Any) -> str:
        ref = {"requestRef": self._ref} if type_ == "assistant" and self._ref else {}
        return super().record(type_, **{"version": "2.1.332", "entrypoint": self.entrypoint, **ref, **fields})

    def sent_as(self, *messages: Message, new_process: bool = False, source: str = "") -> None:
        """The line of the request that the next answer belongs to."""
        hashes = [message_hash(m) for m in messages]
        for name, message in zip(hashes, messages, strict=True):
            if name not in self._blobs:
                self._blobs.add(name)
                self.line({"type": "api-request-blob", "hash": name, "message": message})
        keep = 0
        while not new_process and self._ref and keep < min(len(hashes), len(self._hashes)):
            if hashes[keep] != self._hashes[keep]:
                break
            keep += 1
        self._requests += 1
        ref = f"00000000-0000-4000-9000-{self._requests:012d}"
        base = {"base": self._ref} if self._ref and not new_process else {}
        source = source or ("repl_main_thread" if self.entrypoint == "cli" else "sdk")
        self.line(
            {
                "type": "api-request",
                "id": ref,
                "keep": keep,
                "tail": hashes[keep:],
                "querySource": source,
                **base,
            }
        )
        self._ref, self._hashes = ref, hashes

    def line(self, value: dict[str, Any]) -> None:
        self.raw(json.dumps(value).encode())

    def replaced(self, tool_use_id: str, words: str) -> None:
        """A line that stores a replacement."""
        entry = {"kind": "tool-result", "toolUseId": tool_use_id, "replacement": words}
        self.line({"type": "content-replacement", "replacements": [entry]})
