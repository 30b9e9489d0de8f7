"""One limit of nesting, whichever decoder took the value apart."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from inspector.reading import json_spans
from inspector.reading.go_json import GoJsonError, Pairs, parse
from inspector.reading.lenient import decode_json
from inspector.reading.nesting import MAX_LEVELS, shallow

OPEN = {"list": (b"[", b"]"), "object": (b'{"a":', b"}")}


def nested(levels: int, kind: str) -> bytes:
    return OPEN[kind][0] * levels + b"1" + OPEN[kind][1] * levels


def value(levels: int) -> Any:
    out: Any = 1
    for n in range(levels):
        out = [out] if n % 3 else {"a": out} if n % 2 else Pairs([("a", out)])
    return out


def test_a_value_of_as_many_levels_is_taken_and_one_more_is_not() -> None:
    kept, many = value(MAX_LEVELS), b"[" * (MAX_LEVELS + 1)
    assert shallow(kept, many) is kept
    with pytest.raises(RecursionError):
        shallow([kept], many)
    wide = [[1, {"a": 2}] for _ in range(10_000)]
    assert shallow(wide, many) is wide


def test_a_value_of_few_brackets_is_not_walked_through() -> None:
    deep = value(MAX_LEVELS + 1)
    assert shallow(deep, b"{" * MAX_LEVELS) is deep


@pytest.mark.parametrize("kind", OPEN)
@pytest.mark.parametrize("spoil", [b"%b", b"%b ", b'["\\ud800",%b]', b'["\t",%b]', b'["\xff",%b]'])
def test_every_way_of_decoding_has_the_same_limit(spoil: bytes, kind: str) -> None:
    """orjson, the plain decoder, and the one that lets control characters pass."""
    wrapped = int(spoil.startswith(b"["))
    assert decode_json(spoil % nested(MAX_LEVELS - wrapped, kind)).whole
    for levels in (MAX_LEVELS + 1, 1_000, sys.getrecursionlimit() + 100, 100_000):
        decoded = decode_json(spoil % nested(levels, kind))
        assert (decoded.whole, decoded.reason) == (False, "nested too deeply to be read")


@pytest.mark.parametrize("kind", OPEN)
def test_what_go_would_read_has_it_too(kind: str) -> None:
    parse(nested(MAX_LEVELS, kind))
    for levels in (MAX_LEVELS + 1, 1_000, 100_000):
        with pytest.raises(GoJsonError, match="nested too deeply"):
            parse(nested(levels, kind))


@pytest.mark.parametrize("kind", OPEN)
def test_what_stands_behind_a_value_of_any_depth_is_found(kind: str) -> None:
    for levels in (json_spans.MAX_DEPTH - 1, json_spans.MAX_DEPTH, json_spans.MAX_DEPTH + 1, 100_000):
        deep = nested(levels, kind)
        data = b"[" + deep + b",[2]," + deep[:-9] + b"]"
        first, second, third = json_spans.items(data, 0)
        assert (first.complete, data[first.start : first.end]) == (True, deep)
        assert data[second.start : second.end] == b"[2]"
        assert not third.complete
