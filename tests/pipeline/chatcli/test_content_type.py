"""The type word of a summary."""

from __future__ import annotations

import pytest

from inspector.pipeline.chatcli.content_type import content_type, trim_space


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b' \n{"a": 1}', "JSON"),
        (b"[ERROR] no such file", "JSON"),
        (b"package main", "Go source"),
        (b"import os\ndef f():", "source code"),
        (b"undef x", "Python source"),
        (b"x" * 196 + b"def f", "Python source"),
        (b"x" * 197 + b"def f", "text"),
        (b"function f() {}", "JavaScript source"),
        (b"diff --git a b", "diff"),
        (b"--- a\n", "diff"),
        (b"---\n", "text"),
        (b"commit 12ab", "git log"),
        (b"package" + b" " * 3_000, "text"),
        (b"", "text"),
        (b"Package main", "text"),
    ],
)
def test_first_rule_that_fits_wins(content: bytes, word: str) -> None:
    assert content_type(content) == word


@pytest.mark.parametrize("space", ["\t", "\v", "\u0085", "\u00a0", "\u2003", "\u2028", "\u3000"])
def test_spaces_that_go_knows_are_trimmed_at_both_ends(space: str) -> None:
    assert trim_space(f"{space} a{space}b {space}".encode()) == f"a{space}b".encode()


@pytest.mark.parametrize("stays", [b"\x1c", b"\x85", b"\xa0", "\u200b".encode(), "\ufeff".encode()])
def test_other_bytes_are_not_spaces(stays: bytes) -> None:
    assert trim_space(stays + b"a" + stays) == stays + b"a" + stays
