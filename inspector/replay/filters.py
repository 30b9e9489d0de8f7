"""The filter language: `tool:Bash size>20000 state:replaced -finding:orphan text:"panic"`.

All words of a filter must hold; values with commas between are alternatives; a `-` in front turns a
word round. A filter prints itself in a form that parses back to the same filter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from inspector.model.findings import KINDS
from inspector.model.ledger import Level, State
from inspector.replay.filter_words import OPERATORS, FilterError, Word, quoted, words_of
from inspector.replay.view import Repair, ResultRow

__all__ = ["Facts", "Filter", "FilterError", "Term", "complete", "parse_filter"]

_NUMBER = re.compile(r"(\d[\d_]*)([kKmM]?)")
_THOUSANDS = {"": 1, "k": 1_000, "m": 1_000_000}
_LARGEST_DIGITS = 15
"""A longer figure is no size, request or turn of anything."""


class Is(StrEnum):
    """What `is:` asks."""

    ERROR = "error"
    COUNTED = "counted"
    NOW = "now"
    REPAIRED = "repaired"
    DIFFERS = "differs"
    ESTIMATED = "estimated"


NUMBERS = {
    "size": "chars of the transcript's text",
    "wire": "chars on the wire",
    "turn": "turn",
    "age": "answers of the model since",
    "request": "first request that knows it",
}
"""Fields that hold a figure, and what it is."""
CHOICES: Mapping[str, tuple[str, ...]] = {
    "state": tuple(state.value.replace(" ", "-") for state in State),
    "level": tuple(level.value for level in Level),
    "pairing": tuple(repair.value for repair in Repair),
    "is": tuple(what.value for what in Is),
}
"""Fields with a fixed set of values."""
"""Fields that hold words: a tool's name, a part of a finding's kind, of an id, of the result's text."""
FIELDS = ("tool", "size", "state", "level", "turn", "finding", "text", "is", "age", "request", "id", "wire",
          "pairing")  # fmt: skip
"""All fields, in the order in which they are offered."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a filter may ask of one result."""

    row: ResultRow
    """As of the request shown."""
    findings: Collection[str] = ()
    """Kinds of the findings that name it."""
    text: Callable[[], str] = str
    """Reads its text; called only where a `text:` word is left to decide."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of figures, both ends in it; None: open."""

    low: int | None
    high: int | None

    def __contains__(self, figure: object) -> bool:
        return (
            isinstance(figure, int)
            and (self.low is None or figure >= self.low)
            and (self.high is None or figure <= self.high)
        )

    def __str__(self) -> str:
        if self.low is not None and self.low == self.high:
            return str(self.low)
        return f"{'' if self.low is None else self.low}-{'' if self.high is None else self.high}"


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a filter."""

    field: str
    """A word of `FIELDS`; empty: the values are looked for in tool, argument and id."""
    values: tuple[str | Span, ...]
    """Alternatives."""
    negated: bool = False

    def __str__(self) -> str:
        sign = "-" if self.negated else ""
        joined = ",".join(str(v) if isinstance(v, Span) else quoted(v) for v in self.values)
        return f"{sign}{self.field}:{joined}" if self.field else f"{sign}{joined}"

    def holds(self, facts: Facts) -> bool:
        """Whether a result has what the word asks for."""
        return any(_has(self.field, value, facts) for value in self.values) is not self.negated


@dataclass(frozen=True, slots=True)
class Filter:
    """Words that must all hold; none: everything does."""

    terms: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(str, self.terms))

    def __bool__(self) -> bool:
        return bool(self.terms)

    @property
    def without_texts(self) -> Filter:
        """What can be told without reading."""
        return Filter(tuple(term for term in self.terms if term.field != "text"))

    def only(self, fields: Collection[str]) -> Filter:
        """The words of some fields."""
        return Filter(tuple(term for term in self.terms if term.field in fields))

    def leaving_out(self, fields: Collection[str]) -> Filter:
        """The words of all other fields."""
        return Filter(tuple(term for term in self.terms if term.field not in fields))

    def matches(self, facts: Facts) -> bool:
        """Whether a result passes; its text is read last, and only if that decides."""
        return all(term.holds(facts) for term in sorted(self.terms, key=lambda term: term.field == "text"))


def _has(field: str, value: str | Span, facts: Facts) -> bool:
    row = facts.row
    if isinstance(value, Span):
        figures = {"size": row.chars, "wire": row.wire_chars, "turn": row.turn, "age": row.age,
                   "request": row.request}  # fmt: skip
        return figures[field] in value
    match field:
        case "tool":
            return row.tool.casefold() == value.casefold()
        case "state":
            # A replaced result is re-applied in every later request; it stays a replaced one.
            same = row.state is State.MUST_REAPPLY and value == State.REPLACED
            return same or row.state.value.replace(" ", "-") == value
        case "level":
            return row.level.value == value
        case "pairing":
            return row.pairing.value == value
        case "is":
            return _is(Is(value), row)
        case "finding":
            return any(value.casefold() in kind for kind in facts.findings)
        case "id":
            return value in row.id
        case "text":
            return value.casefold() in facts.text().casefold()
    return any(value.casefold() in word.casefold() for word in (row.tool, row.argument, row.id))


def _is(what: Is, row: ResultRow) -> bool:
    match what:
        case Is.ERROR:
            return bool(row.is_error)
        case Is.COUNTED:
            return row.counted
        case Is.NOW:
            return row.decided_now
        case Is.REPAIRED:
            return row.pairing not in (Repair.OK, Repair.PENDING)
        case Is.DIFFERS:
            return row.recorded == "differs"
        case Is.ESTIMATED:
            return row.estimated


def parse_filter(text: str) -> Filter:
    """Read a filter.

    Args:
        text: What was typed.

    Raises:
        FilterError: It cannot be understood; the error says where, and what is possible there.
    """
    return Filter(tuple(_term(word) for word in words_of(text)))


def _term(word: Word) -> Term:
    if not word.field:
        return Term("", tuple(value.text for value in word.values), word.negated)
    at = word.column + word.negated
    field = word.field.lower()
    if field not in FIELDS:
        raise FilterError(at, f"there is no field {word.field!r}", FIELDS)
    if field in NUMBERS:
        spans = tuple(_span(word.operator, v.text, v.column) for v in word.values)
        return Term(field, spans, word.negated)
    if word.operator not in {":", "="}:
        raise FilterError(at + len(field), f"{field} takes no {word.operator!r}", (":",))
    if field in CHOICES:
        for value in word.values:
            if value.text.lower() not in CHOICES[field]:
                raise FilterError(value.column, f"{field} is never {value.text!r}", CHOICES[field])
        return Term(field, tuple(value.text.lower() for value in word.values), word.negated)
    for value in word.values:
        if not value.text:
            raise FilterError(value.column, f"{field} needs a word")
    if field == "finding":
        for value in word.values:
            if not any(value.text.casefold() in kind for kind in KINDS):
                raise FilterError(value.column, f"no kind of finding has {value.text!r} in its name")
    return Term(field, tuple(value.text for value in word.values), word.negated)


def _span(operator: str, text: str, column: int) -> Span:
    if operator in {":", "="} and "-" in text:
        low, _, high = text.partition("-")
        if not low and not high:
            raise FilterError(column, "a range needs a figure")
        ends = _figure(low, column) if low else None, None
        last = _figure(high, column + len(low) + 1) if high else None
        if ends[0] is not None and last is not None and ends[0] > last:
            raise FilterError(column, f"the range {text} is empty")
        return Span(ends[0], last)
    figure = _figure(text, column)
    if operator == "<" and not figure:
        raise FilterError(column, "nothing is less than 0")
    return {
        ":": Span(figure, figure),
        "=": Span(figure, figure),
        ">": Span(figure + 1, None),
        ">=": Span(figure, None),
        "<": Span(None, figure - 1),
        "<=": Span(None, figure),
    }[operator]


def _figure(text: str, column: int) -> int:
    found = _NUMBER.fullmatch(text) if text.isascii() else None
    digits = found[1].replace("_", "") if found else ""
    if found is None or len(digits) > _LARGEST_DIGITS:
        raise FilterError(column, f"{text!r} is no figure", ("20000", "20_000", "20k", "3-9", "3-"))
    return int(digits) * _THOUSANDS[found[2].lower()]


# -- completion -------------------------------------------------------------------------------


def complete(text: str, *, tools: Sequence[str] = (), kinds: Sequence[str] = ()) -> list[str]:
    """What the last word of a filter could become.

    Args:
        text: What was typed so far.
        tools: Names of tools that occur.
        kinds: Kinds of findings that occur; none given offers all there are.

    Returns:
        Whole filters that begin with `text`, the likeliest first; empty where nothing fits.
    """
    start = len(text)
    while start and not text[start - 1].isspace():
        start -= 1
    head, word = text[:start], text[start:]
    if head.count('"') % 2:  # a blank inside quotes ends no word
        return []
    sign = "-" if word.startswith("-") else ""
    word = word[len(sign) :]
    operator = next((o for o in OPERATORS if o in word), "")
    if not operator:
        return [
            f"{head}{sign}{f}{':' if f not in NUMBERS else ''}" for f in FIELDS if word and f.startswith(word)
        ]
    field, _, values = word.partition(operator)
    done, comma, last = values.rpartition(",")
    known: Sequence[str] = CHOICES.get(field, ())
    if field == "tool":
        known = [quoted(tool) for tool in tools]
    elif field == "finding":
        known = kinds or tuple(KINDS)
    lead = f"{head}{sign}{field}{operator}{done}{comma}"
    return [lead + v for v in known if v.casefold().startswith(last.casefold()) and v != last]
