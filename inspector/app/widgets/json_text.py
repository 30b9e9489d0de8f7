"""JSON laid out for reading without being rewritten: every token stays as it stands in the text.

Parsing and dumping again would hide what a debugger must show: keys given twice, the digits of a
number, how a string was escaped. So the text is checked once and then only its blanks change.
"""

from __future__ import annotations

import json
import re

JSON_CHARS_MAX = 2_000_000
"""Longer texts are not laid out: it would take over a second."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_INDENT = "  "
_DEPTH_MAX = 200
"""Deeper levels are not indented further."""


def json_problem(text: str) -> str:
    """Why a text cannot be laid out as JSON; empty when it can.

    Args:
        text: Anything.
    """
    if len(text) > JSON_CHARS_MAX:
        return f"longer than {JSON_CHARS_MAX:,} chars"
    if text.lstrip()[:1] not in set('{["'):
        return "the text does not begin like JSON"
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    except (ValueError, RecursionError) as error:
        return str(error)
    return ""


def lay_out_json(text: str) -> str:
    """The same JSON with a line for each entry.

    Args:
        text: A text for which `json_problem` found nothing.
    """
    out: list[str] = []
    depth = 0
    last = ""
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if piece in {"}", "]"}:
            depth -= 1
            if last not in {"{", "["}:
                out.append(_line_start(depth))
            out.append(piece)
        else:
            if last in {"{", "[", ","}:
                out.append(_line_start(depth))
            out.append(": " if piece == ":" else piece)
            if piece in {"{", "["}:
                depth += 1
        last = piece
    return "".join(out)


def _line_start(depth: int) -> str:
    return "\n" + _INDENT * min(depth, _DEPTH_MAX)
