"""JSON by Go's rules: what counts, what is refused, and how it is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.reading.go_json import (
    AnyMap,
    Anything,
    Bool,
    Elements,
    GoJsonError,
    Int,
    ListOf,
    Struct,
    Text,
    float_text,
    parse,
    quoted,
    sorted_keys,
    write,
)

POINT = Struct({"skip": Text(), "ok": Bool(), "n": Int(), "list": ListOf(Text()), "any": AnyMap()})


def fill(text: str | bytes) -> Any:
    data = text if isinstance(text, bytes) else text.encode()
    return POINT.fill(parse(data), POINT.zero(), "")


@pytest.mark.parametrize("key", ["skip", "SKIP", "Skip", "\u017fkip", "s\u212aip"])
def test_key_matches_without_regard_to_case(key: str) -> None:
    assert fill(f'{{"{key}": "x"}}')["skip"] == "x"


def test_last_duplicate_wins_but_null_leaves_a_plain_value() -> None:
    assert fill('{"skip": "a", "SKIP": "b"}')["skip"] == "b"
    assert fill('{"skip": "a", "skip": null}')["skip"] == "a"
    assert fill('{"list": ["a"], "list": null}')["list"] is None


def test_second_object_adds_to_the_first_and_a_second_list_is_laid_over_it() -> None:
    assert fill('{"any": {"a": 1, "b": 2}, "any": {"b": 3}}')["any"] == {"a": 1, "b": 3}
    laid = ListOf(Struct({"a": Text(), "b": Text()}))
    first = laid.fill(parse(b'[{"a": "1"}, {"a": "2"}]'), None, "")
    second = laid.fill(parse(b'[{"b": "3"}]'), first, "")
    assert isinstance(second, Elements)
    assert second.values() == [{"a": "1", "b": "3"}]


@pytest.mark.parametrize(
    "text",
    [
        '{"skip": 1}',
        '{"skip": true}',
        '{"skip": {}}',
        '{"ok": "true"}',
        '{"ok": 1}',
        '{"n": "1"}',
        '{"n": 1.0}',
        '{"n": 1e2}',
        '{"n": 9223372036854775808}',
        '{"n": true}',
        '{"list": {}}',
        '{"list": [1]}',
        '{"any": []}',
        '{"any": {"x": 1e999}}',
        "[]",
        "1",
        '""',
    ],
)
def test_wrong_type_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(GoJsonError, match=r"\w"):
        fill(text)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"{} x", b"NaN", b'{"a": Infinity}', b"\xef\xbb\xbf{}", b'{"a": "\n"}', b"{'a': 1}", b"\xff",
     b'{"n": 01}', b"[" * 200_000],
)  # fmt: skip
def test_text_that_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(GoJsonError):
        parse(data)


def test_unknown_keys_are_passed_over_whatever_they_hold() -> None:
    assert fill('{"other": [1e999, {"deep": null}], "n": -5}')["n"] == -5


def test_each_broken_byte_and_escape_becomes_one_replacement_sign() -> None:
    assert fill(b'{"skip": "\xe3\x81x\xff"}')["skip"] == "\ufffd\ufffdx\ufffd"
    assert fill('{"skip": "\\ud83d\\ude00 \\ud83dx \\udc00"}')["skip"] == "\U0001f600 \ufffdx \ufffd"


def test_huge_number_is_no_error_where_nobody_asks_for_it() -> None:
    assert fill('{"other": ' + "9" * 6_000 + "}")["n"] == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.25e22, "1.25e+22"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-10, "1.5e-10"),
        (123456789.125, "123456789.125"),
        (float("inf"), "null"),
        (float("-inf"), "null"),
        (float("nan"), "null"),
    ],
)
def test_float_is_written_as_go_does(value: float, text: str) -> None:
    assert float_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_written_float_reads_back(value: float) -> None:
    assert float(float_text(value)) == value


@given(st.binary(max_size=30))
def test_written_string_is_json_and_keeps_every_character(data: bytes) -> None:
    shown = quoted(data)
    assert json.loads(shown) == "".join(
        "\ufffd" if "\ud800" <= c <= "\udfff" else c for c in data.decode("utf-8", "surrogateescape")
    )
    assert not set("<>&\u2028\u2029\x00") & set(shown)


def test_empty_containers_stay_on_one_line_and_keys_of_maps_are_sorted() -> None:
    assert write({"a": [], "b": {}, "c": [1, None, True]}) == (
        '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    null,\n    true\n  ]\n}'
    )
    assert list(sorted_keys({"é": 1, "z": {"b": 1, "a": 2}})) == ["z", "é"]
    assert Anything().fill(parse(b"[1, 2.5, 1e3]"), None, "") == [1, 2.5, 1_000]
