from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.transcript import Size
from inspector.reading.shape import (
    BASE64_FROM,
    SHAPED_FROM,
    ascii_size,
    base64_chars,
    content_type,
    head_cut,
    may_hold_base64,
    measure,
    preview_cut,
    size_of,
    tail_cut,
    utf16_units,
)

ALPHABET = st.characters(categories=["L", "Cc", "Cs", "So", "Zs", "Nd"])
TEXTS = st.one_of(
    st.text(ALPHABET, max_size=40),
    st.tuples(st.text(ALPHABET, max_size=12), st.integers(1, 60)).map(lambda t: t[0] * t[1]),
)


def reference_size(text: str) -> Size:
    return Size(
        sum(1 for _ in text),
        sum(2 if ord(char) > 0xFFFF else 1 for char in text),
        sum(1 if ord(c) < 128 else 2 if ord(c) < 0x800 else 3 if ord(c) <= 0xFFFF else 4 for c in text),
    )


@given(TEXTS)
def test_measures_equal_those_taken_character_by_character(text: str) -> None:
    found = measure(text)
    assert found.size == reference_size(text)
    assert found.lone_surrogates == any("\ud800" <= char <= "\udfff" for char in text)
    assert found.controls == any(
        (ord(char) < 32 and char not in "\t\n") or 127 <= ord(char) < 160 for char in text
    )

    assert found.size == size_of(text)
    bare = (found.shape, found.base64_chars, found.lone_surrogates, found.controls)
    assert not found.is_plain or bare == (None, 0, False, False)


def test_sizes_of_short_ascii_texts_are_kept_once() -> None:
    assert measure("a" * 300).size is measure("b\n" * 150).size is ascii_size(300)
    assert measure("a" * 9_000).size == ascii_size(9_000)


SPACED = st.lists(
    st.tuples(st.sampled_from(["Ab1/", "=", " ", "\n", "-", "é"]), st.sampled_from([1, 2, 249, 250, 400])),
    max_size=6,
).map(lambda parts: "".join(text * times for text, times in parts))


@given(SPACED)
def test_text_without_a_place_for_base64_is_not_searched_and_has_none(text: str) -> None:
    found = base64_chars(text.encode())
    assert measure(text).base64_chars == found
    assert may_hold_base64(text) or not found


@pytest.mark.parametrize("control", ["\0", "\b", "\r", "\x1b", "\x1f", "\x7f", "\x80", "\x9b"])
@pytest.mark.parametrize("length", [1, 63, 64, 5_000])
def test_control_character_is_found_wherever_it_stands(control: str, length: int) -> None:
    assert measure("é" * length + control).controls
    assert measure("a" * length + control + "b" * length).controls


def test_tab_newline_and_letters_near_c1_are_no_controls() -> None:
    assert not measure("a\tb\n" * 1_000).controls
    assert not measure("\xa0\xb7\xc2" * 1_000).controls


def test_only_long_texts_have_a_shape() -> None:
    assert measure("a" * SHAPED_FROM).shape is None
    assert measure("a" * (SHAPED_FROM + 1)).shape is not None


def test_lines_are_line_feeds_and_one() -> None:
    text = "a\n" * 1_500
    shape = measure(text).shape
    assert shape is not None
    assert shape.lines == 1_501


def test_head_is_cut_after_the_last_newline_beyond_the_middle() -> None:
    assert head_cut("a" * 3_000 + "\n" + "b" * 5_000, 4_000) == 3_001
    assert head_cut("a" * 2_001 + "\n" + "b" * 5_000, 4_000) == 2_002
    assert head_cut("a" * 2_000 + "\n" + "b" * 5_000, 4_000) == 4_000
    assert head_cut("b" * 5_000, 4_000) == 4_000
    assert head_cut("a" * 1_500 + "\n" + "b" * 100, 4_000) == 1_501


def test_tail_is_cut_after_the_first_newline_before_the_middle() -> None:
    def tail(offset: int) -> int:
        return tail_cut("a" * 4_000 + "b" * offset + "\n" + "c" * (999 - offset), 1_000)

    assert tail(499) == 500
    assert tail(500) == 1_000
    assert tail(1) == 998
    assert tail(0) == 1_000
    assert tail_cut("x" * 3_000, 1_000) == 1_000


def test_preview_is_cut_at_the_last_newline_beyond_the_middle_which_is_left_out() -> None:
    assert preview_cut("a" * 1_500 + "\n" + "b" * 3_000) == 1_500
    assert preview_cut("a" * 1_000 + "\n" + "b" * 3_000) == 2_000
    assert preview_cut("a" * 1_001 + "\n" + "b" * 3_000) == 1_001
    assert preview_cut("a" * 300) == 300


def test_preview_counts_utf16_units() -> None:
    assert preview_cut("😀" * 3_000) == 2_000
    assert preview_cut("a" + "😀" * 3_000) == 2_000
    assert preview_cut("é" * 3_000) == 2_000
    assert preview_cut("😀" * 600 + "\n" + "b" * 3_000) == 1_200
    assert preview_cut("\ud83d" * 3_000) == 2_000


@given(st.text(st.sampled_from("a\n😀é\ud83d"), max_size=60), st.integers(20, 60))
def test_preview_equals_a_cut_of_the_encoded_text(unit: str, times: int) -> None:
    text = unit * times
    units = text.encode("utf-16-le", "surrogatepass")[:4_000]
    pairs = [units[i : i + 2] for i in range(0, len(units), 2)]
    newlines = [i for i, pair in enumerate(pairs) if pair == b"\n\0" and i > 1_000]
    assert preview_cut(text) == (newlines[-1] if newlines else len(pairs))


@given(TEXTS)
def test_utf16_units_count_half_characters_too(text: str) -> None:
    assert utf16_units(text) == reference_size(text).utf16


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (' \n{"a": 1}', "JSON"),
        ("[ERROR] no disk", "JSON"),
        ("// x\npackage main", "Go source"),
        ("import os\ndef f(): ...", "source code"),
        ("undef x", "Python source"),
        ("function f() {}", "JavaScript source"),
        ("--- a/x\n+++ b/x", "diff"),
        ("diff --git", "diff"),
        ("commit 0123", "git log"),
        ("\u2003\x85commit 0123", "git log"),
        ("\x1ccommit 0123", "text"),
        ("a commit 0123", "text"),
        ("x" * 196 + "def ", "text"),
        ("x" * 196 + "def y", "Python source"),
        ("x" * 197 + "def y", "text"),
        ("é" * 98 + "def y", "Python source"),
        ("é" * 99 + "def y", "text"),
        ("def" + " " * 3_000, "text"),
        ("", "text"),
    ],
)
def test_content_type_follows_the_first_rule_that_fits(text: str, kind: str) -> None:
    assert content_type(text) == kind


NOISE = base64.b64encode(random.Random(5).randbytes(30_000))


@pytest.mark.parametrize("before", [0, 1, 7, 899, 900, 901, 1_500, 4_096])
@pytest.mark.parametrize("length", [BASE64_FROM, BASE64_FROM + 1, 2_345, 20_000])
def test_base64_run_is_counted_in_full_wherever_it_stands(before: int, length: int) -> None:
    data = b"word, " * (before // 6) + b" " * (before % 6) + NOISE[:length] + b" and more words" * 99
    assert base64_chars(data) == length


def test_runs_add_up_and_short_ones_do_not_count() -> None:
    run, short = NOISE[:3_000], NOISE[: BASE64_FROM - 1]
    assert base64_chars(b"data:image/png;base64," + run + b'" "' + run) == 6_000
    assert base64_chars(b" ".join([short] * 20)) == 0


def test_base64_in_lines_is_one_run() -> None:
    lines = base64.encodebytes(random.Random(6).randbytes(5_000))
    assert base64_chars(b"-----BEGIN-----\n" + lines + b"-----END-----\n") == len(lines) - 1


@pytest.mark.parametrize(
    "text",
    [b"x" * 9_000, b"0123456789" * 900, b"0123456789abcdef" * 900, b"word\n" * 3_000, b"a/b/c/" * 900],
    ids=["one letter", "digits", "hex", "a word a line", "paths"],
)
def test_long_runs_of_other_kinds_are_no_base64(text: bytes) -> None:
    assert base64_chars(text) == 0


def test_newline_just_behind_the_preview_does_not_count() -> None:
    text = "a" + "\n" + "b" * 1_200 + "😀" * 399 + "\n" + "c" * 2_000
    assert utf16_units(text[: text.rindex("\n")]) == 2_000
    assert preview_cut(text) == 2_000
