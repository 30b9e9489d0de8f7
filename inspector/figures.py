"""Figures in words: counts, sizes, ages, durations, the same on screens, in reports and in messages.

What comes out needs no gate: it is made here, of nothing that a session holds.
"""

from __future__ import annotations

UNKNOWN = "—"
"""Stands for a figure that is not known, or that there is none of."""


def number(n: int | None) -> str:
    """A figure in full: `241,004`, `−3`; `—` where it is not known."""
    return UNKNOWN if n is None else f"{n:,}".replace("-", "−")


def short_number(n: int | None) -> str:
    """A figure in three digits for axes and sums: `9,999`, `241 K`, `3.95 M`."""
    if n is None or abs(n) < 10_000:
        return number(n)
    sign = "−" if n < 0 else ""
    value = abs(n) / 1_000
    for unit in "KMG":
        digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
        if round(value, digits) < 1_000 or unit == "G":
            return f"{sign}{value:,.{digits}f} {unit}"
        value /= 1_000
    raise AssertionError("the last unit takes everything")


def estimate(n: int | None) -> str:
    """A figure that was estimated: `≈ 241,004`."""
    return UNKNOWN if n is None else f"≈ {number(n)}"


def percent(part: float, whole: float) -> str:
    """A share without decimals: `12 %`; `—` of nothing."""
    return UNKNOWN if whole == 0 else f"{round(100 * part / whole)} %".replace("-", "−")


def count_words(n: int, noun: str, nouns: str = "") -> str:
    """A counted noun: `1 request`, `3 requests`.

    Args:
        n: How many.
        noun: For one.
        nouns: For any other number, where it is not `noun` with an s.
    """
    return f"{number(n)} {noun if n == 1 else nouns or noun + 's'}"


def size_words(size: int | None) -> str:
    """A size in bytes: `96,004 bytes`, from 100,000 on `6.1 MB`, from 1,000 MB on `1.2 GB`.

    Args:
        size: Bytes; MB are millions of them.
    """
    if size is None:
        return UNKNOWN
    if abs(size) < 100_000:
        return count_words(size, "byte")
    unit, divisor = ("MB", 1e6) if abs(size) < 999_950_000 else ("GB", 1e9)
    return f"{size / divisor:,.1f} {unit}".replace("-", "−")


_AGES = ((60, 60, "min", "min"), (3_600, 3_600, "h", "h"), (86_400, 86_400, "day", "days"))
_LONG_AGES = (
    (60 * 86_400, 30.44 * 86_400, "month", "months"),
    (730 * 86_400, 365.25 * 86_400, "year", "years"),
)


def age_words(seconds: float | None) -> str:
    """How long ago: `now` (under a minute, and for clocks that differ), `38 min`, `2 h`, `1 day`.

    Args:
        seconds: Seconds since then.
    """
    if seconds is None:
        return UNKNOWN
    words = "now"
    for threshold, unit_s, one, many in _AGES + _LONG_AGES:
        if seconds >= threshold:
            count = int(seconds // unit_s)
            words = f"{count} {one if count == 1 else many}"
    return words


def duration_words(seconds: float | None) -> str:
    """How long: `120 ms`, `3.2 s`, `48 s`, `2 min 10 s`, `1 h 04 min`.

    Args:
        seconds: Seconds; a negative duration counts as none.
    """
    if seconds is None:
        return UNKNOWN
    seconds = max(0.0, seconds)
    if round(seconds * 1_000) < 1_000:
        return f"{round(seconds * 1_000)} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3_600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    return f"{number(minutes // 60)} h {minutes % 60:02d} min"
