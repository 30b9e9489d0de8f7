"""The words of the filter language: cut out of a line with their places, quoted and unquoted again.

Kept apart from what the words mean, so that the parser, the printer and the completion share one
idea of where a word begins and which characters need quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from inspector.errors import UsageError

OPERATORS = (">=", "<=", ":", ">", "<", "=")
"""Between a field and its value, longest first."""
_PLAIN = re.compile(r"[^\s\",:<>=\\]+")
"""A value that needs no quotes."""
_FIELD = re.compile(r"[A-Za-z_]+")


class FilterError(UsageError):
    """A filter that cannot be understood, and where."""

    def __init__(self, column: int, reason: str, possible: tuple[str, ...] = ()) -> None:
        """Args:
        column: Where, from 1.
        reason: What is wrong, as a sentence without its full stop.
        possible: What could stand there.
        """
        words = f"; possible: {', '.join(possible)}" if possible else ""
        super().__init__(f"filter, column {column}: {reason}{words}")
        self.column = column
        self.reason = reason
        self.possible = possible


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a word."""

    text: str
    """Without its quotes."""
    column: int
    """Where it begins, from 1."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word: `-field:value,value`, or values alone."""

    column: int
    """Where it begins, from 1."""
    negated: bool
    field: str
    """Empty: the values stand alone."""
    operator: str
    values: tuple[Value, ...]
    end: int
    """One past its last character, from 0."""


def quoted(value: str) -> str:
    """A value as it is typed: in quotes where it would be read otherwise.

    Args:
        value: Any text.
    """
    if _PLAIN.fullmatch(value) and not value.startswith("-"):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def words_of(text: str) -> list[Word]:
    """Cut a line into words.

    Args:
        text: What was typed.

    Raises:
        FilterError: A quote is not closed, a value is missing, or two words touch.
    """
    out: list[Word] = []
    at = _skip_blanks(text, 0)
    while at < len(text):
        word = _word(text, at)
        out.append(word)
        at = _skip_blanks(text, word.end)
        if at == word.end and at < len(text):
            raise FilterError(at + 1, f"a blank is missing before {text[at]!r}")
    return out


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _word(text: str, start: int) -> Word:
    at = start
    negated = text[at] == "-"
    at += negated
    field = operator = ""
    named = _FIELD.match(text, at)
    if named is not None:
        operator = next((o for o in OPERATORS if text.startswith(o, named.end())), "")
        if operator:
            field, at = named[0], named.end() + len(operator)
    values: list[Value] = []
    while True:
        value, at = _value(text, at)
        values.append(value)
        if at >= len(text) or text[at] != ",":
            return Word(start + 1, negated, field, operator, tuple(values), at)
        at += 1


def _value(text: str, start: int) -> tuple[Value, int]:
    if text[start : start + 1] == '"':
        return _quoted_value(text, start)
    plain = _PLAIN.match(text, start)
    if plain is None:
        found = f"a value is missing before {text[start]!r}" if start < len(text) else "a value is missing"
        raise FilterError(start + 1, found)
    return Value(plain[0], start + 1), plain.end()


def _quoted_value(text: str, start: int) -> tuple[Value, int]:
    out: list[str] = []
    at = start + 1
    while at < len(text):
        character = text[at]
        if character == '"':
            return Value("".join(out), start + 1), at + 1
        if character == "\\":
            at += 1
            if at >= len(text):
                break
            character = text[at]
        out.append(character)
        at += 1
    raise FilterError(start + 1, 'this " is not closed')
