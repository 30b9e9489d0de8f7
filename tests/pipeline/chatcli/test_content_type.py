"""The type word of a summary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.pipeline import microcompact
from inspector.pipeline.chatcli.content_type import content_type, trim_space
from inspector.reading import shape

SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2006\u200a\u2028\u2029\u202f\u205f\u3000"
NO_SPACES = "\x1c\x1d\x1e\x1f\u200b\ufeff\u180e"
WORDS = ["package ", "import ", "def ", "function ", "diff ", "--- ", "commit ", "{", "["]
PIECES = st.lists(
    st.sampled_from([*SPACES, *NO_SPACES, *WORDS, "package", "Import ", "é", "😀", "x" * 40, "y" * 191, "z"]),
    max_size=14,
).map("".join)


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


@given(PIECES)
def test_all_that_tell_a_type_tell_the_same(text: str) -> None:
    word = content_type(text.encode())
    assert (microcompact.content_type(text), shape.content_type(text)) == (word, word)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("other", WORDS)
@pytest.mark.parametrize("filler", ["", "x", "é" * 20])
def test_all_weigh_two_words_alike_wherever_the_window_ends(word: str, other: str, filler: str) -> None:
    texts = [other + filler + word]
    for end in range(198, 203):
        room = end - len((other + word).encode())
        texts += [other + "x" * room + word, " " + other + "é" * (room // 2) + "x" * (room % 2) + word]
    for text in texts:
        told = content_type(text.encode())
        assert (microcompact.content_type(text), shape.content_type(text)) == (told, told)


@pytest.mark.parametrize("space", [*SPACES, *NO_SPACES])
def test_all_trim_the_same_spaces(space: str) -> None:
    kind = "JSON" if space in SPACES else "text"
    for tell in (microcompact.content_type, shape.content_type, lambda text: content_type(text.encode())):
        assert tell(f"{space}{{") == kind


@pytest.mark.parametrize("space", ["\t", "\v", "\u0085", "\u00a0", "\u2003", "\u2028", "\u3000"])
def test_spaces_that_go_knows_are_trimmed_at_both_ends(space: str) -> None:
    assert trim_space(f"{space} a{space}b {space}".encode()) == f"a{space}b".encode()


@pytest.mark.parametrize("stays", [b"\x1c", b"\x85", b"\xa0", "\u200b".encode(), "\ufeff".encode()])
def test_other_bytes_are_not_spaces(stays: bytes) -> None:
    assert trim_space(stays + b"a" + stays) == stays + b"a" + stays
