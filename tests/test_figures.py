from __future__ import annotations

import pytest

from inspector import figures


@pytest.mark.parametrize(
    ("n", "full", "short"),
    [
        (0, "0", "0"),
        (9_999, "9,999", "9,999"),
        (10_000, "10,000", "10.0 K"),
        (241_004, "241,004", "241 K"),
        (999_499, "999,499", "999 K"),
        (999_999, "999,999", "1.00 M"),
        (3_950_000, "3,950,000", "3.95 M"),
        (-241_004, "−241,004", "−241 K"),
        (2_500_000_000_000, "2,500,000,000,000", "2,500 G"),
        (None, "—", "—"),
    ],
)
def test_numbers_in_full_and_short(n: int | None, full: str, short: str) -> None:
    assert figures.number(n) == full
    assert figures.short_number(n) == short


def test_words_for_sizes_counts_and_shares() -> None:
    assert [figures.size_words(n) for n in (None, 1, 96_004, 6_100_000, 1_234_000_000)] == [
        "—", "1 byte", "96,004 bytes", "6.1 MB", "1.2 GB",
    ]  # fmt: skip
    assert figures.count_words(1, "request") == "1 request"
    assert figures.count_words(3_000, "entry", "entries") == "3,000 entries"
    assert (figures.percent(12, 100), figures.percent(1, 0)) == ("12 %", "—")
    assert (figures.estimate(38), figures.estimate(None)) == ("≈ 38", "—")


def test_words_for_ages_and_durations() -> None:
    ages = (None, -5, 59, 60, 2_290, 7_300, 90_000, 6 * 86_400, 100 * 86_400, 800 * 86_400)
    assert [figures.age_words(s) for s in ages] == [
        "—", "now", "now", "1 min", "38 min", "2 h", "1 day", "6 days", "3 months", "2 years",
    ]  # fmt: skip
    durations = (None, -1, 0.12, 0.9999, 3.21, 48, 130, 3_840)
    assert [figures.duration_words(s) for s in durations] == [
        "—", "0 ms", "120 ms", "1.0 s", "3.2 s", "48 s", "2 min 10 s", "1 h 04 min",
    ]  # fmt: skip
