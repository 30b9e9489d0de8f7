"""What was found and what was wanted, brought into one form so that the two can be compared and shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def sets(pairing: Any) -> dict[str, list[str]]:
    """Lists of ids by kind, without order and repetition."""
    return {key: sorted(set(value)) for key, value in pairing.items()}


def asked_sets(found: Any, wanted: Any) -> Pair:
    """Lists of ids by kind, as far as they are wanted."""
    return sets({key: found.get(key, ()) for key in wanted}), sets(wanted)


def named_by(*kinds: str) -> Checker:
    """A list of ids that findings of some kinds name."""
    return lambda case, wanted: ids(named(case.plain, *kinds), wanted)
