"""Exact preview texts, and their sizes told without the text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.policy import DOCUMENTED, Unit
from inspector.model.transcript import Shape, preview_check
from inspector.pipeline import previews
from inspector.pipeline.microcompact import content_type
from inspector.pipeline.units import head_to_newline, measure, size_of, tail_from_newline, utf16_len
from inspector.reading import shape

PATH = "/scratch/tool-results/toolu_1.txt"
SEED = DOCUMENTED.budget
LONG = st.builds(
    lambda line, chars, odd: (line * chars)[:chars] + odd,
    st.text(st.sampled_from("ab \n"), min_size=1, max_size=300),
    st.sampled_from([1, 499, 501, 2_001, 2_600, 2_601, 4_999, 5_000, 5_001, 9_000, 40_000]),
    st.sampled_from(["", "\n", "tail", "é" * 40, "😀" * 700]),
)
"""Texts around every length at which something is cut; left to chance, hardly one would be long."""


def shape_of(text: str) -> Shape:
    points = Unit.CODE_POINTS
    shown = utf16_len(previews.persisted_cut(text, split_pairs=True))
    return Shape(
        lines=text.count("\n") + 1,
        content_type=content_type(text),
        head_cut=len(head_to_newline(text, 4_000, points)),
        tail_cut=len(tail_from_newline(text, 1_000, points)),
        aged_head_cut=len(head_to_newline(text, 2_000, points)),
        aged_tail_cut=len(tail_from_newline(text, 500, points)),
        preview_cut=shown,
        preview_check=preview_check(text, shown),
    )


@pytest.mark.parametrize(
    ("size", "label"),
    [
        (30_001, "29.3KB"), (53_248, "52KB"), (58_000, "56.6KB"), (1_300, "1.3KB"), (1_000, "1000 bytes"),
        (1_023, "1023 bytes"), (1_024, "1KB"), (1_075, "1KB"), (1_076, "1.1KB"), (25_856, "25.3KB"),
        (1_048_523, "1023.9KB"), (1_048_575, "1024KB"), (1_048_576, "1MB"),
        (1_100_000, "1MB"), (1_101_005, "1.1MB"), (2_621_440, "2.5MB"),
    ],
)  # fmt: skip
def test_size_label_has_one_decimal_and_drops_a_zero(size: int, label: str) -> None:
    assert previews.size_label(size) == label


def test_persisted_preview_has_the_exact_text_of_the_client() -> None:
    text = ("x" * 1_499 + "\n") + "y" * 30_000
    assert previews.persisted_preview(text, PATH) == (
        "<persisted-output>\nOutput too large (30.8KB). Full output saved to: " + PATH + "\n\n"
        "Preview (first 2KB):\n" + "x" * 1_499 + "\n...\n</persisted-output>"
    )


def test_persisted_preview_is_cut_hard_when_the_newline_is_before_the_middle() -> None:
    assert previews.persisted_cut("x" * 300 + "\n" + "y" * 5_000) == "x" * 300 + "\n" + "y" * 1_699


@pytest.mark.parametrize("unit", ["x", "😀"])
@pytest.mark.parametrize(("at", "cut"), [(999, False), (1_000, False), (1_001, True), (1_999, True)])
def test_a_persisted_preview_ends_at_a_newline_that_lies_past_its_middle(
    unit: str, at: int, cut: bool
) -> None:
    begin = (unit * 1_000)[: at // len(unit.encode("utf-16-le")) * 2]
    begin += "y" * (at - utf16_len(begin))
    text = begin + "\n" + "z" * 3_000
    assert previews.persisted_cut(text) == (begin if cut else begin + "\n" + "z" * (1_999 - at))
    assert shape.preview_cut(text) == (at if cut else 2_000)


def test_persisted_preview_counts_utf16_units() -> None:
    assert previews.persisted_cut("😀" * 2_000) == "😀" * 1_000
    assert previews.persisted_cut("x" + "😀" * 2_000) == "x" + "😀" * 999
    assert previews.persisted_cut("x" + "😀" * 2_000, split_pairs=True) == "x" + "😀" * 999 + "\ud83d"


def test_list_content_is_stored_as_indented_json_without_half_characters() -> None:
    content = [{"type": "text", "text": "é\ud83d\u2028"}]
    assert previews.pretty_json(content) == (
        '[\n  {\n    "type": "text",\n    "text": "é\\ud83d\u2028"\n  }\n]'
    )
    assert json.loads(previews.pretty_json(content)) == content


def test_budget_preview_says_what_is_really_missing() -> None:
    head, tail = "h" * 3_000 + "\n", "t" * 800
    text = head + "m" * 30_000 + "\n" + tail
    assert previews.budget_preview(text, PATH, SEED, Unit.CODE_POINTS) == (
        head + f"\n\n... [30001 chars omitted — full output saved to {PATH}]\n\n" + tail
    )


def test_a_text_that_head_and_tail_would_hold_is_its_own_preview() -> None:
    text = "line\n" * 1_000
    assert previews.budget_preview(text, PATH, SEED, Unit.CODE_POINTS) == text


@given(LONG)
def test_nothing_is_lost_between_the_parts_of_a_budget_preview(text: str) -> None:
    shown = previews.budget_preview(text, PATH, SEED, Unit.CODE_POINTS)
    if shown == text:
        return
    head, _, rest = shown.partition("\n\n... [")
    missing, _, tail = rest.partition(f" chars omitted — full output saved to {PATH}]\n\n")
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + int(missing) + len(tail) == len(text)


@given(LONG, st.sampled_from(list(Unit)))
def test_budget_preview_size_is_told_without_the_text(text: str, unit: Unit) -> None:
    size, exact = previews.budget_preview_size(size_of(text), shape_of(text), PATH, SEED, unit)
    if exact:
        assert size == measure(previews.budget_preview(text, PATH, SEED, unit), unit)
    assert exact or not text.isascii()


@given(LONG)
def test_persisted_preview_size_is_told_without_the_text(text: str) -> None:
    size, exact = previews.persisted_preview_size(size_of(text), shape_of(text), PATH, Unit.UTF16)
    assert exact
    assert size == utf16_len(previews.persisted_preview(text, PATH, split_pairs=True))


@given(text=LONG, change=st.integers(0, 10_000), letter=st.sampled_from("aé😀\n"))
def test_stored_preview_is_told_from_another_one_without_the_text(
    text: str, change: int, letter: str
) -> None:
    size, shape = size_of(text), shape_of(text)
    stored = previews.persisted_preview(text, PATH, size.utf16, split_pairs=True)
    assert previews.is_persisted_preview(stored, size, shape, PATH)
    assert not previews.is_persisted_preview(stored, size, shape, f"{PATH}.other")
    at = change % len(stored)
    other = stored[:at] + letter + stored[at + 1 :]
    assert previews.is_persisted_preview(other, size, shape, PATH) == (other == stored)
    assert not previews.is_persisted_preview(stored[:at], size, shape, PATH)


@given(text=LONG, path=st.sampled_from([PATH, "/a/é.txt", "/a/😀.txt"]))
def test_length_in_characters_follows_where_no_character_has_two_units(text: str, path: str) -> None:
    size, shape = size_of(text), shape_of(text)
    units, exact = previews.persisted_preview_size(size, shape, path, Unit.UTF16)
    assert exact
    if size.chars == size.utf16:
        preview = previews.persisted_preview(text, path, size.utf16, split_pairs=True)
        assert units - utf16_len(path) + len(path) == len(preview)


@pytest.mark.parametrize("unit", [Unit.UTF16, Unit.CODE_POINTS, Unit.BYTES])
@pytest.mark.parametrize("text", ["x" * 60_000, "a line of some length\n" * 3_000, "é" * 60_000, "short"])
def test_size_of_a_list_preview_is_told_about_without_the_text(text: str, unit: Unit) -> None:
    shown = previews.persisted_preview(previews.pretty_json([{"type": "text", "text": text}]), PATH)
    shape = shape_of(text) if len(text) > 2_000 else None
    told = previews.listed_preview_size(size_of(text), shape, PATH, unit)
    assert told == pytest.approx(measure(shown, unit), rel=0.02)
