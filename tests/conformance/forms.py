"""What was found and what was wanted, brought into one form so that the two can be compared and shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.conformance.case import Case, named

Pair = tuple[Any, Any]
"""What was found, and what was wanted. Checkers return both sides instead of asserting, so that a
case reports all its fields at once."""

Checker = Callable[[Case, Any], Pair]


def ids(found: Any, wanted: Any) -> Pair:
    """Both sides as sets of ids."""
    return sorted(set(found)), sorted(set(wanted))


def only(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> Pair:
    """The keys that are wanted; one that was not found shows as such."""
    return {key: found.get(key, "(not reported)") for key in wanted}, dict(wanted)


def each_only(found: Sequence[Mapping[str, Any]], wanted: Sequence[Mapping[str, Any]]) -> Pair:
    """Entries one after the other, each with the keys that are wanted of it; those nobody wants, whole."""
    asked = [{key: value for key, value in each.items() if key != "note"} for each in wanted]
    sides = [only(one, want)[0] for one, want in zip(found, asked, strict=False)]
    return [*sides, *found[len(asked) :]], asked


def ordered(value: Any) -> Any:
    """Lists within lists, each in one order, where the order says nothing."""
    return sorted(map(ordered, value), key=repr) if isinstance(value, list) else value


def sets(pairing: Any) -> dict[str, list[str]]:
    """Lists of ids by kind, without order and repetition."""
    return {key: sorted(set(value)) for key, value in pairing.items()}


def asked_sets(found: Any, wanted: Any) -> Pair:
    """Lists of ids by kind, as far as they are wanted."""
    return sets({key: found.get(key, ()) for key in wanted}), sets(wanted)


def named_by(*kinds: str) -> Checker:
    """A list of ids that findings of some kinds name."""
    return lambda case, wanted: ids(named(case.plain, *kinds), wanted)
