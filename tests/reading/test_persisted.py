from __future__ import annotations

import pytest

from inspector.model.transcript import Persisted
from inspector.reading.persisted import parse_persisted


def persisted_text(path: str, label: str = "42.8KB", newline: str = "\n") -> str:
    return newline.join(
        [
            "<persisted-output>",
            f"Output too large ({label}). Full output saved to: {path}",
            "",
            "Preview (first 2KB):",
            "first line",
            "...",
            "</persisted-output>",
        ]
    )


@pytest.mark.parametrize(
    "path",
    ["/home/dev/projects/-p/s/tool-results/toolu_1.txt", r"C:\Users\dev\tool results\b1.txt", "x.txt"],
)
def test_path_is_kept_as_it_was_written(path: str) -> None:
    assert parse_persisted(persisted_text(path)) == Persisted(path, "42.8KB")


def test_text_after_the_closing_tag_changes_nothing() -> None:
    text = persisted_text("/a/b.txt") + "\nShell cwd was reset to /home/dev"
    assert parse_persisted(text) == Persisted("/a/b.txt", "42.8KB")


def test_carriage_returns_are_no_part_of_a_path() -> None:
    assert parse_persisted(persisted_text("/a/b.txt", newline="\r\n")) == Persisted("/a/b.txt", "42.8KB")


def test_unknown_header_is_persisted_without_a_path() -> None:
    assert parse_persisted("<persisted-output>\nsomething else") == Persisted("", "")


def test_tag_counts_only_at_the_very_start() -> None:
    assert parse_persisted(" " + persisted_text("/a/b.txt")) is None
