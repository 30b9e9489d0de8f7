"""Numbers and durations as Go's standard library reads them: stricter than Python's `int` (§10)."""

from __future__ import annotations

import re
from fractions import Fraction

INT_MAX = (1 << 63) - 1

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_STEP = re.compile(r"([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_SECONDS = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "µs": Fraction(1, 10**6),
    "μs": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "m": Fraction(60),
    "h": Fraction(3600),
}


def atoi(text: str) -> int | None:
    """An integer as `strconv.Atoi` reads it.

    Args:
        text: A sign and ASCII digits; no spaces, underscores, prefixes or other digits.

    Returns:
        The number, or None where it is none or does not fit into 64 bits.
    """
    if not _INTEGER.fullmatch(text):
        return None
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > 19:
        return None
    number = int(digits or "0") * (-1 if text.startswith("-") else 1)
    return number if -INT_MAX - 1 <= number <= INT_MAX else None


def parse_duration_s(text: str) -> float | None:
    """A duration as `time.ParseDuration` reads it, in seconds.

    Args:
        text: Such as `168h`, `1h30m`, `1.5s`, `0`.

    Returns:
        Seconds, or None where it is none or longer than 64 bits of nanoseconds (292 years).
    """
    sign = -1 if text.startswith("-") else 1
    rest = text[1:] if text.startswith(("+", "-")) else text
    if rest == "0":
        return 0.0
    total = Fraction(0)
    at = 0
    while at < len(rest):
        step = _STEP.match(rest, at)
        if step is None or len(step[1]) > 19 or not (step[1] or step[2]):
            return None
        number = Fraction(int(step[1] or "0")) + _fraction(step[2] or "")
        total += number * _SECONDS[step[3]]
        at = step.end()
    if not rest or total * 10**9 > INT_MAX:
        return None
    return float(total * sign)


def _fraction(digits: str) -> Fraction:
    """Digits after the point; those past a nanosecond of a year do not matter."""
    digits = digits[:30]
    return Fraction(int(digits), 10 ** len(digits)) if digits else Fraction(0)
