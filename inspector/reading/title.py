"""A few words that tell a session apart in a list, from a bounded head and tail of its file.

Title records are appended again and again, so the newest stands near the end; the first prompt
stands near the beginning. Two blocks are enough for both, whatever the size of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.errors import UnreadableError
from inspector.reading import json_spans
from inspector.reading.files import read_head, read_tail

HEAD_BYTES = 1 << 16
TAIL_BYTES = 1 << 16
MAX_TITLE_CHARS = 120
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
"""Record type → key, the better title first."""
_NOT_A_PROMPT = ("<", "Caveat:", "[Request interrupted", "# AGENTS.md", "This session is being continued")
"""How texts begin that stand as user messages but were typed by nobody."""


def read_title(path: Path) -> str:
    """A title of a session file; untrusted text, white space collapsed.

    A title that the user or the client gave, else the first prompt.

    Args:
        path: The session file.

    Returns:
        An empty text where there is nothing to show or the file cannot be read.
    """
    try:
        head = read_head(path, HEAD_BYTES)
        tail = b"" if head.whole else read_tail(path, TAIL_BYTES)
    except UnreadableError:
        return ""
    records = [*_records(head.data), *_records(tail)]
    if not any("type" in record or "payload" in record for record in records):
        return _of_document(head.data)
    for kind, key in _TITLES.items():
        stated = [r.get(key) or r.get("title") for r in records if r.get("type") == kind]
        if title := next((_short(text) for text in reversed(stated) if isinstance(text, str)), ""):
            return title
    return next((title for record in records if (title := _prompt(record))), "")


def _records(data: bytes) -> Iterator[dict[str, Any]]:
    """The whole objects among the lines of a block; the first and last may be cut and are passed over."""
    for line in data.split(b"\n"):
        if line.lstrip()[:1] != b"{":
            continue
        try:
            record = json.loads(line.decode("utf-8", "replace"), strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _prompt(record: dict[str, Any]) -> str:
    """The text that a person typed, where a record is a prompt."""
    if record.get("type") == "response_item":
        message = record.get("payload")
    elif record.get("type") == "user" and not record.get("isMeta") and not record.get("isCompactSummary"):
        message = record.get("message")
    else:
        message = None
    return _typed(message) if isinstance(message, dict) and message.get("role") == "user" else ""


def _typed(message: dict[str, Any]) -> str:
    content = message.get("content")
    texts: list[Any] = [content]
    if isinstance(content, list):
        texts = [block.get("text") for block in content if isinstance(block, dict)]
    for text in texts:
        if isinstance(text, str) and (short := _short(text)) and not short.startswith(_NOT_A_PROMPT):
            return short
    return ""


def _of_document(data: bytes) -> str:
    """The title of a JSON document, or its first user message, as far as the head shows them."""
    at = json_spans.skip_space(data, 3 if data.startswith(b"\xef\xbb\xbf") else 0)
    lists: list[int] = []
    if data[at : at + 1] == b"{":
        for member in json_spans.members(data, at):
            if member.key.lower() == b"title" and (title := _value(data, member)):
                return _short(title) if isinstance(title, str) else ""
            if data[member.start : member.start + 1] == b"[":
                lists.append(member.start)
    elif data[at : at + 1] == b"[":
        lists.append(at)
    for start in lists:
        for item in json_spans.items(data, start):
            message = _value(data, item)
            if isinstance(message, dict) and message.get("role") == "user" and (text := _typed(message)):
                return text
    return ""


def _value(data: bytes, span: json_spans.Value) -> Any:
    if not span.complete:
        return None
    try:
        return json.loads(data[span.start : span.end].decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


def _short(text: str) -> str:
    flat = " ".join(text[: 8 * MAX_TITLE_CHARS].split())
    return flat if len(flat) <= MAX_TITLE_CHARS else f"{flat[: MAX_TITLE_CHARS - 1]}…"
