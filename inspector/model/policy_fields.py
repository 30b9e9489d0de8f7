"""The fields of a policy as people see them: a label, a sentence, and values as words.

The command line, the policy files and the what-if panel change the same fields, so how a value is
written, read and stepped through stands here once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgspec

from inspector.errors import UsageError
from inspector.model.policy import Ageing, BudgetMode, Pairing, Policy, Preview, Stage, Unit

NONE = "none"
"""Word for a limit that is switched off."""
_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})
MAX_FIGURE = 10**12
"""Largest figure that a field takes; more is a typing mistake."""


class Field(msgspec.Struct, frozen=True):
    """One field of a policy."""

    path: str
    """Dotted name, such as `budget.turn_limit`."""
    label: str
    """A few words for tables; at most twenty cells."""
    about: str
    """One sentence: what it does."""
    kind: type
    """`bool`, `int`, `frozenset`, `tuple` (the order), `dict` (caps), or an enumeration."""
    start: int | None = None
    """Figure that an optional limit has when it is switched on; None: it cannot be switched off."""

    @property
    def optional(self) -> bool:
        """Whether it may be `none`."""
        return self.start is not None

    @property
    def choices(self) -> tuple[Any, ...]:
        """All values, in the order of stepping; empty for figures, names and caps."""
        if self.kind is bool:
            return (False, True)
        if self.kind is tuple:
            return _ORDERS
        return tuple(self.kind) if issubclass(self.kind, Enum) else ()


_P, _B, _M = Stage.PAIRING, Stage.BUDGET, Stage.MICROCOMPACT
_ORDERS = ((_P, _B, _M), (_B, _P, _M), (_M, _P, _B), (_P, _M, _B), (_B, _M, _P), (_M, _B, _P))

FIELDS: tuple[Field, ...] = (
    Field("unit", "length unit", "What every limit and size counts.", Unit),
    Field("order", "stage order", "Which stage sees what the one before it left.", tuple),
    Field("dispatch.enabled", "cap at the tool",
          "Cut a tool's output when it returns; a transcript holds what that left.", bool),
    Field("dispatch.default_cap", "  cap", "Cap of the tools that have none of their own.", int),
    Field("dispatch.caps", "  caps per tool", "Tool=cap, with commas between.", dict),
    Field("pairing.variant", "pairing", "How calls without result, and results without call, are repaired.",
          Pairing),
    Field("budget.mode", "budget", "Whether the budget reaches the wire; auto: by the session's records.",
          BudgetMode),
    Field("budget.result_limit", "  result limit", "A fresh result over this is replaced; none: no limit.",
          int, 20_000),
    Field("budget.turn_limit", "  group budget",
          "A group's results over this in all: the largest fresh ones are replaced.", int),
    Field("budget.ledger", "  ledger", "Decisions are kept: a replaced result keeps its preview.", bool),
    Field("budget.count_previews", "  previews count", "Previews count against the group budget.", bool),
    Field("budget.skip_tools", "  skipped tools", "Never replaced, and not counted while fresh.", frozenset),
    Field("budget.preview", "  preview", "What stays in place of a replaced result.", Preview),
    Field("budget.preview_head", "  preview, head", "Size of the beginning that a preview keeps.", int),
    Field("budget.preview_tail", "  preview, tail", "Size of the end that a preview keeps.", int),
    Field("budget.floor", "  smallest target", "The budget asks no less than this of one result.", int),
    Field("microcompact.variant", "ageing", "What shortens results that grow old.", Ageing),
    Field("microcompact.truncate_turns", "  truncate at age", "Answers after which a text is truncated.",
          int),
    Field("microcompact.summarize_turns", "  one line at age", "Answers after which a text becomes one line.",
          int),
    Field("microcompact.min_content", "  over", "Only texts of more than this age.", int),
    Field("microcompact.head", "  keeps, head", "Size of the beginning that truncating keeps.", int),
    Field("microcompact.tail", "  keeps, tail", "Size of the end that truncating keeps.", int),
    Field("microcompact.exempt_tools", "  exempt tools", "Tools whose results never age.", frozenset),
    Field("microcompact.exempt_errors", "  exempt errors", "Results that say an error never age.", bool),
    Field("microcompact.clear_after_gap_minutes", "  clear after min",
          "Minutes without a request after which old results are cleared; none: never.", int, 60),
    Field("microcompact.clear_keep", "  clearing keeps", "Newest results that such a clearing leaves.", int),
    Field("archive", "archive", "Keep the full texts of aged results under a key.", bool),
)  # fmt: skip
"""Every field of a policy but its name, in the order of the stages."""

_BY_PATH: Mapping[str, Field] = {field.path: field for field in FIELDS}


def field_of(path: str) -> Field:
    """The field of a dotted name.

    Raises:
        UsageError: There is none.
    """
    try:
        return _BY_PATH[path]
    except KeyError:
        raise UsageError(f"a policy has no field {path!r}") from None


def words_of(value: Any) -> str:
    """A value as words that `parse` takes back; figures have no separators.

    Args:
        value: Of any field.
    """
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, frozenset):
        return ", ".join(sorted(value))
    if isinstance(value, tuple):
        return " → ".join(stage.value for stage in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{tool}={cap}" for tool, cap in value.items())
    return str(value)


def told(value: Any) -> str:
    """A value for people to read: as `words_of`, but figures have separators, as all others have.

    Args:
        value: Of any field.
    """
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else words_of(value)


def parse(path: str, words: str) -> Any:
    """A field's value from words.

    Args:
        path: Dotted name.
        words: As `words_of` writes them; figures may have separators, an order may have commas.

    Raises:
        UsageError: There is no such field, or the words are no value for it.
    """
    field = field_of(path)
    words = words.strip()
    try:
        return _parsed(field, words)
    except (ValueError, KeyError):
        raise UsageError(f"{path}: {words!r} is no value for it; {_expected(field)}") from None


def _parsed(field: Field, words: str) -> Any:
    kind = field.kind
    if kind is bool:
        if words.lower() not in _TRUE | _FALSE:
            raise ValueError(words)
        return words.lower() in _TRUE
    if kind is int:
        if field.optional and words.lower() in {NONE, "off"}:
            return None
        return _figure(words)
    if kind is frozenset:
        return frozenset(w.strip() for w in words.split(",") if w.strip())
    if kind is tuple:
        order = tuple(Stage(w) for w in re.split(r"[\s,→>-]+", words) if w)
        if sorted(order) != sorted(Stage):
            raise ValueError(words)
        return order
    if kind is dict:
        pairs = (piece.rpartition("=") for piece in words.split(",") if piece.strip())
        return {_name(tool): _figure(cap) for tool, _, cap in pairs}
    return kind(words)


def _figure(words: str) -> int:
    digits = re.sub(r"[,_\s']", "", words)
    if not digits.isascii() or not digits.isdecimal() or int(digits) > MAX_FIGURE:
        raise ValueError(words)
    return int(digits)


def _name(words: str) -> str:
    if not words.strip():
        raise ValueError(words)
    return words.strip()


def _expected(field: Field) -> str:
    if field.kind is tuple:
        return f"name all of {', '.join(stage.value for stage in Stage)}"
    if field.choices:
        return f"there are: {', '.join(words_of(choice) for choice in field.choices)}"
    if field.kind is int:
        return "a figure from 0 on" + (f", or {NONE}" if field.optional else "")
    return "such as Read=80000, Bash=30000" if field.kind is dict else "names with commas between"


def checked(path: str, value: Any) -> Any:
    """A field's value from what a policy file holds.

    Args:
        path: Dotted name.
        value: A TOML value: text, figure, truth value, list, or a table of caps.

    Raises:
        UsageError: It is no value for that field.
    """
    field = field_of(path)
    if field.kind is bool and isinstance(value, bool):
        return value
    if field.kind is int and isinstance(value, int) and not isinstance(value, bool):
        return parse(path, str(value))
    if field.kind is dict and isinstance(value, Mapping):
        return parse(path, ", ".join(f"{tool}={cap}" for tool, cap in value.items()))
    listed = field.kind in (frozenset, tuple) and isinstance(value, list)
    if listed and all(isinstance(item, str) for item in value):
        return parse(path, ", ".join(value))
    if isinstance(value, str) and field.kind is not bool:
        return parse(path, value)
    raise UsageError(f"{path}: {value!r} is no value for it; {_expected(field)}")


def stepped(path: str, value: Any, direction: int) -> Any:
    """The next value, or the one before.

    Choices go round. Figures change in their leading digit (200,000 → 300,000), so that a few steps
    reach any size; an optional limit is switched off below its smallest.

    Args:
        path: Dotted name.
        value: The value now.
        direction: 1 or -1.

    Returns:
        The other value; the same one where there is nothing to step through.
    """
    field = field_of(path)
    choices = field.choices
    if choices:
        at = choices.index(value) if value in choices else 0
        return choices[(at + direction) % len(choices)]
    if field.kind is not int:
        return value
    if value is None:
        return field.start
    if direction > 0:
        return min(MAX_FIGURE, value + 10 ** (len(str(value)) - 1))
    if value <= 0:
        return None if field.optional else 0
    return value - 10 ** (len(str(value - 1)) - 1) if value > 1 else 0


class Change(msgspec.Struct, frozen=True):
    """One field in two policies."""

    field: Field
    a: Any
    b: Any

    @property
    def differs(self) -> bool:
        """Whether the two policies have it differently."""
        return bool(self.a != self.b)


def field_changes(a: Policy, b: Policy) -> list[Change]:
    """Every field with its value in two policies, in the order of `FIELDS`."""
    left, right = a.flat(), b.flat()
    return [Change(field, left[field.path], right[field.path]) for field in FIELDS]


def changed_fields(base: Policy, edited: Policy) -> list[str]:
    """Dotted names of the fields that differ; the name of a policy is none of its rules."""
    return [change.field.path for change in field_changes(base, edited) if change.differs]
