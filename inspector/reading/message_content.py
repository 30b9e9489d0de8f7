"""The content of a listed message or a Codex item in Anthropic's form: item *n* is block *n* of its record.

What is in that form already is given as it stands, with whatever else its blocks carry; the rest is
made from the parts that the record was made from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.model.transcript import Block, BlockKind
from inspector.reading.codex import codex_texts, item_in
from inspector.reading.codex_items import OUTPUTS, output_of, parts_of_item
from inspector.reading.lenient import decode_json
from inspector.reading.made_block import block_made
from inspector.reading.messages import parts_of, thoughts_of
from inspector.reading.parts import TEXTS, Part, word

_LINKED_PICTURES = frozenset({"image_url", "input_image"})
_OTHER_WORDS = frozenset({"input_text", "output_text", "refusal"})
"""Items of other APIs whose parts say all that they hold."""


def content_of(data: bytes, blocks: Sequence[Block]) -> list[Any]:
    """The content of a message of a list.

    Args:
        data: The bytes of the message, Anthropic's or OpenAI's.
        blocks: Those of its record.
    """
    message = decode_json(data).value
    if not isinstance(message, dict):
        return []
    content = message.get("content")
    if word(message.get("role")) in {"tool", "function"}:
        stands: list[object] = [{"type": "tool_result", "content": content}]
    else:
        stands = [*thoughts_of(message), *(content if isinstance(content, list) else ())]
    return _blocks(blocks, parts_of(message), stands)


def codex_content_of(data: bytes, blocks: Sequence[Block]) -> list[Any]:
    """The content of a Codex item.

    Args:
        data: The bytes of its record.
        blocks: Those of its record.
    """
    item = item_in(data)
    kind, parts = word(item.get("type")), parts_of_item(item)
    if parts is None:  # a compaction that has only the text of its summary
        return [block_made(block, text) for block, text in zip(blocks, codex_texts(data), strict=False)]
    stands: Sequence[object] = ()
    if kind in OUTPUTS:
        stands = [{"type": "tool_result", "content": output_of(item)[0]}]
    elif kind == "message" and isinstance(content := item.get("content"), list):
        pairs = zip(parts, content, strict=True)
        stands = [None if part.kind is BlockKind.TEXT else entry for part, entry in pairs]
    elif parts and parts[0].kind is BlockKind.OTHER:
        stands = [item]
    return _blocks(blocks, parts, stands)


def _blocks(blocks: Sequence[Block], parts: Sequence[Part], stands: Sequence[object]) -> list[Any]:
    """Blocks beside what stands for each in the message."""
    return [
        _block(block, part.text, stands[at] if at < len(stands) else None)
        for at, (block, part) in enumerate(zip(blocks, parts, strict=False))
    ]


def _block(block: Block, text: str, item: object) -> Any:
    """A block as it stands in the message, or made from its record."""
    kind = word(item.get("type")) if isinstance(item, dict) else ""
    if not isinstance(item, dict) or not kind or kind in _OTHER_WORDS:
        return block_made(block, text)
    if kind in _LINKED_PICTURES:
        return _picture(item)
    inner = item.get("content")
    if kind != "tool_result":
        return item
    whole = item if "tool_use_id" in item else block_made(block, text)
    if isinstance(inner, list):
        return {**whole, "content": [_inner(entry) for entry in inner]}
    return whole if inner is None or isinstance(inner, str) else {**whole, "content": text}


def _inner(entry: object) -> object:
    """An item of a result's content."""
    if not isinstance(entry, dict):
        return entry
    kind = word(entry.get("type"))
    if kind in _LINKED_PICTURES:
        return _picture(entry)
    if kind in TEXTS and isinstance(entry.get("text"), str):
        return {"type": "text", "text": entry["text"]}
    return entry


def _picture(item: Mapping[str, Any]) -> dict[str, Any]:
    """A picture that OpenAI's APIs name by its address, which may hold the picture itself."""
    stated = item.get("image_url")
    url = stated.get("url") if isinstance(stated, dict) else stated
    if not isinstance(url, str):
        return {"type": "image"}
    head, mark, data = url.partition(";base64,")
    if not (mark and head.startswith("data:")):
        return {"type": "image", "source": {"type": "url", "url": url}}
    return {"type": "image", "source": {"type": "base64", "media_type": head[len("data:") :], "data": data}}
