"""What a session used in all, as its usage says: exact, each answer counted once by its last record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from inspector.replay.requests import Request


class UsageTotals(msgspec.Struct, frozen=True):
    """Sums in tokens over all answers that say what they used."""

    answers: int = 0
    """Answers with usage."""
    input: int = 0
    """Input that was neither read from the cache nor written to it."""
    cache_read: int = 0
    cache_creation: int = 0
    """Input that was written to the cache."""
    output: int = 0


def usage_totals(requests: Iterable[Request]) -> UsageTotals:
    """Add up the usage of requests.

    Args:
        requests: Of one conversation or of several.
    """
    found = [request.usage for request in requests if request.usage is not None]
    return UsageTotals(
        answers=len(found),
        input=sum(u.input for u in found),
        cache_read=sum(u.cache_read for u in found),
        cache_creation=sum(u.cache_creation for u in found),
        output=sum(u.output for u in found),
    )
