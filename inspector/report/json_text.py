"""JSON that is safe to print: characters that a terminal or an editor would act on are escaped."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

_ACTIVE = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""DEL, C1, bidi, zero width, line separators, tags, lone surrogates. C0 is escaped by JSON itself."""


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """A value as JSON text that holds no active character.

    Args:
        value: Plain data.
        indent: Blanks per level; None: one line.
    """
    if indent not in (2, None):
        return escaped(_slowly(value, indent))
    try:
        text = orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else None).decode()
    except orjson.JSONEncodeError:  # half a character, or a number of more than 64 bits
        text = _slowly(value, indent)
    return escaped(text)


def _slowly(value: Any, indent: int | None) -> str:
    """What the fast way refuses, by the one that takes everything."""
    separators = None if indent else (",", ":")
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False)
    except ValueError:
        # A session may hold NaN or Infinity, which JSON cannot say: null, as in JavaScript.
        value = json.loads(json.dumps(value), parse_constant=lambda _: None)
        return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)


def escaped(text: str) -> str:
    """JSON text with its active characters escaped; it stands for the same value.

    Args:
        text: JSON as `json.dumps` makes it.
    """
    return text if text.isascii() and "\x7f" not in text else _ACTIVE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"
