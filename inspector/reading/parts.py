"""The parts of a decoded message: one for each block, each with its one text.

Message lists, ChatCLI sessions and Codex rollouts say the same things with other keys. Each adapter
turns a message into parts; a part gives the `Block` that is kept and the text that is not. The text
of a block that is shown later comes from the same function, so the two cannot fall out of step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from inspector.model.transcript import Block, BlockKind, Candidate
from inspector.reading.claude_blocks import argument_of, overflow_name_of
from inspector.reading.cleared import is_cleared
from inspector.reading.images import image_size
from inspector.reading.lenient import decode_json
from inspector.reading.persisted import TAG, parse_persisted
from inspector.reading.shape import measure

TEXTS = frozenset({"text", "input_text", "output_text"})
"""Kinds of content parts that are texts."""


class Part(msgspec.Struct, frozen=True):
    """One block of a message with its text."""

    kind: BlockKind
    text: str = ""
    """Tool use: the input as JSON. Tool result: its texts one after another."""
    id: str = ""
    name: str = ""
    argument: str = ""
    is_error: bool | None = None
    images: tuple[tuple[int, int], ...] = ()
    image_chars: int = 0
    overflow_name: str = ""
    """Tool use: the overflow file that its input names."""
    is_list: bool = False
    """Tool result: its content is a list."""
    is_mixed: bool = False
    """Tool result: the list holds something that is no text."""


def block_of(part: Part) -> Block:
    """What is kept of a part."""
    found = measure(part.text)
    shaped = part.kind in {BlockKind.TEXT, BlockKind.TOOL_RESULT}
    candidate, persisted = Candidate.YES, None
    if part.kind is BlockKind.TOOL_RESULT:
        if part.images:
            candidate = Candidate.IMAGE
        elif not part.text:
            candidate = Candidate.NO_CONTENT
        elif part.text.startswith(TAG):
            candidate, persisted = Candidate.PERSISTED, parse_persisted(part.text)
    return Block(
        part.kind,
        found.size,
        part.id,
        part.name,
        part.argument,
        part.is_error,
        candidate,
        persisted,
        found.shape if shaped else None,
        part.images,
        part.image_chars,
        found.base64_chars,
        found.lone_surrogates,
        found.controls,
        part.overflow_name,
        part.is_list,
        part.kind is BlockKind.TOOL_RESULT and not part.images and is_cleared(part.text),
        part.is_mixed,
    )


def tool_use(identity: object, name: object, value: object) -> Part:
    """A call whose input is a JSON value.

    Args:
        identity: Its id, of any type.
        name: The tool's name, of any type.
        value: The input as decoded.
    """
    return Part(
        BlockKind.TOOL_USE,
        json_text(value),
        word(identity),
        word(name),
        argument_of(value),
        overflow_name=overflow_name_of(value),
    )


def tool_use_of_text(identity: object, name: object, arguments: object) -> Part:
    """A call whose input is a text, which in most cases is JSON (OpenAI, Codex).

    Args:
        identity: Its id, of any type.
        name: The tool's name, of any type.
        arguments: The text; a value that is no text counts as the input itself.
    """
    if not isinstance(arguments, str):
        return tool_use(identity, name, arguments)
    value = decode_json(arguments.encode("utf-8", "surrogatepass")).value if arguments[:1] == "{" else None
    argument = argument_of(value if isinstance(value, dict) else {"input": arguments})
    return Part(
        BlockKind.TOOL_USE,
        arguments,
        word(identity),
        word(name),
        argument,
        overflow_name=overflow_name_of(value if isinstance(value, dict) else {"input": arguments}),
    )


def tool_result(identity: object, content: object, is_error: object = None) -> Part:
    """A result whose content is a text, a list of parts, or anything else.

    Args:
        identity: Id of the call that it answers.
        content: As decoded. What is neither text nor list counts as its JSON.
        is_error: The key as it stands; anything but a truth value counts as absent.
    """
    images: tuple[tuple[int, int], ...] = ()
    image_chars = 0
    is_mixed = False
    if isinstance(content, list):
        texts = texts_of(content)
        text, is_mixed = "".join(texts), len(texts) < len(content)
        pictures = [size for entry in content if (size := picture_of(entry)) is not None]
        images = tuple(size for size, _ in pictures)
        image_chars = sum(chars for _, chars in pictures)
    else:
        text = content if isinstance(content, str) else "" if content is None else json_text(content)
    flag = is_error if isinstance(is_error, bool) else None
    return Part(
        BlockKind.TOOL_RESULT,
        text,
        word(identity),
        is_error=flag,
        images=images,
        image_chars=image_chars,
        is_list=isinstance(content, list),
        is_mixed=is_mixed,
    )


def texts_of(content: Iterable[object]) -> list[str]:
    """The texts of a list of content parts, in order; other parts have none, whatever they are called."""
    return [text for entry in content if (text := text_of_entry(entry)) is not None]


def text_of_entry(entry: object) -> str | None:
    """The text of a content part that is one; None for any other part.

    Args:
        entry: One content part, Anthropic's or OpenAI's; a bare text is one too.
    """
    if isinstance(entry, dict):
        entry = entry.get("text") if word(entry.get("type")) in TEXTS else None
    return entry if isinstance(entry, str) else None


def picture_of(entry: object) -> tuple[tuple[int, int], int] | None:
    """Size in px and base64 characters of a picture part; None for any other part.

    Args:
        entry: One content part, Anthropic's (`source`) or OpenAI's (`image_url`).
    """
    if not isinstance(entry, dict):
        return None
    kind = word(entry.get("type"))
    if kind == "image":
        source: Any = entry.get("source")
        data = source.get("data") if isinstance(source, dict) else entry.get("data")
    elif kind in {"image_url", "input_image"}:
        stated: Any = entry.get("image_url")
        url = stated.get("url") if isinstance(stated, dict) else stated
        data = url.partition(";base64,")[2] if isinstance(url, str) else ""
    else:
        return None
    text = data if isinstance(data, str) else ""
    return image_size(text.encode("ascii", "replace")), len(text)


def picture(entry: object) -> Part:
    """A picture that stands in a message itself."""
    found = picture_of(entry)
    size, chars = found if found is not None else ((0, 0), 0)
    return Part(BlockKind.IMAGE, images=(size,), image_chars=chars)


def json_text(value: object) -> str:
    """A value as compact JSON, the way the clients' own writers put it.

    Args:
        value: As decoded.

    Returns:
        An empty text where the value is nested too deeply to be written.
    """
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return ""


def word(value: object) -> str:
    """An id or a name: a text as it stands, a number as digits, anything else as nothing."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""
